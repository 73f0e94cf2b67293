"""Small mechanisms with redundant constraints, as structured problems (mass blocks and sparse rows).

A body is a mass block ``diag(m 1, R I R')``: mass m, inertia I, random rotation R. A joint is a group of
rows of the Jacobian J.
"""

import dataclasses
from dataclasses import dataclass, field

import numpy as np

from mlcp.kkt import KktProblem, Structure

GROUND = -1
Compliance = float | tuple[float, ...]


@dataclass
class Builder:
    """Bodies (mass blocks) and joints (groups of rows on twists) of a mechanism that is being built.

    A twist is the velocity of the centre of mass and the angular velocity.
    """

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
        """Row that maps a body's twist to the velocity of its ``point`` along ``direction``."""
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
        """Add rows: ``parts[k]`` (rows, 6) acts on ``bodies[k]``; compliance: of all, or one a row."""
        self.groups.append((len(parts[0]), tuple(bodies)))
        self.parts.append(parts)
        self.compliances += list(np.broadcast_to(compliance, len(parts[0])))

    def revolute(self, one, other, point, axis) -> None:
        self.joint(one, other, point, np.eye(3), _across(axis))

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


def consistent(builder, seed=3):
    """Problem with consistent rows: bias = -J v0, so that redundant rows agree."""
    problem = builder.problem(seed)
    rows, _ = problem.structure.dense_rows(problem.jac)
    v0 = np.random.default_rng(seed + 1).normal(size=rows.shape[1])
    return dataclasses.replace(problem, bias=-rows @ v0)


def touch(builder, body, point):
    """Add three channels (rows of contact velocities) at a point of a body."""
    builder.channels.append((3, (body,)))
    builder.channel_parts.append([np.array([builder.at(body, point, d) for d in np.eye(3)])])
    return builder


def door(hinges):
    """A door on a movable wall, by ``hinges`` hinges on one line: all after the first are redundant."""
    b = Builder()
    wall, leaf = b.body((0, 0, 0), 100.0, 1.0), b.body((0.5, 0, 0), 5.0, 0.3)
    for i in range(hinges):
        b.revolute(wall, leaf, (0, 0, 0.1 * i), (0, 0, 1))
    return touch(b, leaf, (1.0, 0.0, 0.0))


def four_bar(coupler=1.0):
    """A planar four-bar linkage of spatial hinges: a closed loop, with three redundant rows."""
    b = Builder()
    left, top = b.body((0, 0, 0.5), 1.0, 0.3), b.body((0.5, 0, 1), coupler, 0.3)
    right = b.body((1, 0, 0.5), 1.0, 0.3)
    y = (0, 1, 0)
    b.revolute(GROUND, left, (0, 0, 0), y)
    b.revolute(left, top, (0, 0, 1), y)
    b.revolute(top, right, (1, 0, 1), y)
    b.revolute(right, GROUND, (1, 0, 0), y)
    return touch(b, top, (0.5, 0.1, 1.0))


def bridge():
    """Five bodies, heavy and light in turn: two hinges between neighbours, one between first and third.

    The light bodies are over-constrained: their heavy neighbours hold them almost like ground.
    """
    b = Builder()
    bodies = [b.body((float(i), 0, 0), (50.0, 1.0)[i % 2], 0.3) for i in range(5)]
    for i in range(4):
        for y in (-0.3, 0.3):
            b.revolute(bodies[i], bodies[i + 1], (i + 0.5, y, 0), (0, 1, 0))
    b.revolute(bodies[0], bodies[2], (1, 0, 1), (0, 1, 0))
    return touch(b, bodies[4], (4.5, 0.0, 0.0))


def hinged(masses):
    """A chain of bodies of given masses hinged one to the next, the first one to the ground."""
    b, length = Builder(), len(masses)
    for i, mass in enumerate(masses):
        b.body((0.5 + i, 0, 0.1 * (i % 2)), mass, 0.3)
    for i in range(length):
        axis = (0.1, 1, 0) if i % 2 else (0, 0.2, 1)
        b.revolute(i - 1 if i else GROUND, i, (float(i), 0, 0), axis)
    return touch(b, length - 1, (length, 0.0, 0.0))


def weighted_chain(length, ratio):
    """A hinged chain whose every second body is ``ratio`` times as heavy."""
    return hinged([(1.0, ratio)[i % 2] for i in range(length)])


def chain(length):
    """A hinged chain of bodies of 1, 1.3 and 1.6 kg in turn."""
    return hinged([1.0 + 0.3 * (i % 3) for i in range(length)])


def random_mechanism(rng, bodies, loops, channels):
    """A random tree of bodies with joints of 1 to 6 rows, plus loop joints, plus channels."""
    b = Builder()
    for _ in range(bodies):
        b.body(tuple(rng.normal(size=3)), 10.0 ** rng.uniform(-1, 1), rng.uniform(0.1, 0.5))
    for i in range(bodies):
        _random_joint(b, rng, int(rng.integers(-1, i)) if i else GROUND, i)
    for _ in range(loops):
        if bodies > 1:
            one, other = rng.choice(bodies, size=2, replace=False)
            _random_joint(b, rng, int(one), int(other))
    for _ in range(channels):
        k = int(rng.integers(1, 5))
        touched = tuple(int(i) for i in rng.permutation(bodies)[: rng.integers(1, 5)])
        b.channels.append((k, touched))
        b.channel_parts.append([rng.normal(size=(k, 6)) for _ in touched])
    return b


def _random_joint(b, rng, one, other):
    move, turn = int(rng.integers(0, 4)), int(rng.integers(0, 4))
    if move + turn == 0:
        move = 1
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    compliance = 10.0 ** rng.uniform(-3, 1) if rng.random() < 0.3 else 0.0
    b.joint(one, other, rng.normal(size=3), axes[:move], axes[:turn], compliance)


def machine():
    """Forty-five bodies with joints of 1 to 6 rows, twelve of them in loops, and four channel groups."""
    return random_mechanism(np.random.default_rng(0), 45, 12, 4)
