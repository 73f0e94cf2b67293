"""How a vehicle stands: loads of its axles, and how it gives way under them."""

from __future__ import annotations

from mlcp.jit import kernel

LEAST = 0.1  # smallest fraction of the roll stiffness left by the weight above


@kernel
def load_of(one, normal, lift):
    """Load of an axle [N]; normal: sum of the loads [N], lift: moment on the front [N m]."""
    return max(normal * one.load - lift * one.takes, 0.0)


@kernel
def rolling(one, torque):
    """``(moment [N m], stiffness [N m/rad])``: what an axle hands to the ground of its shafts' torque is
    moment - stiffness roll; roll: of the body.

        below a = twist torque + k (roll - a),   k = stiffness against roll, a: of the axle

    torque: of its wheels [N m].
    """
    below = one.below
    own = below / (below + max(one.roll + one.stiffening * torque, 0.0))
    return own * one.twist * torque, below * (1.0 - own)


@kernel
def roll_of(twist, stiff, over):
    """Roll of the body [rad], against the axles' twist: sum (stiffness roll - moment) = over roll.

    Arguments, sums over the axles: moment, stiffness (see ``rolling``), and this times ``over``.
    """
    if stiff <= 0.0:
        return 0.0
    return twist / max(stiff - over / stiff, LEAST * stiff)


@kernel
def sides_of(one, load, tilt, twist):
    """``(load of the lighter wheel, of the heavier one)`` of an axle [N].

    tilt: moment of the slope across, per load [m]; twist: moment of the shafts [N m]. A slope
    across falls to the side that the shafts press.
    """
    side = abs((tilt * load + twist) / (2.0 * one.half_track))
    return max(0.5 * load - side, 0.0), min(0.5 * load + side, load)


@kernel
def rise_of(v, one, load, forward, thrust, pitch):
    """How far the wheels of an axle rise against the body from their place on the level [m].

    Virtual work on the way that they are led: what presses, and what pushes them along it.

    load: [N]. ahead: forces at the wheels' centres, forward: resistance and weight [N]; thrust: [N].
    pitch: of the body, nose up [rad].
    """
    weight = v.whole.weight * one.unsprung
    pressed = load - weight
    more = pressed - (v.whole.weight * one.load - weight) - pitch * (forward + thrust)
    more += one.path * (forward + pitch * pressed) + one.path_driven * thrust
    return more * (one.spring + more * one.bend)


@kernel
def lift_of(v, normal, uphill, sums, pitch):
    """Moment that the axles' loads must balance [N m], about the ground below the centre of mass.

    sums: of the axles: sinking of the body at its centre [m], rise of unsprung mass and its way forward
    times their shares [m], moment of thrust and resistance [N m], load times height of the centre of
    mass above the wheels' [N m].
    """
    sunk, raised, forward, moment, lever = sums
    lift = uphill * (v.whole.height - sunk + raised) + moment + pitch * lever
    lift -= normal * (forward - pitch * raised)
    return lift * (1.0 + 0.5 * pitch * pitch)
