"""Fixtures of pytest."""

import pytest

from . import Server


def pytest_addoption(parser):
    parser.addini("binnacle_flags", "Flags of the servers of binnacle-server.", type="args", default=[])


@pytest.fixture(scope="session")
def binnacle(request):
    """A server for all tests of the session. Tests that share it use namespaces of their own."""
    with Server(*request.config.getini("binnacle_flags")) as server:
        yield server


@pytest.fixture
def fresh_binnacle(request):
    """A server for one test."""
    with Server(*request.config.getini("binnacle_flags")) as server:
        yield server
