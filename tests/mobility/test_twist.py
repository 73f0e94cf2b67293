"""The shaft torque loads one side of an axle with a pinion, and the body rolls."""

import dataclasses

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bodies import vehicle
from mobility import Driver, going, lumped
from mobility.kernels.data import Axle, Lumped
from mobility.kernels.stance import roll_moment, roll_of
from mobility.vehicles.twist import roll_axis, twisted
from mobility.vehicles.twist import roll_of as roll_of_axle

#: Strength [Pa], slope, gear; slip and speed [m/s] of the whole truck.
CASES = (
    (860e3, 0.49, 3, 0.35555, 2.0109),
    (640e3, 0.354, 3, 0.28147, 2.4813),
    (1.2e6, 0.48, 1, 0.14582, 1.4332),
    (2e6, 0.3, 3, 0.05462, 3.3117),
)


@pytest.fixture(scope="module")
def rear():
    """The truck's rear axle: an upper triangle in the middle, two lower rods that run forward."""
    return vehicle.read("truck").part(vehicle.RigidAxle, "rear")


def test_moments_and_roll_are_those_of_springs_in_a_chain():
    """Roll angles a of the axles and b of the body equal those of a linear system, with sums over axles.

    On each axle ``below a = T + k (b - a)``, on the body ``sum k (b - a) = over b - sum T``. T: moment
    of the shaft; k, below: roll stiffness of springs and tyres; over: moment of the weight per angle.
    """
    random = np.random.default_rng(3)
    for _ in range(30):
        n = int(random.integers(2, 5))
        k, below = random.uniform(0.0, 4e5, n), random.uniform(3e5, 2e6, n)
        torque, twist = random.normal(0.0, 2e4, n), random.uniform(0.05, 0.2, n)
        over = random.uniform(0.0, 0.2) * k.sum()
        A = np.zeros((n + 1, n + 1))
        A[:n, :n], A[:n, n] = np.diag(below + k), -k
        A[n, :n], A[n, n] = -k, k.sum() - over
        rolls = np.linalg.solve(A, [*(twist * torque), -(twist @ torque)])
        axles = Lumped.made({"axles": n}).axles
        axles.twist[:], axles.roll[:], axles.below[:] = twist, k, below
        found = [roll_moment(axles[j], torque[j]) for j in range(n)]
        own, both = np.array(found).T
        b = roll_of(own.sum(), both.sum(), both.sum() * over)
        assert -b == pytest.approx(rolls[n], rel=1e-9)
        assert own - both * b == pytest.approx(below * rolls[:n], rel=1e-9)


def test_a_rigid_mount_hands_over_nothing_of_its_own_and_a_pivot_all():
    axle = Axle(twist=0.1, below=5e5)
    assert roll_moment(axle, 8e3) == (800.0, 0.0)
    axle.roll = np.inf
    assert roll_moment(axle, 8e3) == (0.0, 5e5)


def test_a_rigid_axle_rolls_about_the_tip_of_its_upper_triangle(rear):
    """The axle's two lower rods, mirror images of each other, have no effect on its roll centre."""
    assert roll_axis(rear)[0] == pytest.approx(rear.links[0][0][2], abs=1e-9)


def test_upright_springs_without_load_resist_roll_by_the_square_of_their_distance(rear):
    rate, y = 2e5, 0.6
    plain = dataclasses.replace(
        rear,
        spring=((0.0, y, 0.6), (0.0, y, 0.26)),
        spring_table=((-0.3, -0.3 * rate), (0.3, 0.3 * rate)),
    )
    found = roll_of_axle(plain, 0.6, 0.0)
    assert found.stiffness == pytest.approx(2.0 * rate * y**2, rel=2e-3)
    bar = vehicle.read("truck").part(vehicle.AntiRollBar, "front bar")
    more = roll_of_axle(plain, 0.6, 0.0, [bar])
    assert more.stiffness - found.stiffness == pytest.approx(
        40e3 * (2 * 0.5 / 0.5) ** 2
    )  # the bar's arms are 0.5 m long


def test_rods_that_push_the_body_soften_its_roll(rear):
    """The rods' share of the roll stiffness is the sum of tension times the second derivative of the
    rod's length by the roll angle (virtual work); tensions by hand."""
    (on_u, body_u), (on_l, body_l) = (np.array(rod, float) for rod in rear.links)
    radius, tip = 0.629, np.array([on_u[0], 0.0, on_u[2]])

    def length(turn):
        turned = Rotation.from_rotvec([turn, 0.0, turn * roll_axis(rear)[1]])
        ends = [(on_u, body_u), (on_l, body_l)]
        return np.array([np.linalg.norm(tip + turned.apply(b - tip) - a) for a, b in ends])

    u, low = (body_u - on_u), (body_l - on_l)
    u, low = u / np.linalg.norm(u), low / np.linalg.norm(low)
    A = 2.0 * np.array([[u[0], low[0]], [on_u[2] * u[0], on_l[2] * low[0] - on_l[0] * low[2]]])
    tension = np.linalg.solve(A, [-1.0 / radius, 1.0])  # forward thrust, and reaction to the torque
    assert tension[1] < 0.0
    h = 1e-3
    bend = (length(h) - 2.0 * length(0.0) + length(-h)) / h**2
    found = roll_of_axle(rear, radius, 4e4).stiffening
    assert found == pytest.approx(2.0 * tension @ bend, rel=1e-4)  # 2: rods on both sides
    assert found < -0.5


def test_only_axles_that_carry_their_pinion_are_twisted():
    truck, tractor, car = lumped("truck"), lumped("tractor"), lumped("hmmwv_4x4")
    assert [a.twist for a in truck.axles] == pytest.approx([1.0 / 6.868] * 3)
    assert [a.twist for a in tractor.axles] == pytest.approx([1.0 / 14.41, 0.0])
    assert {a.twist for a in car.axles} == {0.0}
    read = vehicle.read("hmmwv_4x4")
    parts = [p for p in read.parts if isinstance(p, vehicle.DoubleWishbone)]
    assert twisted(car, read, parts) is car


def test_slip_of_the_truck_next_to_its_limit_is_that_of_the_whole_vehicle():
    """Steady slip and speed of the 50-body truck (``WholeVehicle.keep_moving``); its front wheels slip
    by 0.24 and 0.44 on the steepest slope."""
    car = lumped("truck")
    for strength, along, gear, slip, speed in CASES:
        one = dataclasses.replace(car, gears=(car.gears[gear - 1],))
        found = going(one, strength, along, driver=Driver(maximum=100.0, sight=1e4))
        assert found.slip == pytest.approx(slip, abs=2e-3)
        assert found.speed == pytest.approx(speed, rel=3e-3)
