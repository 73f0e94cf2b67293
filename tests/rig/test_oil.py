"""Oil of a circuit at its own rate against oil and mass at one rate; deficit of models to real time."""

import numpy as np
import pytest

from benchmarks.hydraulic_cases.circuits import bench
from benchmarks.rates.figures import deficit, slope_of_deficit
from bodies import SimulationError
from bodies.hydraulics import Rod
from rig import MultiRate, RigError
from rig.two_rates.oil import Oil, Rods

TIME = 0.64  # length of a run [s]; the lever opens the valve at 0.2 s


def moved(c, t, **options):
    case = bench("bucket")
    oil, rods = Oil(case.circuit), Rods(case.rods)
    start = np.array([case.circuit.branches[0].cylinder.extension, 0.0])
    rates = MultiRate(rods, oil, c, c, t, method="ode5", **options)
    return rates.run(start, oil.start(rods.load), TIME)


@pytest.fixture(scope="module")
def together():
    return bench("bucket").run(TIME, 5e-5, "ode5")


@pytest.mark.parametrize("options", [{}, {"input": "linear", "force": "mean"}], ids=["held", "linear"])
def test_two_rates_tend_to_one_with_the_exchange(options, together):
    errors = []
    for c in (8e-4, 4e-4):
        x, _, _ = moved(c, 5e-5, **options)
        every = round(c / 5e-5)
        errors.append(np.abs(x[:, 0] - together.length[::every, 0][: len(x)]).max())
    assert np.ptp(together.length) > 0.01
    assert errors[1] < 1e-4
    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.25)


def test_at_rest_nothing_moves_and_the_oil_carries_the_load():
    case = bench("boom")
    oil, rods = Oil(case.circuit), Rods(case.rods)
    y, force, mean = oil.go(oil.start(rods.load), np.array([0.35, 0.0]), np.zeros(2), 10, 1e-4, "ode3")
    assert force[0] == pytest.approx(-rods.load[0], rel=1e-6)
    assert mean == pytest.approx(force, rel=1e-9)
    assert y[0] == 0.35


def test_a_piston_that_leaves_its_cylinder_ends_the_run():
    case = bench("boom")
    oil = Oil(case.circuit)
    with pytest.raises(SimulationError, match="outside its stroke"):
        oil.go(oil.start([0.0]), np.array([0.79, 2.0]), np.zeros(2), 100, 1e-3, "ode3")


def test_rods_that_are_told_how_to_move_are_no_slow_model():
    with pytest.raises(RigError, match="needs a force that is a number"):
        Rods((Rod(speed=0.1),))


def test_what_takes_longer_than_it_lasts_falls_behind_at_its_rate_and_else_catches_up():
    assert slope_of_deficit(deficit(np.full(200, 2.5e-3))) == pytest.approx(1.5, rel=1e-12)
    late = deficit(np.where(np.arange(200) == 50, 5e-3, 1e-4))
    assert late.max() == pytest.approx(4e-3)
    assert late[-1] == 0.0
