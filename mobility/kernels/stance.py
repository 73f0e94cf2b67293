"""Stance of a vehicle: loads of its axles, and deflections under them.

v, one: vehicle and axle, see ``data``.
"""

from mlcp.jit import kernel

LEAST = 0.1  # lower limit of the ratio of roll stiffnesses with and without tilting by the weight [-]


@kernel
def load_of(one, normal, lift):
    """Load of an axle [N]; normal: sum of the loads [N], lift: moment that lifts the front [N m]."""
    return max(normal * one.load - lift * one.takes, 0.0)


@kernel
def roll_moment(one, torque):
    """Roll moment of an axle on the ground, as ``(moment [N m], stiffness [N m/rad])``.

    The roll moment on the ground is ``moment - stiffness roll``, with the body's roll [rad]. It follows
    from the equilibrium of the axle,

        below a = twist torque + k (roll - a)

    a: roll of the axle [rad]. below: roll stiffness of tyres and soil, k: that between axle and body
    [N m/rad]. torque: of the axle's wheels [N m]. twist: torque of the propeller shaft over that torque
    [-].
    """
    below = one.below
    own = below / (below + max(one.roll + one.stiffening * torque, 0.0))
    return own * one.twist * torque, below * (1.0 - own)


@kernel
def roll_of(twist, stiff, over):
    """Roll of the body [rad], from the equilibrium ``stiff roll - twist = (over / stiff) roll``.

    twist [N m], stiff [N m/rad]: sums of the axles' moments and stiffnesses, see ``roll_moment``; over:
    sum of stiffness times moment of the body's weight per roll; over / stiff is a mean of this moment.
    """
    if stiff <= 0.0:
        return 0.0
    return twist / max(stiff - over / stiff, LEAST * stiff)


@kernel
def sides_of(one, load, tilt, twist):
    """Loads of an axle's wheels ``(lighter, heavier)`` [N].

    tilt: moment of the slope across, per load [m]; twist: moment of the shafts [N m], assumed to
        load the downhill side.
    """
    side = abs((tilt * load + twist) / (2.0 * one.half_track))
    return max(0.5 * load - side, 0.0), min(0.5 * load + side, load)


@kernel
def rise_of(v, one, load, forward, thrust, pitch):
    """Rise of an axle's wheels relative to the body, from their position on the level [m].

    The force on the springs follows from the virtual work of all forces along the path of the wheels.

    load: load of the axle [N]. forward: horizontal force of resistance and weight at the wheels' centres
    [N]. thrust: thrust of the wheels [N]. pitch: pitch of the body, nose up [rad].
    """
    weight = v.whole.weight * one.unsprung
    pressed = load - weight
    more = pressed - (v.whole.weight * one.load - weight) - pitch * (forward + thrust)
    more += one.path * (forward + pitch * pressed) + one.path_driven * thrust
    return more * (one.spring + more * one.bend)


@kernel
def lift_of(v, normal, uphill, sums, pitch):
    """Moment that lifts the front [N m], about the ground below the centre of mass.

    sums over the axles: sinkage of the body at its centre [m]; rise and forward motion of the unsprung
    masses, weighted by their fractions [m]; moment of thrust and resistance [N m]; load times height of
    the centre of mass above the wheels' centres [N m].
    """
    sunk, raised, forward, moment, lever = sums
    lift = uphill * (v.whole.height - sunk + raised) + moment + pitch * lever
    lift -= normal * (forward - pitch * raised)
    return lift * (1.0 + 0.5 * pitch * pitch)
