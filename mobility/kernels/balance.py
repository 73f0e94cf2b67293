"""Force balance of a vehicle on a slope at a slip of its shafts, and the steady slip.

law: compiled ground law; p: parameters of the law, for one axle or a row for each axle; v, one: vehicle
and axle, see ``data``; along, across: slopes of the ground as tangents [-]; light, heavy: loads of the
lighter and the heavier wheel of an axle [N].
"""

import math

from mlcp.jit import kernel

from . import answers as L
from .stance import lift_of, load_of, rise_of, roll_moment, roll_of, sides_of
from .wheels import ellipse, open_pair, pair, towed

SCAN = 24  # number of slips in the scan that brackets the zero and the maximum of the net pull
ROUNDS = 4  # fixed-point iterations of the load transfer; each reduces the error nearly tenfold
EXTRAPOLATED = 1  # index of the iteration after which the load transfer is extrapolated (Aitken)
ROLLING, TOGETHER, INDEPENDENT = 0, 1, 2  # wheels of an axle: free, one speed, open differential
OVERRUN = -0.02  # slip of the hardest engine braking; for a harder one the driver uses the brakes
NOUGHT = 1e-9  # smallest slip different from 0
BAND = 0.02  # range of coded slips that stand for the slip 0, see ``steady``
LAST = 0.999  # largest slip of steady motion; at slip 1 the vehicle stands still
FULL = 1.0 - 1e-9  # above this slip both wheels of an axle spin with any differential
GRAVITY = 9.80665  # standard gravity [m/s^2], as in ``bodies.Gravity``


@kernel
def weight_components(v, along, across):
    """Components of the weight [N]: (normal to the ground, downhill along, sideways).

    along, across: slopes as tangents; along positive uphill ahead.
    """
    run = math.sqrt(1.0 + along * along)
    all_ = math.sqrt(1.0 + along * along + across * across)
    weight = v.whole.weight
    return weight / all_, weight * along / run, weight * across / (all_ * run)


@kernel
def axle(law, p, kind, slip, light, heavy, share):
    """Forces of an axle [N]: ``(traction, resistance, torque over radius, largest slip)``.

    kind: ``ROLLING`` (free wheels), ``TOGETHER`` (both at the slip of the shaft) or ``INDEPENDENT``
    (open differential). share: fraction of the traction available lengthwise (friction ellipse) [-].
    """
    if kind == INDEPENDENT:
        return open_pair(law, p, slip, light, heavy, share)
    if kind == TOGETHER:
        return pair(law, p, slip, light, heavy, share)
    mu_l, gamma_l = towed(law, p, light)
    mu_h, gamma_h = towed(law, p, heavy)
    return mu_l * light + mu_h * heavy, gamma_l * light + gamma_h * heavy, 0.0, 0.0


@kernel
def kind_of(v, one, slip, uneven, braked, last):
    """Kind of motion of an axle's wheels, see ``axle``; uneven: True for unequal loads of both wheels;
    braked: 1: all wheels are braked; last: True in the last iteration of the loads, the only one with
    open differentials.
    """
    if braked == 0 and one.driven == 0.0:
        return ROLLING
    open_ = v.whole.open == 1.0 and 0.0 < slip < FULL and uneven
    return INDEPENDENT if open_ and last else TOGETHER


@kernel
def torque_of(law, p, one, slip, load):
    """Torque of an axle's wheels [N m], each under half its load; 0 for an axle without pinion."""
    if one.twist == 0.0:
        return 0.0
    _, _, turning, _ = pair(law, p, slip, 0.5 * load, 0.5 * load, 1.0)
    return turning * one.radius


@kernel
def iterate_loads(law, p, v, slip, ground, stance, mode):
    """One iteration of the wheel loads: ``(net force uphill [N], torque of the driven wheels [N m],
    largest slip, new stance)``.

    ground: ``weight_components``. stance: moment that lifts the front [N m], pitch
        and roll of the body [rad]. The stance determines the loads; thrust, resistance and deflections
        under these loads determine the new stance. mode: (braked, True in the last iteration).
    """
    normal, uphill, sideways = ground
    lift, pitch, roll = stance
    tilt, twist, stiff, over = abs(sideways) * v.whole.height / normal, 0.0, 0.0, 0.0
    share = ellipse(sideways / (normal * v.whole.lateral))
    net, torque, fastest = -uphill, 0.0, 0.0
    sunk, turned, spread = 0.0, 0.0, 0.0
    raised, forward, moment, lever = 0.0, 0.0, 0.0, 0.0
    for k in range(len(v.axles)):
        one = v.axles[k]
        x, radius, load = one.along, one.radius, load_of(one, normal, lift)
        mine = slip if mode[0] == 1 else 1.0 - (1.0 - slip) * one.lead
        shaft = torque_of(law, p[k], one, mine, load) if mode[0] == 0 else 0.0
        own, both = roll_moment(one, shaft)
        twist, stiff, over = twist + own, stiff + both, over + both * one.over
        light, heavy = sides_of(one, load, tilt, own - both * roll)
        kind = kind_of(v, one, mine, light != heavy, mode[0], mode[1])
        force, gamma, turning, most = axle(law, p[k], kind, mine, light, heavy, share)
        net, torque = net + force - gamma, torque + turning * radius * one.gearing
        fastest = max(fastest, most)
        flat = one.flat + one.tyre * (load - v.whole.weight * one.load)
        up = rise_of(v, one, load, -gamma - uphill * one.unsprung, force, pitch)
        drop, went = one.load * (flat + up), one.path * up
        sunk, turned, spread = sunk + drop, turned - x * drop, spread + one.load * x * x
        raised, forward = raised + one.unsprung * up, forward + one.unsprung * went
        # couple of the ground on a wheel [N m]: torque less thrust times radius
        moment += (turning - force) * radius + force * flat + gamma * (radius - flat)
        moment += load * went
        lever += load * (v.whole.height - radius - up)
    pitch = turned / spread
    lift = lift_of(v, normal, uphill, (sunk, raised, forward, moment, lever), pitch)
    return net, torque, fastest, (lift, pitch, roll_of(twist, stiff, over))


@kernel
def net_pull(law, p, v, slip, along, across, braked):
    """``(net force uphill [N], torque of the driven wheels [N m], largest slip of a wheel)``.

    slip: of the shafts, negative: braking. braked 1: every wheel has the slip; 0: the driven wheels
    only, others roll freely. Loads: ``ROUNDS`` fixed-point iterations with one extrapolation; open
    differentials act in the last iteration only. The lateral force is shared in proportion to the loads.
    """
    ground = weight_components(v, along, across)
    lift, pitch, roll = ground[1] * v.whole.height, 0.0, 0.0
    net, torque, fastest, before, step = 0.0, 0.0, 0.0, lift, 0.0
    for turn in range(ROUNDS):
        mode = braked, turn == ROUNDS - 1
        before, last = lift, step
        stance = lift, pitch, roll
        net, torque, fastest, stance = iterate_loads(law, p, v, slip, ground, stance, mode)
        lift, pitch, roll = stance
        step = lift - before
        if turn == EXTRAPOLATED and abs(step) < 0.5 * abs(last):
            lift += step * step / (last - step)
    return net, torque, fastest


@kernel
def largest_pull(law, p, v, along, across):
    """Largest net force: ``(slip, force [N])``, by a scan and golden section around its best slip."""
    best, where = -math.inf, 0
    for k in range(SCAN + 1):
        net, _, _ = net_pull(law, p, v, scanned(k), along, across, 0)
        if net > best:
            best, where = net, k
    low, high = scanned(max(where - 1, 0)), scanned(min(where + 1, SCAN))
    golden = 0.5 * (math.sqrt(5.0) - 1.0)
    one, two = high - golden * (high - low), low + golden * (high - low)
    net_1, _, _ = net_pull(law, p, v, one, along, across, 0)
    net_2, _, _ = net_pull(law, p, v, two, along, across, 0)
    for _ in range(20):
        if net_1 > net_2:
            high, two, net_2 = two, one, net_1
            one = high - golden * (high - low)
            net_1, _, _ = net_pull(law, p, v, one, along, across, 0)
        else:
            low, one, net_1 = one, two, net_2
            two = low + golden * (high - low)
            net_2, _, _ = net_pull(law, p, v, two, along, across, 0)
    slip = 0.5 * (low + high)
    net, _, _ = net_pull(law, p, v, slip, along, across, 0)
    return (slip, net) if net > best else (scanned(where), best)


@kernel
def scanned(k):
    """Slip k of the scan, denser at small slips; the first is slightly above 0."""
    return min(max((k / SCAN) ** 2, 1e-9), LAST)


@kernel
def root(law, p, v, along, across, low, high):
    """Slip between ``low`` and ``high`` at which the net force rises through 0, by bisection."""
    for _ in range(32):
        middle = 0.5 * (low + high)
        net, _, _ = net_pull(law, p, v, middle, along, across, 0)
        if net >= 0.0:
            high = middle
        else:
            low = middle
    return 0.5 * (low + high)


@kernel
def driving(law, p, v, along, across, best):
    """Smallest driving slip of steady motion; ``best``: slip of the largest pull."""
    low, high = NOUGHT, best
    for k in range(1, SCAN):  # upward from slip 0: the smallest of several zeros is found
        s = scanned(k)
        if s >= best:
            break
        net, _, _ = net_pull(law, p, v, s, along, across, 0)
        if net >= 0.0:
            high = s
            break
        low = s
    return root(law, p, v, along, across, low, high)


@kernel
def steady(law, p, v, along, across, best):
    """Steady motion: ``(coded slip, torque [N m])``; best: slip of the largest pull.

    The thrust is set-valued at slip 0, so that a band of slopes has this slip. The coded slip varies
    from 0 to -``BAND`` over this band, which avoids a kink in tables; ``uncoded`` inverts the code.
    Negative slips: engine braking down to ``OVERRUN``, beyond it a linear continuation, where the driver
    uses the brakes.
    """
    net, torque, _ = net_pull(law, p, v, NOUGHT, along, across, 0)
    if net < 0.0:
        slip = driving(law, p, v, along, across, best)
        _, torque, _ = net_pull(law, p, v, slip, along, across, 0)
        return slip, torque
    less, braking, _ = net_pull(law, p, v, -NOUGHT, along, across, 0)
    if less <= 0.0:
        share = net / max(net - less, 1e-300)
        return -BAND * share, torque + share * (braking - torque)
    least, torque, _ = net_pull(law, p, v, OVERRUN, along, across, 0)
    if least >= 0.0:
        beyond = max(less / max(less - least, 1e-9 * v.whole.weight), 1.0)
        return OVERRUN * beyond - BAND, braking + beyond * (torque - braking)
    slip = root(law, p, v, along, across, OVERRUN, -NOUGHT)
    _, torque, _ = net_pull(law, p, v, slip, along, across, 0)
    return slip - BAND, torque


@kernel
def uncoded(slip):
    """Slip from a coded slip, see ``steady``."""
    return max(slip, 0.0) + max(min(slip + BAND, 0.0), OVERRUN)


@kernel
def hardest_braking(law, p, v, along, across):
    """Largest deceleration [m/s^2] with all wheels braked, limited by the ground or the brakes."""
    best = -math.inf
    for k in range(0, SCAN + 1, 2):
        net, _, _ = net_pull(law, p, v, -scanned(k), along, across, 1)
        best = max(best, -net)
    rolling, _, _ = net_pull(law, p, v, 0.0, along, across, 0)
    return min(best, v.whole.brakes - rolling) / v.whole.weight * v.whole.gravity


@kernel
def write_point(law, p, v, along, across, full, out):
    """Write all results at one slope to ``out``, see ``answers``.

    full = 0: skip the computation of steady slip and braking where neither can limit the motion.
    """
    normal, _, sideways = weight_components(v, along, across)
    out[L.SIDE] = abs(sideways) / (normal * v.whole.lateral)
    narrow = v.axles[0].half_track
    for k in range(len(v.axles)):
        narrow = min(narrow, v.axles[k].half_track)
    out[L.TIP] = abs(sideways) * v.whole.height / (normal * narrow)
    best, net = largest_pull(law, p, v, along, across)
    out[L.MARGIN] = net / v.whole.weight
    start, _, _ = net_pull(law, p, v, max(best, v.whole.start_slip), along, across, 0)
    out[L.START] = start / v.whole.weight
    out[L.BRAKING] = math.inf
    if full == 1 or along < 0.0:
        out[L.BRAKING] = hardest_braking(law, p, v, along, across)
    out[L.SLIP], out[L.TORQUE], out[L.CODED] = math.nan, math.nan, math.nan
    if net >= 0.0:
        coded = best
        _, torque, _ = net_pull(law, p, v, best, along, across, 0)
        if full == 1 or torque > v.whole.most:
            coded, torque = steady(law, p, v, along, across, best)
        out[L.CODED], out[L.SLIP], out[L.TORQUE] = coded, uncoded(coded), torque
