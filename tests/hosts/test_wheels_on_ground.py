"""``WheelsOnGround`` computes wrenches from arrays of poses and twists, and refuses bad arrays."""

import re
import shutil
import subprocess
import tracemalloc

import numpy as np
import pytest

from contact import ConeIndexSoil, GroundContact, Tyre, WheelContact
from contact.hosts import HostError, WheelsOnGround, include
from contact.hosts.generic import GenericHost
from contact.hosts.header import header
from contact.hosts.kernels import layout as L
from contact.lateral import BrixiusLateral
from contact.terrain import Patch, Plane, Sine, SoilMap, Step, rough_ground

H = 1e-3
TYRE = Tyre(diameter=0.762, width=0.2, section_height=0.14, deflection_ratio=0.2)
LEFT = np.array([0.0, 1.0, 0.0])


def wheel(**changes):
    return WheelContact(TYRE, ConeIndexSoil(4e5), **changes)


def vehicle(count=4, seed=0):
    """A rigid body on wheels: mass matrix M (n, n), Jacobian J (6 count, n) of the wheels' twists,
    positions and axes of the wheels, velocities v (n,) and those after a step without contact."""
    random = np.random.default_rng(seed)
    n = 6 + count
    height = TYRE.radius - wheel().static_compression(2452.5)
    places = np.array([[1.4, 0.8, 0.0], [1.4, -0.8, 0.0], [-1.4, 0.8, 0.0], [-1.4, -0.8, 0.0]])[:count]
    M = np.diag([250.0 * count] * 3 + [300.0, 900.0, 1000.0] + [6.0] * count)
    J = np.zeros((6 * count, n))
    for i, (x, y, z) in enumerate(places):
        J[6 * i : 6 * i + 3, :3] = np.eye(3)
        J[6 * i : 6 * i + 3, 3:6] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]
        J[6 * i + 3 : 6 * i + 6, 3:6] = np.eye(3)
        J[6 * i + 4, 6 + i] = 1.0
    v = 0.1 * random.normal(size=n)
    v[0], v[6:] = 2.0, 2.1 / TYRE.radius
    v_free = v + H * np.r_[0.0, 0.0, -9.81, np.zeros(3), 40.0 * np.ones(count)]
    position = places + np.array([0.0, 0.0, height])
    return M, J, position, np.tile(LEFT, (count, 1)), v, v_free


def test_twists_and_mobility_give_what_the_channels_give():
    """A step from the wheels' twists and mobility equals one of ``GroundContact`` with J by hand."""
    M, J, position, axis, v, v_free = vehicle()
    wheels = [wheel(lateral=BrixiusLateral()) for _ in range(4)]
    ground = WheelsOnGround(wheels, law_tolerance=1e-10)
    G = J @ np.linalg.solve(M, J.T)
    twist, free = (J @ v).reshape(4, 6), (J @ v_free).reshape(4, 6)
    wrench = ground.solve(H, position, axis, twist, free, G).copy()
    down = np.array([0.0, 0.0, -TYRE.radius])
    rows = np.zeros((16, 24))
    for i in range(4):
        for k, (d, arm) in enumerate(
            [([0, 0, 1], down), ([1, 0, 0], down), ([0, 1, 0], down), ([1, 0, 0], 0.0 * down)]
        ):
            rows[4 * i + k, 6 * i : 6 * i + 3] = d
            rows[4 * i + k, 6 * i + 3 : 6 * i + 6] = np.cross(arm, d)
    channels = GroundContact(wheels, law_tolerance=1e-10)
    gap = position[:, 2] - TYRE.radius
    q = channels.solve(H, gap, rows @ G @ rows.T, rows @ J @ v, rows @ J @ v_free)
    assert wrench.ravel() == pytest.approx(rows.T @ q / H, rel=1e-7, abs=1e-6)
    assert ground.residual < 1e-12
    assert not ground.missed
    assert ground.frame[0] == pytest.approx(np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]]))
    assert ground.point == pytest.approx(position + down)


def test_generic_host_agrees_with_the_twists():
    M, J, position, axis, v, v_free = vehicle()
    ground, other = WheelsOnGround([wheel()] * 4), WheelsOnGround([wheel()] * 4)
    host = GenericHost(ground, v.size)
    change = host.solve(H, position, axis, J, M, v, v_free).copy()
    G = J @ np.linalg.solve(M, J.T)
    wrench = other.solve(H, position, axis, (J @ v).reshape(4, 6), (J @ v_free).reshape(4, 6), G)
    assert change == pytest.approx(np.linalg.solve(M, J.T @ wrench.ravel()) * H, abs=1e-12)
    assert host.impulse == pytest.approx(J.T @ wrench.ravel() * H, abs=1e-9)


def test_bilateral_rows_of_a_host_are_eliminated():
    """Wheels geared in pairs by rows E: the change dv of velocity solves the KKT system; E dv = 0."""
    M, J, position, axis, v, v_free = vehicle()
    E = np.zeros((2, v.size))
    E[0, 6], E[0, 7], E[1, 8], E[1, 9] = 1.0, -1.0, 1.0, -1.0
    host = GenericHost(WheelsOnGround([wheel()] * 4), v.size, constraints=2)
    change = host.solve(H, position, axis, J, M, v, v_free, E).copy()
    kkt = np.block([[M, -E.T], [E, np.zeros((2, 2))]])
    exact = np.linalg.solve(kkt, np.r_[host.impulse, 0.0, 0.0])[: v.size]
    assert change == pytest.approx(exact, abs=1e-10)
    assert E @ change == pytest.approx([0.0, 0.0], abs=1e-10)


def test_a_slope_turns_the_frame_and_the_load():
    grade = 0.3
    ground = WheelsOnGround([wheel()], Plane(grade_x=grade))
    normal = np.array([-grade, 0.0, 1.0]) / np.hypot(grade, 1.0)
    centre = normal * (TYRE.radius - 0.04)
    G = np.diag([1 / 250.0] * 3 + [0.1, 1 / 6.0, 0.1])
    zero = np.zeros((1, 6))
    ground.solve(H, [centre], [LEFT], zero, zero, G)
    assert ground.frame[0, 0] == pytest.approx(normal)
    assert ground.gap[0] == pytest.approx(-0.04)
    assert ground.wrench[0, :3] @ normal == pytest.approx(ground.load[0])
    assert 0.0 < ground.sinkage[0] < 0.04


@pytest.mark.parametrize(
    "ground",
    [Sine(0.1, 1.0), Sine(0.05, 0.4, 0.6), Step(0.3, 0.5, 0.01), rough_ground("G", 6.0, seed=1)],
)
def test_on_curved_ground_the_normal_force_runs_through_the_axle(ground):
    """Normal forces have no moment about the axles of four wheels, two tilted; wheel frames are
    orthonormal."""
    wheels = WheelsOnGround([wheel()] * 4, ground)
    x, y = np.array([0.05, 1.2, 2.4, 3.1]), np.array([0.3, -0.3, 0.5, 0.0])
    centre = np.stack([x, y, ground.height(x, y) + TYRE.radius - 0.06], axis=1)
    axis = np.array(
        [
            [np.sin(a) * np.cos(g), np.cos(a) * np.cos(g), np.sin(g)]
            for a, g in ((0.0, 0.0), (0.3, 0.0), (0.0, 0.1), (-0.4, -0.2))
        ]
    )
    G = np.kron(np.eye(4), np.diag([1 / 250.0] * 3 + [0.1, 1 / 6.0, 0.1]))
    zero = np.zeros((4, 6))
    wheels.solve(H, centre, axis, zero, zero, G)
    for i in range(4):
        normal, forward, _ = wheels.frame[i]
        assert wheels.frame[i] @ wheels.frame[i].T == pytest.approx(np.eye(3), abs=1e-12)
        assert abs(np.cross(wheels.point[i] - centre[i], normal) @ axis[i]) < 1e-12
        assert forward @ axis[i] == pytest.approx(0.0, abs=1e-12)
        assert np.linalg.norm(wheels.point[i] - centre[i]) == pytest.approx(TYRE.radius)
        assert np.linalg.norm(wheels.map[4 * i, :3]) * (wheels.map[4 * i, 3:] @ axis[i]) < 1e-12
        assert wheels.wrench[i, :3] @ normal == pytest.approx(wheels.load[i])


def test_a_soil_map_puts_each_wheel_on_its_own_soil():
    soft = SoilMap(ConeIndexSoil(4e5), [Patch(ConeIndexSoil(1.5e5), x=(0.0, 10.0))])
    M, J, position, axis, v, v_free = vehicle()
    host = GenericHost(WheelsOnGround([wheel()] * 4, Plane(soil_map=soft)), v.size)
    patch = WheelContact(TYRE, ConeIndexSoil(1.5e5))
    named = GenericHost(WheelsOnGround([patch, patch, wheel(), wheel()]), v.size)
    found = host.solve(H, position, axis, J, M, v, v_free)
    assert found == pytest.approx(named.solve(H, position, axis, J, M, v, v_free), abs=1e-10)
    assert abs(host.ground.wrench[0, 0] - host.ground.wrench[2, 0]) > 10.0


def test_a_restored_state_is_the_same_future():
    M, J, position, axis, v, v_free = vehicle()
    host = GenericHost(WheelsOnGround([wheel()] * 4), v.size)
    for _ in range(3):
        host.solve(H, position, axis, J, M, v, v_free)
    state = host.ground.state()
    first = host.solve(H, position, axis, J, M, v, v_free).copy()
    host.ground.restore(state)
    assert host.solve(H, position, axis, J, M, v, v_free).tobytes() == first.tobytes()


def test_no_allocation_when_warm():
    M, J, position, axis, v, v_free = vehicle()
    ground = WheelsOnGround([wheel()] * 4)
    GenericHost(ground, v.size).solve(H, position, axis, J, M, v, v_free)
    ground.call(H, L.CHECK | L.SOLVE | L.REPORT)
    peaks = []
    for _ in range(5):  # the least counts: other threads of the test run may allocate meanwhile
        tracemalloc.start()
        for _ in range(10):
            ground.call(H, L.CHECK | L.SOLVE | L.REPORT)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert min(peaks) < 1000  # [bytes] objects of Python; an array would be larger


@pytest.mark.parametrize(
    ("name", "place", "value", "sentence"),
    [
        ("M", ..., np.eye(9), r"M has shape \(9, 9\), needs \(10, 10\)"),
        ("v_free", 3, np.nan, r"v_free\[3\] = nan is not finite"),
        ("position", (2, 0), np.nan, r"wheel 2 got a number that is not finite: position\[2\]"),
        ("position", (1, 2), -2.7, r"lowest point of wheel 1 is 3\.\d+ m below the terrain"),
        ("M", (6, 6), 0.0, "M is not positive definite: nothing resists freedom 6"),
        ("M", ([0, 1], [1, 0]), 2e3, "M is not positive definite"),
        ("axis", 0, [0.0, 0.0, 1.0], r"axis\[0\] = \[0\.0, 0\.0, 1\.0\] must be a unit vector"),
    ],
)
def test_bad_input_is_one_sentence_and_changes_nothing(name, place, value, sentence):
    M, J, position, axis, v, v_free = vehicle()
    host = GenericHost(WheelsOnGround([wheel()] * 4), v.size)
    host.solve(H, position, axis, J, M, v, v_free)
    kept, wrench = host.ground.state(), host.ground.wrench.copy()
    own = [array.copy() for array in (host.M, host.J, host.v, host.v_free, host.ground.position)]
    given = {"position": position, "axis": axis, "J": J, "M": M, "v": v, "v_free": v_free}
    if place is ...:
        given[name] = value
    else:
        given[name] = given[name].copy()
        given[name][place] = value
    before = {name: array.copy() for name, array in given.items()}
    with pytest.raises(HostError, match=sentence) as caught:
        host.solve(H, **given)
    assert "\n" not in str(caught.value)
    for name, array in given.items():  # unchanged: the host's arrays
        assert array.tobytes() == before[name].tobytes()
    for name, array in host.ground.state().items():  # unchanged: the state for the next step
        assert array.tobytes() == kept[name].tobytes()
    assert host.ground.wrench.tobytes() == wrench.tobytes()
    inputs = host.M, host.J, host.v, host.v_free, host.ground.position  # unchanged: the last solve's
    assert [array.tobytes() for array in inputs] == [array.tobytes() for array in own]


def test_the_numbers_of_the_header_for_c_lead_to_the_arrays():
    text = (include() / "wheelground.h").read_text()
    numbers = {name: int(value) for name, value in re.findall(r"WG_(\w+) = (\d+)", text)}
    assert numbers.keys() >= {"POSITION", "MOBILITY", "WRENCH", "ALL", "TOO_DEEP"}
    ground = WheelsOnGround([wheel()] * 2)
    arrays = ("step", "position", "axis", "twist", "free_twist", "mobility", "wrench", "point", "frame",
              "map", "gap", "B", "u", "u_free")  # fmt: skip
    for k, name in enumerate(arrays):
        first = ground.ints[numbers["TABLE"] + 2 * numbers[name.upper()]]
        ground.floats[first] = k + 0.5
        assert getattr(ground, name).flat[0] == k + 0.5, name
    # place of the second wheel's state
    state = ground.ints[numbers["TABLE"] + 2 * numbers["STATE"]] + numbers["STATES"]
    for k, name in enumerate(("slip", "load", "sinkage", "sliding", "speed")):
        ground.floats[state + numbers[name.upper()]] = k + 0.25
        assert getattr(ground, name)[1] == k + 0.25, name
    assert ground.ints[numbers["WHEELS"]] == 2
    codes = [name for name in numbers if hasattr(L, name)]
    assert all(numbers[name] == getattr(L, name) for name in codes)


def test_the_header_for_c_is_the_one_that_the_declarations_write():
    assert (include() / "wheelground.h").read_text() == header(), "run python -m contact.hosts.header"


@pytest.mark.parametrize("compiler", ["cc", "c++"])
def test_the_header_is_clean_c_and_c_plus_plus(compiler, tmp_path):
    if shutil.which(compiler) is None:
        pytest.skip(f"needs a compiler: {compiler}")
    source = tmp_path / ("use.c" if compiler == "cc" else "use.cpp")
    source.write_text(
        '#include "wheelground.h"\n'
        "int64_t use(wg_step s, double *F, int64_t *N) {\n"
        "    wg_array(F, N, WG_STEP)[0] = 1e-3;\n"
        "    return s(F, N, WG_ALL) == WG_DONE ? 0 : N[WG_CULPRIT];\n}\n"
    )
    command = [compiler, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
    found = subprocess.run([*command, f"-I{include()}", source], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr


def test_c_is_refused_a_ground_that_only_python_can_solve():
    soft = SoilMap(ConeIndexSoil(4e5), [Patch(ConeIndexSoil(1.5e5), x=(0.0, 10.0))])
    place = [[0.0, 0.0, TYRE.radius - 0.02]]
    G = np.diag([1 / 250.0] * 3 + [0.1, 1 / 6.0, 0.1])
    for ground in (
        WheelsOnGround([wheel()], Plane(soil_map=soft)),
        WheelsOnGround([wheel()], solver="osqp"),
    ):
        ground.solve(H, place, [LEFT], np.zeros((1, 6)), np.zeros((1, 6)), G)  # from Python it works
        assert ground.load[0] > 0.0
        wrench = ground.wrench.copy()
        with pytest.raises(HostError, match="solved from Python only"):
            ground.run(L.ALL)  # the call that a C program makes
        assert ground.wrench.tobytes() == wrench.tobytes()
