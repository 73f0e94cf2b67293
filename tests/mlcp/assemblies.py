"""Small mechanisms with every kind of redundancy, as structured problems."""

import dataclasses

import numpy as np

from benchmarks.structures import GROUND, Builder


def consistent(builder, seed=3):
    """A problem whose rows can all be met: bias = -J v0, so that redundant rows agree."""
    problem = builder.problem(seed)
    rows, _ = problem.structure.dense_rows(problem.jac)
    v0 = np.random.default_rng(seed + 1).normal(size=rows.shape[1])
    return dataclasses.replace(problem, bias=-rows @ v0)


def touch(builder, body, point):
    """Three channels at a point of a body."""
    builder.channels.append((3, (body,)))
    builder.channel_parts.append([np.array([builder.at(body, point, d) for d in np.eye(3)])])
    return builder


def door(hinges):
    """A door on a wall that can move, on parallel hinges along one line."""
    b = Builder()
    wall, leaf = b.body((0, 0, 0), 100.0, 1.0), b.body((0.5, 0, 0), 5.0, 0.3)
    for i in range(hinges):
        b.revolute(wall, leaf, (0, 0, 0.1 * i), (0, 0, 1))
    return touch(b, leaf, (1.0, 0.0, 0.0))


def four_bar(coupler=1.0):
    """A planar four-bar of hinges in space: closed, with three redundant rows."""
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
    """Bodies on doubled hinges, heavy beside light, with one more hinge across two of them.

    Each light body is over-constrained while its heavy neighbours act as ground.
    """
    b = Builder()
    bodies = [b.body((float(i), 0, 0), (50.0, 1.0)[i % 2], 0.3) for i in range(5)]
    for i in range(4):
        for y in (-0.3, 0.3):
            b.revolute(bodies[i], bodies[i + 1], (i + 0.5, y, 0), (0, 1, 0))
    b.revolute(bodies[0], bodies[2], (1, 0, 1), (0, 1, 0))
    return touch(b, bodies[4], (4.5, 0.0, 0.0))


def weighted_chain(length, ratio):
    """A hinged chain whose every second body is ``ratio`` times as heavy."""
    b = Builder()
    for i in range(length):
        b.body((0.5 + i, 0, 0.1 * (i % 2)), (1.0, ratio)[i % 2], 0.3)
    for i in range(length):
        axis = (0.1, 1, 0) if i % 2 else (0, 0.2, 1)
        b.revolute(i - 1 if i else GROUND, i, (float(i), 0, 0), axis)
    return touch(b, length - 1, (length, 0.0, 0.0))


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
