"""Kubernetes API servers for tests. Each is a process of Binnacle that ends with this one at the latest.

It rests on docs/start-contract.md alone.
"""

import collections
import json
import os
import ssl
import subprocess
import threading

from .clusters import Cluster, ClusterError

__all__ = ["Cluster", "ClusterError", "Server", "StartError"]

_START_SECONDS = 60
_STOP_SECONDS = 5
# Lines of the log that errors show.
_SHOWN_LINES = 40


class StartError(RuntimeError):
    """The server did not become ready; the message has the end of its log."""


class Server:
    """A running server. It is a context manager that stops it.

    Attributes: url, kubeconfig (a path), ca (PEM), token (of the administrator), version (of Kubernetes), binnacle
    (its version), pid.
    """

    def __init__(self, *flags: str):
        """Starts a server with further flags. Raises StartError."""
        words = [*_command(), "serve", "--ephemeral", "--exit-with-parent", "--print-token", *flags]
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe)
        except OSError as error:
            raise StartError(f"{error}: BINNACLE_BIN names the command that starts Binnacle") from error
        self._log = collections.deque(maxlen=_SHOWN_LINES)
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()
        timer = threading.Timer(_START_SECONDS, self._process.kill)
        timer.start()
        line = self._process.stdout.readline()
        timer.cancel()
        if not line.endswith(b"\n"):
            self._end()
            raise StartError(f"binnacle did not start (exit code {self._process.returncode}): {self.log}")
        values = json.loads(line)
        self.binnacle: str = values["binnacle"]
        self.url: str = values["url"]
        self.kubeconfig: str = values.get("kubeconfig", "")
        self.ca: str = values["ca"]
        self.token: str = values["token"]
        self.version: str = values["version"]
        self.pid: int = values["pid"]

    @property
    def log(self) -> str:
        """The end of the server's log."""
        return "".join(self._log)

    def ssl_context(self) -> ssl.SSLContext:
        """A context that trusts the server alone, for urllib and other clients."""
        return ssl.create_default_context(cadata=self.ca)

    def fork(self) -> Cluster:
        """A cluster with the present state of the first one. The server needs --clusters. Raises ClusterError."""
        return Cluster(self, "first")

    def stop(self) -> None:
        """Ends the server and waits for it. Further calls do nothing."""
        self._end()
        if self._process.returncode != 0:
            raise RuntimeError(f"binnacle ended with {self._process.returncode}: {self.log}")

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def _end(self) -> None:
        self._process.stdin.close()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(_STOP_SECONDS)
        self._process.stdout.close()

    def _read_log(self) -> None:
        with self._process.stderr as stream:
            for line in stream:
                self._log.append(line.decode(errors="replace"))


def _command() -> list:
    """The words that start Binnacle: BINNACLE_BIN, a path or several words, or binnacle."""
    value = os.environ.get("BINNACLE_BIN", "")
    return [value] if os.path.exists(value) else value.split() or ["binnacle"]
