"""Mechanisms as bare structured problems, for the scaling benchmark and the tests.

Only matrices: mass blocks ``diag(m 1, R I R')`` and rows of joints between points of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mlcp.kkt import KktProblem, Structure

GROUND = -1
Compliance = float | tuple[float, ...]


def _cross(r: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])


@dataclass
class Builder:
    """Collects mass blocks and row groups at given places; twist (v of the centre, omega)."""

    centres: list[np.ndarray] = field(default_factory=list)
    masses: list[np.ndarray] = field(default_factory=list)
    groups: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    parts: list[list[np.ndarray]] = field(default_factory=list)
    compliances: list[float] = field(default_factory=list)
    channels: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    channel_parts: list[list[np.ndarray]] = field(default_factory=list)

    def body(self, centre: tuple[float, float, float], mass: float, radius: float) -> int:
        """Add a body of given mass and radius of gyration; returns its number."""
        inertia = mass * radius**2 * np.diag([1.0, 1.2, 0.9])
        turn = np.linalg.qr(np.random.default_rng(len(self.masses)).normal(size=(3, 3)))[0]
        block = np.zeros((6, 6))
        block[:3, :3] = mass * np.eye(3)
        block[3:, 3:] = turn @ inertia @ turn.T
        self.centres.append(np.array(centre, dtype=float))
        self.masses.append(0.5 * (block + block.T))
        return len(self.masses) - 1

    def at(self, body: int, point: np.ndarray, direction: np.ndarray) -> np.ndarray:
        """Row of the velocity of a body's point along a direction."""
        arm = np.asarray(point) - self.centres[body]
        return np.concatenate([direction, np.cross(arm, direction)])

    def joint(self, one, other, point, move=(), turn=(), compliance: Compliance = 0.0) -> None:
        """Block relative translation along ``move`` and rotation about ``turn``."""
        point = np.asarray(point, dtype=float)
        parts = []
        for body, sign in ((one, -1.0), (other, 1.0)):
            if body == GROUND:
                continue
            rows = [self.at(body, point, np.asarray(d, dtype=float)) for d in move]
            rows += [np.concatenate([np.zeros(3), np.asarray(d, dtype=float)]) for d in turn]
            parts.append(sign * np.array(rows))
        self.rows([b for b in (one, other) if b != GROUND], parts, compliance)

    def rows(self, bodies: list[int], parts, compliance: Compliance = 0.0) -> None:
        """Add a row group as it stands; one compliance for all rows or one each."""
        self.groups.append((len(parts[0]), tuple(bodies)))
        self.parts.append(parts)
        self.compliances += list(np.broadcast_to(compliance, len(parts[0])))

    def revolute(self, one, other, point, axis) -> None:
        self.joint(one, other, point, np.eye(3), _across(axis))

    def spherical(self, one, other, point) -> None:
        self.joint(one, other, point, np.eye(3))

    def universal(self, one, other, point, blocked) -> None:
        self.joint(one, other, point, np.eye(3), [blocked])

    def prismatic(self, one, other, point, axis) -> None:
        self.joint(one, other, point, _across(axis), np.eye(3))

    def problem(self, seed: int = 0) -> KktProblem:
        """The problem with random momentum and bias."""
        rng = np.random.default_rng(seed)
        structure = Structure(len(self.masses), tuple(self.groups), tuple(self.channels))
        speed = rng.normal(size=(len(self.masses), 6))
        momentum = np.einsum("bij,bj->bi", np.array(self.masses), speed)
        return KktProblem(
            structure,
            np.array(self.masses),
            structure.flat_rows(self.parts + self.channel_parts),
            np.array(self.compliances),
            momentum,
            0.01 * rng.normal(size=structure.rows),
        )


def _across(axis) -> np.ndarray:
    axis = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    return np.linalg.svd(axis[None])[2][1:]


def vehicle_like() -> Builder:
    """45 bodies, 64 row groups (252 rows), 4 x 4 channels.

    A chassis with four double-wishbone corners (closed loops; strut as a spring row), steering
    rack, and a driveline: engine, gearbox, transfer case, two shafts, three differentials.
    """
    b = Builder()
    chassis = b.body((0.0, 0.0, 0.6), 2086.0, 1.2)
    rack = b.body((1.6, 0.0, 0.45), 8.0, 0.4)
    stubs = []
    for x, side in ((1.65, 1.0), (1.65, -1.0), (-1.65, 1.0), (-1.65, -1.0)):
        stubs.append(_corner(b, chassis, rack if x > 0 else chassis, x, side))
    line = [
        b.body((x, 0.0, z), m, 0.1)
        for x, z, m in (
            (1.2, 0.8, 60.0), (0.8, 0.75, 20.0), (0.4, 0.7, 15.0), (0.0, 0.6, 10.0),
            (0.8, 0.5, 9.0), (-0.8, 0.5, 9.0), (1.6, 0.5, 12.0), (-1.6, 0.5, 12.0),
            (0.2, 0.6, 6.0), (0.5, 0.7, 4.0), (1.0, 0.8, 5.0),
        )
    ]  # fmt: skip
    # the rack slides along y, where the steering wheel holds it
    b.joint(chassis, rack, (1.6, 0.0, 0.45), np.eye(3), np.eye(3), (0, 1e-6, 0, 0, 0, 0))
    for shaft in line[:9]:
        b.revolute(chassis, shaft, b.centres[shaft], (1, 0, 0))
    b.revolute(line[0], line[9], b.centres[line[9]], (1, 0, 0))
    b.universal(chassis, line[10], b.centres[line[10]], (0, 1, 0))
    spin = np.array([[0, 0, 0, 1.0, 0, 0]])
    roll = np.array([[0, 0, 0, 0, 1.0, 0]])
    for one, other, ratio in ((0, 1, 2.1), (3, 5, 1.0)):
        b.rows([line[one], line[other]], [spin, -ratio * spin])
    for shaft, left, right in ((line[6], stubs[0], stubs[1]), (line[7], stubs[2], stubs[3])):
        b.rows([shaft, left, right, chassis], [spin, -1.5 * roll, -1.5 * roll, 3.0 * roll - spin])
    return b


def _corner(b: Builder, chassis: int, rod_to: int, x: float, side: float) -> int:
    """One double-wishbone corner; returns the shaft end at the differential."""
    y = 0.91 * side
    upper = b.body((x, 0.58 * side, 0.75), 5.8, 0.15)
    lower = b.body((x, 0.55 * side, 0.35), 24.0, 0.2)
    upright = b.body((x, 0.78 * side, 0.5), 19.5, 0.12)
    wheel = b.body((x, y, 0.45), 56.0, 0.3)
    rod = b.body((x - 0.2, 0.63 * side, 0.5), 2.0, 0.12)
    strut = b.body((x, 0.5 * side, 0.8), 3.0, 0.1)
    shaft = b.body((x, 0.5 * side, 0.46), 8.0, 0.15)
    stub = b.body((x, 0.15 * side, 0.46), 3.0, 0.05)
    b.revolute(chassis, upper, (x, 0.45 * side, 0.75), (1, 0.02, 0.03))
    b.revolute(chassis, lower, (x, 0.31 * side, 0.36), (1, -0.01, 0.02))
    b.spherical(upper, upright, (x - 0.05, 0.72 * side, 0.75))
    b.spherical(lower, upright, (x - 0.03, 0.79 * side, 0.33))
    b.universal(rod_to, rod, (x - 0.25, 0.45 * side, 0.51), (1, 0.1, 0.0))
    b.spherical(rod, upright, (x - 0.2, 0.82 * side, 0.49))
    b.revolute(upright, wheel, (x, 0.85 * side, 0.46), (0.0, 1.0, 0.03))
    b.universal(chassis, strut, (x, 0.48 * side, 0.95), (0, 0.1, 1.0))
    # the strut slides on the lower arm: two transverse rows, and the spring row along it
    spring = [(1, 0, 0), (0, 1, 0.05), (0, 0.05, 1)]
    b.joint(strut, lower, (x, 0.53 * side, 0.45), spring, compliance=(0.0, 0.0, 1e-3))
    b.revolute(chassis, stub, (x, 0.15 * side, 0.46), (0, 1, 0))
    b.joint(stub, shaft, (x, 0.2 * side, 0.46), [(1, 0, 0), (0, 0, 1)], [(0.0, 1.0, 0.02)])
    b.universal(shaft, wheel, (x, 0.82 * side, 0.46), (0.0, 1.0, 0.05))
    touch = np.array([x, y, 0.0])
    rows = np.array(
        [
            b.at(wheel, touch, np.array([0.0, 0.0, 1.0])),
            b.at(wheel, touch, np.array([1.0, 0.0, 0.0])),
            b.at(wheel, touch, np.array([0.0, 1.0, 0.0])),
            b.at(wheel, b.centres[wheel], np.array([1.0, 0.0, 0.0])),
        ]
    )
    b.channels.append((4, (wheel,)))
    b.channel_parts.append([rows])
    return stub


def chain(length: int) -> Builder:
    """A chain of bodies hinged one to the next, the first one to the ground, and 3 channels."""
    b = Builder()
    for i in range(length):
        b.body((0.5 + i, 0.0, 0.1 * (i % 2)), 1.0 + 0.3 * (i % 3), 0.3)
    for i in range(length):
        axis = (0.1, 1.0, 0.0) if i % 2 else (0.0, 0.2, 1.0)
        b.revolute(i - 1 if i else GROUND, i, (float(i), 0.0, 0.0), axis)
    end = np.array([float(length), 0.0, 0.0])
    b.channels.append((3, (length - 1,)))
    b.channel_parts.append([np.array([b.at(length - 1, end, d) for d in np.eye(3)])])
    return b
