import json
import os
import time
import urllib.error
import urllib.request

import pytest
from binnacle_server import ClusterError, Server, StartError


def ask(server, method, path, body=None):
    """Sends a request as the administrator and returns the status and the object."""
    request = urllib.request.Request(
        server.url + path,
        method=method,
        headers={"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"},
        data=None if body is None else json.dumps(body).encode(),
    )
    try:
        with urllib.request.urlopen(request, context=server.ssl_context()) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def test_a_deleted_namespace_goes_away(binnacle):
    assert ask(binnacle, "POST", "/api/v1/namespaces", {"metadata": {"name": "shop"}})[0] == 201
    status, _ = ask(binnacle, "POST", "/api/v1/namespaces/shop/configmaps", {"metadata": {"name": "a"}})
    assert status == 201
    assert ask(binnacle, "DELETE", "/api/v1/namespaces/shop")[0] == 200
    end = time.monotonic() + 60
    while ask(binnacle, "GET", "/api/v1/namespaces/shop")[0] != 404:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_session_shares_a_server(binnacle, fresh_binnacle):
    assert binnacle.url != fresh_binnacle.url
    assert ask(binnacle, "GET", "/version")[1]["gitVersion"].startswith(f"v{binnacle.version}")


def test_forks_go_on_for_themselves():
    maps = "/api/v1/namespaces/default/configmaps"
    with Server("--clusters") as server:
        assert ask(server, "POST", maps, {"metadata": {"name": "seed"}})[0] == 201
        with server.fork() as cluster:
            assert ask(cluster, "POST", maps, {"metadata": {"name": "own"}})[0] == 201
            with cluster.fork() as again:
                assert ask(again, "GET", f"{maps}/own")[0] == 200
            assert ask(server, "GET", f"{maps}/own")[0] == 404
            cluster.reset()
            assert ask(cluster, "GET", f"{maps}/own")[0] == 404
            assert ask(cluster, "GET", f"{maps}/seed")[0] == 200
        assert ask(cluster, "GET", "/version")[0] == 404


def test_forks_need_a_flag(binnacle):
    with pytest.raises(ClusterError, match="--clusters"):
        binnacle.fork()


def test_the_files_go_with_the_server():
    with Server("--v=2") as server:
        with open(server.kubeconfig) as file:
            assert server.url in file.read()
    assert not os.path.exists(server.kubeconfig)
    assert "the standard input ended" in server.log
    server.stop()


def test_a_failure_has_the_reason(monkeypatch):
    with pytest.raises(StartError, match="Error: unknown flag: --no-such-flag"):
        Server("--no-such-flag")
    monkeypatch.setenv("BINNACLE_BIN", "no-such-command")
    with pytest.raises(StartError, match="BINNACLE_BIN"):
        Server()
