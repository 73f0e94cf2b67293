"""Rows on channels (contact velocities u = u_free + B q): their warm-started solve, which does not form
the matrix of the rows, agrees with the dense problem."""

import math

import numpy as np
import pytest

from mlcp import MLCP, solve
from mlcp.kernels.channel_rows import ChannelRows, ChannelWork
from mlcp.kernels.channel_solve import solve_on_channels

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


def run(problem, z, active, work, factored, kernel=solve_on_channels):
    q, u = np.zeros(CHANNELS), np.zeros(CHANNELS)
    B, u_free, *rows = problem
    residual, _ = kernel(B, u_free, ChannelRows(*rows, z, active, q, u, work), factored, 0.0)
    return residual, q, u


@pytest.mark.parametrize("seed", range(30))
def test_agrees_with_the_dense_problem(seed):
    problem = rows_on_channels(seed)
    n = problem[2].size
    wanted, S = dense(*problem)
    solution = solve(wanted)
    z, active, work = np.zeros(n), np.zeros(n, np.int64), np.zeros(ChannelWork.length(n))
    residual, q, u = run(problem, z, active, work, False)
    if residual == math.inf:  # not solved on channels: z is unchanged, for ``direct`` to solve
        assert not z.any()
        assert not active.any()
        return
    assert residual <= 1e-12
    assert z == pytest.approx(solution.z, abs=1e-10)
    assert q == pytest.approx(S.T @ z, abs=1e-14)
    assert u == pytest.approx(problem[1] + problem[0] @ q, abs=1e-12)
    # with compliances changed by 1e-9 the old factorisation suffices, by 1e-2 a new one is made
    for step in (1e-9, 1e-2):
        e = problem[4] * (1.0 + step)
        near = (*problem[:4], e, *problem[5:])
        residual, _, _ = run(near, z, active, work, True)
        assert residual <= 1e-12
        assert z == pytest.approx(solve(dense(*near)[0]).z, abs=1e-10)


def test_most_are_solved_here():
    given_up = 0
    for seed in range(30):
        problem = rows_on_channels(seed)
        n = problem[2].size
        z, active, work = np.zeros(n), np.zeros(n, np.int64), np.zeros(ChannelWork.length(n))
        given_up += run(problem, z, active, work, False)[0] == math.inf
    assert given_up <= 3


def test_dependent_rows_are_given_up_untouched():
    B, u_free, channel, minus, e, bias, lower, upper = rows_on_channels(0)
    n = channel.size
    e[1] = e[2] = 0.0  # both act on channel 1, and each alone could keep its velocity at zero
    lower[1:3], upper[1:3] = -1e3, 1e3
    z, active, work = np.full(n, 0.01), np.zeros(n, np.int64), np.zeros(ChannelWork.length(n))
    residual, _, _ = run((B, u_free, channel, minus, e, bias, lower, upper), z, active, work, False)
    assert residual == math.inf
    assert np.all(z == 0.01)
    assert not active.any()


def test_numbers_that_are_none_are_not_solved():
    problem = rows_on_channels(1)
    n = problem[2].size
    problem[1][2] = math.nan
    z, active, work = np.zeros(n), np.zeros(n, np.int64), np.zeros(ChannelWork.length(n))
    assert run(problem, z, active, work, False)[0] == math.inf


def test_plain_python_and_compiled_agree():
    problem = rows_on_channels(2)
    n = problem[2].size
    results = []
    for kernel in (solve_on_channels, solve_on_channels.py_func):
        z, active, work = np.zeros(n), np.zeros(n, np.int64), np.zeros(ChannelWork.length(n))
        run(problem, z, active, work, False, kernel)
        results.append(z)
    assert results[0] == pytest.approx(results[1], abs=1e-14)
