"""From a ground law to rows: linearise, and lay the rows. One wheel at a time.

What the wheels and rows hold is named in ``data``. All forces on the wheel; impulses are force times h.
"""

from __future__ import annotations

import math

from mlcp.jit import kernel

from . import layout as at
from .bracket import open_bracket
from .lateral import CROLLA, lateral_law
from .law import ground_law
from .lugre import bristle_line, passive_damping
from .normal import compression_force
from .slip import slip_state, smooth_factor

_TINY = 1e-300
_STUCK = 1e-8  # thrust ratio of a slip that is round-off


@kernel
def load_at(i, compression, wheels):
    """Normal force [N] of wheel i on its soils at a compression of tyre and soil [m]."""
    force = 0.0
    for k in range(wheels.weight.shape[1]):
        weight = wheels.weight[i, k]
        if weight == 0.0:
            break
        row = wheels.variant[i, k]
        force += weight * compression_force(wheels.normal[row], wheels.deepest[row], compression)
    return force


@kernel
def normal_row(i, h, gap, v_free, wheels, rows):
    """Row of wheel i along the ground normal: tyre and soil in series, implicit (eqs 21, 22).

    ``e = 1 / (h (h k + c))``, ``bias = k x / (h k + c)``, p >= 0, with c = eta_n k and the secant
    stiffness k at the compression -x. Active only where the free motion would close the gap,
    ``x + h v_free <= 0``: else its damper would push across open air.
    """
    wheel = wheels.each[i]
    row = wheel.row + at.ROW_NORMAL
    ahead = gap + h * v_free
    rows.e[row], rows.bias[row], rows.lower[row], rows.upper[row] = 1.0, 0.0, 0.0, 0.0
    if ahead > 0.0:
        return
    compression = -gap if gap < 0.0 else -ahead
    force = load_at(i, compression, wheels)
    if force <= 0.0:
        return
    k = force / compression
    hkc = (h + wheel.eta_n) * k  # h k + c
    rows.e[row] = 1.0 / (h * hkc)
    rows.bias[row] = k * gap / hkc
    rows.upper[row] = math.inf


@kernel
def linearise_at(i, v_t, v_x, wheels):
    """Set the linearisation point of wheel i to the velocities v_t, v_x [m/s]."""
    wheel, now = wheels.each[i], wheels.now[i]
    slip, direction, v_max = slip_state(v_t, v_x, wheel.v_0)
    now.slip, now.direction, now.v_max = slip, direction, v_max
    now.v_t, now.v_x = v_t, v_x


@kernel
def lay_push(s, mu, slope, jump, gamma, rho, push):
    """``(mu, slope, jump, gamma, rho, shifted)``: thrust at zero slip as rows can have it.

    Push acts forwards at the contact: that is the same as less resistance at the centre and more
    rolling moment (``shifted``; ``rolling_impulse`` tells what of the spin row is T_rr). What it has
    beyond the resistance joins the jump, and on the side where the jump acts against it mu has twice
    as much less: so the thrust is the law's wherever it opposes the slip by more than that.
    """
    shifted = min(max(push, 0.0), gamma)
    beyond = push - shifted
    if beyond * s < 0.0:
        mu += 2.0 * beyond
        if mu * s <= 0.0:
            mu, slope = 0.0, 0.0
    return mu, slope, jump + abs(beyond), gamma - shifted, rho + shifted, shifted


@kernel
def law_one_way(i, s, factor, load, wheels):
    """``(mu, dmu/ds, jump, gamma, rho, peak, shifted)`` of wheel i on its soils at driving slip s."""
    wheel = wheels.each[i]
    mu, slope, jump, gamma, rho, peak, push = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(wheels.weight.shape[1]):  # the one place where a step evaluates a law
        weight = wheels.weight[i, k]
        if weight == 0.0:
            break
        p = wheels.law[wheels.variant[i, k]]
        values = ground_law(wheel.law, p, s * factor, load)
        mu, slope = mu + weight * values[0], slope + weight * values[1]
        jump, gamma = jump + weight * values[2], gamma + weight * values[3]
        rho, peak = rho + weight * values[4], peak + weight * values[5]
        push += weight * values[6]
    shifted = 0.0
    if push != 0.0:
        mu, slope, jump, gamma, rho, shifted = lay_push(s, mu, slope, jump, gamma, rho, push)
    return mu, slope, jump, gamma, rho, peak, shifted


@kernel
def law_at(i, slip, direction, v_max, load, wheels):
    """The law of wheel i at slip i_s: ``(F, dF/di_s, jump, gamma, rho, peak)``, forces per F_n on +x.

    Where it stands on several soils (near a border, in a rut's edge), the weighted mean of theirs;
    where rim and centre go opposite ways, of driving one way and braking the other.
    Thrust at zero slip stands where ``lay_push`` puts it.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    last, found = now.law, now.law.values
    if last.slip == slip and last.load == load and last.v_max == v_max and last.direction == direction:
        return found[0], found[1], found[2], found[3], found[4], found[5]
    factor = 1.0
    if wheel.smooth_slip == 1:
        factor = smooth_factor(v_max, wheel.v_min)
    mu, slope, jump, gamma, rho, peak, shifted = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for way in (1.0, -1.0):
        share = 0.5 * (1.0 + way * direction)
        if share > 0.0:
            values = law_one_way(i, way * slip, factor, load, wheels)
            mu, slope = mu + way * share * values[0], slope + share * factor * values[1]
            jump, gamma = jump + share * values[2], gamma + share * values[3]
            rho, peak = rho + share * values[4], peak + share * values[5]
            shifted += share * values[6]
    last.slip, last.direction, last.v_max, last.load = slip, direction, v_max, load
    last.shifted = shifted
    found[0], found[1], found[2] = mu, slope, jump
    found[3], found[4], found[5] = gamma, rho, peak
    return mu, slope, jump, gamma, rho, peak


@kernel
def forget_laws(i, wheels):
    """What the laws of wheel i were last evaluated to holds no more: its soils may have changed."""
    now = wheels.now[i]
    now.law.slip, now.lateral.v_x = math.nan, math.nan


@kernel
def lateral_at(i, v_x, v_y, load, wheels):
    """``(ratio, dratio/dangle, largest)`` of the lateral law of wheel i on its soils.

    Slip angle ``atan(v_y / max(|v_x|, v_0))``.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    last, found = now.lateral, now.lateral.values
    if last.v_x == v_x and last.v_y == v_y and (last.load == load or wheel.lateral_law == CROLLA):
        return found[0], found[1], found[2]
    angle = math.atan2(v_y, max(abs(v_x), wheel.v_0))
    ratio, slope, largest = 0.0, 0.0, 0.0
    for m in range(wheels.weight.shape[1]):
        weight = wheels.weight[i, m]
        if weight == 0.0:
            break
        p = wheels.lateral[wheels.variant[i, m]]
        values = lateral_law(wheel.lateral_law, p, angle, load)
        ratio, slope = ratio + weight * values[0], slope + weight * values[1]
        largest += weight * values[2]
    last.v_x, last.v_y, last.load = v_x, v_y, load
    found[0], found[1], found[2] = ratio, slope, largest
    return ratio, slope, largest


@kernel
def hold_ratio(i, load, wheels):
    """Thrust ratio of a locked wheel, |i_s| = 1, without its jump: what it can hold at rest."""
    ratio, _, _, _, _, _ = law_at(i, 1.0, 1.0, 1.0, load, wheels)
    return abs(ratio)


@kernel
def ellipse_share(i, ratio, jump, peak, load, v_x, v_y, wheels):
    """What is left of thrust and lateral force when both are asked for, in (0, 1].

    Of a wheel that is held sideways what is left of the thrust: its lateral force is known.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    if wheel.lateral_row < 0 or wheel.ellipse == 0:
        return 1.0
    # under implicit a stuck wheel comes out with a slip of round-off: its jump is not all in use
    least = _STUCK if wheel.scheme == at.IMPLICIT else 0.0
    thrust = (abs(ratio) + (jump if abs(ratio) > least else 0.0)) / max(peak + jump, _TINY)
    if now.held_y == 1.0:
        beside = now.beside
        left = math.sqrt(max(0.0, 1.0 - beside * beside))
        return left / thrust if thrust > left else 1.0
    lateral, _, largest = lateral_at(i, v_x, v_y, load, wheels)
    size = math.hypot(thrust, lateral / largest)
    return 1.0 / size if size > 1.0 else 1.0


@kernel
def grip_ratio(i, load, wheels):
    """LuGre's longitudinal envelope over the load at the linearisation point, g / F_n."""
    wheel, now = wheels.each[i], wheels.now[i]
    v_max = now.v_max
    ratio, _, jump, _, _, _ = law_at(i, now.slip, now.direction, v_max, load, wheels)
    near = math.exp(-((v_max / wheel.v_hold) ** 2))
    grip = abs(ratio)
    if near > 1e-12:
        grip = max(grip, near * hold_ratio(i, load, wheels))
    return grip + jump


@kernel
def longitudinal_grip(i, wheels):
    """LuGre's longitudinal envelope g [N]: slip of the step's start, load of now."""
    now = wheels.now[i]
    return now.load * now.grip_ratio * now.share


@kernel
def begin_wheel(i, load, v_t, v_x, wheels):
    """Start of the step: linearise at the current velocities and the last load [N]."""
    wheel, now = wheels.each[i], wheels.now[i]
    forget_laws(i, wheels)
    linearise_at(i, v_t, v_x, wheels)
    v_0 = wheel.v_0
    now.load = load
    now.mismatch = math.inf
    now.fold = 0.5
    open_bracket(i, wheels)
    now.rest_x, now.rest_y = 1.0, 1.0
    scheme = wheel.scheme
    holds = scheme == at.SET_VALUED or scheme == at.IMPLICIT
    # The smooth slip of eq 7 is offered as it is: no set-valued hold behind its back.
    at_rest = holds and wheel.smooth_slip == 0 and now.v_max <= v_0
    now.at_rest = 1.0 if at_rest else 0.0
    now.standing = 1.0 if now.v_max <= v_0 else 0.0
    if scheme == at.LUGRE:
        now.grip_ratio = grip_ratio(i, load, wheels)


@kernel
def within(row, most, rows):
    """Keep the bounds of a row within +- most [N s]."""
    rows.lower[row] = min(max(rows.lower[row], -most), most)
    rows.upper[row] = min(max(rows.upper[row], -most), most)


@kernel
def slope_share(slip, v_max, v_t, v_x, v_0, share):
    """Exact slope of the slip along the traction row, as a share of 1 / v_max (that of eq 28).

    ``share`` is the part of v_t's response to a traction impulse that is v_x's; the rest is the
    rim's. v_max is the faster of the two, so its own change enters: eq 28 leaves that out.
    """
    if v_max <= v_0:
        return 1.0
    rest = 1.0 - abs(slip)
    if abs(v_x - v_t) >= abs(v_x):  # driving: v_max is the rim's
        return share + (1.0 - share) * rest
    return share * rest + 1.0 - share


@kernel
def traction_rows(i, h, share, wheels, rows):
    """Lay the rows of thrust and resistance of wheel i at its linearisation point."""
    wheel, now = wheels.each[i], wheels.now[i]
    first = wheel.row
    traction, stick = first + at.ROW_TRACTION, first + at.ROW_STICK
    resistance = first + at.ROW_RESISTANCE
    scheme = wheel.scheme
    load, slip, v_t = now.load, now.slip, now.v_t
    v_max, direction = now.v_max, now.direction
    ratio, slope, jump, gamma, rho, peak = law_at(i, slip, direction, v_max, load, wheels)
    now.shift = now.law.shifted
    v_x, v_y = now.v_x, now.v_y
    share_left = ellipse_share(i, ratio, jump, peak, load, v_x, v_y, wheels)
    if now.at_rest == 1.0:
        share_left = 1.0  # of the smooth part, which is not laid
    elif scheme == at.LUGRE and v_max < wheel.v_hold:
        share_left = now.rest_x
    now.share = share_left
    ratio, slope = ratio * share_left, slope * share_left
    jump, peak = jump * share_left, peak * share_left
    if now.standing == 1.0 and slip != 0.0:
        _, _, _, gamma, _, _ = law_at(i, 0.0, direction, v_max, load, wheels)
    now.gamma, now.rho = gamma, rho
    rows.e[resistance], rows.bias[resistance] = 0.0, 0.0
    rows.lower[resistance], rows.upper[resistance] = -h * gamma * load, h * gamma * load
    spin = wheel.spin_row
    if spin >= 0:
        moment = h * rho * load
        rows.e[spin], rows.bias[spin] = 0.0, 0.0
        rows.lower[spin], rows.upper[spin] = -moment, moment
        if moment < 0.0:  # a braked wheel is dragged round by the soil: a known moment
            rows.lower[spin], rows.upper[spin] = -moment * direction, -moment * direction

    rows.e[stick], rows.bias[stick] = 0.0, 0.0
    rows.e[traction], rows.bias[traction] = 1.0, 0.0
    rows.lower[traction], rows.upper[traction] = 0.0, 0.0
    held = h * load * jump
    if now.at_rest == 1.0:
        now.hold_x = held + h * load * hold_ratio(i, load, wheels)
        held = now.rest_x * now.hold_x
    elif scheme == at.LUGRE:
        held = 0.0
        grip = longitudinal_grip(i, wheels)
        sigma_0, sigma_2 = wheel.sigma_0, wheel.sigma_2
        sigma_1 = passive_damping(wheel.sigma_1, v_t, grip)
        now.damping_x = sigma_1
        z = wheels.bristle[i].x
        at_zero, damping = bristle_line(z, v_t, grip, sigma_0, sigma_1, sigma_2, h)
        if damping > 0.0:
            rows.e[traction] = 1.0 / (h * damping)
            rows.bias[traction] = -at_zero / damping
            rows.lower[traction], rows.upper[traction] = -math.inf, math.inf
    elif scheme == at.SET_VALUED:
        held += h * load * abs(ratio)
    else:
        force, bound = load * ratio, h * load * peak
        tangent = load * slope / v_max  # eq 28
        if scheme == at.GLOBAL:
            damping = abs(force / v_t) if abs(v_t) > _TINY else tangent  # eq 26 and its limit
            force, v_t = 0.0, 0.0
        elif scheme == at.IMPLICIT:
            part = slope_share(slip, v_max, v_t, now.v_x, wheel.v_0, share)
            now.slope_share = part
            damping = tangent * part
            bound = load * max(peak, abs(ratio)) * h  # an interpolated peak may lie below its law
        else:
            damping = tangent
        # Where the law falls with the slip, Coulomb friction at the present level: passive.
        damping = max(damping, 0.0)
        at_zero = force + damping * v_t  # the tangent's force at v_t+ = 0
        if scheme == at.LOCAL_CURRENT:
            bound = h * abs(force)
        elif at_zero * v_t <= 0.0:
            # The part of the tangent that would push the contact point through zero slip acts as
            # friction: set-valued there. Elsewhere this is eq 27 to the letter.
            coulomb = min(h * abs(at_zero), bound)
            held += coulomb
            bound -= coulomb
            at_zero = 0.0
        if damping * v_max > 1e-12 * load * peak and load > 0.0:
            rows.e[traction] = 1.0 / (h * damping)
            rows.bias[traction] = -at_zero / damping
            rows.lower[traction], rows.upper[traction] = -bound, bound
        else:  # the law is flat here: the force is known
            impulse = min(bound, max(-bound, h * at_zero))
            rows.lower[traction], rows.upper[traction] = impulse, impulse
        if now.rest_x < 1.0 and wheel.scheme != at.IMPLICIT:
            _, _, whole, _, _, top = law_at(i, slip, direction, v_max, load, wheels)
            most = h * load * (top + whole) * now.rest_x
            held = min(held, most)
            within(traction, most - held, rows)
    rows.lower[stick], rows.upper[stick] = -held, held


@kernel
def rolling_impulse(i, wheels, rows):
    """What of wheel i's spin row is T_rr, over the radius: impulse on omega r [N s].

    The rest of the row is thrust at zero slip. Of the channels' impulses q, the thrust F_t is
    ``q[SLIDING]`` plus this and the resistance F_c ``-q[CENTRE]`` plus this.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    spin = wheel.spin_row
    if spin < 0:
        return 0.0
    laid = now.rho
    own = laid - now.shift
    if abs(laid) > 1e-12:
        return rows.z[spin] * own / laid
    return -now.direction * own * rows.z[wheel.row + at.ROW_NORMAL]
