"""Scalar kernel of Wong and Reece's ground law (1967): forces over the load that the rim stresses carry.

Part I of the source is on driven wheels, Part II on towed wheels; theta_1 is the entry angle.
"""

import math

import numpy as np

from mlcp.compiled.lazy import FLOAT, FLOATS, INT, lazy, several
from mlcp.jit import kernel

from ..stresses.driven import driven_wheel
from ..stresses.stress_pieces import ANGLE_SOFTENING, EXPONENT, SKID_SOFTENING, SLIP_SOFTENING, TAN_PHI
from ..stresses.wong_reece import (
    NOTHING_KNOWN,
    at_load,
    forces_at,
    search_entry,
    softening_at,
    turning_angle,
)
from ..stresses.wong_reece_table import (
    BRAKING,
    DRIVING,
    LOAD_FLOOR,
    PARTS,
    POINTS,
    SLIPS,
    TABLE,
    TOWED,
    entry_near,
    over_load,
)

# A braking wheel follows Part II alone from the skid FULL theta_1^2 to the skid at which theta_0, the
# angle where the shear changes its sign, is LEAVES theta_1; theta_0 is 0.1 to 0.5 theta_1 at free
# rolling.
FULL, LEAVES = 0.2, 0.6

# Accuracy of dmu/ds: NO_SLOPE for callers that do not use it, ROUGH for linearisations that are iterated
NO_SLOPE, ROUGH, EXACT = np.int64(0), np.int64(1), np.int64(2)

_DTHETA = 1e-6  # step of finite differences in theta_1, relative to theta_1

# Columns of ``last``, the record of a step's last search for an entry angle: load [N] (0: no search);
# slip; entry angle found, over the one in the table; slopes of load, thrust, compaction resistance and
# torque / r over the entry angle [N/rad]. The first SEARCH columns are for the wheel of Part I, the next
# SEARCH columns for the wheel of Part II.
_LOAD, _SLIP, _RATIO, _SLOPES, SEARCH = 0, 1, 2, 3, 7


@kernel
def skid_of(slip):
    """Skid ``i = v / (omega r) - 1`` at braking slip ``s = omega r / v - 1 = -i / (1 + i)``; v: velocity
    of the centre, omega r: rim speed."""
    return -slip / max(1.0 + slip, 1e-6)


@kernel
def step_up(t):
    """``3 t^2 - 2 t^3`` for t limited to [0, 1], and its slope."""
    t = min(max(t, 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t)


@kernel
def towed_share(p, slip, theta_1, sinks):
    """Weight of Part II (towed wheels) in the law at braking slip s, and its derivative by s;
    ``sinks``: dtheta_1/ds.

    The weight rises with the skid up to FULL theta_1^2, before the driven wheel's torque would
    change its sign (at about 0.28 theta_1^2), and falls while theta_0 moves from LEAVES theta_1 to
    theta_1.
    """
    rolled, skid = 1.0 + slip, skid_of(slip)
    t = skid / (FULL * theta_1 * theta_1)
    rise, rise_slope = step_up(t)
    rise_slope *= -1.0 / (max(rolled, 1e-6) ** 2 * FULL * theta_1**2) - 2.0 * t * sinks / theta_1
    theta_0 = turning_angle(p, rolled)
    stay, stay_slope = step_up((1.0 - theta_0 / theta_1) / (1.0 - LEAVES))
    a = math.sqrt(1.0 + p[TAN_PHI] * p[TAN_PHI]) - p[TAN_PHI]
    turns = -1.0 / math.sqrt(1.0 + a * a - rolled * rolled)  # dtheta_0/ds
    stay_slope *= (theta_0 / theta_1 * sinks - turns) / (theta_1 * (1.0 - LEAVES))
    return rise * stay, rise_slope * stay + rise * stay_slope


@kernel
def interpolated(one, other, share):
    """Weighted mean of two results ``(theta_1, thrust, compaction, torque / r, carried)``: ``1 -
    share`` times ``one`` plus ``share`` times ``other``."""
    return (
        one[0] + share * (other[0] - one[0]),
        one[1] + share * (other[1] - one[1]),
        one[2] + share * (other[2] - one[2]),
        one[3] + share * (other[3] - one[3]),
        one[4] + share * (other[4] - one[4]),
    )


@kernel
def wheel_at(p, load, slip):
    """``(theta_1, thrust, compaction, torque / r, carried)`` [rad, N] under a load at driving slip s.

    A driving wheel is that of Part I. A braking wheel is the mean of the wheels of Parts I and II, each
    in equilibrium with the load, weighted by ``towed_share``.
    """
    one = at_load(p, load, slip, -1.0)
    if slip < 0.0:
        share, _ = towed_share(p, slip, one[0], 0.0)
        if share > 0.0:
            power = 2.0 * p[EXPONENT] + 1.0
            towed = search_entry(p, load, slip, skid_of(slip), one[0], power, NOTHING_KNOWN)
            return interpolated(one, towed, share)
    return one


@kernel
def near_entry(p, load, slip, kind):
    """Entry angle [rad] from the table of ``entry_near``, for soil softened by slip and slip angle: the
    table, without the softening by the angle, is read at the load that gives the same entry angle."""
    along = p[SLIP_SOFTENING] * slip if slip >= 0.0 else -p[SKID_SOFTENING] * slip
    return entry_near(p, load * math.exp(softening_at(p, slip) - along), slip, kind)


@kernel
def search_near(p, load, slip, skid, kind, last, accuracy):
    """Result of ``search_entry`` from the table's entry angle and the table's slope at this angle.

    If ``last`` has an earlier search of the time step, and accuracy is not EXACT, the slopes are those
    of the earlier search, and the table's entry angle is multiplied by the ratio of the angle found in
    that search to the table's angle there.
    """
    near = near_entry(p, load, slip, kind)
    k, guess, known = SEARCH if kind == TOWED else 0, near, NOTHING_KNOWN
    if accuracy != EXACT and last[k + _LOAD] > 0.0 and last[k + _SLIP] * slip >= 0.0:
        change, s = abs(math.log(load / last[k + _LOAD])) + abs(slip - last[k + _SLIP]), k + _SLOPES
        known, guess = (change, last[s], last[s + 1], last[s + 2], last[s + 3]), near * last[k + _RATIO]
        power = known[1] * guess / load
    else:
        above = near_entry(p, 1.001 * load, slip, kind)
        power = math.log(1.001) / math.log(above / near) if above > near else 2.0 * p[EXPONENT] + 1.0
    wheel = search_entry(p, load, slip, skid, guess, power, known)
    if accuracy != EXACT and wheel[5] != known[1]:  # the search has computed new slopes: store them
        last[k + _LOAD], last[k + _SLIP] = load if wheel[5] > 0.0 else 0.0, slip
        last[k + _RATIO] = wheel[0] / near
        for m in range(4):
            last[k + _SLOPES + m] = wheel[5 + m]
    return wheel


@kernel
def rolling_wheel(p, load):
    """Result of ``wheel_at`` at zero slip."""
    found, theta_1, thrust, compaction, torque, _, _ = driven_wheel(
        p, load, 0.0, near_entry(p, load, 0.0, DRIVING)
    )
    if found:
        return theta_1, thrust, compaction, torque, load
    return at_load(p, load, 0.0, -1.0)


@kernel
def along_load(p, theta_1, slip, towed):
    """``(dthrust/ds, dtheta_1/ds)`` at constant load, by finite differences in slip and entry angle."""
    above, below = min(slip + 1e-5, 1.0), max(slip - 1e-5, -1.0)
    skid_above, skid_below = -1.0, -1.0
    if towed:
        above = min(above, 0.0)
        skid_above, skid_below = skid_of(above), skid_of(below)
    load_a, thrust_a, _, _ = forces_at(p, theta_1, above, skid_above)
    load_b, thrust_b, _, _ = forces_at(p, theta_1, below, skid_below)
    skid = skid_of(slip) if towed else -1.0
    load_c, thrust_c, _, _ = forces_at(p, theta_1 * (1.0 + _DTHETA), slip, skid)
    load_d, thrust_d, _, _ = forces_at(p, theta_1 * (1.0 - _DTHETA), slip, skid)
    per_slip = 1.0 / (above - below)
    if load_c <= load_d:  # at the soil's capacity: a larger theta_1 carries no more load
        return (thrust_a - thrust_b) * per_slip, 0.0
    sinks = -(load_a - load_b) / (load_c - load_d) * per_slip  # dtheta_1/ds over 2 _DTHETA theta_1
    thrust = (thrust_a - thrust_b) * per_slip + (thrust_c - thrust_d) * sinks
    return thrust, 2.0 * _DTHETA * theta_1 * sinks


@kernel
def along_load_roughly(p, wheel, slip, skid):
    """Result of ``along_load`` for a wheel found by a secant (``on_secant``), from one integral: the
    difference in slip is one-sided, the slopes over the entry angle are those of the secant."""
    theta_1, thrust, _, _, carried, load_slope, thrust_slope, _, _ = wheel
    if load_slope <= 0.0:
        return along_load(p, theta_1, slip, skid >= 0.0)
    # the second slip is between -1 and 1, and not on the other side of 0
    step = 1e-5 if slip < -0.5 or 0.0 <= slip < 0.5 else -1e-5
    skid = skid_of(slip + step) if skid >= 0.0 else -1.0
    load_there, thrust_there, _, _ = forces_at(p, theta_1, slip + step, skid)
    sinks = (carried - load_there) / (load_slope * step)
    return (thrust_there - thrust) / step + thrust_slope * sinks, sinks


@kernel
def slopes_of(p, wheel, slip, skid, accuracy):
    """Result of ``along_load`` to the given accuracy: NO_SLOPE (zeros), ROUGH or EXACT."""
    if accuracy == NO_SLOPE:
        return 0.0, 0.0
    if accuracy == ROUGH:
        return along_load_roughly(p, wheel, slip, skid)
    return along_load(p, wheel[0], slip, skid >= 0.0)


@lazy(several(FLOAT, 7)(FLOATS, FLOAT, FLOAT, INT, FLOATS), "mlcp", "contact")
def wong_reece(p, slip, load, accuracy, last):
    """``(mu, dmu/ds, coulomb, gamma, rho, peak, offset)``, defined in ``law.py``: mu is the thrust ratio
    less the offset, the thrust ratio at s = 0.

    dmu/ds is taken at constant load, to the given accuracy: NO_SLOPE (it may be 0), ROUGH or EXACT.
    last: searches of the entry angle at the last point of the same time step; EXACT does not use them.
    Compiled only in runs that use it: its code is longer than all other laws'.
    """
    load = max(load, p[LOAD_FLOOR])
    offset = over_load(p, TABLE, load)
    peak = over_load(p, TABLE + POINTS, load)
    softened = p[ANGLE_SOFTENING] > 0.0
    if softened:
        rolling = rolling_wheel(p, load)
        offset = rolling[1] / rolling[4]
    if slip >= 0.0:
        found, _, thrust, compaction, torque, slope, _ = driven_wheel(
            p, load, slip, near_entry(p, load, slip, DRIVING)
        )
        if found:
            mu, rho = thrust / load - offset, (torque - thrust) / load
            peak = max(peak, abs(mu)) if softened else peak
            return mu, slope / load, 0.0, compaction / load, rho, peak, offset
    kind = DRIVING if slip >= 0.0 else BRAKING
    one = search_near(p, load, slip, -1.0, kind, last, accuracy)
    towed, share, slope, sinks = one, 0.0, 0.0, 0.0
    if slip < 0.0:
        share, _ = towed_share(p, slip, one[0], 0.0)
    if share < 1.0:
        slope, sinks = slopes_of(p, one, slip, -1.0, accuracy)
    if share > 0.0:
        skid = skid_of(slip)
        towed = search_near(p, load, slip, skid, TOWED, last, accuracy)
        towed_slope, _ = slopes_of(p, towed, slip, skid, accuracy)
        _, share_slope = towed_share(p, slip, one[0], sinks)
        slope += share * (towed_slope - slope) + share_slope * (towed[1] - one[1])
    _, thrust, compaction, torque, carried = interpolated(one, towed, share)
    mu, rho = thrust / carried - offset, (torque - thrust) / carried
    peak = max(peak, abs(mu)) if softened else peak
    return mu, slope / carried, 0.0, compaction / carried, rho, peak, offset


@kernel
def law(p, slip, load):
    """Result of ``wong_reece`` with an exact dmu/ds."""
    return wong_reece(p, slip, load, EXACT, p)


@kernel
def fill_tables(p, loads, slips, out, entries):
    """Fill the tables of offset, peak and entry angle for each load [N].

    out: thrust ratio at zero slip (offset), and the largest difference of the thrust ratios at ``slips``
    from the offset (peak). entries: log(theta_1) at the slips and for the kinds of ``entry_near``.
    """
    for k in range(loads.shape[0]):
        _, offset, _, _, carried = wheel_at(p, loads[k], 0.0)
        offset /= carried
        peak = 0.0
        for s in slips:
            _, thrust, _, _, carried = wheel_at(p, loads[k], s)
            peak = max(peak, abs(thrust / carried - offset))
        out[0, k], out[1, k] = offset, peak
        for kind in range(PARTS):
            for i in range(SLIPS):
                slip = (i / (SLIPS - 1.0)) ** 2 * (1.0 if kind == DRIVING else -1.0)
                skid = skid_of(slip) if kind == TOWED else -1.0
                entries[kind, k, i] = math.log(at_load(p, loads[k], slip, skid)[0])
