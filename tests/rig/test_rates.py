"""Search for slow step T, fast step t, exchange period c of two oscillators, against linear theory."""

import functools
import math

import numpy as np
import pytest
from scipy.optimize import brentq

from rig import RigError
from rig.linear import discretise, exponential
from rig.two_rates.exchange import Fast, MultiRate, Slow, Stepped
from rig.two_rates.search import Search

M, K, D = 10.0, 400.0, 60.0  # heavy oscillator [kg, N/m, N s/m]
m, k, d = 1.0, 9000.0, 20.0  # light oscillator on the heavy one [kg, N/m, N s/m]
SLOW = np.array([[0.0, 1.0], [-K / M, -D / M]]), np.array([0.0, 1.0 / M])
FAST = np.array([[0.0, 1.0], [-k / m, -d / m]]), np.array([[0.0, 0.0], [k / m, d / m]])
FORCE = np.array([-k, -d]), np.array([k, d])  # [N/m, N s/m]: force on M by M's, m's state
WHOLE = np.block(
    [[SLOW[0] + np.outer(SLOW[1], FORCE[0]), np.outer(SLOW[1], FORCE[1])], [FAST[1], FAST[0]]]
)
X, Y = np.array([0.1, 0.0]), np.array([0.1, 0.0])
TIME = 3.0


@functools.cache
def slow(h):
    return discretise(*SLOW, h)


@functools.cache
def fast(h):
    return discretise(*FAST, h)


class Heavy(Slow):
    """Heavy oscillator, with the exact solution under a constant force."""

    def step(self, x, force, h):
        P, q = slow(h)
        return P @ x + q * force[0]

    def motion(self, x):
        return x


class Light(Fast):
    """Light oscillator on a spring and damper to the heavy one."""

    def rate(self, y, motion):
        return FAST[0] @ y + FAST[1] @ motion

    def force(self, y, motion):
        return np.array([FORCE[0] @ motion + FORCE[1] @ y])


class Exact(Stepped):
    """Light oscillator with an exact solution."""

    def go(self, y, motion, slope, count, t, method):
        P, q = fast(count * t)
        y = P @ y + q @ motion
        force = np.array([FORCE[0] @ motion + FORCE[1] @ y])
        return y, force, force


def rk4(A, h):
    """One step of ode4 on dx/dt = A x."""
    Z = h * A
    return np.eye(len(A)) + Z @ (
        np.eye(len(A)) + Z / 2 @ (np.eye(len(A)) + Z / 3 @ (np.eye(len(A)) + Z / 4))
    )


def whole(s):
    x, G, out = np.r_[X, Y], rk4(WHOLE, s), []
    for _ in range(round(TIME / s)):
        x = G @ x
        out.append(x[:1])
    return np.array(out)


def split(T, c, t, light=Light):
    n = math.ceil(TIME / max(T, c))
    return MultiRate(Heavy(), light(), T, c, t).run(X, Y, n * max(T, c))[0][:, :1]


def exchanged(c):
    """Matrix from the states (slow, fast) to those after an exchange period c [s], by exponentials."""
    P, q = discretise(*SLOW, c)
    Pf, qf = discretise(*FAST, c)
    fast = np.hstack((qf, Pf))
    force = np.r_[FORCE[0], 0.0, 0.0] + FORCE[1] @ fast
    return np.vstack((np.hstack((P, np.zeros((2, 2)))) + np.outer(q, force), fast))


def marginal(step, low, high):
    """Step at which the largest |eigenvalue| of the step's matrix is 1."""
    return brentq(lambda h: np.abs(np.linalg.eigvals(step(h))).max() - 1.0, low, high)


def reference():
    P, x, out = exponential(WHOLE * 1e-3), np.r_[X, Y], []
    for _ in range(round(TIME / 1e-3)):
        x = P @ x
        out.append(x[:1])
    return np.array(out)


def found(runs=split, **more):
    return Search(whole, runs, reference(), first=0.02, **more).choose()


def test_s_and_c_are_the_limits_of_linear_theory():
    choice = found()
    assert choice.s == pytest.approx(marginal(lambda h: rk4(WHOLE, h), 5e-3, 0.1), rel=0.05)
    assert choice.c == pytest.approx(marginal(exchanged, 5e-4, 0.05), rel=0.05)
    assert choice.T == choice.c
    assert choice.real_time


def test_T_grows_alone_to_the_limit_of_the_exchange_or_to_real_time():
    """Where the error limits c, T grows in multiples of c to the last stable one, or until runs take
    no longer than real time.
    """
    lowest = reference().min()
    wanted = {
        "runs": functools.partial(split, light=Exact),
        "error": lambda out: abs(out.min() - lowest),
        "tolerance": 2e-3,
    }
    limit = marginal(exchanged, 5e-4, 0.05)
    dear = found(cost=lambda T, c, t: 2.0, **wanted)
    assert dear.c < 0.05 * limit
    assert dear.T == pytest.approx(limit, rel=0.05)
    assert not dear.real_time
    cost = 0.6 * limit
    real = found(cost=lambda T, c, t: cost / T, **wanted)
    assert real.c == dear.c
    assert 0.0 <= real.T - cost < real.c
    assert real.real_time


def test_the_path_of_the_decisions_is_told():
    choice = found()
    told = str(choice).splitlines()
    assert len(told) == len(choice.trials) + 2
    assert [t.what for t in choice.trials] == sorted((t.what for t in choice.trials), key="stcT".index)
    assert "unstable" in told[-2] or "larger" in told[-2]
    assert told[-1].endswith("in real time")


def test_a_model_without_limits_or_without_hope_is_a_sentence():
    calm = np.zeros((3, 1))
    with pytest.raises(RigError, match="no step is too large"):
        Search(lambda s: calm, lambda T, c, t: calm, calm).choose()
    with pytest.raises(RigError, match="no step is stable down to"):
        Search(lambda s: calm + 1.0, lambda T, c, t: calm, calm).choose()
