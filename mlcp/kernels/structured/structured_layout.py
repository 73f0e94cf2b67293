"""Arguments of the kernels of structured problems."""

from __future__ import annotations

from typing import Any, NamedTuple


class BodyRows(NamedTuple):
    """n rows of A = Y Y' + diag(e), acting on velocities scaled to unit masses."""

    n: Any
    start: Any  # (n + 1,) row i acts on the bodies block[start[i] : start[i + 1]]
    block: Any
    Y: Any  # six numbers for each body of a row
    e: Any  # (n,) compliances
    b: Any
    lower: Any
    upper: Any


class BodyOrder(NamedTuple):
    """Elimination plan of nb bodies, see ``body_order.order_bodies``."""

    nb: Any
    blocks: Any  # number of the factor's blocks
    order: Any
    position: Any
    start: Any
    where: Any
    rows: Any


class Iterate(NamedTuple):
    """Iterate of a method: the start on entry, the result on return."""

    z: Any  # (n,) impulses
    w: Any  # (n,), A z + b
    v: Any  # (6 nb,) velocities Y' z
    state: Any  # (n,) int64: -1 at lower, 0 free, 1 at upper; in ``reduced_solve`` 1 marks bounded rows


class Proximal(NamedTuple):
    """One step of the proximal iteration, solved in the velocities, and scratch of its Newton method."""

    c: Any  # (n,) centre of the proximal iteration in the impulses z
    k: Any  # (n,) weights 1 / (e + delta); delta: proximal parameter
    d: Any  # (6 nb,) minimiser of the proximal problem
    Jd: Any  # (n,) Y d
    p: Any  # (6 nb,) Newton's step
    Jp: Any  # (n,) Y p
    g: Any  # (6 nb,) gradient
    H: Any  # (36 blocks,) Newton's matrix
    L: Any  # (36 blocks,) factor of H


class Reduced(NamedTuple):
    """The m bounded rows c after elimination of the bilateral rows, by H = U'U (``bounded_rows``)."""

    bounded: Any  # (m,) indices of the bounded rows
    X: Any  # (6 nb m,) U^-T Y_c'
    small: Any  # dense problem of the bounded rows (m m + 3 m,), then the work of ``dense.direct``
    active: Any  # (m,) active set of the bounded rows
    filled: Any  # (nb,) marks of nonzero blocks of X
    L: Any  # blocks of the factor U
    real: Any  # (4 n,) scratch
    body: Any  # (18 nb,) scratch
