"""Sliding wheels on hard ground: one friction cone for thrust and side force."""

import dataclasses

import numpy as np
import pytest
from scipy.optimize import minimize

import bodies as B
from bodies import vehicle
from bodies.kernels.contacts.slip_angle import rolling_share

MU, GAMMA, R = 0.8, 0.09, 0.4


def towed(angle, speed, rim=None, brake=0.0, start=None, **more):
    """A wheel towed along x at a slip angle; its rim has a speed ``rim`` [m/s] or a brake [N m].

    ``start``: initial speed of the rim [m/s]; by default ``rim``, or that of a rolling wheel.
    """
    spin = (-np.sin(angle), np.cos(angle), 0.0)
    names = ("carriage", "fork", "wheel")
    if start is None:
        start = speed * np.cos(angle) if rim is None else rim
    parts = tuple(
        B.Body(n, 50.0, (1.0, 1.0, 1.0), position=(0, 0, R), velocity=(speed, 0, 0),
               angular_velocity=tuple(start / R * k for k in spin) if n == "wheel" else (0, 0, 0))
        for n in names
    )  # fmt: skip
    elements = [
        B.Prismatic(name="rail", body_a="ground", body_b="carriage", axis=(1, 0, 0)),
        B.Prismatic(name="mast", body_a="carriage", body_b="fork", axis=(0, 0, 1)),
        B.Revolute(name="hub", body_a="fork", body_b="wheel", position=(0, 0, R), axis=spin),
        B.Motor(name="tow", joint="rail", target=speed),
        B.Brake(name="brake", joint="hub", capacity=max(brake, 1.0), pressure=float(brake > 0.0))
        if rim is None
        else B.Motor(name="rim", joint="hub", target=rim / R),
    ]
    tyre = B.Wheel(
        name="tyre", body="wheel", centre=(0, 0, R), spin_axis=spin, radius=R, friction=MU, **more
    )
    return B.compile(B.Mechanism("towed", parts, tuple(elements), wheels=(tyre,)))


def settled(model, seconds=2.0):
    """Force [N] and sliding velocity [m/s] of the contact point, each (along, across); load [N]."""
    run = B.simulate(model, seconds, 1e-3)
    assert run.missed == 0
    wheel = run.wheel("tyre")
    slid = np.array([wheel.v_x[-1] - wheel.rim_speed[-1], wheel.v_y[-1]])
    return np.array([wheel.traction[-1], wheel.lateral[-1]]), slid, wheel.load[-1]


@pytest.mark.parametrize("rim", [0.0, -3.5, -0.2])
@pytest.mark.parametrize("angle", [-0.9, -0.1, 0.004, 0.3, np.pi / 2])
def test_a_wheel_that_does_not_roll_is_a_sliding_block(angle, rim):
    """Locked or turning backward, at any slip angle: friction of mu times load opposes the sliding."""
    force, slid, load = settled(towed(angle, 3.0, rim))
    want = -MU * load * slid / np.hypot(*slid)
    assert force == pytest.approx(want, abs=1e-6 * MU * load)


@pytest.mark.parametrize("angle", [-0.2, 0.03, 0.1, 0.6])
def test_braking_reduces_the_side_force_only_beyond_the_cone(angle):
    free, _, load = settled(towed(angle, 5.0))
    law = MU * load * (1.0 - np.exp(-abs(angle) / GAMMA)) * np.sign(angle)
    assert free == pytest.approx([0.0, law], abs=1e-6 * load)
    room = np.sqrt((MU * load) ** 2 - law**2)
    for share, rolls in ((0.9, True), (1.1, False), (3.0, False)):
        loaded = R - load / B.Wheel.stiffness  # loaded radius [m]
        force, slid, _ = settled(towed(angle, 5.0, brake=share * room * loaded), 4.0)
        assert (abs(slid[0]) < 1e-9) == rolls
        if rolls:
            assert force == pytest.approx([-share * room, law], abs=1e-6 * load)
        else:
            assert np.hypot(*force) == pytest.approx(MU * load, rel=1e-6)
            assert abs(force[1]) < abs(law)


def test_apart_by_name():
    force, _, load = settled(towed(0.6, 3.0, 0.0, combined="apart"))
    assert force == pytest.approx([-MU * load, MU * load * -np.expm1(-0.6 / GAMMA)], rel=1e-6)
    with pytest.raises(B.MechanismError, match="combined 'aprt' is unknown; did you mean 'apart'"):
        towed(0.0, 1.0, combined="aprt")


def test_no_motion_of_a_sliding_wheel_gains_energy():
    rng = np.random.default_rng(6)
    for _ in range(12):
        angle, speed, rim = rng.uniform(-np.pi, np.pi), rng.uniform(0, 6), rng.uniform(-6, 6)
        force, slid, load = settled(towed(angle, speed, rim), 0.3)
        assert force @ slid <= 1e-9 * load
        assert np.hypot(*force) <= MU * load * (1.0 + 1e-9)


def test_the_compliance_fades_as_the_wheel_ceases_to_roll():
    for found in (rolling_share, rolling_share.py_func):
        assert [found(2.0, s) for s in (0.0, 1.0, 2.0, -2.0, 5.0)] == [1.0, 0.5, 0.0, 0.5, 0.0]
        assert found(0.0, 0.0) == 0.0


def test_a_robot_pivots_on_hard_ground_at_the_twist_of_least_friction_work():
    """With opposed rim speeds, velocity and yaw rate minimise the power of friction (by SciPy)."""
    robot = vehicle.load("skid_steer", hard=True)
    wheels = tuple(dataclasses.replace(w, lateral="coulomb", rolling=0.0) for w in robot.wheels)
    turned = tuple(
        B.Motor(
            name=f"{w.name} turned", joint=f"{w.name} hub", target=0.7 if "right" in w.name else -0.5
        )
        for w in wheels
    )
    hubs = tuple(e for e in robot.elements if isinstance(e, B.Revolute))
    robot = dataclasses.replace(robot, wheels=wheels, elements=hubs + turned, inputs={})
    run = B.simulate(B.compile(robot), 2.0, 1e-3)
    assert run.missed == 0
    felt = [run.wheel(w.name) for w in wheels]
    ahead, left = felt[0].forward[-1], felt[0].left[-1]
    centre = run.position("frame")[-1]
    x, y = (np.array([(w.contact_point[-1] - centre) @ e for w in felt]) for e in (ahead, left))
    rim, load = (np.array([getattr(w, k)[-1] for w in felt]) for k in ("rim_speed", "load"))

    def power(twist):
        return load @ np.hypot(twist[0] - twist[2] * y - rim, twist[1] + twist[2] * x) / load.sum()

    v = run.velocity("frame")[-1]
    twist = np.array([v @ ahead, v @ left, run.angular_velocity("frame")[-1, 2]])
    found = minimize(power, 0.8 * twist, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-13})
    assert twist == pytest.approx(found.x, rel=1e-3, abs=1e-4)
    # yaw rate [rad/s]: without sliding it would be the difference of rim speeds over the track
    assert 0.1 < twist[2] < 0.9 * (rim[1] - rim[0]) / (y[0] - y[1])
