"""Terrain against closed forms: heights, normals, patches, roughness; soils, ruts, mobility index."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contact import (
    SOILS,
    BrixiusLateral,
    ConeIndexSoil,
    GroundContact,
    Tyre,
    WheelContact,
    mobility_index,
    named_soil,
    rigid,
    vehicle_cone_index,
)
from contact.kernels.ground import ground as kernels
from contact.kernels.ground.terrain import terrain_at
from contact.kernels.wheel.data import contact_of
from contact.terrain import (
    ConeIndexField,
    HeightField,
    Patch,
    Plane,
    Sine,
    Slope,
    SoilMap,
    SoilMemory,
    Step,
    rough_ground,
    rough_profile,
)
from mlcp.jit import kernel
from tests.refusals import refusals

_X, _Y = np.meshgrid(np.arange(0.0, 10.5, 0.5), np.arange(-2.0, 2.25, 0.25))
FIELD = HeightField(0.1 * np.sin(_X) * np.cos(_Y), (0.5, 0.25), (0.0, -2.0))
SHAPES = [Plane(0.3, 0.1, -0.2), Step(2.0, 0.15, 0.5), Sine(0.05, 1.7, 0.6, 0.2), FIELD]
places = st.floats(0.6, 9.0), st.floats(-1.7, 1.7)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: type(s).__name__)
@given(x=places[0], y=places[1])
def test_normal_is_that_of_the_height(shape, x, y):
    d = 1e-6
    along = (shape.height(x + d, y) - shape.height(x - d, y)) / (2 * d)
    across = (shape.height(x, y + d) - shape.height(x, y - d)) / (2 * d)
    normal = shape.normal(x, y)
    assert normal @ normal == pytest.approx(1.0)
    assert -normal[0] / normal[2] == pytest.approx(along, abs=1e-6)
    assert -normal[1] / normal[2] == pytest.approx(across, abs=1e-6)
    args = shape.number, shape.record()[0], 0, *shape.record()[1:], x, y
    assert terrain_at(*args) == pytest.approx(terrain_at.py_func(*args), rel=1e-12, abs=1e-15)


def test_height_field_meets_its_points_and_the_surface_between():
    assert pytest.approx(FIELD.heights, abs=1e-15) == FIELD.height(_X, _Y)
    x, y = np.meshgrid(np.linspace(1, 9, 33), np.linspace(-1.5, 1.5, 17))
    assert np.abs(FIELD.height(x, y) - 0.1 * np.sin(x) * np.cos(y)).max() < 1e-3
    assert FIELD.height(-5.0, 0.0) == FIELD.height(0.0, 0.0)


def test_soil_goes_over_without_a_jump():
    soft, hard = ConeIndexSoil(2e5), ConeIndexSoil(8e5)
    ground = Plane(soil_map=SoilMap(soft, [Patch(hard, x=(2.0, 5.0))], blend=0.3))
    assert ground.soil(0.0) is soft
    assert ground.soil(3.0) is hard
    x = np.linspace(1.5, 2.5, 1001)
    index = np.array([ground.soil(float(at)).cone_index for at in x])
    assert np.all(np.diff(index) >= 0.0)
    assert np.diff(index).max() < 1.6 * 6e5 * 1e-3 / 0.3
    assert ground.soil(2.0).cone_index == pytest.approx(5e5)
    assert Plane().soil(1.0) is None


def test_height_field_from_a_geotiff(tmp_path):
    """A raster starts at the top left; the field's origin is the centre of its lower left cell."""
    rasterio = pytest.importorskip("rasterio")
    x, y = np.meshgrid(np.arange(6) * 2.0, np.arange(4) * 3.0)
    heights = 0.1 * x + 0.01 * y + 0.05 * np.sin(x)
    path = tmp_path / "ground.tif"
    profile = dict(
        driver="GTiff",
        width=6,
        height=4,
        count=1,
        dtype="float64",
        transform=rasterio.transform.from_origin(500000.0, 5400000.0, 2.0, 3.0),
    )
    with rasterio.open(path, "w", crs="EPSG:32632", **profile) as file:
        file.write(heights[::-1], 1)
    soils = SoilMap(ConeIndexSoil(3e5))
    ground = HeightField.from_geotiff(path, soil_map=soils)
    assert ground.spacing == (2.0, 3.0)
    assert np.array_equal(ground.grid, heights)
    assert ground.height(x, y) == pytest.approx(heights, abs=1e-15)
    assert ground == HeightField(heights, (2.0, 3.0), soil_map=soils)
    assert ground.soil(1.0, 1.0) is soils.ground
    with rasterio.open(tmp_path / "degrees.tif", "w", crs="EPSG:4326", **profile) as file:
        file.write(heights, 1)
    with pytest.raises(ValueError, match="in degrees and reaches latitude .*; project it"):
        HeightField.from_geotiff(tmp_path / "degrees.tif")
    with rasterio.open(
        tmp_path / "holes.tif", "w", crs="EPSG:32632", nodata=heights[1, 1], **profile
    ) as file:
        file.write(heights, 1)
    with pytest.raises(ValueError, match=r"without data \(holes\): 1;"):
        HeightField.from_geotiff(tmp_path / "holes.tif")
    # rows 0 .. 3 at y = 5400000 - 10.5 ... - 1.5, columns at x = 500001 ... 500011
    window = (500002.0, 5399990.0, 500008.0, 5399997.0)
    part = HeightField.from_geotiff(path, window=window, georeferenced=True)
    assert part.origin == (500003.0, 5399992.5)
    assert np.array_equal(part.grid, heights[1:3, 1:4])
    assert HeightField.from_geotiff(path, window=window).origin == (0.0, 0.0)
    with pytest.raises(ValueError, match="less than 2 x 2 cells"):
        HeightField.from_geotiff(path, window=(0.0, 0.0, 1.0, 1.0))
    profile["transform"] = rasterio.Affine(2.0, 0.0, 500000.0, 0.0, 3.0, 5400000.0)
    with rasterio.open(tmp_path / "up.tif", "w", crs="EPSG:32632", **profile) as file:
        file.write(np.where(heights == heights[2, 1], np.nan, heights), 1)
    up = HeightField.from_geotiff(tmp_path / "up.tif", window=(0.0, 0.0, 1e6, 5400006.0))
    assert np.array_equal(up.grid, heights[:2])  # the first row of this file is the south
    with pytest.raises(ValueError, match=r"up.tif has cells without data \(holes\): 1"):
        HeightField.from_geotiff(tmp_path / "up.tif")


def test_without_rasterio_a_geotiff_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "rasterio", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'wheelground\[terrain\]'"):
        HeightField.from_geotiff("ground.tif")


@pytest.mark.parametrize("length", [1.0, 33.3, 240.0])
def test_a_rough_profile_is_its_sum_of_cosines(length):
    """The profile is at every place the sum of one cosine for each frequency in the class's band."""
    low, high = 1 / 90.0, 1 / 0.35
    step = min(1.0 / length, low)
    frequency = np.arange(low, high, step)
    size = np.sqrt(2.0 * 256e-6 * (frequency / 0.1) ** -2.0 * step)  # class C of ISO 8608
    phase = np.random.default_rng(5).uniform(0.0, 2.0 * np.pi, frequency.size)
    x = np.arange(0.0, length + 0.025, 0.05)
    plain = (size * np.cos(2.0 * np.pi * np.outer(x, frequency) + phase)).sum(axis=1)
    assert rough_profile("C", length, seed=5) == pytest.approx(plain, abs=1e-12)
    assert rough_ground("C", length, spacing=0.05, seed=5).grid[0] == pytest.approx(plain, abs=1e-12)
    assert rough_profile("D", length, seed=5) == pytest.approx(2.0 * plain, abs=1e-12)


def ground_of_two_wheels():
    """Two wheels of one width on a plane with ruts; the host sets their positions."""
    tyre = Tyre(0.8, 0.2, 0.14)
    memory = SoilMemory(x=(0.0, 8.0), y=(-1.0, 1.0), hardening=0.4, share=0.5)
    wheels = [WheelContact(tyre, ConeIndexSoil(3e5), lateral=BrixiusLateral())] * 2
    return GroundContact(wheels, grounds=Plane(memory=memory)), tyre


def pass_over(ground, wheel, places, depth=0.04):
    """Roll a wheel along ``places``, the other far off the ruts; return the rut depth at the end [m]."""
    for x, y in places:
        at = np.full((2, 2), -50.0)
        at[wheel] = x, y
        rut = ground.see_ground(at[:, 0], at[:, 1])[wheel]
        ground.row_arrays.z[:] = 0.0
        ground.row_arrays.z[ground.wheel_arrays.each.row] = 1e-9  # [N s] a very small load
        gap = np.zeros(2)
        gap[wheel] = -depth
        ground.leave_tracks(1e-3, gap, at[:, 0], at[:, 1])
    return rut


def strength(ground, x, y=0.0):
    """Cone index [Pa] that the lateral law of the second wheel has at (x, y)."""
    ground.see_ground([-50.0, x], [0.0, y])
    arrays = ground.wheel_arrays
    mixed = arrays.weight[1] @ arrays.lateral[arrays.variant[1], 3]
    virgin = BrixiusLateral().parameters(ground.wheels[1].tyre, ConeIndexSoil(3e5))[3]
    return 3e5 * mixed / virgin


ALONG = [(x, 0.0) for x in np.arange(0.3, 7.0, 0.03)]


def test_a_later_wheel_finds_the_rut_of_the_first():
    ground, _ = ground_of_two_wheels()
    assert pass_over(ground, 0, ALONG) == 0.0  # its own rut has no effect on the wheel
    assert strength(ground, 2.5) == pytest.approx(3e5 * 1.2)
    assert ground.see_ground([-50.0, 2.5])[1] == pytest.approx(0.04, rel=1e-5)
    assert ground.see_ground([-50.0, 2.5], 0.25)[1] == 0.0  # beside the rut
    saved = ground.memory.copy()
    assert pass_over(ground, 1, ALONG[:170], 0.01) == pytest.approx(0.04, rel=1e-5)
    assert strength(ground, 2.5) == pytest.approx(3e5 * 1.3)
    assert ground.see_ground([-50.0, 2.5])[1] == pytest.approx(0.05, rel=1e-5)
    ground.memory[:] = saved
    assert strength(ground, 2.5) == pytest.approx(3e5 * 1.2)
    x = np.linspace(5.0, 7.0, 801)  # [m] across the end of the rut: no jump of the cone index
    index = np.array([strength(ground, at) for at in x])
    assert np.abs(np.diff(index)).max() < 1.1 * 3e5 * 0.2 * (x[1] - x[0]) / 0.1


def test_a_wheel_that_turns_back_counts_its_first_pass():
    ground, _ = ground_of_two_wheels()
    pass_over(ground, 0, ALONG)
    back = pass_over(ground, 0, ALONG[::-1], 0.01)
    assert back == pytest.approx(0.04, rel=1e-5)
    for x in (3.0, 6.5):  # [m] two passes, also near the turning point
        assert strength(ground, x) == pytest.approx(3e5 * 1.3)


@pytest.mark.parametrize("reach", [0.02, 0.05, 0.2, 0.35, 0.5, 0.8])
def test_a_wheel_that_rocks_in_place_never_stands_in_its_own_rut(reach):
    """A wheel that rolls to and fro finds no rut at places that it has not left in between.

    Over a longer reach it meets its own rut, whose depth changes without a jump.
    """
    ground, tyre = ground_of_two_wheels()
    clear = tyre.radius + 1.5 * 0.1
    last = 0.0
    for k in range(6000):
        x = 3.0 + reach * np.sin(2 * np.pi * k / 600)
        rut = pass_over(ground, 0, [(x, 0.0)], 0.001)
        assert abs(rut - last) < 0.1 * reach  # no jump of the depth
        assert rut == 0.0 or 2.0 * reach > clear
        last = rut
    if 2.0 * reach < clear:
        assert ground.see_ground([-50.0, 3.05])[1] == 0.0  # another wheel finds no rut there either
        pass_over(ground, 0, [(3.0 + s, 0.0) for s in np.arange(0.0, 4.0, 0.03)], 0.001)
        assert ground.see_ground([-50.0, 3.05])[1] == pytest.approx(0.001, rel=1e-5)


def test_a_wheel_that_turns_on_the_spot_has_no_rut_either():
    """A wheel at 3000 random positions within 0.27 m finds no rut of its own."""
    ground, _ = ground_of_two_wheels()
    random = np.random.default_rng(2)
    for _ in range(3000):
        turn, out = random.uniform(0.0, 6.3), random.uniform(0.0, 0.27)
        place = (3.0 + out * np.cos(turn), out * np.sin(turn))
        assert pass_over(ground, 0, [place], 0.001) == 0.0


@given(step=st.floats(0.001, 0.5), angle=st.floats(-0.2, 0.2))
@settings(max_examples=25, deadline=None)
def test_a_track_has_no_holes_and_counts_once(step, angle):
    """For any step length and heading a rut has no gaps, and a pass counts once."""
    ground, _ = ground_of_two_wheels()
    places = [(0.5 + s * np.cos(angle), s * np.sin(angle)) for s in np.arange(0.0, 5.0, step)]
    pass_over(ground, 0, places)
    for s in np.linspace(0.3, 3.2, 50):  # the rut ends up to two steps and 0.65 m behind the wheel
        ground.see_ground([-50.0, 0.5 + s * np.cos(angle)], [0.0, s * np.sin(angle)])
        assert strength(ground, 0.5 + s * np.cos(angle), s * np.sin(angle)) == pytest.approx(3e5 * 1.2)
        assert ground.ground_arrays.rut[1] == pytest.approx(0.04, rel=1e-5)


@kernel
def stand_at(F, N, i, x, y):
    contact = contact_of(F, N)
    kernels.see_ground(i, x, y, contact.grounds, contact.wheels)
    kernels.leave_track(i, x, y, 0.0, 1.0, 0.03, contact.grounds)


def test_compiled_and_plain_python_remember_the_same():
    compiled, plain = ground_of_two_wheels()[0], ground_of_two_wheels()[0]
    for x, y in ALONG[::3]:
        for ground, stand in ((compiled, stand_at), (plain, stand_at.py_func)):
            for i, at in ((0, x), (1, x - 1.5)):
                stand(ground.data.F, ground.data.N, i, at, y)
    assert compiled.memory == pytest.approx(plain.memory, abs=1e-15)
    assert compiled.wheel_arrays.weight == pytest.approx(plain.wheel_arrays.weight, abs=1e-15)


def test_multi_pass_sinkage_is_that_of_its_formula():
    """Load ~ modulus sinkage^(m + 1/2): the stiffened modulus gives z_n = z_1 n^(1/a) in the n-th pass.

    z_n: sinkage, m: sinkage exponent of the soil, a: exponent ``multipass``.
    """
    memory = SoilMemory((0.0, 1.0), (0.0, 1.0), multipass=3.0)
    m, total = 0.7, 0.0
    for n in range(1, 6):
        total += memory.stiffening(n - 1, m) ** (-1.0 / (m + 0.5))
        assert total == pytest.approx(n ** (1 / 3))
    soil = SOILS["sandy loam"].bekker
    assert memory.after(soil, 0) == soil
    assert memory.after(soil, 2).k_phi == pytest.approx(soil.k_phi * memory.stiffening(2, soil.n))
    assert memory.after(ConeIndexSoil(3e5), 1).cone_index == pytest.approx(3e5 * 1.2)


def test_weights_of_patches_on_patches_are_those_of_the_map():
    """Cone index blended by the kernel's weights = cone index of the map at the point."""
    soils = [ConeIndexSoil(c) for c in (2e5, 5e5, 9e5)]
    layers = [Patch(soils[1], x=(1.0, 4.0)), Patch(soils[2], x=(3.0, 6.0), y=(-0.5, 0.5))]
    ground = Sine(0.0, 1.0, soil_map=SoilMap(soils[0], layers, blend=0.5))
    contact = GroundContact(
        [WheelContact(Tyre(0.8, 0.2, 0.14), soils[0], lateral=BrixiusLateral())], grounds=[ground]
    )
    arrays = contact.wheel_arrays
    for x in np.linspace(0.5, 6.5, 61):
        for y in (0.0, 0.4, 0.6):
            contact.see_ground(x, y)
            used = arrays.weight[0][: int(np.argmin(arrays.weight[0] > 0)) or None]
            assert used.sum() == pytest.approx(1.0, abs=1e-15)
            index = sum(w * soils[v].cone_index for w, v in zip(used, arrays.variant[0], strict=False))
            assert index == pytest.approx(ground.soil(x, y).cone_index, rel=1e-12)


def test_mobility_index_of_the_worked_case():
    index = mobility_index(
        36320 * 0.45359237, 4, 8, 22 * 0.0254, 45 * 0.0254, 21 * 0.0254, 350 * 745.6998715823
    )
    assert index == pytest.approx(41.12286, abs=5e-6)
    assert vehicle_cone_index(index) / 6894.757293168361 == pytest.approx(18.8308, abs=5e-5)
    of_fifty = 28.23 + 0.43 * index - 92.67 / (index + 3.67)
    assert vehicle_cone_index(index, 50) / 6894.757293168361 == pytest.approx(of_fifty, rel=1e-12)
    both = vehicle_cone_index(np.array([index, 200.0])) / 6894.757293168361
    assert both == pytest.approx([18.8308, 4.1 * 200.0**0.446], abs=5e-5)
    softer = vehicle_cone_index(index, deflection_ratio=np.array([0.15, 0.25, 0.35]))
    wanted = 18.8308 * (0.15 / np.array([0.15, 0.25, 0.35])) ** 0.25
    assert softer / 6894.757293168361 == pytest.approx(wanted, abs=5e-5)


@pytest.mark.parametrize(
    ("pounds", "axles", "wheels", "tyre", "clearance", "power", "more", "factors"),
    [  # factors by hand: pressure, weight, tyre, grouser, wheel load, clearance, engine, gearbox
        (36320, 4, 8, (14.5, 45), 21, 350, {}, (13.91571, 1.34964, 0.245, 1.0, 4.54, 2.1, 1.0, 1.0)),
        (3000, 2, 4, (8, 30), 8, 12, {"automatic": False, "chains": True},
         (6.25, 0.8295, 0.18, 1.05, 0.75, 0.8, 1.05, 1.05)),
        (34000, 2, 4, (16, 50), 15, 300, {"automatic": False},
         (21.25, 1.994, 0.26, 1.0, 8.5, 1.5, 1.0, 1.05)),
        (90000, 2, 4, (30, 70), 20, 400, {}, (21.42857, 9.395, 0.4, 1.0, 22.5, 2.0, 1.05, 1.0)),
    ],
)  # fmt: skip
def test_mobility_index_by_its_factors(pounds, axles, wheels, tyre, clearance, power, more, factors):
    """Each branch of the weight factor; the factors of chains, a manual gearbox and a weak engine."""
    inch, horse = 0.0254, 745.6998715823
    index = mobility_index(
        pounds * 0.45359237, axles, wheels, tyre[0] * inch, tyre[1] * inch, clearance * inch,
        power * horse, **more,
    )  # fmt: skip
    pressure, weight, width, grouser, load, under, engine, gearbox = factors
    inner = pressure * weight / (width * grouser) + load - under
    assert index == pytest.approx(inner * engine * gearbox, rel=2e-7)
    psi = float(vehicle_cone_index(index)) / 6894.757293168361
    usual = 11.48 + 0.2 * index - 39.2 / (index + 3.74)
    assert psi == pytest.approx(usual if index <= 115.0 else 4.1 * index**0.446, rel=1e-12)


def test_every_soil_has_a_source_and_carries_load():
    assert len(SOILS) >= 12
    for name, named in SOILS.items():
        assert named.name == name
        assert "Wong" in named.source
        assert named.bekker.modulus(0.2) > 0.0
        assert named.cone.cone_index > 0.0


test_bad_input_is_a_sentence = refusals(
    (lambda: named_soil("sandy lome"), "did you mean 'sandy loam'"),
    (lambda: Slope(grade_x=10.0), "rise over run, -2 to 2; 10 degrees are 0.1763; 10 % are 0.1"),
    (lambda: Slope(grade_y=-30), "30 degrees are -0.5774; -30 % are -0.3"),
    (lambda: HeightField([[0.0, np.nan], [0.0, 0.0]]), "not finite"),
    (lambda: HeightField([0.0, 1.0]), "needs at least"),
    (lambda: Step(0.0, 0.1, 0.0), "length = 0.0 m"),
    (lambda: SoilMap(ConeIndexSoil(1e5), [Patch(SOILS["snow"].bekker)]), "of one kind"),
    (lambda: Patch(ConeIndexSoil(1e5), x=(1.0, 0.0)), "Patch.x"),
    (lambda: rough_profile("Z", 10.0), "unknown ISO 8608 class"),
    (lambda: vehicle_cone_index(40.0, 2), "must be 1 or 50"),
    (lambda: vehicle_cone_index(40.0, 1, 0.0), r"deflection_ratio = 0.0 must be in \(0, 1\]"),
    (lambda: vehicle_cone_index(40.0, 50, 0.25), "deflection_ratio = 0.25 is of one pass"),
    (lambda: mobility_index(-1.0, 2, 4, 0.3, 1.0, 0.3, 1e5), "mass = -1.0 kg"),
)


def test_a_ground_on_a_grid_shows_its_size_and_not_its_numbers():
    heights = np.arange(900.0).reshape(30, 30)
    for ground in (
        HeightField(heights, (2.0, 2.0)),
        ConeIndexField(heights + 3e5),
        rigid.HeightField((0.0, 0.0), (1.0, 1.0), heights),
    ):
        assert "30 x 30 nodes" in repr(ground)
        assert len(repr(ground)) < 150
