"""Combined slip by the direction of sliding: the force opposes the velocity of the contact point."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

from contact import (
    LAWS,
    REGULARISATIONS,
    BekkerSoil,
    ConeIndexSoil,
    Crolla,
    GroundContact,
    LuGre,
    Tyre,
    UserLaw,
    WheelContact,
)
from contact.kernels.wheel import layout as at

from .free_wheel import FreeWheel, lead

pytestmark = pytest.mark.filterwarnings("ignore::contact.OutsideValidity")
TYRE, R, H = Tyre(0.762, 0.2, 0.14, deflection_ratio=0.1), 0.381, 1e-3
SCHEMES = [*sorted(REGULARISATIONS), "lugre"]
FRICTION, GAMMA = 0.6, 0.02


def coulomb(s):
    """Thrust over load: the same function of slip as the lateral law ``SIDE`` of slip angle."""
    return np.sign(s) * FRICTION * -np.expm1(-np.arctan(np.abs(s)) / GAMMA)


ISOTROPIC = UserLaw(lambda s, f: (coulomb(s) + 0.0 * f, 0.0 * (s + f)), tolerance=1e-6)
SIDE = Crolla(GAMMA, FRICTION)


def wheel(law="brixius", scheme="implicit", lateral=None, **changes):
    soil = BekkerSoil.sandy_loam() if law == "wong-reece" else ConeIndexSoil(4e5)
    return WheelContact(
        TYRE, soil, law=law, lateral=lateral or Crolla(0.09, 1.0), combined="sliding",
        regularisation="implicit" if scheme == "lugre" else scheme,
        lugre=LuGre() if scheme == "lugre" else None, **changes,
    )  # fmt: skip


def forces(described, v_x, v_y, rim, steps=1):
    """Force ``(F_x, F_y)`` of a sliding wheel divided by its load, at constant velocities."""
    ground = GroundContact([described])
    for _ in range(steps):
        lead(ground, H, -0.02, (v_x, v_y, 0.0, rim / R))
        assert ground.report["missed"] == 0.0
    z = ground.row_arrays.z
    thrust, side = z[at.ROW_TRACTION] + z[at.ROW_STICK], ground.impulses[at.LATERAL]
    return np.array([thrust, side]) / z[at.ROW_NORMAL]


def load_of(described):
    """Load of a wheel with a compression of 2 cm [N]."""
    return float(lead(GroundContact([described]), H, -0.02, np.zeros(4))[at.NORMAL])


SKIDS = [(0, 0.0015, 1), (0, 0.7, 1), (1, 0.5, 0), (-1, 0.2, 0), (-0.5, 0.3, 2), (0.5, 3, -2)]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("law", sorted(LAWS))
def test_at_full_slip_the_force_opposes_the_sliding(law, scheme):
    """Spinning, locked and backward-turning wheels: the force has the direction opposite to the sliding
    velocity within 1e-6 rad."""
    for v_x, v_y, rim in SKIDS[:: 1 if scheme == "implicit" else 5]:
        found = forces(wheel(law, scheme), v_x, v_y, rim, 2000 if scheme == "lugre" else 1)
        against = -np.array([v_x - rim, v_y]) / np.hypot(v_x - rim, v_y)
        assert found[0] * against[1] - found[1] * against[0] == pytest.approx(
            0.0, abs=1e-6 * np.hypot(*found)
        )
        assert found @ against > 0.0


@pytest.mark.parametrize("v_x", [2.0, -2.0])
def test_one_slip_alone_is_its_own_law(v_x):
    for law in ("brixius", "dry", "sand", "wong-reece"):
        described = wheel(law)
        for slip in (-0.4, 0.03, 0.5):
            rim = v_x / (1.0 - slip) if slip > 0.0 else v_x * (1.0 + slip)
            demand = WheelContact(TYRE, described.soil, law=law, lateral=described.lateral)
            assert forces(described, v_x, 0.0, rim) == pytest.approx(
                forces(demand, v_x, 0.0, rim), rel=1e-9
            )
        held = described.thrust_ratio(1e-12, 4e3) + 1e-9  # thrust ratio at zero slip (Brixius)
        for v_y in (0.02, -0.5, 7.0):
            wanted = -Crolla(0.09, 1.0).lateral_ratio(np.arctan2(v_y, 2.0))
            thrust, side = forces(described, v_x, v_y, v_x)
            assert side == pytest.approx(wanted, abs=1e-9)
            assert abs(thrust) <= max(1e-9, (1.0 - min(1.0, abs(v_y) / 2.0)) * held)


def test_a_rolling_wheel_that_creeps_sideways_keeps_its_thrust_at_zero_slip():
    """Brixius' thrust ratio of 0.04 at zero slip acts along the heading, also with lateral creep."""
    straight, creeping = (forces(wheel(), 2.0, v_y, 1.9996) for v_y in (0.0, 4e-4))
    assert abs(straight[0]) > 0.04
    assert creeping[0] == pytest.approx(straight[0], rel=2e-3)


@pytest.mark.parametrize("s", [0.003, 0.03, 0.3, 0.9])
def test_equal_laws_are_isotropic(s):
    """With one law along and across, the force ``F_0(s)`` of the total slip s opposes the sliding."""
    v_x = 2.0
    for angle in np.linspace(0.0, np.pi, 7):  # braked: the centre is faster than the rim
        v_t, v_y = s * v_x * np.sin(angle), s * v_x * np.cos(angle)
        found = forces(wheel(ISOTROPIC, lateral=SIDE), v_x, v_y, v_x - v_t)
        wanted = -coulomb(s) * np.array([np.sin(angle), np.cos(angle)])
        assert found == pytest.approx(wanted, abs=2e-6)


def test_small_slips_add_up_and_large_ones_lie_on_the_ellipse():
    law, side, v_x = LAWS["dry"], Crolla(0.15, 0.7), 2.0
    for s, angle in ((1e-4, 0.6), (0.05, 0.6), (0.4, 1.1), (0.9, 0.3)):
        s_x, s_y = s * np.sin(angle), s * np.cos(angle)
        found = forces(wheel("dry", lateral=side), v_x, v_x * s_y, v_x * (1.0 - s_x))
        axes = np.array([law.thrust_ratio(-s, 4e3, TYRE, None), -side.lateral_ratio(np.arctan(s))])
        assert np.hypot(*(found / axes)) == pytest.approx(1.0, abs=1e-6)
        if s < 1e-3:
            assert found == pytest.approx(axes * [np.sin(angle), np.cos(angle)], rel=1e-3)


@pytest.mark.parametrize("scheme", ["implicit", "set-valued"])
def test_a_locked_wheel_slides_straight_and_stops_where_coulomb_says(scheme):
    described, h = wheel(ISOTROPIC, scheme, SIDE), 1e-3
    ground, mass = GroundContact([described]), load_of(described) / 9.81
    locked, v, place = FreeWheel(R, mass, 1e9 * mass), np.array([1.2, 0.9, 0.0, 0.0]), np.zeros(2)
    for _ in range(600):
        _, v = locked.step(ground, h, -0.02, v)
        v[2] = 0.0
        place += h * v[:2]
        assert abs(0.9 * v[0] - 1.2 * v[1]) < 1e-6
    assert np.abs(v).max() < 1e-9
    assert place == pytest.approx(np.array([1.2, 0.9]) * 1.5 / (2.0 * FRICTION * 9.81), rel=4e-3)


def test_from_rest_it_gives_way_along_the_pull():
    """A locked wheel with different capacities along and across starts to slide along the pull."""
    described = wheel("dry", lateral=Crolla(0.09, 0.3))
    weight = load_of(described)
    locked = FreeWheel(R, weight / 9.81, 1e9 * weight)
    for pull, moves in ((0.4, False), (0.48, True), (1.5, True)):
        ground, v = GroundContact([described]), np.zeros(4)
        for now in (0.0, pull, pull):  # the first step, at rest, determines the load
            _, v = locked.step(ground, H, -0.02, v, now * weight * np.array([0.8, 0.6, 0.0, 0.0]))
            assert ground.report["missed"] == 0.0
            v[2] = 0.0
        assert (np.hypot(*v[:2]) > 1e-5) == moves
        assert 0.8 * v[1] - 0.6 * v[0] == pytest.approx(0.0, abs=2e-6 * H * 9.81)


X, Y = np.array([0.3, -0.25, 0.3, -0.25]), np.array([0.2, 0.2, -0.2, -0.2])
RIMS, GAPS = np.array([-0.05, -0.05, 0.07, 0.07]), [-0.03, -0.02, -0.022, -0.02]


def turned(described, rims=RIMS):
    """Final twist ``(v_x, v_y, yaw rate)`` of a skid-steer robot on four wheels, and their loads [N]."""
    ground = GroundContact([described] * 4)
    # velocities: twist of the body, then v_z and rim speed of each wheel
    inverse = np.array([1 / 15.0, 1 / 15.0, 1 / 0.8, *[1e-9] * 8])
    rows = np.zeros((16, 11))
    for i in range(4):
        n, s, side, centre = 4 * i + np.arange(4)
        rows[n, 3 + i], rows[s, 7 + i] = 1.0, -1.0
        rows[[s, centre], 0], rows[[s, centre], 2] = 1.0, -Y[i]
        rows[side, 1], rows[side, 2] = 1.0, X[i]
    v, h = np.array([0.0, 0.0, 0.0, *[0.0] * 4, *rims]), 2e-3
    for _ in range(300):
        q = ground.solve(h, GAPS, rows * inverse @ rows.T, rows @ v, rows @ v)
        assert ground.report["missed"] == 0.0
        v = v + inverse * (rows.T @ q)
    return v[:3], ground.forces(h)["load"]


def least_work(load, rims, start):
    """Quasi-static twist that minimises the power of friction, by SciPy's minimiser."""

    def power(twist):
        along, across = twist[0] - twist[2] * Y - rims, twist[1] + twist[2] * X
        return float(load @ np.hypot(along, across)) / load.sum()

    return minimize(power, start, method="Nelder-Mead", options=dict(xatol=1e-9, fatol=1e-13)).x


def test_a_skid_steer_pivots_as_its_sliding_contact_points_say():
    """With opposite rim speeds of the sides the twist is that of least friction power within 1e-4."""
    described = wheel(ISOTROPIC, lateral=SIDE)
    twist, load = turned(described)
    least = least_work(load, RIMS, 0.5 * twist)
    assert twist == pytest.approx(least, rel=1e-4, abs=1e-6)
    assert 0.1 < least[2] < 0.9 * 0.12 / 0.4  # below the yaw rate without sliding, 0.12 m/s over 0.4 m
    by_demand, _ = turned(replace(described, combined="demand"))
    assert by_demand[2] < 0.1 * least[2]  # combined="demand" almost prevents the turn


@pytest.mark.parametrize("ratio", [-0.5, 0.2, 0.5])
def test_a_skid_steer_turns_about_the_centres_that_its_sides_slide_about(ratio):
    """Centres of rotation of the body and of each side's wheels (Martinez et al. 2005) in a slow turn.

    Relative to the rims of a side, of speed V, the body turns about ``y = (v_x - V) / yaw``, outside the
    wheels' track, since they slide. A turn at twice the speed has the same centres.
    """
    described, rims = wheel(ISOTROPIC, lateral=SIDE), 0.1 * np.array([ratio, ratio, 1.0, 1.0])
    centres = []
    for faster in (1.0, 2.0):
        twist, load = turned(described, faster * rims)
        assert twist == pytest.approx(least_work(load, faster * rims, 0.9 * twist), rel=1e-3, abs=2e-6)
        v_x, v_y, yaw = twist
        centres.append([-v_y / yaw, v_x / yaw, *((v_x - faster * rims[[0, 2]]) / yaw)])
    x, radius, left, right = centres[0]
    assert X.min() < x < X.max()
    assert left > Y[0]
    assert right < Y[2]
    assert centres[1] == pytest.approx(centres[0], rel=1e-3, abs=1e-3)
    # Wong's turning radius from the slips i = 1 - v_x / V of the inner and the outer side
    inner, outer = 1.0 - (v_x - yaw * Y[[0, 2]]) / (2.0 * rims[[0, 2]])
    ways = (1.0 - outer), ratio * (1.0 - inner)
    assert radius == pytest.approx(0.2 * (ways[0] + ways[1]) / (ways[0] - ways[1]), rel=1e-3)
    assert outer > 0.0 > inner * np.sign(ratio)
