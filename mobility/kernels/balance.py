"""Force balance of a vehicle on a slope at one slip of its shafts, and the slip at which it holds."""

from __future__ import annotations

import math

from mlcp.jit import kernel

from . import layout as L
from .wheels import ellipse, open_pair, pair, towed

SCAN = 24  # slips looked at before the root and the maximum are closed in
ROUNDS = 4  # of load transfer by resistance at the wheels' centres: each gains about a digit and a half
LAST = 0.999  # largest slip at which it is looked for a balance: at 1 the vehicle stands
FULL = 1.0 - 1e-9  # beyond, both wheels of an axle spin, whatever is between them
GRAVITY = 9.80665  # [m/s^2], that of ``bodies.Gravity``


@kernel
def plane(v, along, across):
    """``(across the ground, uphill along, sideways)`` parts of the weight [N]; slopes as tangents."""
    run = math.sqrt(1.0 + along * along)
    all_ = math.sqrt(1.0 + along * along + across * across)
    weight = v[L.WEIGHT]
    return weight / all_, weight * along / run, weight * across / (all_ * run)


@kernel
def line_of_loads(v, normal, moment):
    """``(level, rise)``: an axle's load is level + rise x; equal springs where there are more than two.

    normal: sum of the loads [N]; moment: that lifts the front [N m].
    """
    n = int(v[L.AXLES])
    sum_x, sum_xx = 0.0, 0.0
    for k in range(n):
        x = v[L.FIRST + k * L.PER_AXLE + L.ALONG]
        sum_x, sum_xx = sum_x + x, sum_xx + x * x
    rise = (-moment * n - normal * sum_x) / (n * sum_xx - sum_x * sum_x)
    return (normal - rise * sum_x) / n, rise


@kernel
def pull(law, p, v, slip, along, across, braked):
    """``(net force uphill [N], torque of the driven wheels [N m], largest slip of a wheel)``.

    slip: of the shafts, negative: braking; braked: 1: every wheel turns at the slip, 0: the driven
    ones, the others roll freely. Loads: transfer by the slope at the height of the centre of mass and by
    the resistance at the wheels' centres, in ``ROUNDS`` substitutions (until the last with both wheels
    of an axle at one slip); sideways in the axles' shares.
    """
    normal, uphill, sideways = plane(v, along, across)
    share = ellipse(sideways / (normal * v[L.LATERAL]))
    # on its springs it stands the higher the less presses, and pitches with what load is transferred
    height = v[L.HEIGHT] + (v[L.WEIGHT] - normal) * v[L.HEAVE]
    pitching = 1.0 / (1.0 - normal * height * v[L.PITCH])
    resisting, net, torque, fastest = 0.0, 0.0, 0.0, 0.0
    for turn in range(ROUNDS):
        moment = pitching * (uphill * height + resisting)
        level, rise = line_of_loads(v, normal, moment)
        resisting, net, torque, fastest = 0.0, -uphill, 0.0, 0.0
        for k in range(int(v[L.AXLES])):
            at = L.FIRST + k * L.PER_AXLE
            load = max(level + rise * v[at + L.ALONG], 0.0)
            side = abs(sideways) * v[L.HEIGHT] / (2.0 * v[at + L.HALF_TRACK]) * load / normal
            light, heavy = max(0.5 * load - side, 0.0), min(0.5 * load + side, load)
            radius = v[at + L.RADIUS]
            if braked == 0 and v[at + L.DRIVEN] == 0.0:
                mu_l, gamma_l = towed(law, p, light)
                mu_h, gamma_h = towed(law, p, heavy)
                force, gamma = mu_l * light + mu_h * heavy, gamma_l * light + gamma_h * heavy
            else:
                last = turn == ROUNDS - 1
                if v[L.OPEN] == 1.0 and 0.0 < slip < FULL and light < heavy and last:
                    force, gamma, turning, most = open_pair(law, p, slip, light, heavy, share)
                else:
                    force, gamma, turning, most = pair(law, p, slip, light, heavy, share)
                torque += turning * radius
                fastest = max(fastest, most)
            net += force - gamma
            resisting += gamma * radius
    return net, torque, fastest


@kernel
def largest_pull(law, p, v, along, across):
    """``(slip, net force [N])`` where the net force is largest: a scan, closed in.

    Golden section between the neighbours of the best slip of the scan.
    """
    best, where = -math.inf, 0
    for k in range(SCAN + 1):
        net, _, _ = pull(law, p, v, scanned(k), along, across, 0)
        if net > best:
            best, where = net, k
    low, high = scanned(max(where - 1, 0)), scanned(min(where + 1, SCAN))
    golden = 0.5 * (math.sqrt(5.0) - 1.0)
    one, two = high - golden * (high - low), low + golden * (high - low)
    net_1, _, _ = pull(law, p, v, one, along, across, 0)
    net_2, _, _ = pull(law, p, v, two, along, across, 0)
    for _ in range(20):
        if net_1 > net_2:
            high, two, net_2 = two, one, net_1
            one = high - golden * (high - low)
            net_1, _, _ = pull(law, p, v, one, along, across, 0)
        else:
            low, one, net_1 = one, two, net_2
            two = low + golden * (high - low)
            net_2, _, _ = pull(law, p, v, two, along, across, 0)
    slip = 0.5 * (low + high)
    net, _, _ = pull(law, p, v, slip, along, across, 0)
    return (slip, net) if net > best else (scanned(where), best)


@kernel
def scanned(k):
    """Slip k of the scan, denser where the thrust rises; the first is above 0: it drives."""
    return min(max((k / SCAN) ** 2, 1e-9), LAST)


@kernel
def steady(law, p, v, along, across, best):
    """Smallest slip at which the vehicle holds its speed [-]; ``best``: slip of the largest pull.

    Between 0 and ``best`` by bisection; downhill, where no thrust is needed, 0.
    """
    net, _, _ = pull(law, p, v, 1e-9, along, across, 0)
    if net >= 0.0:
        return 0.0
    low, high = 1e-9, best
    for k in range(1, SCAN):  # the first crossing, should a law have more than one
        s = scanned(k)
        if s >= best:
            break
        net, _, _ = pull(law, p, v, s, along, across, 0)
        if net >= 0.0:
            high = s
            break
        low = s
    for _ in range(32):
        middle = 0.5 * (low + high)
        net, _, _ = pull(law, p, v, middle, along, across, 0)
        if net >= 0.0:
            high = middle
        else:
            low = middle
    return 0.5 * (low + high)


@kernel
def hardest_braking(law, p, v, along, across):
    """Largest deceleration [m/s^2] with all wheels braked: of the ground, or of the brakes."""
    best = -math.inf
    for k in range(0, SCAN + 1, 2):
        net, _, _ = pull(law, p, v, -scanned(k), along, across, 1)
        best = max(best, -net)
    rolling, _, _ = pull(law, p, v, 0.0, along, across, 0)
    return min(best, v[L.BRAKES] - rolling) / v[L.WEIGHT] * GRAVITY


@kernel
def point(law, p, v, along, across, full, out):
    """Everything of one point into ``out``, see ``layout``; full 0: what can be no limit is left out."""
    normal, _, sideways = plane(v, along, across)
    out[L.SIDE] = abs(sideways) / (normal * v[L.LATERAL])
    narrow = v[L.FIRST + L.HALF_TRACK]
    for k in range(int(v[L.AXLES])):
        narrow = min(narrow, v[L.FIRST + k * L.PER_AXLE + L.HALF_TRACK])
    out[L.TIP] = abs(sideways) * v[L.HEIGHT] / (normal * narrow)
    best, net = largest_pull(law, p, v, along, across)
    out[L.BEST_SLIP], out[L.MARGIN] = best, net / v[L.WEIGHT]
    start, _, _ = pull(law, p, v, max(best, v[L.START_SLIP]), along, across, 0)
    out[L.START] = start / v[L.WEIGHT]
    out[L.BRAKING] = math.inf
    if full == 1 or along < 0.0:
        out[L.BRAKING] = hardest_braking(law, p, v, along, across)
    out[L.SLIP], out[L.TORQUE], out[L.WHEEL_SLIP] = math.nan, math.nan, math.nan
    if net >= 0.0:
        slip = best
        _, torque, fastest = pull(law, p, v, slip, along, across, 0)
        if full == 1 or torque > v[L.MOST]:
            slip = steady(law, p, v, along, across, best)
            _, torque, fastest = pull(law, p, v, max(slip, 1e-9), along, across, 0)
        out[L.SLIP], out[L.WHEEL_SLIP] = slip, fastest
        out[L.TORQUE] = torque if slip > 0.0 else 0.0
