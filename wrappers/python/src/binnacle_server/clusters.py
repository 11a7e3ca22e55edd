"""Further clusters of a server that was started with --clusters."""

import json
import urllib.error
import urllib.request


class ClusterError(RuntimeError):
    """The server refused a request about a cluster; the message has its answer."""


class Cluster:
    """A cluster of a server, which has its own objects and credentials. It is a context manager that deletes it.

    Attributes: name, url (with a path, which clients keep), ca (PEM), token (of the administrator), version.
    """

    def __init__(self, server, source: str):
        """Forks a cluster of a server; `source` names it: first, or that of another fork. Raises ClusterError."""
        self._server = server
        values = self._ask("POST", "", {"from": source})
        self.name: str = values["name"]
        self.url: str = values["url"]
        self.ca: str = values["ca"]
        self.token: str = values["token"]
        self.version: str = values["version"]

    def fork(self) -> "Cluster":
        """A cluster with the present state of this one."""
        return Cluster(self._server, self.name)

    def reset(self) -> None:
        """The state with which the cluster began. Watches end with 410."""
        self._ask("POST", f"/{self.name}/reset")

    def delete(self) -> None:
        """Ends the cluster and those that were forked from it."""
        self._ask("DELETE", f"/{self.name}?cascade=true")

    def ssl_context(self):
        """A context that trusts the server alone."""
        return self._server.ssl_context()

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_) -> None:
        self.delete()

    def _ask(self, method: str, path: str, body=None) -> dict:
        request = urllib.request.Request(
            f"{self._server.url}/clusters{path}",
            method=method,
            headers={"Authorization": f"Bearer {self._server.token}", "Content-Type": "application/json"},
            data=None if body is None else json.dumps(body).encode(),
        )
        try:
            with urllib.request.urlopen(request, context=self._server.ssl_context()) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            reason = error.read().decode(errors="replace")
            raise ClusterError(f"{method} /clusters{path}: {error.code} {reason} (it needs --clusters)") from error
