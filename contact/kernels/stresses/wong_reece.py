"""A wheel of Wong and Reece (1967): its shear displacement, its forces, its entry angle under a load.

Part I of the paper: driven wheels; Part II: towed wheels.
"""

import math

from mlcp.jit import kernel

from .stress_integrals import integrals
from .stress_pieces import (
    ANGLE_SOFTENING,
    C_1,
    C_2,
    EXPONENT,
    MODULUS,
    RADIUS,
    SKID_SOFTENING,
    SLIP_SOFTENING,
    TAN_PHI,
    WIDTH,
)

DRIVEN_EDGE = 0.02  # least distance of theta_m from the contact's ends, over the contact's length
SECANT_TOLERANCE = 1e-15  # a search ends if its last two errors in log(load) have a smaller product
NOTHING_KNOWN = (math.inf, 0.0, 0.0, 0.0, 0.0)  # ``known`` of ``search_entry`` if no slopes are known
DEEPEST = 1.5  # largest entry angle [rad], of a wheel sunk nearly to its axle


@kernel
def driven_path(theta_1, slip):
    """Shear path (argument of ``integrals``) of a driven wheel at slip s; for s < 0 (braking) that of
    the same kinematics with the skid -s / (1 + s)."""
    b = 1.0 - slip if slip >= 0.0 else 1.0 / max(1.0 + slip, 1e-6)
    return (-10.0, 1.0, b, theta_1, 0.0, 0.0, 0.0)


@kernel
def turning_angle(p, rolled):
    """Angle theta_0 of Part II at which a towed wheel's shear changes its sign; ``rolled`` = omega r
    / v = 1 / (1 + i).

    ``tan(45 deg - phi / 2) sin theta_0 = cos theta_0 - rolled``.
    """
    a = math.sqrt(1.0 + p[TAN_PHI] * p[TAN_PHI]) - p[TAN_PHI]  # tan(45 deg - phi / 2)
    return math.acos(rolled / math.sqrt(1.0 + a * a)) - math.atan(a)


@kernel
def towed_path(p, theta_1, skid):
    """Shear path (argument of ``integrals``) of a towed wheel (Part II) at skid i >= 0: the shear
    changes its sign at theta_0."""
    b = 1.0 + skid
    theta_0 = min(max(turning_angle(p, 1.0 / b), 1e-9), 0.999999 * theta_1)
    mean = b * (math.sin(theta_1) - math.sin(theta_0)) / (theta_1 - theta_0)  # paper: 1 + K_v (1 + i)
    return (theta_0, mean, b, theta_1, 1.0, b, theta_0)


@kernel
def modulus_at(p, slip, skid):
    """Modulus of the soil [N/m^(n+2)] softened by the slip; for a skid i >= 0 (towed wheel) the slip is
    -i / (1 + i)."""
    if skid >= 0.0:
        slip = -skid / (1.0 + skid)
    return p[MODULUS] * math.exp(-softening_at(p, slip))


@kernel
def softening_at(p, slip):
    """Exponent x [-] of the factor exp(-x) by which slip and slip angle soften the soil."""
    along = p[SLIP_SOFTENING] * slip if slip >= 0.0 else -p[SKID_SOFTENING] * slip
    by_angle = p[ANGLE_SOFTENING]
    return math.sqrt(along * along + by_angle * by_angle) if by_angle > 0.0 else along


@kernel
def forces_at(p, theta_1, slip, skid):
    """Load, thrust, compaction resistance and torque / r [N] at an entry angle [rad] and slip s.

    skid >= 0: a towed wheel of Part II."""
    if skid >= 0.0:
        path = towed_path(p, theta_1, skid)
        return integrals(p, path, theta_1, path[0], 1e-6, modulus_at(p, slip, skid))
    theta_m = (p[C_1] + p[C_2] * slip) * theta_1
    modulus = modulus_at(p, slip, skid)
    return integrals(p, driven_path(theta_1, slip), theta_1, theta_m, DRIVEN_EDGE, modulus)


@kernel
def on_secant(end, x, there, x_0, before):
    """Wheel at the entry angle ``end`` [rad], on the secant through its forces ``there`` at the angle x
    [rad] and ``before`` at x_0.

    Returns: see ``on_tangent``; the slopes are 0 if x = x_0.
    """
    per = 1.0 / (x - x_0) if x != x_0 else 0.0
    by_load, by_thrust = (there[0] - before[0]) * per, (there[1] - before[1]) * per
    by_compaction, by_torque = (there[2] - before[2]) * per, (there[3] - before[3]) * per
    return on_tangent(end - x, x, there, (by_load, by_thrust, by_compaction, by_torque))


@kernel
def on_tangent(change, x, there, slopes):
    """Wheel at the entry angle x + change [rad], by its forces ``there`` at x and their slopes [N/rad].

    Returns: ``(theta_1, thrust, compaction, torque / r, carried)`` [rad, N], then the slopes of load,
    thrust, compaction and torque / r over the entry angle.
    """
    by_load, by_thrust, by_compaction, by_torque = slopes
    carried, thrust = there[0] + change * by_load, there[1] + change * by_thrust
    compaction, torque = there[2] + change * by_compaction, there[3] + change * by_torque
    return x + change, thrust, compaction, torque, carried, by_load, by_thrust, by_compaction, by_torque


@kernel
def search_entry(p, load, slip, skid, guess, power, known):
    """Find the entry angle at which a wheel carries ``load`` [N], from a first angle ``guess`` [rad];
    DEEPEST where the soil cannot carry the load. Returns: as ``on_tangent``.

    The load grows nearly as the angle to the ``power``, so secants are taken on the logarithms, within a
    bracket. skid >= 0: towed wheel. known: estimate of the relative error of known slopes at the guess,
    then these slopes as in ``on_tangent``.
    """
    low, high = 0.0, DEEPEST
    x_0, f_0, before = 0.0, 0.0, (0.0, 0.0, 0.0, 0.0)  # x_0 = 0: there is no earlier angle
    x = min(max(guess, 1e-6), 0.9 * DEEPEST)
    bounded = False  # whether the wheel carries the load at the angle ``high``
    for _ in range(60):
        there, step = forces_at(p, x, slip, skid), math.inf
        if there[0] >= load:
            high, bounded = x, True
        else:
            low = x
        if there[0] > 0.0:
            f, flat = math.log(there[0] / load), False
            if x_0 == 0.0 and abs(f) * (abs(f) + known[0]) < SECANT_TOLERANCE:
                return on_tangent((load - there[0]) / known[1], x, there, known[1:])
            if x_0 > 0.0 and x != x_0 and f != f_0:
                rate = (f - f_0) / math.log(x / x_0)
                flat = rate <= 0.2  # the load hardly grows with the angle: close to the soil's capacity
                if not flat:
                    power = rate
            step = math.inf if flat else x * math.exp(-f / power)
            # the error of a secant step is of the order of the product of the last two errors
            if x_0 > 0.0 and (abs(f * f_0) < SECANT_TOLERANCE or abs(step - x) < 1e-14 * x):
                return on_secant(x if flat else step, x, there, x_0, before)
            least_step = math.sqrt(SECANT_TOLERANCE)
            if x_0 == 0.0 and abs(step - x) < least_step * x:  # a secant needs two different angles
                step = x * (1.0 + math.copysign(least_step, load - there[0]))
            x_0, f_0, before = x, f, there
        if not low < step < high:
            if x >= DEEPEST * (1.0 - 1e-12) and not bounded:
                return on_secant(x, x, there, x, there)
            step = high if low > 0.98 * DEEPEST and not bounded else 0.5 * (low + high)
            if not bounded and step < 0.5 * (x + DEEPEST):
                step = 0.5 * (x + DEEPEST)
        if high - low < 1e-15 * high:
            return on_secant(x, x, there, x, there)
        x = step
    return on_secant(x_0, x_0, before, x_0, before)


@kernel
def first_guess(p, load, slip, skid):
    """Entry angle [rad] for a load [N] from the normal stress alone, with cos(theta) ~ 1."""
    # In front of the largest stress cos(theta) - cos(theta_1) ~ theta_1^2 x (1 - x / 2), with
    # x = (theta_1 - theta) / theta_1, the fraction of the contact from the entry on.
    n = p[EXPONENT]
    front = 0.6 if skid >= 0.0 else 1.0 - min(max(p[C_1] + p[C_2] * slip, 0.02), 0.98)
    share = (front * (1.0 - 0.5 * front * (n + 1.0) / (n + 2.0))) ** n / (n + 1.0)
    area = p[RADIUS] * p[WIDTH] * modulus_at(p, slip, skid) * p[RADIUS] ** n
    guess = (load / (area * share)) ** (1.0 / (2.0 * n + 1.0))
    if skid >= 0.0:  # theta_0 of a towed wheel must lie inside the contact, so theta_1 is larger
        guess = max(guess, 1.15 * turning_angle(p, 1.0 / (1.0 + skid)))
    return guess


@kernel
def at_load(p, load, slip, skid):
    """Wheel in equilibrium with a load [N]: entry angle [rad]; thrust, compaction resistance, torque / r
    and carried load [N].

    skid >= 0: a towed wheel of Part II."""
    power = 2.0 * p[EXPONENT] + 1.0
    guess = first_guess(p, load, slip, skid)
    wheel = search_entry(p, load, slip, skid, guess, power, NOTHING_KNOWN)
    return wheel[0], wheel[1], wheel[2], wheel[3], wheel[4]
