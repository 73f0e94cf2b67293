"""Newton's method on F(z) = 0 (``balance``) from several starts and with proximal steps.

A step needs this search if Newton's method fails from the impulses of the last linearised solve (pass).

Several starts: laws that are steep near standstill, or fall with the slip, give F kinks and several
solutions, between which Newton's steps may cycle. The starts lie around the impulses of the last pass,
at distances of 1e-3 to 1 of the friction forces, and are the same in every run.

Proximal steps: Newton's method solves F = 0 with the velocities

    w = A z + b + weight a_ii (z - z_0)

starting from z_0, and the solution is z_0 of the next proximal step; a_ii: diagonal of A. The added term
makes forces unique of which the law determines only the sum (wheels at rest that press against each
other), and keeps each solution near the last one if a law falls with the slip. At convergence z = z_0:
the term is zero.

Sources: Rockafellar (1976), monotone operators and the proximal point algorithm; Weyl (1916), the
equidistributed sequence of the golden ratio.
"""

import math

from mlcp.compiled.lazy import BOOL, FLOAT, INT, bundle, lazy
from mlcp.jit import kernel

from ..wheel.data import Rows, Wheels
from .balance import Unknowns, integrates_stresses, row_of
from .newton import newton

# Numbers of starts before the first proximal steps (1 if a wheel rests: its forces need these steps; or
# if laws integrate stresses), and after them
FEW_STARTS, MANY_STARTS = 5, 40
FEW_PROXIMAL_STEPS, MANY_PROXIMAL_STEPS = 20, 100  # largest numbers of proximal steps, before and after


@kernel
def newton_from_starts(count, h, n, W, wheels, rows):
    """Run Newton's method from ``count`` starts until one reaches F = 0; return whether one does.

    The first start is ``W.start``, with the rule for step lengths (``rise``) that ``follow_law`` has
    not used; the others lie around ``W.start``.
    """
    golden_ratio, number = 0.5 * (math.sqrt(5.0) - 1.0), 0.0
    distance = 0.0  # largest change of a scaled impulse from ``W.start``
    for start in range(count):
        for k in range(n):
            number += golden_ratio
            W.point[k] = W.start[k] + distance * (2.0 * (number - math.floor(number)) - 1.0)
        rise = 0.0 if start == 0 and not integrates_stresses(wheels) else math.inf
        if newton(rise, h, n, W, wheels, rows):
            return True
        distance = 1e-3 if distance == 0.0 or distance > 0.5 else 10.0 * distance
    return False


@kernel
def add_proximal_term(weight, n, W, rows):
    """Add ``weight a_ii (z - z_0)`` to the velocities, with z_0 in ``W.start``."""
    for k in range(n):
        row = row_of(k, W)
        W.own[k], W.offset[k] = rows.A[row, row], rows.b[row]
        change = weight * rows.A[row, row]
        rows.A[row, row] += change
        rows.b[row] -= change * W.start[k] * W.scale[k]


@kernel
def remove_proximal_term(n, W, rows):
    """Restore the diagonal of A and the right-hand side b, bit for bit."""
    for k in range(n):
        row = row_of(k, W)
        rows.A[row, row], rows.b[row] = W.own[k], W.offset[k]


@kernel
def follow_proximal(count, h, n, W, wheels, rows):
    """Do ``count`` proximal steps from ``W.start``; return whether F = 0 is reached without the term."""
    weight = 1e-2  # weight in the first proximal step
    for _step in range(count):
        for k in range(n):
            W.point[k] = W.start[k]
        add_proximal_term(weight, n, W, rows)
        found = newton(math.inf, h, n, W, wheels, rows)
        remove_proximal_term(n, W, rows)
        if not found:
            weight *= 3.0  # Newton's method has failed: a larger weight keeps the solution nearer
            continue
        change = 0.0
        for k in range(n):
            change = max(change, abs(W.point[k] - W.start[k]))
            W.start[k] = W.point[k]
        weight *= 0.3
        converged = change < 1e-6  # of the scaled impulses
        if converged and newton(math.inf, h, n, W, wheels, rows):
            return True
    return False


@lazy(BOOL(FLOAT, INT, bundle(Wheels), bundle(Rows)), "mlcp", "contact")
def find_by_continuation(h, n, wheels, rows):
    """Set ``Unknowns.point`` to a zero of F; return whether one is found. Compiled at the first call,
    since few runs need this search."""
    W = Unknowns(rows.work, rows.z.shape[0])
    few = 1 if integrates_stresses(wheels) else FEW_STARTS
    for i in range(len(wheels.each)):
        few = 1 if wheels.now[i].at_rest == 1.0 else few
    return (
        newton_from_starts(few, h, n, W, wheels, rows)
        or follow_proximal(FEW_PROXIMAL_STEPS, h, n, W, wheels, rows)
        or newton_from_starts(MANY_STARTS, h, n, W, wheels, rows)
        or follow_proximal(MANY_PROXIMAL_STEPS, h, n, W, wheels, rows)
    )
