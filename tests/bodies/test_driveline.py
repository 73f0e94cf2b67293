"""Elements of a driveline, motors, limits and bushings: speeds and deflections in closed form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bodies as B
from tests.refusals import refusals

from .mechanisms import shafts as named_shafts

NO_GRAVITY = B.Gravity((0.0, 0.0, 0.0))


def shafts(*inertias, first=0.0):
    """Shafts along x with their hinges to the ground; the first one starts at ``first`` [rad/s]."""
    moments = {f"hinge {k}": moment for k, moment in enumerate(inertias)}
    return named_shafts(speed={"hinge 0": first}, **moments)


def speeds(sim):
    return np.array([sim.angular_velocity(b)[0] for b in sim.model.body_index])


def run(bodies, elements, seconds, step=1e-3, **inputs):
    sim = B.Simulation(
        B.compile(B.Mechanism("m", bodies, elements, gravity=NO_GRAVITY, inputs=inputs)), step
    )
    sim.run(round(seconds / step))
    return sim


def test_torque_accelerates_through_a_gear():
    """Torque T on shaft 0, speeds w_0 = 3 w_1: acceleration T/(I_0 + I_1/9); angles keep the ratio."""
    bodies, hinges = shafts(0.5, 1.8)
    gear = B.Gear(name="gear", joint_1="hinge 0", joint_2="hinge 1", ratio=3.0)
    torque = B.Torque(name="t", joint="hinge 0", effort=7.0)
    sim = run(bodies, (*hinges, gear, torque), 1.0)
    w = 7.0 / (0.5 + 1.8 / 9)
    np.testing.assert_allclose(speeds(sim), (w, w / 3), rtol=1e-7)
    assert sim.coordinate("hinge 0") - 3 * sim.coordinate("hinge 1") == pytest.approx(0, abs=1e-9)


def test_a_scheduled_torque_gives_its_impulse_at_any_step():
    """A ramp from 0 to 10 N m over 1 s gives its integral, 5 N m s of angular momentum, at any step."""
    bodies, hinges = shafts(0.5)
    torque = B.Torque(name="t", joint="hinge 0", effort=B.Schedule.ramp(10.0, 1.0))
    for step in (1e-3, 0.1):
        assert speeds(run(bodies, (*hinges, torque), 1.0, step))[0] == pytest.approx(10.0, rel=1e-9)


def test_a_planar_joint_turns_about_its_normal():
    """A torque T on the joint's angle turns the body (inertia I): w = T t / I, angle T t^2 / (2 I)."""
    plate = B.Body("plate", 1.0, (1.0, 1.0, 2.0), velocity=(3.0, 0.0, 0.0))
    plane = B.Planar(name="plane", body_a="ground", body_b="plate", axis=(0, 0, 1))
    sim = run((plate,), (plane, B.Torque(name="t", joint="plane", effort=4.0)), 1.0)
    assert sim.angular_velocity("plate")[2] == pytest.approx(2.0, rel=1e-9)
    assert sim.coordinate("plane.angle") == pytest.approx(1.0, rel=2e-3)
    assert sim.position("plate") == pytest.approx([3.0, 0.0, 0.0], abs=1e-9)


def test_closed_throttle_brakes():
    bodies, hinges = shafts(1.0, first=10.0)
    engine = B.Engine(
        name="engine",
        joint="hinge 0",
        full_load=((0, 100), (100, 0)),
        motoring=((0, 5), (100, 5)),
        throttle=0.0,
    )
    sim = run(bodies, (*hinges, engine), 1.0)
    assert speeds(sim)[0] == pytest.approx(5.0, rel=1e-9)


@pytest.mark.parametrize(("capacity", "expected"), [(4.0, (6.0, 4.0)), (30.0, (5.0, 5.0))])
def test_clutch_slips_at_its_capacity_and_then_locks(capacity, expected):
    """Equal shafts at 10 and 0 rad/s: the torque is the capacity until the speeds meet."""
    bodies, hinges = shafts(1.0, 1.0, first=10.0)
    clutch = B.Clutch(name="clutch", joint_1="hinge 0", joint_2="hinge 1", capacity=capacity)
    sim = run(bodies, (*hinges, clutch), 1.0)
    np.testing.assert_allclose(speeds(sim), expected, atol=1e-8)


def test_gearbox_shifts_on_its_schedule():
    """At constant input speed the output's speed follows the ratio; in neutral the output coasts."""
    bodies, hinges = shafts(1.0, 1.0)
    motor = B.Motor(name="motor", joint="hinge 0", target=12.0)
    gear = B.Schedule(((0.0, 1), (0.5, 0), (1.0, 2)), hold=True)
    box = B.Gearbox(name="box", input="hinge 0", output="hinge 1", ratios=(4.0, 2.0), gear=gear)
    model = B.compile(B.Mechanism("m", bodies, (*hinges, motor, box), gravity=NO_GRAVITY))
    trajectory = B.simulate(model, 1.5, 1e-3)
    w = trajectory.angular_velocity("hinge 1 shaft")[:, 0]
    assert w[400] == pytest.approx(3.0, abs=1e-6)
    assert w[900] == pytest.approx(3.0, abs=1e-6)
    assert w[1400] == pytest.approx(6.0, abs=1e-6)


def test_differential_shares_torque_and_averages_speed():
    """Equal output torques give speeds as 1/inertia; the input speed is the ratio times their mean."""
    bodies, hinges = shafts(1e-6, 1.0, 3.0)
    diff = B.Differential(name="diff", input="hinge 0", left="hinge 1", right="hinge 2", ratio=4.0)
    torque = B.Torque(name="t", joint="hinge 0", effort=2.0)
    sim = run(bodies, (*hinges, diff, torque), 1.0)
    w = speeds(sim)
    assert w[1] == pytest.approx(4.0, rel=1e-4)  # half of 2 N m times ratio 4 on 1 kg m^2, for 1 s
    assert w[2] == pytest.approx(4.0 / 3, rel=1e-4)
    assert w[0] == pytest.approx(4 * 0.5 * (w[1] + w[2]), rel=1e-6)


def test_a_differential_in_a_rocking_axle_is_driven_through_a_pinion_in_it():
    """A differential whose input shaft is in the frame is refused; a pinion in the axle drives it."""
    axes = {"frame": (1, 0, 0), "shaft": (1, 0, 0), "left": (0, 1, 0), "right": (0, 1, 0)}
    houses = {"frame": "ground", "axle": "frame", "shaft": "frame", "left": "axle", "right": "axle"}

    def driven(*more, **housed):
        homes = {**houses, **housed}
        parts = tuple(B.Body(name, 1.0, (1.0, 2.0, 2.0)) for name in homes)
        joints = [
            B.Revolute(name=f"{name} joint", body_a=home, body_b=name, axis=axes.get(name, (1, 0, 0)))
            for name, home in homes.items()
        ]
        torque = B.Torque(name="torque", joint="shaft joint", effort=2.0)
        return B.compile(B.Mechanism("m", parts, (*joints, torque, *more), gravity=NO_GRAVITY))

    def differential(by):
        return B.Differential(name="d", input=by, left="left joint", right="right joint", ratio=4.0)

    with pytest.raises(B.MechanismError, match="touch 5 moving bodies.*a pinion shaft in the axle"):
        driven(differential("shaft joint"))
    gear = B.Gear(name="g", joint_1="shaft joint", joint_2="pinion joint", ratio=1.0)
    run = B.simulate(driven(gear, differential("pinion joint"), pinion="axle"), 0.1, 1e-3)
    names = ("shaft", "pinion", "left", "right")
    shaft, pinion, left, right = (run.coordinate(f"{name} joint")[-1] for name in names)
    assert shaft > 1e-3
    assert pinion == pytest.approx(shaft, rel=1e-9)
    assert 0.5 * (left + right) == pytest.approx(pinion / 4.0, rel=1e-6)


def test_half_shaft_twists_by_torque_over_stiffness():
    bodies, hinges = shafts(1.0, 1.0)
    shaft = B.HalfShaft(
        name="shaft", joint_1="hinge 0", joint_2="hinge 1", stiffness=2000.0, damping=50.0
    )
    hold = B.Brake(name="hold", joint="hinge 1", capacity=1e3, pressure=1.0)
    torque = B.Torque(name="t", joint="hinge 0", effort=30.0)
    sim = run(bodies, (*hinges, shaft, hold, torque), 2.0)
    assert sim.coordinate("hinge 0") == pytest.approx(30.0 / 2000.0, rel=1e-6)


@pytest.mark.parametrize("excess", [-1e-3, 1e-3])
def test_brake_holds_up_to_its_torque_without_creep(excess):
    bodies, hinges = shafts(1.0)
    brake = B.Brake(name="brake", joint="hinge 0", capacity=50.0, pressure="pedal")
    torque = B.Torque(name="t", joint="hinge 0", effort=25.0 + excess)
    sim = run(bodies, (*hinges, brake, torque), 10.0, 1e-2, pedal=0.5)
    if excess < 0:
        assert abs(sim.coordinate("hinge 0")) < 1e-12
    else:
        assert speeds(sim)[0] == pytest.approx(10 * excess, rel=1e-6)


def test_limited_motor_can_be_overrun():
    bodies, hinges = shafts(2.0)
    motor = B.Motor(name="motor", joint="hinge 0", target=100.0, max_effort=8.0)
    assert speeds(run(bodies, (*hinges, motor), 1.0))[0] == pytest.approx(4.0, rel=1e-9)


def test_limit_stops_a_falling_slider():
    block = B.Body("block", 1.0, (1, 1, 1))
    rail = B.Prismatic(name="rail", body_a="ground", body_b="block", axis=(0, 0, 1))
    stop = B.Limit(name="stop", joint="rail", lower=-0.5, upper=0.5)
    sim = B.Simulation(B.compile(B.Mechanism("m", (block,), (rail, stop))), 1e-3)
    sim.run(1000)
    assert sim.coordinate("rail") == pytest.approx(-0.5, abs=1e-9)


def test_rack_and_pinion():
    rack = B.Body("rack", 1.0, (1, 1, 1))
    pinion = B.Body("pinion", 1.0, (0.1, 0.1, 0.1))
    elements = (
        B.Prismatic(name="slide", body_a="ground", body_b="rack", axis=(0, 1, 0)),
        B.Revolute(name="shaft", body_a="ground", body_b="pinion", axis=(0, 0, 1)),
        B.RackAndPinion(name="gear", rack="slide", pinion="shaft", radius=0.02),
        B.Motor(name="hand", joint="shaft", target=3.0),
    )
    sim = run((rack, pinion), elements, 1.0)
    assert sim.coordinate("slide") == pytest.approx(0.06, rel=1e-6)


def test_bushing_sags_by_force_over_stiffness():
    box = B.Body("box", 10.0, (1, 1, 1))
    bushing = B.Bushing(
        name="mount",
        body_a="ground",
        body_b="box",
        stiffness=(1e5, 1e5, 2e5),
        damping=(1e3, 1e3, 1e3),
        rotational_stiffness=(1e3,) * 3,
        rotational_damping=(10.0,) * 3,
    )
    sim = B.Simulation(B.compile(B.Mechanism("m", (box,), (bushing,))), 1e-3)
    sim.run(3000)
    assert sim.position("box")[2] == pytest.approx(-10 * 9.80665 / 2e5, rel=1e-6)


SHIFTS = B.Schedule(((0.0, 1.0), (1.0, 4.0)), hold=True)


def box(gear, ratios=(1.0,)):
    return B.Gearbox(name="g", input="i", output="j", ratios=ratios, gear=gear)


test_driveline_elements_refuse_wrong_arguments = refusals(
    (lambda: B.Brake(name="b", joint="j", capacity=-1.0), "capacity = -1.0 must be at least 0"),
    (lambda: B.Brake(name="b", joint="j", capacity=np.nan), "capacity = nan must be"),
    (lambda: B.Brake(name="b", joint="j", capacity=True), "capacity = True is not a number"),
    (lambda: B.Brake(name="b", joint="j", capacity=1.0, pressure=1.5), "pressure.* at most 1"),
    (
        lambda: B.Brake(name="b", joint="j", capacity=1.0, pressure=None),
        "pressure = None must be a number or a text or a Schedule",
    ),
    (lambda: B.Clutch(name="c", joint_1="i", joint_2="j", capacity="9"), "'9' is not a number"),
    (lambda: box(1, (1.0, 0.0)), r"ratios\[1\] must not"),
    (lambda: box(1, 3.0), "ratios must be one or more finite numbers, got 3.0"),
    *((lambda gear=gear: box(gear), "at least 0 and at most 1") for gear in (2, -1, -7, SHIFTS)),
    (
        lambda: B.Engine(name="e", joint="j", full_load=((0, "1"), (1, 2))),
        "full_load must be at least two pairs of finite numbers",
    ),
    (lambda: B.Engine(name="e", joint="j", full_load=((0, 1), (1, 2)), throttle=-0.1), "throttle"),
    (lambda: B.Schedule((0.0, 1.0)), "must be 2 finite numbers"),
    (lambda: B.Schedule(((0.0, 1.0),), hold="no"), "hold = 'no' must be True or False"),
    (lambda: B.JointSpring(name="s", joint="j", stiffness=1.0, integration="for"), "'for' is unknown"),
    (lambda: B.JointSpring(name="s", joint="j", damper_table=((0, 1), (1, 0))), "must not fall"),
    error=B.MechanismError,
)


@given(
    st.lists(st.floats(0.0, 1e3), min_size=2, max_size=6, unique=True).map(sorted),
    st.lists(st.floats(-1e3, 1e3), min_size=6, max_size=6),
    st.floats(0.0, 1e5),
)
def test_an_accepted_motoring_table_never_drives(speeds, torques, speed):
    """The motoring table brakes (torque >= 0) at every forward speed, also beyond its ends."""
    table = tuple(zip(speeds, torques, strict=False))
    try:
        engine = B.Engine(name="e", joint="j", full_load=((0, 0), (1, 0)), motoring=table)
    except B.MechanismError:
        assert (
            min(torques[: len(table)]) < 0.0
            or any(np.diff(torques[: len(table)]) < 0.0)
            or (np.min(np.diff(speeds)) <= 0.0)
        )
        return
    x, y = np.array(engine.motoring).T
    assert np.interp(speed, x, y) >= 0.0
    assert y[-1] + (y[-1] - y[-2]) / (x[-1] - x[-2]) * 1e6 >= 0.0
