"""Effective rolling radius, aligning moment, and what the bearing of a hub loses."""

import math

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from contact import ConeIndexSoil, Crolla, PneumaticTrail, Tyre, WheelContact
from contact import terrain as T
from contact.hosts.wheels_on_ground import WheelsOnGround
from contact.rigid import Plane

from .test_ground import G, tandem

R = 0.381
TYRE, SOIL = Tyre(2 * R, 0.2, 0.14), ConeIndexSoil(6e5)
LOAD = 250.0 * G
HARD = dict(law="dry", sinkage="none")


@pytest.mark.parametrize("share", [0.0, 1.0 / 3.0, 1.0])
def test_a_wheel_rolls_on_its_effective_radius(share):
    """Without torque and resistance the distance over the turn is r less its share of the deflection."""
    wheel = WheelContact(TYRE, SOIL, rolling_share=share, **HARD)
    run = B.simulate(B.compile(tandem(T.Plane(), wheel=wheel, torque=0.0, speed=2.0)), 1.5, 1e-3)
    spin, v = run.angular_velocity("wheel0")[-1, 1], run.velocity("wheel0")[-1, 0]
    assert v / spin == pytest.approx(R - share * LOAD / TYRE.stiffness, rel=1e-6)
    assert abs(run.wheel("tyre0").slip[-1]) < 1e-6


def test_thrust_and_slip_are_those_of_that_radius():
    """At rest against a wall: torque over the arm of the thrust. Rolling: power in, power out."""
    wheel = WheelContact(TYRE, SOIL, rolling_share=1.0, **HARD)
    model = B.compile(tandem(T.Plane(), wheel=wheel, torque=300.0, speed=2.0))
    sim = B.Simulation(model, 1e-3, book_work=True)
    sim.run(1500)
    r = R - LOAD / TYRE.stiffness
    run = B.simulate(model, 1.5, 1e-3)
    record = run.wheel("tyre0")
    spin, v = run.angular_velocity("wheel0")[:, 1], run.velocity("wheel0")[:, 0]
    assert record.rim_speed[-1] == pytest.approx(r * spin[-1], rel=1e-4)
    inertia = 6.0 * (spin[-1] - spin[-101]) / 0.1
    assert record.traction[-100:].mean() * r == pytest.approx(300.0 - inertia, rel=1e-3)
    assert record.traction[-100:].mean() == pytest.approx(251.0 * (v[-1] - v[-101]) / 0.1, rel=1e-3)


@pytest.mark.parametrize("ground", [T.Plane(), T.Sine(1e-9, 5.0)])
@pytest.mark.parametrize("alpha", [0.02, 0.08, 0.3])
def test_the_lateral_force_acts_behind_the_contact(ground, alpha):
    """A wheel towed at a slip angle by a fork: the fork carries the aligning moment, either way."""
    trail = PneumaticTrail(angle=0.25)
    wheel = WheelContact(TYRE, SOIL, lateral=Crolla(0.1, 0.8), trail=trail, **HARD)
    z = R - wheel.static_compression(LOAD)
    for way in (1.0, -1.0):
        c, s = math.cos(alpha), math.sin(alpha)
        v, spin = (2.0 * way, 0.0, 0.0), 2.0 * way * c / R
        bodies = [
            B.Body("slide", 1.0, (1.0, 1.0, 1.0), position=(0, 0, z), velocity=v),
            B.Body("fork", 249.0, (9.0, 9.0, 9.0), position=(0, 0, z), velocity=v),
            B.Body("wheel", 1.0, (6.0, 6.0, 6.0), position=(0, 0, z), velocity=v,
                   angular_velocity=(-spin * s, spin * c, 0.0)),
        ]  # fmt: skip
        elements = [
            B.Prismatic(
                name="ahead", body_a="ground", body_b="slide", position=(0, 0, z), axis=(1, 0, 0)
            ),
            B.Prismatic(name="up", body_a="slide", body_b="fork", position=(0, 0, z), axis=(0, 0, 1)),
            B.Revolute(name="hub", body_a="fork", body_b="wheel", position=(0, 0, z), axis=(-s, c, 0)),
        ]
        towed = B.Wheel(
            name="tyre", body="wheel", centre=(0, 0, z), spin_axis=(-s, c, 0), soil=wheel, ground=ground
        )
        model = B.compile(
            B.Mechanism(
                "towed", tuple(bodies), tuple(elements), wheels=(towed,), gravity=B.Gravity((0, 0, -G))
            )
        )
        run = B.simulate(model, 0.6, 1e-3, reactions=("up",))
        record, (_, moment) = run.wheel("tyre"), run.reaction("up")
        t = (
            trail.length(TYRE, alpha, record.load[-1])
            if False
            else trail.length(alpha, record.load[-1], TYRE)
        )
        k = slice(-50, None)
        acting = record.lateral[k].mean()
        assert abs(acting) > 100.0
        wanted = -way * float(t) * acting  # about z, of the ground on the wheel
        assert moment[k, 2].mean() == pytest.approx(-wanted, rel=2e-2, abs=0.02)
        if alpha > trail.angle:
            assert t == 0.0


def test_the_trail_is_the_brush_models():
    trail = PneumaticTrail(1.0 / 3.0, 0.2)
    delta = 3000.0 / TYRE.stiffness
    half = math.sqrt(R**2 - (R - delta) ** 2)
    assert trail.length(0.0, 3000.0, TYRE) == pytest.approx(half / 3.0)
    q = math.tan(0.1) / math.tan(0.2)
    y = np.linspace(
        -1.0, 1.0, 200001
    )  # bristles of the contact, deflected or sliding: parabola of the load
    way = 1.0 - y  # from the leading edge y = 1
    held = np.minimum(q * way, 0.5 * (1.0 - y * y))  # slope of the parabola at the edge is 1
    assert trail.length(0.1, 3000.0, TYRE) == pytest.approx(
        -half * np.trapezoid(held * y, y) / np.trapezoid(held, y), rel=1e-6
    )


@pytest.mark.parametrize(
    "law", ["brixius", "dry", "clay", pytest.param("wong-reece", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("scheme", ["implicit", "set-valued", "global", "local"])
def test_no_motion_gains_energy(law, scheme):
    """Random motions of a free wheel that rolls, spins, slides and yaws: the ground only takes."""
    wheel = WheelContact(
        TYRE, SOIL, law=law, regularisation=scheme, lateral=Crolla(), rolling_share=1.0,
        trail=PneumaticTrail(), sinkage="maclaurin",
    )  # fmt: skip
    z = R - wheel.static_compression(LOAD)
    random = np.random.default_rng(5)
    for _ in range(6):
        v, w = random.normal(0.0, 2.0, 3), random.normal(0.0, 6.0, 3)
        body = B.Body(
            "wheel", 250.0, (8.0, 12.0, 8.0), position=(0, 0, z), velocity=(v[0], v[1], 0.0),
            angular_velocity=(0.0, w[1], 0.5 * w[2]),
        )  # fmt: skip
        tyre = B.Wheel(name="tyre", body="wheel", centre=(0, 0, z), soil=wheel)
        model = B.compile(
            B.Mechanism("free", (body,), (), wheels=(tyre,), gravity=B.Gravity((0, 0, -G)))
        )
        run = B.simulate(model, 0.25, 1e-3)
        u, q = run.wheel_velocities[1:, 0], run.channel_force("tyre")[1:]
        assert (np.sum(q[:, 1:] * u[:, 1:], axis=1) < 1e-6 * 250.0).all()


def test_a_bearing_takes_what_it_is_said_to():
    """A robot's front wheels: a damper of that size on each hub, between wheel and frame."""
    text = 'base = "skid_steer"\nname = "lossy"\n[contact]\nbearing_loss_N_m_s_rad = 0.02\n'
    text += "[wheels.rear]\nbearing_loss_N_m_s_rad = 0.0\n"
    car = vehicle.from_toml(text)
    assert (car.rolling("front_left").bearing_loss, car.rolling("rear_left").bearing_loss) == (0.02, 0.0)
    lossy = car.mechanism()
    names = [e.name for e in lossy.elements if e.name.endswith("bearing loss")]
    assert names == ["front_left bearing loss", "front_right bearing loss"]
    spring = next(e for e in lossy.elements if e.name == names[0])
    hub = next(e for e in lossy.elements if e.name == spring.joint)
    assert {hub.body_a, hub.body_b} == {"frame", "front_left wheel"}
    assert spring.damping == 0.02
    with pytest.raises(B.MechanismError, match="bearing_loss_N_m_s_rad must be at least 0"):
        vehicle.from_toml(text.replace("0.02", "-1.0"))


def test_what_hosts_do_not_know_they_refuse():
    for wheel in (
        WheelContact(TYRE, SOIL, rolling_share=0.5),
        WheelContact(TYRE, SOIL, trail=PneumaticTrail()),
    ):
        with pytest.raises(ValueError, match="which only `bodies` knows"):
            WheelsOnGround([wheel])
    with pytest.raises(ValueError, match="rolling_share"):
        WheelContact(TYRE, SOIL, rolling_share=1.5)
    with pytest.raises(ValueError, match=r"PneumaticTrail\.angle"):
        PneumaticTrail(angle=0.0)


def test_in_lanes_as_alone():
    wheel = WheelContact(TYRE, SOIL, lateral=Crolla(), rolling_share=0.4, trail=PneumaticTrail())
    model = B.compile(tandem(Plane(), wheel=wheel, torque=200.0, speed=1.0))
    lanes, alone = B.Batch(model, 8), B.Batch(model, 8, lanes=False)
    for batch in (lanes, alone):
        batch.set("soil.cone_index", np.linspace(3e5, 1.5e6, 8))
        batch.run(300)
    assert lanes.lanes
    assert np.array_equal(lanes.velocity("wheel0"), alone.velocity("wheel0"))
