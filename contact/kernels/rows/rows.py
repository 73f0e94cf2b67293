"""The rows of one wheel's load, thrust and resistance; equation numbers are those of Peiret et al.

The module ``wheel.data`` describes the fields of ``wheels`` and ``rows``. Forces act on the wheel;
impulses are force times step length h.
"""

import math

from mlcp.compiled.branches import as_many, every, some, where
from mlcp.jit import kernel

from ...schemes.kernels.line import Line, Sliding
from ...schemes.kernels.table import scheme_line
from ..wheel import layout as at
from ..wheel import wheel_law
from ..wheel.combined import ContactMotion, motion_of, thrust_in_rows, thrust_share
from .lane_subset import pressed, soften_soil
from .lines import keep_within, set_line, sloped, unless
from .other_wheels import THRUST, other_wheel
from .standing import gamma_at_rest, gamma_of_standing


@kernel
def normal_row(i, h, gap, v_free, start, wheels, rows):
    """Row of wheel i along the ground normal: tyre and soil in series, implicit (eqs 21, 22).

    ``e = 1 / (h (h k + c))``, ``bias = k x / (h k + c)``, impulse p >= 0, with the gap x, the secant
    stiffness k at the compression -x (for an open gap: -(x + h v_free)) and c = eta_n k, eta_n: damping
    time. The row is active only if the free motion would close the gap, ``x + h v_free <= 0``; otherwise
    its damper would act before contact. v_free: normal velocity at the end of the step without ground
    forces; start: the channels' velocities at the start of the step, whose slip gives the slip sinkage.
    """
    soften_soil(i, start, wheels)
    next_gap = gap + h * v_free
    compression = where(gap < 0.0, -gap, -next_gap)
    closes, force = next_gap <= 0.0, as_many(0.0, gap)
    if some(closes):
        force = where(closes, pressed(i, compression, start, wheels), 0.0)
    row, loaded = wheels.each[i].row + at.ROW_NORMAL, force > 0.0
    k = where(loaded, force, 1.0) / where(loaded, compression, 1.0)
    hkc = (h + wheels.each[i].eta_n) * k  # h k + c [N s/m]
    rows.e[row] = where(loaded, 1.0 / (h * hkc), 1.0)
    rows.bias[row] = where(loaded, k * gap / hkc, 0.0)
    rows.lower[row], rows.upper[row] = 0.0, where(loaded, math.inf, 0.0)


@kernel
def begin_wheel(i, load, v_t, v_x, wheels):
    """Begin the step of wheel i: set its linearisation point to the current velocities v_t, v_x [m/s]
    and the last step's load [N], and forget memorised values of its laws."""
    wheel, now = wheels.each[i], wheels.now[i]
    wheel_law.forget_laws(i, wheels)
    for last in (now.law, now.law_of_sliding, now.law_of_rest, now.locked):
        wheel_law.forget_searches(last)
    wheel_law.linearise_at(i, v_t, v_x, wheels)
    now.load = load
    now.mismatch = math.inf
    now.rest_x, now.rest_y, now.excess = 1.0, 1.0, 0.0
    now.used = -1.0  # not yet computed: ``standing.gamma_at_rest`` does so from the last step's impulses
    now.standing = where(now.v_max <= wheel.v_0, 1.0, 0.0)
    # The smooth slip of eq 7 is used as printed, without set-valued friction at rest.
    now.at_rest = now.standing if wheel.static_friction == 1 and wheel.smooth_slip == 0 else 0.0


@kernel
def slope_share(slip, v_max, v_t, v_x, v_0, share):
    """Exact slope of the slip along the traction row, over the slope 1 / v_max of eq 28.

    ``share``: part of v_x in the response of v_t = v_x - omega r to a traction impulse; the rest is that
    of omega r. v_max, the larger of |v_x| and |omega r|, changes with the impulse; eq 28 neglects this.
    """
    rest = 1.0 - abs(slip)
    driving = abs(v_x - v_t) >= abs(v_x)  # the rim is faster than the centre, so v_max = |omega r|
    part = where(driving, share + (1.0 - share) * rest, share * rest + 1.0 - share)
    return where(v_max <= v_0, 1.0, part)


@kernel
def thrust_sliding(i, ratio, slope, peak, share, wheels):
    """Thrust of wheel i as ``Sliding``, the input of the linearisation schemes.

    ratio, slope, peak: smooth thrust, its slope over the slip, its largest size, all over the load and
    scaled by the friction ellipse; ``share``: see ``slope_share``.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    load = now.load
    tangent = load * slope / now.v_max  # -dF_t/dv_t at constant v_max [N s/m], c_t of eq 28
    part = slope_share(now.slip, now.v_max, now.v_t, now.v_x, wheel.v_0, share)
    return Sliding(now.v_t, load * ratio, tangent, tangent * part, load * peak)


@kernel
def resistance_rows(i, h, gamma, rho, wheels, rows):
    """Set the rows of resistance and rolling moment from their ratios to the load, gamma and rho."""
    wheel, now = wheels.each[i], wheels.now[i]
    resistance, load = wheel.row + at.ROW_RESISTANCE, now.load
    now.gamma, now.rho = gamma, rho
    rows.bias[resistance] = 0.0
    rows.lower[resistance], rows.upper[resistance] = -h * gamma * load, h * gamma * load
    spin = wheel.spin_row
    if spin >= 0:
        moment = h * rho * load
        known = moment < 0.0  # moment in the direction of rolling (braked wheel): known, not friction
        rows.bias[spin] = 0.0
        rows.lower[spin] = where(known, -moment * now.direction, -moment)
        rows.upper[spin] = where(known, -moment * now.direction, moment)


@kernel
def traction_rows(i, h, share, wheels, rows):
    """Set the rows of thrust, resistance and rolling moment of wheel i at its linearisation point;
    ``share``: see ``slope_share``."""
    wheel, now = wheels.each[i], wheels.now[i]
    load, v_max, direction, rests = now.load, now.v_max, now.direction, now.at_rest == 1.0
    slip = where(rests, wheel_law.without_round_off(now.slip), now.slip)
    # at rest the thrust is set-valued only: the ellipse reduces its bound (``rest_x``), not the law
    if every(rests):
        ratio, slope, coulomb, gamma, rho, peak = wheel_law.law_at_rest(
            i, slip, direction, v_max, load, wheels
        )
        share_left, now.shift = as_many(1.0, load), now.law_of_rest.shifted
    else:
        motion = ContactMotion(slip, direction, v_max, now.v_t, now.v_x, now.v_y)
        ratio, slope, coulomb, gamma, rho, peak, share_left = thrust_in_rows(i, motion, load, wheels)
        if some(rests):
            coulomb = where(rests, wheel_law.law_at(i, slip, direction, v_max, load, wheels)[2], coulomb)
            share_left = where(rests, 1.0, share_left)
        now.shift = now.law.shifted
        if wheel.scheme == at.LUGRE:
            share_left = where(v_max < wheel.stribeck_velocity, now.rest_x, share_left)
    now.share = share_left
    whole = peak + coulomb
    ratio, slope = ratio * share_left, slope * share_left
    coulomb, peak = coulomb * share_left, peak * share_left
    gamma = gamma_of_standing(i, slip, direction, v_max, load, gamma, wheels)
    smooth, friction = wheel.row + at.ROW_TRACTION, h * load * coulomb
    if some(rests):
        now.capacity_x = friction + h * load * wheel_law.capacity_ratio(i, load, wheels)
        if wheel.relaxes == 1:
            now.rest_x = thrust_share(i, load, motion_of(now), wheels)
        gamma = gamma_at_rest(i, h, gamma, load, rests, wheels, rows)
    resistance_rows(i, h, gamma, rho, wheels, rows)
    if every(rests):
        set_line(smooth, h, Line(0.0, 0.0, 0.0, 0.0), now.rest_x * now.capacity_x, rows)
    elif wheel.scheme == at.LUGRE:
        other_wheel(THRUST, i, h, 0.0, wheels, rows)
    else:
        sliding = thrust_sliding(i, ratio, slope, peak, share, wheels)
        line = sloped(scheme_line(wheel.line, sliding), v_max, sliding.peak)
        if some(rests):
            line, friction = unless(rests, line), where(rests, now.rest_x * now.capacity_x, friction)
        set_line(smooth, h, line, friction, rows)
        if wheel.scheme == at.KEPT:
            most = where(now.rest_x < 1.0, h * load * whole * now.rest_x, math.inf)
            keep_within(smooth, most, rows)


@kernel
def rolling_impulse(i, wheels, rows):
    """Impulse of wheel i's rolling moment over the radius, on omega r [N s]: -T_rr h / r if rolling
    forward.

    It is part of the spin row's impulse; the rest is the thrust at zero slip. With the channels'
    impulses q, the impulse of the thrust is h F_t = ``q[SLIDING]`` plus the returned impulse, that of
    the resistance h F_c = ``-q[CENTRE]`` plus the returned impulse.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    spin = wheel.spin_row
    if spin < 0:
        return as_many(0.0, now.rho)
    total = now.rho
    own, counts = total - now.shift, abs(total) > 1e-12
    known = -now.direction * own * rows.z[wheel.row + at.ROW_NORMAL]
    return where(counts, rows.z[spin] * own / where(counts, total, 1.0), known)
