"""Three-point linkage: forces of its links against independent statics and the instantaneous centre."""

import dataclasses

import numpy as np
import pytest

import bodies as B
from bodies import vehicle

ROOT, BALL = np.array([-0.2, 0.35, 0.50]), np.array([-1.05, 0.43, 0.45])
TOP, MAST = np.array([-0.25, 0.0, 0.95]), np.array([-0.98, 0.0, 1.06])
HINGE, ARM, FOOT = (
    np.array([-0.15, 0.0, 1.15]),
    np.array([-0.50, 0.35, 1.18]),
    np.array([-0.62, 0.42, 0.47]),
)
STAY = np.array([-0.25, -0.35, 0.45]), np.array([-1.00, 0.43, 0.45])
PIECE = {
    "lower_link_body": vehicle.Piece(mass=12.0, inertia=(0.9, 0.9, 0.02)),
    "lift_arms": vehicle.Piece(mass=20.0, inertia=(1.0, 0.3, 1.0)),
    "implement": vehicle.Piece(mass=400.0, inertia=(90.0, 60.0, 120.0), centre=(-1.7, 0.0, 0.6)),
}
MIRROR, UP = np.array([1.0, -1.0, 1.0]), np.array([0.0, 0.0, 1.0])


def linkage(**changes):
    given = {"lower_link": (ROOT, BALL), "upper_link": (TOP, MAST), "lift_arm": HINGE}
    given |= {"lift_rod": (ARM, FOOT), "stabiliser": STAY} | changes
    points = {k: tuple(map(tuple, v)) if np.ndim(v) > 1 else tuple(v) for k, v in given.items()}
    return vehicle.ThreePointLinkage(name="linkage", **points, **PIECE)


def statics(force, point):
    """Forces of all links from the equilibrium of implement and both lower links: 18 linear equations.

    Unknown: forces of both balls (3 + 3) on the links; of upper link, stabiliser (on the implement) and
    lift rods (on the links); of both roots (3 + 3); moments of the roots' crossed pins (1 + 1).
    """
    A, b = np.zeros((18, 18)), np.zeros(18)

    def add(body, column, at, direction):
        A[6 * body : 6 * body + 3, column] += direction
        A[6 * body + 3 : 6 * body + 6, column] += np.cross(at, direction)

    def along(start, end):
        return (end - start) / np.linalg.norm(end - start)

    for k, side in enumerate((np.ones(3), MIRROR)):
        for axis in range(3):
            unit = np.eye(3)[axis]
            add(0, 3 * k + axis, BALL * side, -unit)  # the link's force on the implement
            add(1 + k, 3 * k + axis, BALL * side, unit)
            add(1 + k, 10 + 3 * k + axis, ROOT * side, unit)
        add(1 + k, 8 + k, FOOT * side, along(ARM * side, FOOT * side))
        # the root's two crossed pins carry a moment along the common normal of their axes
        pins = np.cross((0, 1.0, 0), np.cross((BALL - ROOT) * side, (0, 1.0, 0)))
        A[6 * (1 + k) + 3 : 6 * (2 + k), 16 + k] = pins
    add(0, 6, MAST, along(TOP, MAST))
    add(0, 7, STAY[1], along(*STAY))
    b[:3], b[3:6] = -np.asarray(force), -np.cross(point, force)
    x = np.linalg.solve(A, b)
    return {
        "left": x[:3],
        "right": x[3:6],
        "upper": -x[6] * along(TOP, MAST),
        "stabiliser": -x[7],
        "rods": -x[8:10],
    }


@pytest.mark.parametrize(
    ("force", "point"),
    [
        ((-8000.0, 0.0, -3000.0), (-1.6, 0.0, -0.1)),
        ((-8000.0, 900.0, -3000.0), (-1.6, 0.2, -0.1)),
        ((0.0, 0.0, 4000.0), (-1.4, -0.3, 0.4)),
    ],
)
def test_every_force_of_the_bench_is_that_of_statics(force, point):
    found, expected = vehicle.linkage_bench(linkage(), force, point), statics(force, point)
    size = 3e-6 * np.linalg.norm(force)  # tolerance: the joints' compliance [N]
    for name in ("left", "right", "upper", "stabiliser"):
        np.testing.assert_allclose(getattr(found, name), expected[name], atol=size)
    np.testing.assert_allclose([found.left_rod, found.right_rod], expected["rods"], atol=size)
    levers = [
        np.cross(ARM * side - HINGE, pull * (FOOT - ARM) * side / np.linalg.norm(FOOT - ARM))[1]
        for side, pull in zip((1.0, MIRROR), expected["rods"], strict=True)
    ]
    assert found.lift_moment == pytest.approx(-sum(levers), abs=size)


def test_a_pull_through_the_instantaneous_centre_needs_no_lift_and_one_above_it_lifts():
    """In side view, lower and upper links meet at the centre: a pull through it needs no lift rod."""
    (x1, _, z1), (x2, _, z2), (x3, _, z3), (x4, _, z4) = ROOT, BALL, TOP, MAST
    lines = np.array([[x2 - x1, x3 - x4], [z2 - z1, z3 - z4]])
    s, _ = np.linalg.solve(lines, [x3 - x1, z3 - z1])
    centre = np.array([x1 + s * (x2 - x1), 0.0, z1 + s * (z2 - z1)])
    assert centre[0] > 0.0  # the centre is ahead of the balls
    at = np.array([-1.6, 0.0, -0.1])
    through = at - centre
    pull = 9000.0 * through / np.linalg.norm(through)
    free = vehicle.linkage_bench(linkage(stabiliser=()), pull, at)
    assert abs(free.left_rod + free.right_rod) < 1e-5 * 9000.0
    below = vehicle.linkage_bench(linkage(stabiliser=()), pull, at - 0.1 * UP)
    above = vehicle.linkage_bench(linkage(stabiliser=()), pull, at + 0.1 * UP)
    assert below.left_rod == pytest.approx(-above.left_rod, rel=0.2)
    assert above.left_rod > 100.0 > -100.0 > below.left_rod


def test_draft_vertical_and_side_of_the_links_are_the_pull_and_the_weight():
    force = np.array([-6000.0, 500.0, -1000.0])
    found = vehicle.linkage_bench(linkage(), force, (-1.6, 0.1, 0.0), gravity=(0.0, 0.0, -9.81))
    stay = found.stabiliser * (STAY[1] - STAY[0]) / np.linalg.norm(STAY[1] - STAY[0])
    assert found.draft - stay[0] == pytest.approx(6000.0, rel=1e-6)
    assert found.vertical - stay[2] == pytest.approx(1000.0 + 400.0 * 9.81, rel=1e-6)
    assert found.side + stay[1] == pytest.approx(500.0, rel=1e-5)


def rig(linkage):
    """The linkage on a clamped frame, its lift an input."""
    to = vehicle.Assembly("bench", {"lift": "lift"}, lambda _: {}, (0.0, 0.0, 0.0))
    to.body("frame", vehicle.Piece(mass=1e3, inertia=(1e3, 1e3, 1e3)), (0.0, 0.0, 0.0))
    to.add(B.Fixed(name="bench", body_a="ground", body_b="frame"))
    linkage.build(to)
    still = B.Gravity((0, 0, 0))
    return B.Mechanism("rig", tuple(to.bodies), tuple(to.elements), gravity=still, inputs={"lift": 0.0})


def test_with_a_stabiliser_nothing_is_free_without_one_it_sways():
    for stay, free in ((STAY, 0), ((), 1)):
        m = B.mobility(B.compile(rig(linkage(stabiliser=stay))))
        assert (m.freedoms, m.counted, m.redundant) == (free, free, 0)


def test_lifted_the_implement_rises_by_the_ratio_of_the_levers_and_its_work_is_the_lifts():
    """Virtual work: the bench's lift moment times a small angle is the weight times the rise."""
    weight = (0.0, 0.0, -4000.0)
    at = (-1.7, 0.0, 0.6)
    model, heights = B.compile(rig(linkage())), []
    for angle in (-1e-3, 1e-3):
        sim = B.Simulation(model, 1e-3)
        sim.set_input("lift", angle)
        sim.run(5)
        heights.append(sim.position("linkage implement")[2])
    assert heights[1] > heights[0]
    moment = vehicle.linkage_bench(linkage(), weight, at).lift_moment
    assert moment == pytest.approx(4000.0 * (heights[1] - heights[0]) / 2e-3, rel=1e-4)


def test_wrong_linkages_are_refused():
    with pytest.raises(
        B.MechanismError, match="upper_link must lie in the middle plane, y = 0, got 0.1"
    ):
        linkage(upper_link=(TOP, MAST + np.array([0.0, 0.1, 0.0])))
    bare = dataclasses.replace(PIECE["implement"], centre=None)
    with pytest.raises(B.MechanismError, match="implement needs a centre"):
        dataclasses.replace(linkage(), implement=bare)
    with pytest.raises(B.UnknownName, match="linkage"):
        vehicle.linkage_forces(B.Simulation(B.compile(vehicle.load("skid_steer")), 1e-3))
