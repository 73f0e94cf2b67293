"""Families of problems; a problem is determined by its size, its other arguments and a seed."""

from __future__ import annotations

import numpy as np

from mlcp.delassus import StructuredMLCP
from mlcp.problem import MLCP
from tests.mlcp.contact_graph import GRAVITY, assemble, contact_graph

__all__ = [
    "GRAVITY", "box_stack", "boxed_dense", "contact_graph", "infeasible", "random_psd",
    "singular_many", "vehicle",
]  # fmt: skip


def random_psd(
    n: int, rank: int | None = None, seed: int = 0, bilateral: float = 0.2, compliance: float = 0.0
) -> MLCP:
    """Make a solvable problem: A = R R' + compliance I, R random with ``rank`` columns (None: n).

    b is in the range of A. ``bilateral``: fraction of rows without bounds, at most 0.6; others have one
    bound or two.
    """
    rng = np.random.default_rng(seed)
    R = rng.normal(size=(n, n if rank is None else rank))
    A = R @ R.T + compliance * np.eye(n)
    b = A @ rng.normal(size=n)
    kind = rng.random(n)
    lower = np.where(kind < bilateral, -np.inf, np.where(kind < 0.6, 0.0, -rng.random(n)))
    upper = np.where(kind < 0.6, np.inf, rng.random(n))
    return MLCP(A, b, lower, upper)


def boxed_dense(n: int, seed: int = 0) -> MLCP:
    """Make a positive definite problem with finite bounds; at its solution nearly half of z is at a
    bound."""
    rng = np.random.default_rng(seed)
    R = rng.normal(size=(n, 2 * n)) / np.sqrt(2 * n)
    return MLCP(R @ R.T + 0.05 * np.eye(n), rng.normal(size=n), -1.0, 1.0)


def singular_many(n: int = 6, seed: int = 0) -> MLCP:
    """Make a problem with every row twice: it has many solutions, all with the same w."""
    base = random_psd(n, n, seed, bilateral=0.0)
    A = np.kron(np.ones((2, 2)), base.A)
    lower, upper = np.tile(base.lower, 2), np.tile(base.upper, 2)
    return MLCP(A, np.tile(base.b, 2), lower, upper)


def infeasible(n: int = 6, seed: int = 0) -> MLCP:
    """Make a semidefinite problem without solution: two rows require different values of one
    velocity."""
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(n, n + 2))
    J[1] = J[0]
    b = rng.normal(size=n)
    b[1] = b[0] + 1.0
    lower = np.where(np.arange(n) < 2, -np.inf, 0.0)
    return MLCP(J @ J.T, b, lower, np.inf)


def box_stack(
    boxes: int, mass_ratio: float = 1.0, friction: float = 0.5, shake: float = 2e-3, seed: int = 0
) -> StructuredMLCP:
    """Make the problem of one time step of a tower of boxes: 4 contacts per box, 3 rows per contact.

    A box has 12 rows and 6 velocities, so half of the rows are redundant; all compliances are 0.
    Friction rows are bounded by ``friction`` times a quarter of the impulse in 1 ms of the weight above
    the contacts. Free velocities [m/s, rad/s]: gravity over 1 ms plus noise of size ``shake``. The
    lowest box has 1 kg, the top box ``mass_ratio`` times as much.
    """
    rng = np.random.default_rng(seed)
    size, h = 0.5, 1e-3
    m = mass_ratio ** (np.arange(boxes) / max(1, boxes - 1))
    mass = np.zeros((boxes, 6, 6))
    for i in range(6):
        mass[:, i, i] = m if i < 3 else m * size**2 / 6.0
    rows = boxes * 12
    parts: list[tuple[int, int, np.ndarray]] = []  # row, body, entries in the body's six columns
    limit = np.zeros(rows)
    r = 0
    for k in range(boxes):
        load = friction * np.sum(m[k:]) * GRAVITY * h / 4.0
        for x, y in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            for axis in (2, 0, 1):
                direction = np.eye(3)[axis]
                for body, sign, face in ((k, 1.0, -1), (k - 1, -1.0, 1)):
                    if body >= 0:
                        arm = np.array([x, y, face]) * size / 2.0
                        row = np.concatenate([direction, np.cross(arm, direction)])
                        parts.append((r, body, sign * row))
                limit[r] = np.inf if axis == 2 else load
                r += 1
    lower = np.where(np.isinf(limit), 0.0, -limit)
    v_free = shake * rng.normal(size=6 * boxes)
    v_free[2::6] -= GRAVITY * h
    J = assemble(parts, rows, 6 * boxes)
    return StructuredMLCP(mass, J, 0.0, J @ v_free, lower, limit)


def vehicle(bounded: int = 12, seed: int = 0) -> StructuredMLCP:
    """Make the problem of one time step of a vehicle: 45 bodies, 241 rows of joints, bounded wheel rows.

    The bodies are a chassis and four corners of eleven bodies. In each corner a hinge (5 rows) joins
    every body to an earlier body or the chassis; 21 more rows close loops, one of them across the front.
    Rows at a wheel: normal (>= 0), then tangential and drive rows with fixed bounds; ``bounded`` is the
    number of all these rows.
    """
    rng = np.random.default_rng(seed)
    bodies = 45
    position = np.zeros((bodies, 3))
    mass = np.zeros((bodies, 6, 6))
    parent = np.zeros(bodies, dtype=int)
    for k in range(bodies):
        corner, place = divmod(k - 1, 11)
        if k > 0:
            centre = np.array([1.6 if corner < 2 else -1.6, 0.9 * (-1) ** corner, 0.4])
            position[k] = centre + 0.25 * rng.normal(size=3)
            parent[k] = 0 if place in (0, 4, 8) else k - 1
        m = 2000.0 if k == 0 else float(rng.uniform(4.0, 40.0))
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        radii = (1.2, 2.0, 2.2) if k == 0 else rng.uniform(0.1, 0.3, 3)
        mass[k, :3, :3] = m * np.eye(3)
        mass[k, 3:, 3:] = turn @ np.diag(m * np.array(radii) ** 2) @ turn.T
    parts: list[tuple[int, int, np.ndarray]] = []
    count = 0

    def connect(one: int, other: int, point: np.ndarray, turns: np.ndarray, rows: int) -> None:
        nonlocal count
        for i in range(rows):
            for body, sign in ((one, 1.0), (other, -1.0)):
                row = np.zeros(6)
                if i < 3:
                    row[i] = 1.0
                    row[3:] = np.cross(point - position[body], np.eye(3)[i])
                else:
                    row[3:] = turns[i - 3]
                parts.append((count, body, sign * row))
            count += 1

    for k in range(1, bodies):
        across, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        point = 0.5 * (position[k] + (position[parent[k]] if parent[k] else position[k]))
        connect(k, int(parent[k]), point, across, 5)
    for first in (1, 12, 23, 34):
        for one, other, rows in ((first + 3, first + 9, 3), (first + 7, first + 10, 2)):
            connect(one, other, 0.5 * (position[one] + position[other]), np.eye(3), rows)
    connect(4, 15, np.array([1.6, 0.0, 0.4]), np.eye(3), 1)
    bilateral = count
    lower, upper = np.full(bilateral + bounded, -np.inf), np.full(bilateral + bounded, np.inf)
    v_free = 0.02 * rng.normal(size=6 * bodies)
    v_free[2::6] -= GRAVITY * 1e-3
    v_free[0::6] += 5.0
    for i in range(bounded):
        wheel = 1 + 11 * (i % 4) + 3
        kind = i // 4
        row = np.zeros(6)
        axis = (2, 0, 1)[kind] if kind < 3 else 1
        if kind < 3:
            row[axis] = 1.0
            row[3:] = np.cross([0.0, 0.0, -0.4], np.eye(3)[axis])
            parts.append((count, wheel, row))
        else:  # drives and brakes between the wheel and the chassis
            row[3:] = np.linalg.qr(rng.normal(size=(3, 3)))[0][0]
            parts.extend([(count, wheel, row), (count, 0, -row)])
        lower[count] = 0.0 if kind == 0 else -(2.0 + 2.0 * rng.random())
        upper[count] = np.inf if kind == 0 else -lower[count]
        count += 1
    J = assemble(parts, count, 6 * bodies)
    e = np.where(np.arange(count) < bilateral, 0.0, 1e-6)
    b = J @ v_free
    return StructuredMLCP(mass, J, e, b, lower, upper)
