"""Multi-rate steps of a heavy and a light mass agree with a loop by hand and the exact solution."""

import numpy as np
import pytest

from bodies.hydraulics.tableaux import METHODS
from rig import RigError
from rig.linear import discretise, exponential
from rig.two_rates.exchange import Fast, MultiRate, Slow
from tests.refusals import refusals

M, K, m, k, d = 10.0, 400.0, 1.0, 900.0, 6.0  # masses [kg], springs [N/m], damper [N s/m]


class Heavy(Slow):
    """A mass on a spring to the ground, with the exact solution under a constant force."""

    def step(self, x, force, h):
        P, q = discretise(np.array([[0.0, 1.0], [-K / M, 0.0]]), np.array([0.0, 1.0 / M]), h)
        return P @ x + q * force[0]

    def motion(self, x):
        return x


class Light(Fast):
    """A light mass that a spring and a damper connect to the heavy one."""

    def rate(self, y, motion):
        return np.array([y[1], -self.force(y, motion)[0] / m])

    def force(self, y, motion):
        return np.array([k * (y[0] - motion[0]) + d * (y[1] - motion[1])])


X, Y = np.array([0.1, 0.0]), np.array([0.1, 0.0])
WHOLE = np.array(
    [
        [0.0, 1.0, 0.0, 0.0],
        [-(K + k) / M, -d / M, k / M, d / M],
        [0.0, 0.0, 0.0, 1.0],
        [k / m, d / m, -k / m, -d / m],
    ]
)


def error(step, fine=8, **options):
    x, y, _ = MultiRate(Heavy(), Light(), step, step, step / fine, **options).run(X, Y, 1.024)
    return np.abs(np.r_[x[-1], y[-1]] - exponential(WHOLE * 1.024) @ np.r_[X, Y]).max()


def test_values_are_those_of_a_loop_written_by_hand_bit_for_bit():
    T, c, t = 0.008, 0.002, 0.001
    x, y, sent = MultiRate(Heavy(), Light(), T, c, t, method="ode1").run(X, Y, 0.4)
    P, q = discretise(np.array([[0.0, 1.0], [-K / M, 0.0]]), np.array([0.0, 1.0 / M]), T)
    a, z, w = X.copy(), *Y
    for n in range(50):
        for _ in range(8):
            f = k * (z - a[0]) + d * (w - a[1])
            z, w = z + t * 1.0 * w, w + t * 1.0 * (-f / m)
        f = k * (z - a[0]) + d * (w - a[1])
        a = P @ a + q * f
        assert (sent[n, 0], x[n + 1].tolist(), y[n + 1].tolist()) == (f, a.tolist(), [z, w])


@pytest.mark.parametrize(
    ("options", "order"), [({}, 1), ({"input": "linear", "force": "mean"}, 2)], ids=["held", "linear"]
)
def test_order_in_the_exchange(options, order):
    """The error is of order 1 with motion held between exchanges, of order 2 with extrapolated motion
    and mean force."""
    errors = [error(step, **options) for step in (0.004, 0.002, 0.001)]
    assert errors[0] / errors[1] == pytest.approx(2.0**order, rel=0.15)
    assert errors[1] / errors[2] == pytest.approx(2.0**order, rel=0.1)


def test_an_exchange_more_often_than_the_slow_step_hands_nothing_new_over():
    """Models exchange every max(T, c) (T: slow step, c: exchange period); slow steps are exact here."""
    runs = {
        (T, c): MultiRate(Heavy(), Light(), T, c, 0.001).run(X, Y, 0.4)[0]
        for T, c in ((0.008, 0.008), (0.008, 0.002), (0.002, 0.008), (0.002, 0.002))
    }
    assert (runs[0.008, 0.002] == runs[0.008, 0.008]).all()
    assert runs[0.002, 0.008] == pytest.approx(runs[0.008, 0.008], abs=1e-12)
    assert np.abs(runs[0.002, 0.002][::4] - runs[0.008, 0.008]).max() > 1e-4


@pytest.mark.parametrize("method", METHODS)
def test_order_of_the_fast_methods(method):
    """A single exchange, so that only the fast steps have errors, against the exact response to a
    constant motion.
    """
    A, b = np.array([[0.0, 1.0], [-k / m, -d / m]]), np.array([[0.0, 0.0], [k / m, d / m]])
    P, q = discretise(A, b, 0.064)
    exact = P @ Y + q @ np.array([0.0, 0.0])
    off = []
    for t in (0.002, 0.001):
        run = MultiRate(Heavy(), Light(), 0.064, 0.064, t, method=method)
        off.append(np.abs(run.run(np.zeros(2), Y, 0.064)[1][-1] - exact).max())
    assert off[0] / off[1] == pytest.approx(2.0 ** int(method[-1]), rel=0.15)


test_steps_that_do_not_fit_are_sentences = refusals(
    ((0.008, 0.003, 0.001), "T = 0.008 s is no multiple of c = 0.003 s; 0.009 s is"),
    ((0.003, 0.008, 0.001), "c = 0.008 s is no multiple of T = 0.003 s; 0.009 s is"),
    ((0.008, 0.002, 0.004), "t = 0.004 s must be above 0 and at most c = 0.002 s"),
    ((0.008, 0.002, 0.0), "t = 0 s must be above 0"),
    of=lambda steps: MultiRate(Heavy(), Light(), *steps),
    error=RigError,
)


test_unknown_names_are_sentences = refusals(
    (
        lambda: MultiRate(Heavy(), Light(), 0.01, 0.01, 0.01, method="ode9"),
        "unknown method 'ode9'; did you mean 'ode",
    ),
    (
        lambda: MultiRate(Heavy(), Light(), 0.01, 0.01, 0.01, force="means"),
        "unknown force 'means'; did you mean 'mean'",
    ),
    error=RigError,
)
