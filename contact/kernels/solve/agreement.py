"""Newton's method on the laws of all wheels at once, for steps that fixed-point passes do not solve.

A pass linearises the rows at a point of every wheel (sliding velocity v_t, velocity v_x of the centre,
lateral velocity v_y, load), with the slope of the thrust over v_t, and solves. All other quantities of
the point (resistance, load, the ellipse, v_max) are those of the last pass, so the passes of wheels that
share a chassis may cycle. Newton's method has all slopes; if it fails, it starts from further points
(``continuation``).
"""

from mlcp.compiled.branches import where
from mlcp.compiled.lazy import BOOL, FLOAT, FLOATS, INTS, bundle, lazy, named
from mlcp.jit import kernel

from ..rows.lateral_rows import lateral_use
from ..wheel import layout as at
from ..wheel.data import Rows, Wheels
from ..wheel.wheel_law import forget_laws, linearise_at
from .balance import Unknowns, begin, integrates_stresses, take_impulses
from .continuation import find_by_continuation
from .newton import MAX_RISE, newton
from .other_friction import OtherFriction

# Largest residual of a solution by Newton's method (``follow_law``), over the solver's tolerance; above
# 1 since that solution carries round-off
ROUND_OFF_FACTOR = 20.0
MAX_PLAIN_PASSES = 5  # Newton's method follows every later pass; most steps need no more passes
OTHER_FRICTION = named(OtherFriction, INTS, INTS, FLOATS, INTS)


@kernel
def linearise_there(h, which, wheels, rows):
    """Linearise the wheels of the vehicles ``which`` at the velocities u+ and loads of a solution;
    ``KEPT`` wheels and wheels at rest at the loads alone."""
    for i in range(len(wheels.each)):
        wheel, now, u = wheels.each[i], wheels.now[i], rows.u
        load = max(0.0, rows.z[wheel.row + at.ROW_NORMAL]) / h
        moves, channel = which & (now.at_rest == 0.0), wheel.channel
        v_t = where(moves, u[channel + at.SLIDING], now.v_t)
        v_x = where(moves, u[channel + at.CENTRE], now.v_x)
        now.load = where(which, load, now.load)
        if wheel.scheme == at.IMPLICIT:
            linearise_at(i, v_t, v_x, wheels)
        if wheel.scheme != at.KEPT:
            now.v_t, now.v_x = v_t, v_x
            now.v_y = where(moves, u[channel + at.LATERAL], now.v_y)


@lazy(BOOL(FLOAT, bundle(Wheels), bundle(Rows), OTHER_FRICTION), "mlcp", "contact")
def follow_law(h, wheels, rows, other_friction):
    """Set rows.z to a solution of all laws at once; return whether one is found.

    rows.A has to be assembled. The caller then linearises the wheels at the solution
    (``linearise_there``). Compiled at the first call, since most runs need no such solution.
    """
    W = Unknowns(rows.work, rows.z.shape[0])
    n, weighs = begin(W, wheels, rows, other_friction)
    wheels.passes.without_slopes = 1
    rise = 0.0 if integrates_stresses(wheels) else MAX_RISE
    found = weighs and (
        newton(rise, h, n, W, wheels, rows)
        or (wheels.passes.remaining_newton_steps > 0.0 and find_by_continuation(h, n, wheels, rows))
    )
    wheels.passes.without_slopes = 0
    for i in range(len(wheels.each)):
        forget_laws(i, wheels)
    if found:
        take_impulses(True, n, W, wheels, rows)
        return True
    linearise_there(h, True, wheels, rows)  # restore the linearisation of the last pass
    for i in range(len(wheels.each)):
        now = wheels.now[i]
        if now.stuck_y == 1.0:
            now.side_use = lateral_use(i, h, wheels, rows)
    return False


@kernel
def split_rows(which, wheels, rows):
    """In the vehicles ``which``, split thrust and lateral impulse of a solution, each given in its
    set-valued row, between the smooth and the set-valued row, which are linearised at the solution."""
    for i in range(len(wheels.each)):
        wheel = wheels.each[i]
        for k in range(2):
            smooth = wheel.row + at.ROW_TRACTION if k == 0 else wheel.lateral_row
            if smooth < 0:
                continue
            u = rows.u[wheel.channel + (at.SLIDING if k == 0 else at.LATERAL)]
            own, stick = -(u + rows.bias[smooth]) / rows.e[smooth], smooth + 1
            own = min(max(own, rows.lower[smooth]), rows.upper[smooth])
            # subtract, so that the sum of both impulses stays exact: a steep line magnifies round-off
            left = min(max(rows.z[stick] - own, rows.lower[stick]), rows.upper[stick])
            rows.z[smooth] = where(which, rows.z[stick] - left, rows.z[smooth])
            rows.z[stick] = where(which, left, rows.z[stick])
    for i in range(rows.z.shape[0]):  # a row with equal bounds gets their value exactly
        fixed = which & (rows.lower[i] == rows.upper[i])
        rows.z[i] = where(fixed, rows.lower[i], rows.z[i])
