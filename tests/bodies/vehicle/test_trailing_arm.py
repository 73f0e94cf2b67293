"""Trailing arms: moments at rest, natural frequency, camber, toe and stops, against closed forms."""

import dataclasses

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from bodies.frames import quaternion_matrix

from .drives import standing

ARM, TRAIL, LEVER = 14.0, 0.45, 0.25  # mass [kg], distances of wheel and spring from the hinge [m]
WHEEL, STIFFNESS, INERTIA = 22.0, 40e3, 0.30  # mass [kg], spring [N/m], the arm's inertia [kg m^2]

CART = """
name = "cart"
[controls]
brake = 0.0
[tyre]
diameter_m = 0.60
width_m = 0.18
section_height_m = 0.12
pressure_Pa = 180000.0
[soil]
cone_index_Pa = 1500000.0
[lateral]
gamma_rad = 0.12
[contact]
law = "brixius"
regularisation = "implicit"
[[frame]]
name = "frame"
body = { mass_kg = 600.0, inertia_kg_m2 = [120.0, 400.0, 480.0], centre_m = [0.0, 0.0, 0.65] }
"""

AXLE = """
[[trailing_arm]]
name = "%s"
origin_m = [%g, 0.0, 0.29]
pivot_m = [[%g, 0.45, 0.05], [%g, 0.65, 0.05]]
wheel_centre_m = [-0.45, 0.75, 0.0]
spring_m = [[-0.25, 0.55, 0.40], [-0.25, 0.55, 0.05]]
spring_table_m_N = [[-0.2, -8000.0], [0.2, 8000.0]]
free_length_m = 0.42
damper_m = [[-0.30, 0.60, 0.40], [-0.30, 0.60, 0.02]]
damper_table_m_s_N = [[-1.0, -%g], [1.0, %g]]
brake_capacity_N_m = 800.0
arm_body = { mass_kg = 14.0, inertia_kg_m2 = [0.05, 0.30, 0.32], centre_m = [-0.22, 0.60, 0.03] }
wheel_body = { mass_kg = 22.0, inertia_kg_m2 = [0.55, 0.95, 0.55] }
"""


def cart(toe=0.0, damping=2500.0):
    """Two axles of trailing arms; ``toe``: distance [m] by which a hinge's outer end is ahead."""
    axles = [
        AXLE % (name, x, 0.0, toe, damping, damping) for name, x in (("front", 1.2), ("rear", -0.7))
    ]
    return vehicle.from_toml(CART + "".join(axles))


def test_the_freedoms_are_bounce_and_spin():
    m = B.mobility(B.compile(cart().mechanism()))
    assert (m.freedoms, m.counted, m.redundant) == (14, 14, 0)


def test_at_rest_the_moments_about_a_hinge_balance():
    """Wheel load, weights and spring force have no total moment about the hinge, in the pose at rest."""
    sim = standing(cart().mechanism({"brake": 0.0}))
    run = B.simulate(sim.model, 1e-3, 1e-3, state=sim.state())
    turn, up, g = quaternion_matrix(sim.quaternion("frame")), np.array([0.0, 0.0, 1.0]), 9.80665
    for axle, x in (("front", 1.2), ("rear", -0.7)):
        at = sim.position("frame") + turn @ (x, 0.0, 0.34 - 0.65)
        hub, arm = (sim.position(f"{axle}_left {part}") - at for part in ("wheel", "arm"))
        load, thrust, _, resistance = run.channel_force(f"{axle}_left")[-1]  # thrust may act at rest
        q = sim.coordinate(f"{axle}_left pivot")  # about y; 0 with the foot straight behind
        foot, top = turn @ (-0.25 * np.cos(q), 0.0, 0.25 * np.sin(q)), turn @ (-0.25, 0.0, 0.35)
        length = np.linalg.norm(top - foot)
        push = STIFFNESS * (0.42 - length) * (foot - top) / length
        forces = (
            (hub, (thrust + resistance, 0.0, load - WHEEL * g)),
            (arm, -ARM * g * up),
            (foot, push),
        )
        moments = [np.cross(point, force) @ turn[:, 1] for point, force in forces]
        assert load > 500.0
        assert abs(sum(moments)) < 2e-4 * abs(moments[0])


def test_in_the_air_it_swings_at_the_frequency_of_its_lever():
    """``w^2 = k a^2 / (I + m d^2 + m_w L^2)``; the wheel does not turn with the arm.

    k, a: stiffness and lever of the spring; I, m: inertia and mass of the arm; d: distance of its centre
    from the hinge; m_w, L: mass of the wheel and its distance from the hinge.
    """
    axle = dataclasses.replace(cart(damping=0.0).parts[1], brake_capacity=0.0)
    car = cart(damping=0.0)
    car = dataclasses.replace(
        car,
        parts=(car.parts[0], dataclasses.replace(axle, free_length=0.35)),
        gravity=B.Gravity((0.0, 0.0, 0.0)),
        origin=(0.0, 0.0, 5.0),
    )
    mechanism = car.mechanism()
    clamp = B.Fixed(name="clamp", body_a="ground", body_b="frame")
    model = B.compile(dataclasses.replace(mechanism, elements=(*mechanism.elements, clamp)))
    sim = B.Simulation(model, 1e-4)
    sim.apply("front_left wheel", (0.0, 0.0, 20.0))
    sim.run(10)
    sim.apply("front_left wheel")
    angles = []
    for _ in range(6000):
        sim.run(1)
        angles.append(sim.coordinate("front_left pivot"))
    signs = np.nonzero(np.diff(np.sign(angles)))[0]
    period = 2.0 * 1e-4 * np.mean(np.diff(signs))
    inertia = INERTIA + ARM * (0.22**2 + 0.02**2) + WHEEL * (TRAIL**2 + 0.05**2)
    expected = 2.0 * np.pi * np.sqrt(inertia / (STIFFNESS * LEVER**2))
    assert period == pytest.approx(expected, rel=5e-3)


def test_an_oblique_hinge_turns_camber_and_toe():
    """The wheel's axis is y, turned by phi about the direction n of the hinge (Rodrigues)."""
    model = B.compile(cart(toe=0.1).mechanism())
    sim = B.Simulation(model, 1e-3)
    sim.apply("frame", (0.0, 0.0, -1500.0))
    sim.run(1500)
    frame, arm = (quaternion_matrix(sim.quaternion(name)) for name in ("frame", "front_left arm"))
    n, y = np.array([0.1, 0.2, 0.0]) / np.hypot(0.1, 0.2), np.array([0.0, 1.0, 0.0])
    phi = sim.coordinate("front_left pivot")
    swung = y * np.cos(phi) + np.cross(n, y) * np.sin(phi) + n * n[1] * (1.0 - np.cos(phi))
    assert abs(phi) > 0.02
    np.testing.assert_allclose(frame.T @ arm @ y, swung, atol=1e-6)
    assert abs(swung[2]) > 5e-3  # the wheel has camber
    assert abs(swung[0]) > 1e-4  # the wheel has toe


def test_an_arm_swings_between_its_stops():
    """With springs for a third of the weight the arms lie on their stops instead of turning over."""
    weak = "spring_table_m_N = [[-0.2, -1500.0], [0.2, 1500.0]]\nstop_angle_rad = 0.15"
    axles = [AXLE % (name, x, 0.0, 0.0, 2500.0, 2500.0) for name, x in (("front", 1.2), ("rear", -0.7))]
    text = "".join(axles).replace("spring_table_m_N = [[-0.2, -8000.0], [0.2, 8000.0]]", weak)
    car = vehicle.from_toml(CART + text)
    stops = [e for e in car.mechanism().elements if isinstance(e, B.Limit)]
    assert sorted(e.joint for e in stops) == [
        f"{a}_{s} pivot" for a in ("front", "rear") for s in ("left", "right")
    ]
    run = B.simulate(B.compile(car.mechanism({"brake": 0.0})), 2.0, 1e-3, record_every=20)
    for axle in ("front", "rear"):
        arm = quaternion_matrix(run.quaternion(f"{axle}_left arm")[-1])
        frame = quaternion_matrix(run.quaternion("frame")[-1])
        turned = np.arccos(np.clip(arm[:, 0] @ frame[:, 0], -1.0, 1.0))
        assert turned == pytest.approx(0.15, abs=0.01)
