"""Time steps whose fixed-point iteration (passes) diverges: Newton's method ends within 15 passes.

A small vehicle of four wheels, with an open differential between the rear ones. Beyond the peak of a
falling characteristic one wheel of an axle slips and the other grips; the choice determines the
complete step.
"""

import numpy as np
import pytest

from contact import LAWS, ConeIndexSoil, Crolla, GroundContact, Tyre, WheelContact
from contact.kernels.wheel import layout as at

MASS, INERTIAS = 3000.0, (900.0, 3500.0, 4000.0)  # of the body [kg], [kg m^2] about x, y, z
RIM, SHAFT, RADIUS = 3.0, 40.0, 0.4  # inertias of wheel and shaft [kg m^2], radius [m]
PLACES = [(1.6, 0.9), (1.6, -0.9), (-1.6, 0.9), (-1.6, -0.9)]  # x, y of the wheels [m]
HEIGHT = 0.7  # height of the centre of mass above the wheels' contacts [m]
MOST_PASSES = 15

pytestmark = pytest.mark.filterwarnings("ignore::contact.OutsideValidity")


def velocities_of_channels():
    """Jacobian (16, 10) from the body's twist and four wheel speeds to the contact velocities, and the
    inverse inertia (10, 10)."""
    J = np.zeros((16, 10))
    for i, (x, y) in enumerate(PLACES):
        first = at.CHANNELS * i
        arm = np.array([x, y, -HEIGHT])
        for channel, axis in ((at.NORMAL, 2), (at.SLIDING, 0), (at.LATERAL, 1), (at.CENTRE, 0)):
            to = arm if channel != at.CENTRE else arm + np.array([0.0, 0.0, RADIUS])
            J[first + channel, axis] = 1.0
            J[first + channel, 3:6] = np.cross(to, np.eye(3)[axis])
        J[first + at.SLIDING, 6 + i] = -RADIUS
    inverse = np.diag([1.0 / MASS] * 3 + [1.0 / a for a in INERTIAS] + [1.0 / RIM] * 4)
    rear = RIM * np.eye(2) + 0.25 * SHAFT * np.ones((2, 2))
    inverse[8:, 8:] = np.linalg.inv(rear)
    return J, inverse


J, INVERSE = velocities_of_channels()
B = J @ INVERSE @ J.T


def random_step(rng, law, **limits):
    """Solver's report of a random time step near standstill, from zero initial impulses."""
    tyre = Tyre(0.8, 0.25, 0.16, deflection_ratio=0.2)
    soil = ConeIndexSoil(10.0 ** rng.uniform(5.0, 6.1))
    ellipse = bool(rng.random() < 0.5)
    wheel = WheelContact(
        tyre, soil, law=law, regularisation="implicit", lateral=Crolla(), ellipse=ellipse
    )
    ground = GroundContact([wheel] * 4, **limits)
    h = float(rng.choice([1e-3, 5e-3, 1 / 60]))
    speed = 10.0 ** rng.uniform(-3.0, 0.0)
    v = np.zeros(10)
    v[0], v[1], v[5] = speed * rng.normal(), 0.3 * speed * rng.normal(), 0.2 * speed * rng.normal()
    v[6:] = (v[0] + speed * rng.normal(size=4)) / RADIUS
    free = v.copy()
    free[2] -= 9.81 * h
    torque = 3000.0 * rng.normal() * np.array([0.0, 0.0, 1.0, 1.0]) - 400.0 * rng.random(4) * np.sign(
        v[6:]
    )
    free += h * INVERSE @ np.concatenate([np.zeros(6), torque])
    gap = -rng.uniform(0.01, 0.03, 4)
    ground.solve(h, gap, B, J @ v, J @ free)
    return ground.report


@pytest.mark.parametrize(
    ("law", "steps"),
    [
        *((law, 500) for law in ("brixius", "brixius-radial", "wet")),
        *(pytest.param(law, 5000, marks=pytest.mark.slow) for law in sorted(set(LAWS) - {"wong-reece"})),
    ],
)
def test_no_step_takes_more_than_fifteen_passes(law, steps):
    rng = np.random.default_rng(5)
    for _ in range(steps):
        report = random_step(rng, law)
        assert report["missed"] == 0.0
        assert report["passes"] <= MOST_PASSES
        assert report["agreement"] <= 1e-10


def test_steps_that_need_more_than_the_permitted_newton_steps_are_missed():
    def missed(most):
        rng, steps = np.random.default_rng(5), 200
        limits = {"max_newton_steps": most, "max_passes": 15}
        return sum(random_step(rng, "brixius", **limits)["missed"] for _ in range(steps))

    assert missed(0) > missed(3) > missed(100) == 0.0
