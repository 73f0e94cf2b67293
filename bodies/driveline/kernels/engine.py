"""An engine's torque over its speed, and its linearisation over a step.

    T(w+) = T(w) - c (w+ - w)

is the row of a damper: backward Euler, stable at any step length. T: torque, w, w+: speed at the start
and the end of the step. A tangent at w does not include the steep slope of a governor beyond the next
point of the table, which one long step would overshoot. Therefore c is the larger of two slopes: that of
the tangent, and that of the chord to the speed that the rotor alone would have at the end of the step.
If the torque rises with the speed, c is 0: the torque is explicit.
"""

from mlcp.compiled.branches import every, where
from mlcp.jit import kernel

from ...kernels.combination import combine, force_row, input_fraction
from ...kernels.tables import value_at

# Most Newton steps for the end speed of the rotor alone. They need not converge: the damper row with the
# chord to any speed is stable.
NEWTONS = 20
UNBOUNDED = 1e30  # [rad/s] end of the bracket of the rotor's end speed until a bound is known
MIN_SPEED_DIFFERENCE = 1e-6  # [rad/s] least speed difference for a chord; tolerance of the Newton steps


@kernel
def engine_torque(run, full, motoring, throttle, w):
    """Torque [N m] ``throttle full(w) - (1 - throttle) motoring(w)`` and its slope [N m s].

    ``full``, ``motoring``: indices of the torque tables over the speed w [rad/s]; motoring -1: none.
    """
    torque, slope = value_at(run, full, w)
    torque, slope = throttle * torque, throttle * slope
    if motoring >= 0:
        drag, rise = value_at(run, motoring, w)
        torque -= (1.0 - throttle) * drag
        slope -= (1.0 - throttle) * rise
    return torque, slope


@kernel
def engine_line(run, it, throttle, w, turn):
    """``(T(w), c)`` [N m, N m s] of the torque linearised at the speed w [rad/s].

    ``turn``: change of the free rotor's speed in a step by a torque of 1 N m [rad/s].
    """
    full, motoring = it.table[0], it.table[1]
    torque, slope = engine_torque(run, full, motoring, throttle, w)
    damping = max(-slope, 0.0)
    alone, torque_there, rise = w, torque, slope
    # bracket of the free rotor's end speed, and residuals of its equation at both ends; a secant step
    # replaces a Newton step that leaves the bracket
    below, above = where(torque > 0.0, w, -UNBOUNDED), where(torque > 0.0, UNBOUNDED, w)
    less, more = (
        where(torque > 0.0, turn * torque, UNBOUNDED),
        where(torque > 0.0, -UNBOUNDED, turn * torque),
    )
    there = w != w
    for _ in range(NEWTONS):
        change = (turn * torque_there - (alone - w)) / (1.0 + turn * max(-rise, 0.0))
        out = (alone + change <= below) | (alone + change >= above)
        change = where(out, below + less * (above - below) / (less - more) - alone, change)
        alone = where(there, alone, alone + change)
        torque_there, rise = engine_torque(run, full, motoring, throttle, alone)
        left = turn * torque_there - (alone - w)
        up = left > 0.0
        below, less = where(up, alone, below), where(up, left, less)
        above, more = where(up, above, alone), where(up, more, left)
        there = there | (abs(change) <= MIN_SPEED_DIFFERENCE)
        if every(there):
            break
    distinct = abs(alone - w) > MIN_SPEED_DIFFERENCE
    chord = (torque - torque_there) / where(distinct, alone - w, 1.0)
    return torque, where(distinct, max(damping, chord), damping)


@kernel
def admittance(J, o, M, m):
    """``J M^-1 J'`` of one body [1/(kg m^2) or 1/kg] for the row of six numbers at ``J[o:]``.

    ``M[m:]``: mass block of the body.
    """
    x, y, z = J[o + 3], J[o + 4], J[o + 5]
    a, b, c = M[m + 21], M[m + 22], M[m + 23]
    d, e, f = M[m + 28], M[m + 29], M[m + 35]
    A, B, C = d * f - e * e, c * e - b * f, b * e - c * d
    D, E, G = a * f - c * c, b * c - a * e, a * d - b * b
    spin = x * x * A + y * y * D + z * z * G + 2.0 * (x * y * B + x * z * C + y * z * E)
    translation = J[o] * J[o] + J[o + 1] * J[o + 1] + J[o + 2] * J[o + 2]
    return spin / (a * A + b * B + c * C) + translation / M[m]


@kernel
def rotor_admittance(run, c):
    """Change of the rate of coordinate c in a step by a unit torque or force on it [s/(kg m^2) or s/kg],
    if its two bodies had no joints.
    """
    C, M, nb, it = run.coordinate_jac, run.mass_block, run.count.bodies, run.coordinates[c].ends
    total = 0.0
    if it.a < nb:
        total += run.clock.step * admittance(C, 12 * c, M, 36 * it.a)
    if it.b < nb:
        total += run.clock.step * admittance(C, 12 * c + 6, M, 36 * it.b)
    return total


@kernel
def row(it, run):
    """Write the row of an engine's linearised torque."""
    _, v = combine(run, it, 1.0)
    f, c = engine_line(run, it, input_fraction(run, it), v, rotor_admittance(run, it.term[0]))
    force_row(run, it, -f, 0.0, c, v)
