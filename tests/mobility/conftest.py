"""Common data of the tests of mobility maps, made once."""

import os

import pytest

from mobility import lumped, surface

from .coarse import coarsen


@pytest.fixture(scope="session")
def table(tmp_path_factory):
    """Mobility table of the four-wheel-drive HMMWV with locked axles, shared by all test processes."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    return surface(lumped("hmmwv_4x4", open_axles=False), folder=folder / "tables")


@pytest.fixture
def coarse_tables(monkeypatch):
    """Tables that a test with this fixture makes have few nodes."""
    coarsen(monkeypatch)
