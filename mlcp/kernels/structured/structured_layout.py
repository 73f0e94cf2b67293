"""Arguments of the kernels of structured problems, and the layout of their scratch arrays.

Sizes: n rows, nb bodies, x (row, body) blocks of J, m rows with a bound, ``blocks`` blocks of the
factor.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mlcp.compiled.workspace import WorkArray, part, within


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


class BodyOrder(WorkArray, sizes="nb blocks"):
    """Elimination plan of nb bodies (int64), see ``body_order.order_bodies``."""

    order = part("nb", "body eliminated at each step")
    position = part("nb", "step at which each body is eliminated")
    start = part("nb + 1", "first of each column's entries in ``rows``")
    where = part("nb nb", "number of the block (p, q) at p nb + q")
    rows = part("nb nb", "later positions with a block in each column")
    last = part("nb", "1 for a body to be eliminated after all others, else 0")
    degree = part("nb", "number of bodies coupled to each body")


class Iterate(NamedTuple):
    """Iterate of a method: the start on entry, the result on return."""

    z: Any  # (n,) impulses
    w: Any  # (n,), A z + b
    v: Any  # (6 nb,) velocities Y' z
    state: Any  # (n,) int64: -1 at lower, 0 free, 1 at upper; in ``reduced_solve`` 1 marks bounded rows


class ScaledWork(WorkArray, sizes="n nb x"):
    """The rows scaled to unit masses and a unit diagonal, and a point."""

    factor = part("36 nb", "Cholesky factors of the masses")
    Y = part("6 x", "rows, see ``BodyRows``")
    scale = part("n", "sqrt a_ii")
    e = part("n", "compliances")
    b = part("n", "biases")
    lower = part("n", "lower bounds")
    upper = part("n", "upper bounds")
    z = part("n", "impulses")
    w = part("n", "A z + b")
    v = part("6 nb", "velocities Y' z")


class ResidualWork(WorkArray, sizes="n nb x"):
    """The rows and the point, and scratch of the natural residual."""

    scaled = within(ScaledWork, "the rows and the point")
    size = part("n", "sizes of the rows")
    effective = part("n", "scratch of ``unit_sizes``")
    reach = part("2 nb", "scratch of ``unit_sizes``")


class ProximalWork(WorkArray, sizes="n nb x blocks"):
    """One step of the proximal iteration, solved in the velocities, and scratch of its Newton method."""

    scaled = within(ScaledWork, "the rows and the point")
    c = part("n", "centre of the proximal iteration in the impulses z")
    k = part("n", "weights 1 / (e + delta); delta: proximal parameter")
    d = part("6 nb", "minimiser of the proximal problem")
    Jd = part("n", "Y d")
    p = part("6 nb", "Newton's step")
    Jp = part("n", "Y p")
    g = part("6 nb", "gradient")
    H = part("36 blocks", "Newton's matrix")
    L = part("36 blocks", "factor of H")


class ReducedWork(WorkArray, sizes="n nb x blocks m"):
    """Scratch of the elimination of the bilateral rows."""

    sizes = within(ResidualWork, "the rows, the point and scratch of the natural residual")
    L = part("36 blocks", "blocks of the factor U of H = U'U")
    X = part("6 m nb", "U^-T Y_c'")
    k = part("n", "weights of the bilateral rows")
    d = part("6 nb", "step of the velocities")


class Reduced(NamedTuple):
    """The m bounded rows c after elimination of the bilateral rows, by H = U'U (``bounded_rows``)."""

    bounded: Any  # (m,) indices of the bounded rows
    active: Any  # (m,) active set of the bounded rows
    filled: Any  # (nb,) marks of nonzero blocks of X
    small: Any  # dense problem of the bounded rows (m m + 4 m,), then the work of ``dense.direct``
    work: Any  # a ``ReducedWork``
