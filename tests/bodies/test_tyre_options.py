"""Options of a wheel: effective rolling radius, aligning moment, loss in the bearing of its hub."""

import math

import numpy as np
import pytest
from scipy.linalg import expm

import bodies as B
from bodies import vehicle
from contact import (
    SOILS,
    ConeIndexSoil,
    Crolla,
    LuGre,
    PneumaticTrail,
    SoilTrail,
    Tyre,
    WheelContact,
    WongReeceLateral,
)
from contact import terrain as T
from contact.hosts.wheels_on_ground import WheelsOnGround
from contact.rigid import Plane
from tests.refusals import refusals

from .test_ground import G, tandem
from .test_lanes import same_bytes

R = 0.381
TYRE, SOIL = Tyre(2 * R, 0.2, 0.14), ConeIndexSoil(6e5)
LOAD = 250.0 * G
HARD = dict(law="dry", sinkage="none")


@pytest.mark.parametrize("share", [0.0, 1.0 / 3.0, 1.0])
def test_a_wheel_rolls_on_its_effective_radius(share):
    """Per radian an undriven wheel travels its radius less ``share`` of the tyre's deflection."""
    wheel = WheelContact(TYRE, SOIL, rolling_share=share, **HARD)
    run = B.simulate(B.compile(tandem(T.Plane(), wheel=wheel, torque=0.0, speed=2.0)), 1.5, 1e-3)
    spin, v = run.angular_velocity("wheel0")[-1, 1], run.velocity("wheel0")[-1, 0]
    assert v / spin == pytest.approx(R - share * LOAD / TYRE.stiffness, rel=1e-6)
    assert abs(run.wheel("tyre0").slip[-1]) < 1e-6


def test_thrust_and_slip_are_those_of_that_radius():
    """Thrust = (torque - inertia x angular acceleration) / r, rim speed = r spin; r: rolling radius."""
    wheel = WheelContact(TYRE, SOIL, rolling_share=1.0, **HARD)
    model = B.compile(tandem(T.Plane(), wheel=wheel, torque=300.0, speed=2.0))
    sim = B.Simulation(model, 1e-3, record_work=True)
    sim.run(1500)
    r = R - LOAD / TYRE.stiffness
    run = B.simulate(model, 1.5, 1e-3)
    record = run.wheel("tyre0")
    spin, v = run.angular_velocity("wheel0")[:, 1], run.velocity("wheel0")[:, 0]
    assert record.rim_speed[-1] == pytest.approx(r * spin[-1], rel=1e-4)
    inertia = 6.0 * (spin[-1] - spin[-101]) / 0.1
    assert record.traction[-100:].mean() * r == pytest.approx(300.0 - inertia, rel=1e-3)
    assert record.traction[-100:].mean() == pytest.approx(251.0 * (v[-1] - v[-101]) / 0.1, rel=1e-3)


def aligning(wheel, alpha, way, ground):
    """Means of load and lateral force [N], moment about z [N m] on a fork that tows a wheel askew."""
    z = R - wheel.static_compression(LOAD)
    c, s = math.cos(alpha), math.sin(alpha)
    v, spin = (2.0 * way, 0.0, 0.0), 2.0 * way * c / R
    bodies = [
        B.Body("slide", 1e5, (1.0, 1.0, 1.0), position=(0, 0, z), velocity=v),
        B.Body("fork", 249.0, (9.0, 9.0, 9.0), position=(0, 0, z), velocity=v),
        B.Body("wheel", 1.0, (6.0, 6.0, 6.0), position=(0, 0, z), velocity=v,
               angular_velocity=(-spin * s, spin * c, 0.0)),
    ]  # fmt: skip
    elements = [
        B.Prismatic(name="ahead", body_a="ground", body_b="slide", position=(0, 0, z), axis=(1, 0, 0)),
        B.Prismatic(name="up", body_a="slide", body_b="fork", position=(0, 0, z), axis=(0, 0, 1)),
        B.Revolute(name="hub", body_a="fork", body_b="wheel", position=(0, 0, z), axis=(-s, c, 0)),
    ]
    towed = B.Wheel(
        name="tyre", body="wheel", centre=(0, 0, z), spin_axis=(-s, c, 0), soil=wheel, ground=ground
    )
    gravity = B.Gravity((0, 0, -G))
    model = B.compile(
        B.Mechanism("towed", tuple(bodies), tuple(elements), wheels=(towed,), gravity=gravity)
    )
    run = B.simulate(model, 0.6, 1e-3, reactions=("up",))
    record, (_, moment), k = run.wheel("tyre"), run.reaction("up"), slice(-50, None)
    return record.load[k].mean(), record.lateral[k].mean(), -moment[k, 2].mean()


@pytest.mark.parametrize("ground", [T.Plane(), T.Sine(1e-9, 5.0)])
@pytest.mark.parametrize("alpha", [0.02, 0.08, 0.3])
def test_the_lateral_force_acts_behind_the_contact(ground, alpha):
    """A fork that tows a wheel at a slip angle, ahead or backward, carries the aligning moment."""
    trail = PneumaticTrail(angle=0.25)
    wheel = WheelContact(TYRE, SOIL, lateral=Crolla(0.1, 0.8), trail=trail, **HARD)
    for way in (1.0, -1.0):
        load, acting, moment = aligning(wheel, alpha, way, ground)
        assert abs(acting) > 100.0
        wanted = -way * float(trail.length(alpha, load, TYRE)) * acting  # [N m] about z, on the wheel
        assert moment == pytest.approx(wanted, rel=2e-2, abs=0.02)
        if alpha > trail.angle:
            assert trail.length(alpha, load, TYRE) == 0.0


def test_the_measured_share_is_the_trail_of_a_car_tyre():
    """Trail of a 205/60 R15 at 4 kN: coefficient q_Dz1 times radius, 0.09068 x 0.3135 m.

    Source: Besselink et al. 2010.
    """
    radius, width, stiffness = 0.3135, 0.205, 209651.0
    pressure = stiffness / (math.pi * math.sqrt(2.0 * radius * width))
    tyre = Tyre(2.0 * radius, width, 0.123, pressure=pressure)
    assert PneumaticTrail(0.26).length(0.0, 4000.0, tyre) == pytest.approx(0.09068 * radius, rel=0.02)
    assert PneumaticTrail().length(0.0, 4000.0, tyre) > 0.1 * radius


@pytest.mark.parametrize("alpha", [0.03, 0.3])
def test_on_sand_it_acts_ahead_of_the_axle(alpha):
    """The aligning moment by the soil's stresses increases the slip angle, ahead or backward."""
    sand, lateral = SOILS["dry sand"].bekker, WongReeceLateral()
    wheel = WheelContact(TYRE, sand, sand, law="wong-reece", lateral=lateral, trail=SoilTrail())
    for way in (1.0, -1.0):
        load, acting, moment = aligning(wheel, alpha, way, T.Plane())
        ahead = -float(lateral.trail(alpha, load, TYRE, sand))
        assert abs(acting) > 100.0
        assert ahead > 0.02
        assert moment == pytest.approx(way * ahead * acting, rel=3e-2)


def test_the_trail_is_the_brush_models():
    trail = PneumaticTrail(1.0 / 3.0, 0.2)
    delta = 3000.0 / TYRE.stiffness
    half = math.sqrt(R**2 - (R - delta) ** 2)
    assert trail.length(0.0, 3000.0, TYRE) == pytest.approx(half / 3.0)
    q = math.tan(0.1) / math.tan(0.2)
    # Brush model: the load is a parabola over the contact length; a bristle is deflected in
    # proportion to its distance from the leading edge y = 1, or slides at the friction limit.
    y = np.linspace(-1.0, 1.0, 200001)
    distance = 1.0 - y
    force = np.minimum(q * distance, 0.5 * (1.0 - y * y))  # slope of the limit at y = 1 is 1
    assert trail.length(0.1, 3000.0, TYRE) == pytest.approx(
        -half * np.trapezoid(force * y, y) / np.trapezoid(force, y), rel=1e-6
    )


def free_wheel(wheel, v, spin, yaw, ground=T.Plane()):  # noqa: B008  it is frozen
    """A heavy free wheel with velocity ``v`` (x, y) [m/s], spin and yaw rate [rad/s]."""
    z = R - wheel.static_compression(LOAD)
    body = B.Body(
        "wheel",
        250.0,
        (8.0, 12.0, 8.0),
        position=(0, 0, z),
        velocity=(v[0], v[1], 0.0),
        angular_velocity=(0.0, spin, yaw),
    )
    tyre = B.Wheel(name="tyre", body="wheel", centre=(0, 0, z), soil=wheel, ground=ground)
    return B.Mechanism("free", (body,), (), wheels=(tyre,), gravity=B.Gravity((0, 0, -G)))


@pytest.mark.parametrize(
    "law", ["brixius", "dry", "clay", pytest.param("wong-reece", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("scheme", ["implicit", "set-valued", "global", "local"])
def test_no_motion_gains_energy(law, scheme):
    """The ground takes energy from a free wheel that rolls, spins, slides and yaws at random."""
    wheel = WheelContact(
        TYRE, SOIL, law=law, regularisation=scheme, lateral=Crolla(), rolling_share=1.0,
        trail=PneumaticTrail(), sinkage="maclaurin",
    )  # fmt: skip
    random = np.random.default_rng(5)
    for _ in range(6):
        v, w = random.normal(0.0, 2.0, 3), random.normal(0.0, 6.0, 3)
        model = B.compile(free_wheel(wheel, v, w[1], 0.5 * w[2]))
        run = B.simulate(model, 0.25, 1e-3)
        u, q = run.wheel_velocities[1:, 0], run.channel_force("tyre")[1:]
        assert (np.sum(q[:, 1:] * u[:, 1:], axis=1) < 1e-6 * 250.0).all()


BORDERS = T.Plane(
    soil_map=T.SoilMap(
        SOIL,
        [
            T.Patch(x=(-0.4, 0.1), law="dry", sinkage="none"),
            T.Patch(ConeIndexSoil(1.5e5), outline=((0.1, -3.0), (0.5, -3.0), (0.2, 3.0), (-0.1, 3.0))),
            T.Patch(ConeIndexSoil(1e6), y=(0.05, 0.3), law="clay", lateral=Crolla(0.15, 0.4)),
        ],
        blend=0.1,
    )
)


@pytest.mark.parametrize("combined", ["demand", "sliding"])
@pytest.mark.parametrize("scheme", ["implicit", "set-valued", "global", "local", "lugre"])
def test_no_motion_gains_energy_over_borders(scheme, combined):
    """Random motions over borders of soils and laws; energy stored in LuGre's bristles counts."""
    lugre = LuGre(sigma_2=20.0) if scheme == "lugre" else None
    wheel = WheelContact(
        TYRE, SOIL, regularisation="implicit" if lugre else scheme, lugre=lugre, lateral=Crolla(),
        combined=combined, trail=PneumaticTrail(),
    )  # fmt: skip
    random, crossed = np.random.default_rng(7), 0
    for _ in range(4):
        v, w = random.normal(0.0, 2.0, 3), random.normal(0.0, 6.0, 3)
        model = B.compile(free_wheel(wheel, v, w[1], 0.5 * w[2], BORDERS))
        sim, stored, soils = B.Simulation(model, 1e-3), 0.0, set()
        for _ in range(250):
            sim.run(1)
            contact = sim.work.contact()
            before, wheels = stored, contact.wheels
            stored = 0.5 * LuGre.sigma_0 * float(np.sum(wheels.bristle.floats[:, :2] ** 2))
            soils.add(tuple(wheels.variant[0][wheels.weight[0] > 0.0]))
            q, u = contact.rows.q, contact.rows.u
            assert float(q[1:4] @ u[1:4]) + stored - before < 1e-6 * 0.25
        crossed += len(soils) - 1
        assert sim.missed == 0
    assert crossed > 6


def test_a_bearings_loss_is_that_of_an_equal_damper():
    """A bearing loss of a robot's front wheels is a damper on each hub, between wheel and frame."""
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


test_hosts_refuse_unsupported_tyre_options = refusals(
    ({"rolling_share": 0.5}, "which only `bodies` uses"),
    ({"trail": PneumaticTrail()}, "which only `bodies` uses"),
    ({"lateral": WongReeceLateral(), "trail": SoilTrail()}, "which only `bodies` uses"),
    of=lambda option: WheelsOnGround([WheelContact(TYRE, SOIL, **option)]),
)

test_impossible_tyre_options_are_refused = refusals(
    (lambda: WheelContact(TYRE, SOIL, rolling_share=1.5), "rolling_share"),
    (lambda: WheelContact(TYRE, SOIL, lateral=Crolla(), trail=SoilTrail()), "needs the stresses of"),
    (lambda: PneumaticTrail(angle=0.0), r"PneumaticTrail\.angle"),
)


def test_in_lanes_as_alone():
    wheel = WheelContact(TYRE, SOIL, lateral=Crolla(), rolling_share=0.4, trail=PneumaticTrail())
    model = B.compile(tandem(Plane(), wheel=wheel, torque=200.0, speed=1.0))
    same_bytes(model, 300, lambda b: b.set("soil.cone_index", np.linspace(3e5, 1.5e6, 8)), n=8)


def lateral_model(u, sigma):
    """A of ``x' = A x`` (Karkee and Steward); x: lateral velocity, yaw rate, two tyre deflections."""
    m, inertia, a, b, c_f, c_r = 9391.0, 35709.0, 1.70, 1.20, 220e3, 486e3
    f, r = c_f / sigma, c_r / sigma
    return np.array(
        [
            [0.0, -u, -f / m, -r / m],
            [0.0, 0.0, -a * f / inertia, b * r / inertia],
            [1.0, a, -u / sigma, 0.0],
            [1.0, -b, 0.0, -u / sigma],
        ]
    )


def test_a_tractor_sways_as_the_bicycle_model_with_relaxed_tyres():
    """Two wheels under a tractor's mass, at 4.5 m/s and 0.02 m/s sideways, move as ``lateral_model``."""
    u, sigma, h = 4.5, 0.5, 5e-4
    A = lateral_model(u, sigma)
    roots = np.sort_complex(np.linalg.eigvals(A))
    assert roots[1] == pytest.approx(-4.81524 + 7.11455j, abs=1e-5)
    assert roots[3] == pytest.approx(-4.18476 + 11.58644j, abs=1e-5)
    bodies, elements, wheels = [], [], []
    at_rest = dict(velocity=(u, 0.02, 0.0))
    r, z = 0.8, 0.75
    bodies.append(B.Body("tractor", 9391.0, (1e4, 3e4, 35709.0), position=(0, 0, z), **at_rest))
    elements.append(
        B.Planar(name="upright", body_a="ground", body_b="tractor", position=(0, 0, z), axis=(0, 0, 1))
    )
    for name, x, stiffness in (("front", 1.70, 220e3), ("rear", -1.20, 486e3)):
        load = 9391.0 * G * (1.20 if x > 0.0 else 1.70) / 2.90
        pressed = Tyre(2 * r, 0.5, 0.4, pressure=load / (r - z) / (math.pi * math.sqrt(2 * r * 0.5)))
        side = Crolla(0.8 * load / stiffness, 0.8)
        soil = WheelContact(
            pressed, SOIL, lateral=side, relaxation_length=sigma, damping_time=0.0, **HARD
        )
        spin = dict(angular_velocity=(0.0, u / r, 0.0))
        bodies.append(B.Body(name, 1e-3, (1e-3, 1e-3, 1e-3), position=(x, 0, z), **at_rest, **spin))
        elements.append(
            B.Revolute(
                name=f"{name} hub", body_a="tractor", body_b=name, position=(x, 0, z), axis=(0, 1, 0)
            )
        )
        wheels.append(B.Wheel(name=f"{name} tyre", body=name, centre=(x, 0, z), soil=soil))
    mechanism = B.Mechanism("tractor", tuple(bodies), tuple(elements), wheels=tuple(wheels))
    run = B.simulate(B.compile(mechanism), 0.8, h)
    yaw, rate = run.coordinate("upright"), run.angular_velocity("tractor")[:, 2]
    v = run.velocity("tractor")
    aside = -np.sin(yaw) * v[:, 0] + np.cos(yaw) * v[:, 1]
    steps = expm(A * h)
    x, wanted = np.array([0.02, 0.0, 0.0, 0.0]), []
    for _ in run.time:
        wanted.append(x)
        x = steps @ x
    wanted = np.array(wanted)
    assert aside == pytest.approx(wanted[:, 0], abs=0.01 * 0.02)
    assert rate == pytest.approx(wanted[:, 1], abs=0.02 * np.abs(wanted[:, 1]).max())
