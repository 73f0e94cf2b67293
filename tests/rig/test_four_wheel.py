"""The four-wheel chassis against the bicycle model of its tyres, and its initial pose."""

import math

import numpy as np
import pytest

import rig
from bodies.frames import quaternion_matrix
from contact.terrain import Plane, Slope
from rig.chassis import Bicycle, FourWheel, Towing
from rig.chassis.four_wheel import described
from tests.refusals import refusals

G = 9.80665
STIFF, SOFT = 0.16, 0.24  # [rad] crossover angles of rear and front tyres: it understeers


@pytest.fixture(scope="module")
def understeering(tmp_path_factory):
    """A file of the tractor with softer front tyres."""
    path = tmp_path_factory.mktemp("vehicle") / "soft_front.toml"
    path.write_text(
        f'base = "tractor"\n[wheels.front]\nlateral = {{ gamma_rad = {SOFT}, friction = 0.8 }}\n'
        f"[wheels.rear]\nlateral = {{ gamma_rad = {STIFF}, friction = 0.8 }}\n"
    )
    return str(path)


def bicycle(block):
    """Bicycle model of a block: cornering stiffness [N/rad] = friction x axle load / crossover angle."""
    bodies = block.mechanism.bodies
    mass = sum(b.mass for b in bodies)
    b = sum(b.mass * b.position[0] for b in bodies) / mass
    a = block.wheelbase - b
    loads = mass * G / block.wheelbase * np.array([b, a])
    front, rear = 0.8 * loads / (SOFT, STIFF)
    return Bicycle(
        mass=mass, a=a, b=b, stiffness_f=front, stiffness_r=rear, sigma_f=0.0, sigma_r=0.0, inertia=36e3
    )


def turning(chassis, u, angle, seconds=8.0):
    r = rig.Rig(
        0.01,
        chassis=chassis,
        speed=u,
        steering="perfect",
        steering_controller="proportional",
        operator=rig.make("operator", "steady", speed=u, steering=angle, engage=0.0),
    )
    return r, r.run(seconds)


@pytest.mark.parametrize("u", [2.0, 4.5, 8.0])
def test_on_firm_ground_its_yaw_gain_is_the_bicycles(u, understeering):
    block = FourWheel(vehicle=understeering)
    plane = bicycle(block)
    assert plane.understeer_gradient > 3e-3
    _, run = turning(block, u, 0.01)
    assert run["yaw_rate"][-1] / 0.01 == pytest.approx(plane.yaw_gain(u), rel=0.02)
    assert run["velocity"][-1, 0] == pytest.approx(u, rel=1e-3)
    assert block.sim.missed == 0


def test_it_begins_where_and_as_fast_as_the_rig_says_and_goes_straight():
    start = {"position": (3.0, -2.0, 0.0), "attitude": (0.0, 0.0, 2.5)}
    r = rig.Rig(0.01, chassis="four-wheel", speed=3.0, start=start)
    assert r["position"][:2] == pytest.approx((3.0, -2.0), abs=1e-4)
    assert r["attitude"][2] == pytest.approx(2.5, abs=1e-6)
    assert r["velocity"] == pytest.approx((3.0, 0.0, 0.0), abs=1e-9)
    run = r.run(2.0)
    along = run["position"][-1, :2] - (3.0, -2.0)
    assert along == pytest.approx(6.0 * np.array([math.cos(2.5), math.sin(2.5)]), abs=2e-3)
    assert np.abs(run["slip_angle"]).max() < 1e-4


def test_on_a_slope_it_stands_and_drives_along_the_ground():
    r = rig.Rig(0.01, chassis="four-wheel", terrain=Plane(grade_x=0.1), speed=2.0)
    run = r.run(1.0)
    # uphill the rear tyres have a larger load and deflection: the pitch is not exactly the slope's
    assert run["attitude"][:, 1] == pytest.approx(-math.atan(0.1), abs=0.01)
    rise = np.diff(run["position"][[20, -1]], axis=0)[0]
    assert rise[2] / rise[0] == pytest.approx(0.1, rel=0.02)
    assert np.hypot(rise[0], rise[2]) == pytest.approx(1.6, rel=0.02)


def test_the_column_makes_the_bicycles_steer_angle():
    """The cotangents of the front wheels' angles have the wanted mean; the inner wheel turns more."""
    r, _ = turning("four-wheel", 1.0, 0.3, 0.5)
    sim = r.blocks["chassis"].sim
    axles = [
        quaternion_matrix(sim.quaternion(f"front_{side} wheel"))[:, 1] for side in ("left", "right")
    ]
    left, right = (math.atan2(-x, y) - r["attitude"][2] for x, y, _ in axles)
    assert left > right > 0.0
    assert 2.0 / (1.0 / math.tan(left) + 1.0 / math.tan(right)) == pytest.approx(math.tan(0.3), rel=2e-3)


def test_a_state_gives_the_same_future():
    r, _ = turning("four-wheel", 3.0, 0.1, 0.3)
    state = r.state()
    one = r.run(0.3).digest()
    r.restore(state)
    assert r.run(0.3).digest() == one


CART = """
name = "cart"
origin_m = [0.0, 0.0, 0.0]

[tyre]
diameter_m = 1.4
width_m = 0.45
section_height_m = 0.33
pressure_Pa = 150000.0

[soil]
cone_index_Pa = 1200000.0

[lateral]
gamma_rad = 0.1
friction = 0.8

[contact]
law = "brixius-radial"
regularisation = "implicit"

[[frame]]
name = "cart frame"
[frame.body]
mass_kg = 1807.0
inertia_kg_m2 = [900.0, 5900.0, 6060.0]
centre_m = [-4.23, 0.0, 0.9]
reason = "bed, drawbar and load"

[[hitch]]
name = "hitch"
towing = "frame"
trailer = "cart frame"
ball_m = [-0.8, 0.0, 0.5]
force_limit_N = 100000.0
[hitch.drawbar]
mass_kg = 20.0
inertia_kg_m2 = [0.2, 2.0, 2.0]
centre_m = [-1.0, 0.0, 0.5]
reason = "stiff here"

[[solid_mounted_axle]]
name = "cart"
carrier = "cart frame"
wheel_centre_m = [-4.7, 0.9, 0.6]
wheel_body = { mass_kg = 150.0, inertia_kg_m2 = [15.0, 25.0, 15.0], reason = "tyre and rim" }
"""


def test_a_cart_behind_it_takes_the_hitch_angle_of_the_linear_system(tmp_path):
    """Hitch angle and yaw rate are within 3 % of the linear system whose tyre stiffnesses follow from
    the axle loads, by moments about the hitch and the rear axle."""
    path = tmp_path / "cart.toml"
    path.write_text(CART)
    block = FourWheel(towed=str(path))
    u, angle = 3.0, 0.03
    r, run = turning(block, u, angle, 10.0)
    own, towed = [], []
    for body in block.mechanism.bodies:
        (towed if body.name.startswith(("cart", "hitch")) else own).append(body)
    m, m_i = (sum(b.mass for b in part) for part in (own, towed))
    x, x_i = (
        sum(b.mass * b.position[0] for b in part) / whole for part, whole in ((own, m), (towed, m_i))
    )
    a, d, e = 2.9 - x, -0.8 - x_i, x_i + 4.7
    axle = m_i * G * d / (d + e)
    front = (m * G * x - (m_i * G - axle) * 0.8) / 2.9
    rear = m * G + m_i * G - axle - front
    plane = Towing(
        mass=m, a=a, b=x, c=x + 0.8, d=d, e=e, stiffness_f=0.8 * front / 0.1745, towed_mass=m_i,
        stiffness_r=0.8 * rear / 0.1745, towed_stiffness=0.8 * axle / 0.1, towed_inertia=6402.0,
    )  # fmt: skip
    A, push = plane.matrices(u)
    steady = np.linalg.solve(A, -push * angle)
    frames = [quaternion_matrix(block.sim.quaternion(name)) for name in ("frame", "cart frame")]
    hitch = math.remainder(np.subtract(*(math.atan2(R[1, 0], R[0, 0]) for R in frames[::-1])), math.tau)
    assert abs(steady[5]) > 0.01
    assert hitch == pytest.approx(steady[5], rel=0.03)
    assert run["yaw_rate"][-1] == pytest.approx(steady[1], rel=0.02)
    assert r["velocity"][0] == pytest.approx(u, rel=2e-3)


test_bad_input_is_a_sentence = refusals(
    (lambda: FourWheel(ground="frim"), "unknown ground 'frim'; did you mean 'firm'"),
    (lambda: FourWheel(vehicle="tractro"), "tractro"),
    error=rig.RigError,
)


def test_the_linkage_is_closed_where_compiling_closes_it():
    from bodies import Simulation, compile
    from bodies.building.compile import arrays_of
    from bodies.building.planning import Closing

    what = described("tractor", "firm", False)
    closing = Closing(arrays_of(what.mechanism()))
    for column in (0.7, -0.4):
        sim = Simulation(compile(what.mechanism(steering=column)), 1e-3)
        np.testing.assert_array_equal(closing.poses(steering=column), sim.poses())


def test_before_it_begins_it_is_drawn_where_it_will_stand():
    start = {"position": (7.0, -3.0, 0.0), "attitude": (0.0, 0.0, 0.6)}
    r = rig.Rig(0.01, chassis="four-wheel", speed=0.0, start=start, begin=False)
    block = r.blocks["chassis"]
    drawn, model = block.poses(), block.model
    assert block.sim is None
    r.begin()
    assert list(model.body_index) == list(block.model.body_index)
    np.testing.assert_allclose(drawn[:, :3], block.poses()[:, :3], atol=0.06)  # it sinks on its tyres
    turned = [quaternion_matrix(p[3:]) @ [1.0, 0.0, 0.0] for p in (drawn[0], block.poses()[0])]
    np.testing.assert_allclose(*turned, atol=0.01)


@pytest.mark.parametrize("height", [0.0, 2.0])
def test_without_a_height_of_its_origin_it_is_drawn_on_the_ground(height, tmp_path):
    """It was drawn at the height 0 of its origin: in the ground. Its trailer is raised with it."""
    path, cart = tmp_path / "flat.toml", tmp_path / "cart.toml"
    path.write_text('base = "tractor"\norigin_m = [0.0, 0.0]\n')
    cart.write_text(CART)
    block = FourWheel(vehicle=str(path), towed=str(cart))
    rig.Rig(0.01, chassis=block, speed=0.0, terrain=Slope(height), begin=False)
    lowest = np.array([w.centre[2] - w.radius - height for w in block.described().wheels])
    np.testing.assert_allclose([lowest[:4].min(), *lowest[4:]], 0.0, atol=1e-9)


@pytest.mark.parametrize("terrain", [None, Plane()])
def test_origin_and_heading_of_its_file_do_not_move_it(terrain, tmp_path):
    path = tmp_path / "elsewhere.toml"
    path.write_text('base = "tractor"\norigin_m = [5.0, 1.0, 0.06]\nheading_rad = 1.0\n')
    start = {"position": (7.0, -3.0, 0.0), "attitude": (0.0, 0.0, 0.6)}

    def centres(vehicle):
        block = FourWheel(vehicle=vehicle)
        rig.Rig(0.01, chassis=block, terrain=terrain, start=start, begin=False)
        return block.wheelbase, [wheel.centre for wheel in block.described().wheels]

    (base, moved), (expected, there) = centres(str(path)), centres("tractor")
    assert base == pytest.approx(expected)
    np.testing.assert_allclose(moved, there, atol=1e-12)
