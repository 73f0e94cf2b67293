"""Friction of contacts other than wheels in the equation F = 0 of a time step: F and its Jacobian."""

from types import SimpleNamespace

import numpy as np
import pytest

from contact.kernels.solve.balance import Unknowns, gather, slopes_at, value_at
from contact.kernels.solve.other_friction import OtherFriction

NONE = -1
ROWS = 5  # normal force, two tangents in a friction cone, normal force, one tangent in an interval
BESIDE = OtherFriction(
    np.array([NONE, 0, 0, NONE, 3]),
    np.array([NONE, 2, NONE, NONE, NONE]),
    np.array([0.0, 0.7, 0.7, 0.0, 0.4]),
    np.ones(ROWS, int),
)
WHEELS = SimpleNamespace(each=[])


def problem(rng):
    root = rng.normal(size=(ROWS, ROWS))
    lower = np.where(BESIDE.parent < 0, 0.0, -np.inf)
    return SimpleNamespace(
        A=root @ root.T + np.eye(ROWS),
        b=rng.normal(size=ROWS),
        z=np.zeros(ROWS),
        lower=lower,
        upper=np.full(ROWS, np.inf),
    )


def opened(point, rows, W):
    """F and its Jacobian at scaled impulses ``point``."""
    value_at(point, 1e-3, ROWS, W, WHEELS, rows)
    slopes_at(1e-3, ROWS, W, WHEELS, rows)
    return np.array(W.open), np.array(W.matrix)[: ROWS * ROWS].reshape(ROWS, ROWS)


def workspace(rows, rng):
    W = Unknowns(np.zeros(Unknowns.length(ROWS)), ROWS)
    assert gather(W, WHEELS, rows, BESIDE) == ROWS
    W.scale[:] = rng.uniform(0.5, 2.0, ROWS)
    return W


def projected(z, rows):
    """Projection P by hand: onto half-lines (normals), a disc (cone) and an interval (box)."""
    back = z - (rows.A @ z + rows.b) / np.diag(rows.A)
    found = np.maximum(0.0, back)
    a = max(rows.A[1, 1], rows.A[2, 2])
    tangents = z[1:3] - (rows.A @ z + rows.b)[1:3] / a
    most = 0.7 * max(0.0, z[0])
    found[1:3] = tangents * min(1.0, most / np.linalg.norm(tangents))
    most = 0.4 * max(0.0, z[3])
    found[4] = min(max(back[4], -most), most)
    return found


@pytest.mark.parametrize("seed", range(40))
def test_f_is_the_distance_to_the_own_projection_and_its_slopes_are_exact(seed):
    rng = np.random.default_rng(seed)
    rows, point = problem(rng), rng.normal(size=ROWS)
    W = workspace(rows, rng)
    point[[0, 3]] = np.abs(point[[0, 3]])
    scale = np.array(W.scale)
    F, slopes = opened(point, rows, W)
    assert pytest.approx((point * scale - projected(point * scale, rows)) / scale, abs=1e-12) == F
    for k in range(ROWS):
        step = 1e-6 * np.eye(ROWS)[k]
        change = (opened(point + step, rows, W)[0] - opened(point - step, rows, W)[0]) / 2e-6
        assert change == pytest.approx(slopes[:, k], abs=1e-6)
