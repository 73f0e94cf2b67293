"""Ground that varies in space: a law for each patch, cone indices on a grid, under crossing wheels."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bodies as B
from bodies import vehicle
from bodies.files import mechanism_from_toml, mechanism_to_toml
from contact import (
    LAWS,
    SOILS,
    BrixiusLateral,
    ConeIndexSinkage,
    ConeIndexSoil,
    Crolla,
    GroundContact,
    OutsideValidity,
    PneumaticTrail,
    Tyre,
    UserLaw,
    WheelContact,
)
from contact import terrain as T
from contact.kernels.ground import ground as kernels
from contact.kernels.wheel.data import Patch as PatchRecord
from contact.kernels.wheel.normal import compression_force
from contact.normal import series_table
from tests.refusals import refusals

from .test_ground import tandem

pytestmark = pytest.mark.filterwarnings(
    f"ignore::{OutsideValidity.__module__}.{OutsideValidity.__name__}"
)
R = 0.381
TYRE = Tyre(2 * R, 0.2, 0.14)
MUD, ROAD = ConeIndexSoil(3e5), {"law": "dry", "sinkage": "none"}
WHEEL = WheelContact(TYRE, MUD, sinkage="maclaurin", lateral=Crolla())
SAND = SOILS["dry sand"].bekker


def off_its_law(record, k, law, soil):
    """Difference of a wheel's thrust at record k from that by a ground law, relative to the load."""
    load, slip = record.load[k], record.slip[k]
    return abs(record.traction[k] - load * law.thrust_ratio(slip, load, TYRE, soil)) / load


BORDERS = {
    "road to mud": ([T.Patch(x=(-99.0, 3.0), **ROAD)], LAWS["dry"], LAWS["brixius"], MUD),
    "mud to road": ([T.Patch(x=(3.0, 99.0), **ROAD)], LAWS["brixius"], LAWS["dry"], MUD),
    "road to sand": (
        [
            T.Patch(x=(-99.0, 3.0), **ROAD),
            T.Patch(SAND, x=(3.0, 99.0), base=SAND, law="wong-reece", sinkage="bekker"),
        ],
        LAWS["dry"],
        LAWS["wong-reece"],
        SAND,
    ),
}


@pytest.mark.parametrize("name", BORDERS)
def test_from_one_law_to_another(name):
    """Height, load and thrust are continuous; a wheel diameter beyond the border the local law holds."""
    patches, before, after, soil = BORDERS[name]
    ground = T.Plane(soil_map=T.SoilMap(MUD, patches, blend=0.3))
    jumps = []
    for step in (8e-4, 4e-4):
        described = tandem(ground, wheel=WHEEL, torque=150.0, speed=2.0)
        run = B.simulate(B.compile(described), 2.6, step)
        x, record = run.position("wheel0"), run.wheel("tyre0")
        assert run.missed == 0
        assert x[-1, 0] > 3.0 + 4 * R
        near = (x[:, 0] > 2.6) & (x[:, 0] < 3.4)
        jumps.append([np.abs(np.diff(f[near])).max() for f in (x[:, 2], record.load, record.traction)])
    jumps = np.array(jumps)
    assert (jumps[1] < 0.65 * jumps[0]).all()  # half the step halves the change
    for law, at in ((before, 3.0 - 2 * R), (after, 3.0 + 2 * R)):
        k = int(np.argmin(np.abs(x[:, 0] - at)))
        assert (
            off_its_law(record, k, law, soil if law is after or law is LAWS["brixius"] else MUD) < 1e-6
        )
        assert (record.sinkage[k] < 1e-3) == (law is LAWS["dry"])


@pytest.mark.parametrize("to_road", [True, False])
def test_a_whole_vehicle_crosses_at_an_angle(to_road):
    """Between mud and road, one wheel after another: half the step halves the largest change of height
    and load.

    Beyond a wheel's diameter from the border every thrust is that of the local law; a wheel without slip
    may have any thrust within the jump of Brixius' law at zero slip, 0.04 of its load.
    """
    angle, border = math.radians(50.0), 7.0
    along, across = (math.sin(angle), math.cos(angle)), np.array([math.cos(angle), -math.sin(angle)])
    reach = 200.0 if to_road else -200.0
    ends = [(border + k * along[0], k * along[1]) for k in (-60.0, 60.0)]
    outline = (ends[0], (reach, ends[0][1]), (reach, ends[1][1]), ends[1])
    ground = T.Plane(soil_map=T.SoilMap(MUD, [T.Patch(outline=outline, **ROAD)], blend=0.3))
    go = {
        "gear": 2,
        "throttle": B.Schedule(((0.0, 0.0), (0.3, 0.6))),
        "clutch": B.Schedule(((0.0, 0.0), (0.2, 0.0), (1.0, 1.0))),
    }
    car = vehicle.read("hmmwv_4x4").on(soil=MUD, law="brixius", combined="demand")
    model = B.compile(car.mechanism(go, ground=ground))
    rest, jumps = B.equilibrium(model), []
    laws = (LAWS["brixius"], LAWS["dry"]) if to_road else (LAWS["dry"], LAWS["brixius"])
    for step in (4e-3, 2e-3):
        run, jump = B.simulate(model, 6.0, step, state=rest), np.zeros(2)
        assert run.missed == 0
        for wheel in model.mechanism.wheels:
            record, tyre = run.wheel(wheel.name), wheel.soil.tyre
            beyond = (record.contact_point[:, :2] - (border, 0.0)) @ across
            near = np.abs(beyond) < 0.6
            heights = run.position(wheel.body)[near, 2]
            jump = np.maximum(jump, [np.abs(np.diff(f)).max() for f in (heights, record.load[near])])
            clear = (np.abs(beyond) > 2 * wheel.radius) & (run.time > 1.0)
            assert beyond[clear].min() < 0.0 < beyond[clear].max()
            for k in np.flatnonzero(clear)[::15]:
                slip, load = record.slip[k], record.load[k]
                own = float(laws[int(beyond[k] > 0.0)].thrust_ratio(slip, load, tyre, MUD))
                off = abs(record.traction[k] / load - own)
                assert off < (1e-6 if slip != 0.0 else 0.0401)
        jumps.append(jump)
    assert (jumps[1] < 0.6 * jumps[0]).all()
    assert jumps[1][0] < 2e-3


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=3, max_size=7, unique=True),
    st.floats(-4, 4),
    st.floats(-4, 4),
)
def test_the_kernels_polygon_is_that_of_the_description(corners, x, y):
    """The kernel's signed distance to a polygon is ``Patch.inside``, its size the border's distance."""
    from itertools import pairwise

    if any(math.dist(a, b) < 1e-6 for a, b in pairwise([*corners, corners[0]])):
        return
    patch = T.Patch(outline=tuple(corners))
    flat = np.array(patch.outline).ravel()
    found = kernels.inside_polygon.py_func(flat, 0, len(corners), x, y)
    assert found == pytest.approx(float(patch.inside(x, y)), abs=1e-12)
    border = np.concatenate(
        [np.linspace(a, b, 2000) for a, b in pairwise([*patch.outline, patch.outline[0]])]
    )
    assert abs(found) == pytest.approx(np.hypot(*(border - (x, y)).T).min(), abs=5e-3)
    record = PatchRecord(first=0, corners=len(corners), blend=0.5)
    assert kernels.patch_weight.py_func(record, flat, x, y) == pytest.approx(patch.weight(x, y, 0.5))


def test_inside_is_inside():
    """A concave polygon: a point in its notch is outside."""
    patch = T.Patch(outline=((0, 0), (4, 0), (4, 4), (2, 1), (0, 4), (0, 0)))
    assert len(patch.outline or ()) == 5
    assert patch.inside([1.0, 2.0, 2.0, 5.0], [0.5, 0.4, 3.0, 2.0]) == pytest.approx(
        [0.5, 0.4, -2.0 / math.sqrt(13) * 2.0, -1.0], abs=0.15
    )
    assert (np.sign(patch.inside([1.0, 2.0, 2.0, 5.0], [0.5, 0.4, 3.0, 2.0])) == [1, 1, -1, -1]).all()


def survey(rows=9, columns=30, seed=4):
    """Random cone indices [Pa] on a grid."""
    random = np.random.default_rng(seed)
    return np.exp(random.uniform(math.log(2e5), math.log(1.5e6), (rows, columns)))


@pytest.mark.parametrize("values", [2, 3, 11, 40, 300])
@pytest.mark.parametrize("law", [name for name, law in LAWS.items() if law.of_cone_index])
def test_a_wheel_has_the_cone_index_under_it(law, values):
    """On a raster of cone indices the law has the local parameters exactly, the load within 1e-3."""
    cone_index = np.geomspace(8e4, 4e6, values)
    field = T.ConeIndexField(
        np.vstack([cone_index, cone_index]), (39.0 / (values - 1), 8.0), (0.0, -4.0)
    )
    wheel = WheelContact(TYRE, MUD, law=law, lateral=BrixiusLateral())
    memory = T.SoilMemory((0.0, 39.0), (-1.0, 1.0)) if values == 3 else None
    soils = T.SoilMap(MUD, strength=field)
    contact = GroundContact([wheel], grounds=[T.Plane(soil_map=soils, memory=memory)])
    wheels = contact.data.wheels
    for x in np.random.default_rng(values).uniform(-1.0, 40.0, 25):
        contact.see_ground(x)
        there = WheelContact(TYRE, ConeIndexSoil(float(field.at(x, 0.0, 4e5))), law=law)
        assert wheels.weight[0, 0] == 1.0
        row, p = int(wheels.variant[0, 0]), there.ground_law.parameters(TYRE, there.soil)
        assert wheels.law[row, : p.size] == pytest.approx(p, rel=1e-14)
        beside = BrixiusLateral().parameters(TYRE, there.soil)
        assert wheels.lateral[row, : beside.size] == pytest.approx(beside, rel=1e-14)
        table, deepest = series_table(TYRE, there.bearing)
        for compression in (0.02, 0.05, 0.1, 0.15):
            load = compression_force(wheels.normal[row], wheels.deepest[row], compression)
            assert load == pytest.approx(compression_force(table, deepest, compression), rel=1e-3)


def test_a_law_of_ones_own_holds_on_a_survey_too():
    """A user's law has one table for all cone indices; none is made during a step."""
    own = UserLaw(lambda s, load: 0.6 * np.tanh(8.0 * s) + 0.0 * load)
    soils = T.SoilMap(MUD, strength=T.ConeIndexField(survey(), (1.5, 1.0), (-3.0, -4.0)))
    contact = GroundContact([WheelContact(TYRE, MUD, law=own)], grounds=[T.Plane(soil_map=soils)])
    under, wheels = contact.ground_arrays.each[0], contact.data.wheels
    assert (under.law_floats, under.lateral_floats) == (0, 0)
    contact.see_ground(3.3)
    p = own.parameters()
    assert np.array_equal(wheels.law[int(wheels.variant[0, 0]), : p.size], p)


def test_without_data_the_ground_is_the_maps():
    grid = np.array([[5e5, np.nan, 9e5], [5e5, np.nan, 9e5]])
    soils = T.SoilMap(MUD, strength=T.ConeIndexField(grid))
    assert [T.Plane(soil_map=soils).soil(x, 0.3).cone_index for x in (0.0, 0.5, 1.0, 2.0, 9.0)] == (
        pytest.approx([5e5, 4e5, 3e5, 9e5, 9e5])
    )
    assert {3e5, 5e5, 9e5} < set(soils.cone_indices)  # [Pa] all given cone indices, and more
    assert np.diff(np.log(soils.cone_indices)).max() < 0.0501
    flat = T.ConeIndexField(np.full((2, 2), 4e5))
    assert flat.cone_indices(3e5)[0] == 4e5 < flat.cone_indices(3e5)[1]


def test_a_drive_over_a_survey_follows_it():
    field = T.ConeIndexField(survey(), (1.5, 1.0), (-3.0, -4.0))
    run = B.simulate(
        B.compile(tandem(T.Plane(soil_map=T.SoilMap(MUD, strength=field)), wheel=WHEEL, speed=1.0)),
        4.0,
        1e-3,
    )
    record = run.wheel("tyre0")
    assert run.missed == 0
    point = record.contact_point
    for k in range(500, len(run.time), 400):
        soil = ConeIndexSoil(float(field.at(point[k, 0], point[k, 1], MUD.cone_index)))
        assert off_its_law(record, k, LAWS["brixius"], soil) < 2e-3
    under = field.at(point[:, 0], point[:, 1], MUD.cone_index)
    assert np.corrcoef(np.log(under[500:]), record.sinkage[500:])[0, 1] < -0.5  # firm: less sinkage


def test_patches_and_surveys_are_kept_in_a_file():
    """Patches, a raster of cone indices on a map and a wheel's own sinkage come back from a file."""
    field = T.ConeIndexField(
        ((3e5, 4e5), (5e5, 6e5)), (2.0, 3.0), (1.0, 1.0), 8, map_place=T.MapPlace("EPSG:32632", 5e5, 5e6)
    )
    patches = [
        T.Patch(outline=((0, 0), (4, 0), (2, 2)), **ROAD),
        T.Patch(SAND, x=(3.0, 9.0), law="wong-reece", base=SAND, sinkage="bekker"),
    ]
    wheel = WheelContact(
        TYRE,
        MUD,
        sinkage=ConeIndexSinkage(0.3, 1.1),
        lateral=Crolla(),
        rolling_share=0.3,
        trail=PneumaticTrail(0.3, 0.25),
    )
    described = tandem(T.Plane(soil_map=T.SoilMap(MUD, patches, strength=field)), wheel=wheel)
    again = mechanism_from_toml(mechanism_to_toml(described))
    assert again == described
    assert again.wheels[0].ground.soil_map.strength.map_place == field.map_place


test_impossible_patches_are_refused = refusals(
    (lambda: T.Patch(law="dri"), "unknown ground law 'dri'"),
    (lambda: T.Patch(outline=((0.0, 0.0), (1.0, 1.0))), r"Patch\.outline"),
    (lambda: T.SoilMap(MUD, [T.Patch(SAND)]), "or the patch a law"),
    (lambda: T.ConeIndexField([[1e5, 0.0], [1e5, 1e5]]), "must be above 0 Pa"),
    (lambda: T.SoilMap(SAND, strength=T.ConeIndexField(np.full((2, 2), 3e5))), "it needs a cone index"),
    (
        lambda: tandem(T.Plane(soil_map=T.SoilMap(MUD, [T.Patch(SAND, law="brixius")])), wheel=WHEEL),
        "on its ground's soil map, brixius",
    ),
)
