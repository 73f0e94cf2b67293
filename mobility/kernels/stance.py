"""How a vehicle stands: loads of its axles, and how it gives way under them."""

from __future__ import annotations

from mlcp.jit import kernel

from . import layout as L


@kernel
def load_of(v, at, normal, lift):
    """Load of the axle at ``at`` [N]; normal: sum of the loads [N], lift: moment on the front [N m]."""
    return max(normal * v[at + L.LOAD] - lift * v[at + L.TAKES], 0.0)


@kernel
def rise_of(v, at, load, ahead, thrust, pitch):
    """How far the wheels of an axle rise against the body from their place on the level [m].

    Virtual work on the way that they are led: what presses, and what pushes them along it.

    load: [N]. ahead: forces at the wheels' centres, forward: resistance and weight [N]; thrust: [N].
    pitch: of the body, nose up [rad].
    """
    weight = v[L.WEIGHT] * v[at + L.UNSPRUNG]
    pressed = load - weight
    more = pressed - (v[L.WEIGHT] * v[at + L.LOAD] - weight) - pitch * (ahead + thrust)
    more += v[at + L.PATH] * (ahead + pitch * pressed) + v[at + L.PATH_DRIVEN] * thrust
    return more * (v[at + L.SPRING] + more * v[at + L.BEND])


@kernel
def lift_of(v, normal, uphill, sums, pitch):
    """Moment that the axles' loads must balance [N m], about the ground below the centre of mass.

    sums: of the axles: sinking of the body at its centre [m], rise of unsprung mass and its way forward
    times their shares [m], moment of thrust and resistance [N m], load times height of the centre of
    mass above the wheels' [N m].
    """
    sunk, raised, ahead, moment, lever = sums
    lift = uphill * (v[L.HEIGHT] - sunk + raised) + moment + pitch * lever
    lift -= normal * (ahead - pitch * raised)
    return lift * (1.0 + 0.5 * pitch * pitch)
