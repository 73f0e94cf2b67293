"""Terrain: heights, normals, patches, roughness; soil catalogue, memory, mobility index."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contact import SOILS, ConeIndexSoil, mobility_index, named_soil, vehicle_cone_index
from contact.kernels.terrain import terrain_at
from contact.terrain import (
    CLASSES,
    HeightField,
    Patch,
    Plane,
    Sine,
    SoilMap,
    SoilMemory,
    Step,
    rough_ground,
    rough_profile,
)  # fmt: skip

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
    args = shape.number, shape.parameters(), shape.grid, x, y
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


def test_roughness_has_the_density_of_its_class():
    """Variance of the profile = the density integrated over the frequencies it contains."""
    low, high = 1 / 90.0, 1 / 0.35
    for iso_class in "AD":
        density = CLASSES[iso_class]
        wanted = density * 0.1**2 * (1 / low - 1 / high)
        measured = [rough_profile(iso_class, 500.0, 0.1, seed).var() for seed in range(8)]
        assert np.mean(measured) == pytest.approx(wanted, rel=0.15)
    assert CLASSES["D"] == pytest.approx(1024e-6)
    first, again = (rough_ground("C", 20.0, seed=3) for _ in range(2))
    assert np.array_equal(first.grid, again.grid)


def test_a_later_wheel_finds_the_rut_of_the_first():
    memory, virgin = SoilMemory(cell=0.1, hardening=0.4, share=0.5), ConeIndexSoil(3e5)
    for x in np.arange(0.05, 1.0, 0.02):
        assert memory.soil(virgin, x).cone_index == 3e5  # a wheel does not feel its own rut
        memory.roll(0, x, 0.0, 0.04)
    assert memory.soil(virgin, 0.5).cone_index == pytest.approx(3e5 * 1.2)
    assert memory.rut(0.5) == 0.04
    saved = memory.state()
    for x in np.arange(0.05, 1.0, 0.02):
        memory.roll(1, x, 0.0, 0.02)
    assert memory.soil(virgin, 0.5).cone_index == pytest.approx(3e5 * 1.3)
    assert memory.rut(0.5) == 0.04
    memory.restore(saved)
    assert memory.soil(virgin, 0.5).cone_index == pytest.approx(3e5 * 1.2)


def test_mobility_index_of_the_worked_case():
    index = mobility_index(
        36320 * 0.45359237, 4, 8, 22 * 0.0254, 45 * 0.0254, 21 * 0.0254, 350 * 745.6998715823
    )
    assert index == pytest.approx(41.12286, abs=5e-6)
    assert vehicle_cone_index(index) / 6894.757293168361 == pytest.approx(18.8308, abs=5e-5)
    assert vehicle_cone_index(index, 50) > vehicle_cone_index(index)


def test_every_soil_has_a_source_and_carries_load():
    assert len(SOILS) >= 12
    for name, named in SOILS.items():
        assert named.name == name
        assert "Wong" in named.source
        assert named.bekker.modulus(0.2) > 0.0
        assert named.cone.cone_index > 0.0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: named_soil("sandy lome"), "did you mean 'sandy loam'"),
        (lambda: HeightField([[0.0, np.nan], [0.0, 0.0]]), "not finite"),
        (lambda: HeightField([0.0, 1.0]), "needs at least"),
        (lambda: Step(0.0, 0.1, 0.0), "length = 0.0 m"),
        (lambda: SoilMap(ConeIndexSoil(1e5), [Patch(SOILS["snow"].bekker)]), "of one kind"),
        (lambda: Patch(ConeIndexSoil(1e5), x=(1.0, 0.0)), "Patch.x"),
        (lambda: rough_profile("Z", 10.0), "unknown ISO 8608 class"),
        (lambda: vehicle_cone_index(40.0, 2), "must be 1 or 50"),
        (lambda: mobility_index(-1.0, 2, 4, 0.3, 1.0, 0.3, 1e5), "mass = -1.0 kg"),
    ],
)
def test_bad_input_is_a_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call()
