"""Options, optimal control, circuits of diodes: solutions have the properties that theory states."""

import numpy as np
import pytest
import scipy.sparse as sp

from mlcp import MLCP, Status, solve


def american_put(n, volatility, rate, step, strike=100.0):
    """(problem, payoff) of one implicit step of an option; z: its value - payoff, A is not symmetric."""
    S = np.linspace(0.0, 4.0 * strike, n + 2)[1:-1]
    diffusion = 0.5 * (volatility * S / S[0]) ** 2 * step
    drift = 0.5 * rate * S / S[0] * step
    A = sp.diags(
        [drift[1:] - diffusion[1:], 1.0 + 2.0 * diffusion + rate * step, -(diffusion + drift)[:-1]],
        [-1, 0, 1],
    ).tocsr()
    payoff = np.maximum(strike - S, 0.0)
    right = payoff.copy()
    right[0] += (diffusion - drift)[0] * strike
    return MLCP(A, A @ payoff - right), payoff


@pytest.mark.parametrize(("volatility", "step"), [(0.1, 0.2), (0.4, 0.02), (0.6, 0.002)])
def test_an_american_put_is_exercised_below_one_price_and_held_above(volatility, step):
    problem, payoff = american_put(1000, volatility, 0.08, step)
    z = solve(problem).z
    held = z > 0.0
    assert payoff[0] > 0.0
    assert not held[0]
    assert np.count_nonzero(np.diff(held.astype(int)) == 1) == 1
    assert np.all(held[np.flatnonzero(held)[0] : 600])
    assert z == pytest.approx(solve(MLCP(problem.dense_A, problem.b)).z, abs=1e-9)


def steered(steps, push=1.0, unstable=0.0, sparse=False):
    """(problem, A, B): a mass steered to rest, next x = A x + B force, least squares, |position| <= 5 m,
    |force| <= ``push``.

    Unknowns: position, velocity, force of each step; then the multipliers of the equations of motion.
    """
    A, B = np.array([[1.0, 0.1], [unstable, 1.0 + unstable]]), np.array([[0.005], [0.1]])
    motion = sp.kron(sp.eye(steps), np.hstack([np.eye(2), -B]))
    motion = motion - sp.kron(sp.eye(steps, k=-1), np.hstack([A, np.zeros((2, 1))]))
    right = np.zeros(2 * steps)
    right[:2] = A @ [3.0, -1.0]
    cost = sp.diags(np.tile([1.0, 0.1, 1e-3], steps))
    M = sp.bmat([[cost, -motion.T], [motion, None]]).tocsr()
    lower = np.concatenate([np.tile([-5.0, -np.inf, -push], steps), np.full(2 * steps, -np.inf)])
    problem = MLCP(M if sparse else M.toarray(), np.r_[np.zeros(3 * steps), -right], lower, -lower)
    return problem, A, B


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("steps", [2, 5, 12, 60])
def test_a_mass_is_steered_to_rest_without_a_linear_cost(steps, sparse):
    problem, A, B = steered(steps, sparse=sparse)
    z = solve(problem).z[: 3 * steps].reshape(steps, 3)
    state = np.array([3.0, -1.0])
    for position, velocity, force in z:
        state = A @ state + B[:, 0] * force
        assert state == pytest.approx([position, velocity], abs=1e-9)
        assert abs(force) <= 1.0
    assert z[0, 2] == -1.0


@pytest.mark.parametrize("sparse", [False, True])
def test_a_force_too_small_for_an_unstable_mass_is_a_proof(sparse):
    problem, _, _ = steered(80, push=1e-3, unstable=0.3, sparse=sparse)
    assert solve(problem, raise_on_failure=False).status is Status.INFEASIBLE


def network(seed, nodes=60):
    """Random resistors of 1 Ohm to 1 MOhm, and diodes of 1e-9 to 1e-3 Ohm, between nodes."""
    rng = np.random.default_rng(seed)

    def branches(count):
        ends = rng.integers(0, nodes, (count, 2))
        ends = ends[ends[:, 0] != ends[:, 1]]
        return (np.eye(nodes)[ends[:, 0]] - np.eye(nodes)[ends[:, 1]])[:, 1:]

    resistors, diodes = branches(3 * nodes), branches(2 * nodes)
    Y = resistors.T @ np.diag(10.0 ** rng.uniform(-6.0, 0.0, len(resistors))) @ resistors
    source = np.zeros(nodes - 1)
    source[rng.integers(nodes - 1)] += 1.0
    source[rng.integers(nodes - 1)] -= 0.5
    soft = np.diag(10.0 ** rng.uniform(-9.0, -3.0, len(diodes)))
    A = np.block([[Y, diodes.T], [-diodes, soft]])
    lower = np.r_[np.full(nodes - 1, -np.inf), np.zeros(len(diodes))]
    return MLCP(A, np.r_[-source, np.zeros(len(diodes))], lower)


@pytest.mark.parametrize("seed", range(12))
def test_currents_through_diodes_flow_forwards_only(seed):
    problem = network(seed)
    found = solve(problem)
    current, reverse = found.z[59:], found.w[59:]
    assert np.all(current >= 0.0)
    assert np.all(np.minimum(current, reverse) <= 1e-9)
    assert found.w[:59] == pytest.approx(np.zeros(59), abs=1e-9)
