"""Energies of a state: kinetic, potential, stored in springs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .kernels import codes
from .kernels import layout as L
from .workspace import Workspace


@dataclass(frozen=True)
class Energy:
    """Energies [J]: ``kinetic``, ``gravity`` (zero at the origin) and ``springs`` by name."""

    kinetic: float
    gravity: float
    springs: dict[str, float]

    @property
    def total(self) -> float:
        """Their sum [J]."""
        return self.kinetic + self.gravity + sum(self.springs.values())


def energy(work: Workspace) -> Energy:
    """Energy of the current state; tabulated springs are integrated from their rest length."""
    n = work.i(L.COUNT_I)[L.BODIES]
    mass, x = work.f(L.MASS), work.f(L.POSITION).reshape(-1, 3)[:n]
    v, w = twists(work)
    R = rotations(work)
    body_w = np.einsum("nij,ni->nj", R, w)
    inertia = work.f(L.INERTIA).reshape(-1, 3, 3)
    kinetic = 0.5 * np.sum(mass[:, None] * v * v)
    kinetic += 0.5 * np.einsum("ni,nij,nj->", body_w, inertia, body_w)
    g = work.f(L.SCALAR)[L.GX:L.GX + 3]
    springs = {}
    for k, coupling in enumerate(work.model.coupling_order):
        ints = work.i(L.COUPLING_I)[L.COUPLING_INTS * k:]
        if ints[0] != codes.SPRING:
            continue
        data = work.f(L.COUPLING_DATA)[L.COUPLING_FLOATS * k:]
        q = work.f(L.COORDINATE)
        s = sum(data[m] * q[ints[9 + 3 * m]] for m in range(ints[1])) - data[6]
        stored = 0.5 * data[4] * s * s
        if ints[5] >= 0:
            stored += table_integral(np.array(coupling.tables()[0]), s)
        springs[coupling.name] = float(stored)
    return Energy(float(kinetic), float(-np.sum(mass * (x @ g))), springs)


def table_integral(table: np.ndarray, s: float) -> float:
    """Integral of a piecewise linear table from 0 to s, end slopes going on."""
    def value(x: np.ndarray) -> np.ndarray:
        y = np.interp(x, table[:, 0], table[:, 1])
        lo, hi = table[0], table[-1]
        first = (table[1, 1] - lo[1]) / (table[1, 0] - lo[0])
        last = (hi[1] - table[-2, 1]) / (hi[0] - table[-2, 0])
        y = np.where(x < lo[0], lo[1] + first * (x - lo[0]), y)
        return np.where(x > hi[0], hi[1] + last * (x - hi[0]), y)

    inside = table[(table[:, 0] > min(0.0, s)) & (table[:, 0] < max(0.0, s)), 0]
    x = np.array(sorted([0.0, s, *inside]))
    y = value(x)
    area = float(np.sum(0.5 * (y[1:] + y[:-1]) * np.diff(x)))
    return area if s >= 0.0 else -area


def twists(work: Workspace) -> tuple[np.ndarray, np.ndarray]:
    """Velocities (n, 3) [m/s] and angular velocities (n, 3) [rad/s], world axes."""
    n = work.i(L.COUNT_I)[L.BODIES]
    v = work.f(L.VELOCITY).reshape(-1, 6)[:n]
    return v[:, :3], v[:, 3:]


def rotations(work: Workspace) -> np.ndarray:
    """Rotation matrices (n, 3, 3), body axes to world axes, from the quaternions."""
    from .builder import quaternion_matrix

    n = work.i(L.COUNT_I)[L.BODIES]
    return np.array([quaternion_matrix(q) for q in work.f(L.QUATERNION).reshape(-1, 4)[:n]])


def momentum(work: Workspace) -> tuple[np.ndarray, np.ndarray]:
    """Linear momentum [N s] and angular momentum about the origin [N m s]."""
    n = work.i(L.COUNT_I)[L.BODIES]
    mass, x = work.f(L.MASS), work.f(L.POSITION).reshape(-1, 3)[:n]
    v, w = twists(work)
    R = rotations(work)
    inertia = np.einsum("nij,njk,nlk->nil", R, work.f(L.INERTIA).reshape(-1, 3, 3), R)
    linear = mass[:, None] * v
    spin = np.einsum("nij,nj->ni", inertia, w)
    return linear.sum(axis=0), (np.cross(x, linear) + spin).sum(axis=0)
