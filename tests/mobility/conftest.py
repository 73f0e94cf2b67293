"""Common data of the tests of maps, made once."""

import pytest

from mobility import lumped, surface


@pytest.fixture(scope="session")
def table():
    """The four-wheel drive with locked axles, which is quick to tabulate."""
    return surface(lumped("hmmwv_4x4", open_axles=False))
