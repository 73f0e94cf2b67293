"""Rows on channels (contact velocities u = u_free + B q): their warm-started solve, which does not form
the matrix of the rows, agrees with the dense problem."""

import math

import numpy as np
import pytest

from mlcp import MLCP, solve
from mlcp.kernels.channel_rows import ChannelRows, ChannelWork
from mlcp.kernels.channel_solve import solve_on_channels
from tests.plain import plain

CHANNELS = 7


def rows_on_channels(seed):
    """Rows of every kind: two on one channel, one on a difference of two, prescribed, bounded, free."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(CHANNELS, CHANNELS + 2))
    B = root @ root.T
    B = 0.5 * (B + B.T)
    channel = np.array([0, 1, 1, 2, 3, 4, 5, 6, 2])
    minus = np.array([-1, -1, -1, -1, -1, -1, -1, -1, 4])
    n = channel.size
    e = rng.uniform(0.0, 1.0, n) * (np.arange(n) % 2)
    reach = rng.uniform(0.05, 1.0, n)
    lower, upper = -reach, reach.copy()
    lower[0], upper[0] = 0.0, math.inf
    lower[3], upper[3] = -math.inf, math.inf
    lower[5] = upper[5] = 0.1
    return B, rng.normal(size=CHANNELS), channel, minus, e, 0.3 * rng.normal(size=n), lower, upper


def dense(B, u_free, channel, minus, e, bias, lower, upper):
    S = np.zeros((channel.size, CHANNELS))
    S[np.arange(channel.size), channel] = 1.0
    S[minus >= 0, minus[minus >= 0]] -= 1.0
    return MLCP(S @ B @ S.T + np.diag(e), S @ u_free + bias, lower, upper), S


def run(problem, z, active=None, work=None, factored=False, kernel=solve_on_channels):
    q, u, n = np.zeros(CHANNELS), np.zeros(CHANNELS), len(z)
    active = np.zeros(n, np.int64) if active is None else active
    work = np.zeros(ChannelWork.length(n)) if work is None else work
    B, u_free, *rows = problem
    residual, _ = kernel(B, u_free, ChannelRows(*rows, z, active, q, u, work), factored, 0.0)
    return residual, q, u


def test_agrees_with_the_dense_problem():
    given_up = 0
    for seed in range(30):
        problem = rows_on_channels(seed)
        n = problem[2].size
        wanted, S = dense(*problem)
        z, active, work = np.zeros(n), np.zeros(n, np.int64), np.zeros(ChannelWork.length(n))
        residual, q, u = run(problem, z, active, work)
        if residual == math.inf:  # not solved on channels: z is unchanged, for ``direct`` to solve
            given_up += 1
            assert not z.any()
            assert not active.any()
            continue
        assert residual <= 1e-12
        assert z == pytest.approx(solve(wanted).z, abs=1e-10)
        assert q == pytest.approx(S.T @ z, abs=1e-14)
        assert u == pytest.approx(problem[1] + problem[0] @ q, abs=1e-12)
        # with compliances changed by 1e-9 the old factorisation suffices, by 1e-2 a new one is made
        for step in (1e-9, 1e-2):
            near = (*problem[:4], problem[4] * (1.0 + step), *problem[5:])
            assert run(near, z, active, work, True)[0] <= 1e-12
            assert z == pytest.approx(solve(dense(*near)[0]).z, abs=1e-10)
    assert given_up <= 3


def test_dependent_rows_are_given_up_untouched():
    problem = rows_on_channels(0)
    e, lower, upper = problem[4], *problem[6:]
    e[1] = e[2] = 0.0  # both act on channel 1, and each alone could keep its velocity at zero
    lower[1:3], upper[1:3] = -1e3, 1e3
    z, active = np.full(e.size, 0.01), np.zeros(e.size, np.int64)
    assert run(problem, z, active)[0] == math.inf
    assert np.all(z == 0.01)
    assert not active.any()


def test_numbers_that_are_none_are_not_solved():
    problem = rows_on_channels(1)
    problem[1][2] = math.nan
    assert run(problem, np.zeros(problem[2].size))[0] == math.inf


def test_plain_python_and_compiled_agree():
    problem = rows_on_channels(2)
    one, other = np.zeros(problem[2].size), np.zeros(problem[2].size)
    run(problem, one)
    run(problem, other, kernel=plain(solve_on_channels))
    assert one == pytest.approx(other, abs=1e-14)
