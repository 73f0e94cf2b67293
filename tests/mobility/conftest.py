"""Common data of the tests of mobility maps, made once."""

import pytest

from mobility import lumped, surface

from .coarse import coarsen


@pytest.fixture(scope="session")
def table():
    """Mobility table of the four-wheel-drive HMMWV with locked axles, which is quick to compute."""
    return surface(lumped("hmmwv_4x4", open_axles=False))


@pytest.fixture
def coarse_tables(monkeypatch):
    """Tables made in this test have few nodes."""
    coarsen(monkeypatch)
