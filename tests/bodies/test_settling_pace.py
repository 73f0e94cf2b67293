"""The search for static equilibrium extrapolates the slowest motion to its limit, but not a drift."""

import numpy as np
import pytest

from bodies.frames import quaternion_matrices
from bodies.rest.convergence import ROUNDS_BETWEEN_MOVES, SHORTEST_EXTRAPOLATION, Extrapolation, moved


def searched(motion, rounds):
    """(total displacement (n, 6), ``Extrapolation``) after ``rounds`` rounds.

    ``motion(k, displacement)``: the move (n, 6) of round k.
    """
    first = motion(0)
    leap = Extrapolation(np.ones_like(first))
    at, everyone = np.zeros_like(first), np.arange(len(first))
    for k in range(rounds):
        by = motion(k, at) if k else first
        at = at + by
        who, far = leap.after(everyone, by, np.ones(len(first), bool))
        at[who] += far
    return at, leap


@pytest.mark.parametrize("rate", [0.5, 0.9, 0.99, 0.998])
def test_one_motion_that_dies_away_is_at_its_end_after_one_leap(rate):
    there = np.linspace(1.0, 2.0, 6)[None] * 1e-3
    at, _ = searched(lambda k, at=0.0: (1.0 - rate) * (there - at), 3 * ROUNDS_BETWEEN_MOVES)
    assert at == pytest.approx(there, abs=SHORTEST_EXTRAPOLATION)


def test_a_drift_leads_nowhere_and_is_left_alone():
    """The third direction drifts without limit and is not extrapolated; others reach their limits."""
    end, speed = (
        np.array([[1e-3, -1e-3, 0.0, 0.0, 0.0, 0.0]]),
        np.array([[0.0, 0.0, 1e-5, 0.0, 0.0, 0.0]]),
    )
    rounds = 6 * ROUNDS_BETWEEN_MOVES
    at, leap = searched(lambda k, at=0.0: 0.02 * (end - at) * (end != 0.0) + speed, rounds)
    assert at[0, :2] == pytest.approx(end[0, :2], rel=1e-6)
    assert at[0, 2] == pytest.approx(rounds * 1e-5, rel=1e-9)
    assert leap.negligible.all()


def test_a_faster_motion_beside_it_does_no_harm():
    there, rate = np.array([[1e-3, 2e-3, 0.0, 0.0, 0.0, 0.0]]), np.array([0.5, 0.2, 0.0, 0.0, 0.0, 0.0])
    at, _ = searched(lambda k, at=0.0: rate * (there - at), 3 * ROUNDS_BETWEEN_MOVES)
    assert np.abs(at - there).max() < 1e-7


def test_each_leaps_as_if_it_were_alone():
    rng = np.random.default_rng(4)
    end, rate = rng.normal(scale=1e-3, size=(5, 6)), rng.uniform(0.01, 0.2, size=(5, 1))
    together, _ = searched(lambda k, at=0.0: rate * (end - at), 60)
    for k in range(5):
        alone, _ = searched(lambda _, at=0.0, k=k: rate[k : k + 1] * (end[k : k + 1] - at), 60)
        assert alone.tobytes() == together[k : k + 1].tobytes()


def test_poses_move_as_in_a_step():
    """A pose is turned by the exponential of the rotation vector, in world axes."""
    by = np.array([[0.1, -0.2, 0.3, 0.02, 0.5, -0.3], [0.0] * 6]).reshape(1, 12)
    x, q = np.zeros((1, 6)), np.array([[0.5, 0.5, -0.5, 0.5, 1.0, 0.0, 0.0, 0.0]])
    before = quaternion_matrices(q.reshape(2, 4))
    moved(x, q, by)
    w = by[0, 3:6]
    angle = np.linalg.norm(w)
    K = np.cross(np.eye(3), w / angle)
    turn = np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K  # Rodrigues
    after = quaternion_matrices(q.reshape(2, 4))
    assert after[0] == pytest.approx(turn @ before[0], abs=1e-12)
    assert after[1] == pytest.approx(before[1], abs=1e-15)
    assert x[0].tolist() == [0.1, -0.2, 0.3, 0.0, 0.0, 0.0]
