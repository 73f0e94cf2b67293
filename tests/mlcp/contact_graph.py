"""Random contacts between bodies: problems whose active sets are hard to find."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlcp.delassus import StructuredMLCP

GRAVITY = 9.81  # gravitational acceleration [m/s^2]
STEP = 1e-3  # time step [s]


def contact_graph(
    contacts: int, bodies: int | None = None, seed: int = 0, repeated: float = 0.3,
    mass_ratio: float = 1e4, friction: float = 0.5, compliance: float = 0.0, tied: float = 0.0,
) -> StructuredMLCP:  # fmt: skip
    """Make the problem of one time step of bodies in contact with each other and the ground.

    With three contacts a body, the default, about half of the contacts is open (normal impulse 0), and a
    third of the friction rows is at a bound. With ten contacts a body hardly any contact is open: bodies
    are wedged, and impulses exceed the weights several times. The free velocities are gravity over 1 ms
    plus 2 mm/s of noise. A solution always exists, because all bodies can come to rest.

    Arguments:
        contacts: number of contacts; each has one normal row, then two tangential rows.
        bodies: number of bodies; None for a third of the contacts, at least 2.
        seed: seed of all random numbers.
        repeated: fraction of the contacts that repeat an earlier one: redundant rows.
        mass_ratio: largest possible mass of a body over the smallest, 1 kg; a body of mass m has the
            size 0.3 m^(1/3) [m].
        friction: bound of the tangential impulses, as a ratio to the impulse in 1 ms of the weight of
            the contact's first body; each contact's bound is multiplied by a random factor of 0.2 to 3.
        compliance: compliance of half of the rows, chosen at random [1/kg].
        tied: fraction of the rows without bounds.
    Returns: a StructuredMLCP; impulses [N s], velocities [m/s].
    """
    rng = np.random.default_rng(seed)
    count = max(2, contacts // 3) if bodies is None else bodies
    m = mass_ratio ** rng.random(count)
    size = 0.3 * np.cbrt(m)
    mass = np.zeros((count, 6, 6))
    for k in range(count):
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        inertia = turn @ np.diag(m[k] * size[k] ** 2 * rng.uniform(0.1, 0.4, 3)) @ turn.T
        mass[k, :3, :3] = m[k] * np.eye(3)
        mass[k, 3:, 3:] = 0.5 * (inertia + inertia.T)
    made: list[tuple[list[tuple[int, np.ndarray]], float]] = []
    for c in range(contacts):
        if c > 0 and rng.random() < repeated:
            made.append(made[rng.integers(c)])
            continue
        one, other = int(rng.integers(count)), int(rng.integers(-1, count - 1))
        other += other >= one  # -1 stands for the ground
        axes, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        rows = []
        for body, sign in ((one, 1.0), (other, -1.0)):
            if body >= 0:
                arm = rng.normal(size=3)
                arm *= size[body] / np.linalg.norm(arm)
                rows.append((body, sign * np.hstack([axes, np.cross(arm, axes)])))
        made.append((rows, friction * m[one] * GRAVITY * STEP * rng.uniform(0.2, 3.0)))
    parts = [
        (3 * c + i, body, row[i])
        for c, (rows, _) in enumerate(made)
        for body, row in rows
        for i in range(3)
    ]
    n = 3 * contacts
    limit = np.repeat([load for _, load in made], 3)
    limit[::3] = np.inf
    lower = np.where(np.isinf(limit), 0.0, -limit)
    free = rng.random(n) < tied
    lower[free], limit[free] = -np.inf, np.inf
    e = np.where(rng.random(n) < 0.5, compliance, 0.0)
    v_free = 2e-3 * rng.normal(size=6 * count)
    v_free[2::6] -= GRAVITY * STEP
    J = assemble(parts, n, 6 * count)
    return StructuredMLCP(mass, J, e, J @ v_free, lower, limit)


def assemble(parts: list[tuple[int, int, np.ndarray]], rows: int, unknowns: int) -> Any:
    """Sparse Jacobian (rows, unknowns) from parts: row, body, the entries in the body's six columns."""
    import scipy.sparse as sp

    row = np.repeat([p[0] for p in parts], 6)
    column = np.concatenate([6 * p[1] + np.arange(6) for p in parts])
    value = np.concatenate([p[2] for p in parts])
    keep = value != 0.0
    return sp.csr_matrix((value[keep], (row[keep], column[keep])), shape=(rows, unknowns))
