"""Sobol's indices of the quarter vehicle's steady slip, by SALib: from runs and from the closed form."""

import numpy as np
import pytest
from SALib.analyze import sobol as analysis
from SALib.sample import sobol
from scipy.optimize import brentq

import bodies as B
from tests import naive

from .test_batch import quarter

RADIUS, GRAVITY = 0.381, 9.81  # radius of the wheel [m], gravity [m/s^2]
RANGES = {"soil.cone_index": (3e5, 5e5), "wheel.mass": (200.0, 300.0), "torque": (300.0, 500.0)}
PROBLEM = {
    "num_vars": 3,
    "names": list(RANGES),
    "bounds": [list(ends) for ends in RANGES.values()],
}


def by_runs(samples):
    """Slip ratio after 10 s of driving."""

    def steady(batch):
        batch.run(2000)
        rim = RADIUS * batch.angular_velocity("wheel")[:, 1]
        return {"slip": 1.0 - batch.velocity("wheel")[:, 0] / rim}

    columns = dict(zip(RANGES, samples.T, strict=True))
    return B.sweep(B.compile(quarter()), columns, steady, step=5e-3, chunk=512)["slip"]


def by_the_closed_form(samples):
    """Slip ratio at which Brixius' gross traction balances the torque."""

    def slip(cone_index, mass, torque):
        load = GRAVITY * mass
        b_m = naive.mobility_number(cone_index, 0.762, 0.2, load, 0.0)
        return brentq(lambda i: naive.thrust_ratio(b_m, i) * load - torque / RADIUS, 1e-9, 5.0)

    return np.array([slip(*row) for row in samples])


def indices(n, slips):
    """First-order and total indices [-]."""
    samples = sobol.sample(PROBLEM, n, calc_second_order=False, seed=1)
    found = analysis.analyze(PROBLEM, slips(samples), calc_second_order=False, seed=1, num_resamples=2)
    return np.array([found["S1"], found["ST"]])


def test_indices_of_the_same_samples():
    """Every run has the closed form's slip, so all indices are equal."""
    assert indices(32, by_runs) == pytest.approx(indices(32, by_the_closed_form), abs=1e-5)


@pytest.mark.slow
def test_indices_of_runs_are_those_of_the_closed_form():
    assert indices(1024, by_runs) == pytest.approx(indices(16384, by_the_closed_form), abs=0.02)
