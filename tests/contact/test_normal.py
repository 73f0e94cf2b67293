"""Normal force over compression of a wheel: radial stress of the soil and the tyre, in series."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from contact import BekkerSoil, ConeIndexSoil, Tyre, WheelContact
from contact.kernels.wheel.normal import compression_force
from contact.normal import series_table, sinkage_force
from contact.sinkage import ConeIndexSinkage
from tests import naive
from tests.refusals import refusals

TYRE, LOAM = Tyre(0.762, 0.2, 0.14), BekkerSoil.sandy_loam()
soils = st.builds(
    BekkerSoil,
    k_c=st.floats(0.0, 1e5),
    k_phi=st.floats(1e5, 5e6),
    n=st.floats(0.3, 1.6),
    c_1=st.floats(0.1, 0.5),
)


@settings(max_examples=25)
@given(soils, st.floats(0.05, 1.0), st.floats(1e-3, 0.5))
def test_force_is_the_quadrature_of_the_stress(soil, radius, share):
    force = sinkage_force(soil, radius, 0.2, share * radius)
    assert force == pytest.approx(naive.radial_stress_force(soil, radius, 0.2, share * radius), rel=1e-7)


def sinkage_over_force(tyre, ground, force):
    """Sinkage [m] of a wheel under a force [N]: on Bekker's soil the root of the force over sinkage."""
    if isinstance(ground, BekkerSoil):
        size = tyre.radius, tyre.width
        return brentq(lambda z: sinkage_force(ground, *size, z) - force, 0.0, tyre.radius, xtol=1e-16)
    return 0.0 if ground is None else float(ground.sinkage(tyre, force))


@settings(max_examples=60)
@given(
    st.builds(
        Tyre,
        st.floats(0.3, 2.0),
        st.floats(0.05, 0.6),
        st.floats(0.03, 0.15),
        st.floats(1e4, 1e6),
        deflection=st.sampled_from([None, 0.02]),
        toe=st.sampled_from([0.0, 0.01]),
    ),
    soils
    | st.none()
    | st.builds(ConeIndexSinkage, st.floats(0.02, 1.0), st.floats(0.3, 2.5), st.floats(1e4, 1e7)),
)
def test_the_points_of_the_table_are_tyre_and_ground_in_series(tyre, ground):
    table, deepest = series_table(tyre, ground)
    for k in (20, 60, 128, 255):
        total = deepest * (k / 256) ** 2
        force = table[2 * k]
        assert sinkage_over_force(tyre, ground, force) + force / tyre.stiffness == pytest.approx(
            total, rel=1e-11
        )
        give = [
            sinkage_over_force(tyre, ground, f) + f / tyre.stiffness
            for f in (force * (1 - 1e-5), force * (1 + 1e-5))
        ]
        flat = tyre.stiffness * (tyre.section_height - tyre.toe)  # load of a flat tyre [N]
        rim = abs(force / flat - 1.0) < 2e-5
        slope = 2e-5 * force / (give[1] - give[0]) * 2.0 * deepest * k / 256**2
        assert rim or table[2 * k + 1] == pytest.approx(slope, rel=1e-6)


def test_series_at_working_loads_is_accurate():
    table, deepest = series_table(TYRE, LOAM)
    for compression in (0.01, 0.02, 0.05, 0.1):
        force = compression_force(table, deepest, compression)
        sinkage = compression - force / TYRE.stiffness
        assert sinkage_force(LOAM, TYRE.radius, TYRE.width, sinkage) == pytest.approx(force, rel=1e-8)
    force = [compression_force(table, deepest, d) for d in deepest * np.linspace(0.005, 0.99, 50)]
    assert np.all(np.diff(force) > 0.0)


@given(st.floats(-0.1, 1.0))
def test_kernel_is_its_own_python(compression):
    table, deepest = series_table(TYRE, LOAM)
    force = compression_force(table, deepest, compression)
    assert force == compression_force.py_func(table, deepest, compression)
    assert force >= 0.0
    assert compression > 0.0 or force == 0.0


def test_table_goes_on_smoothly_beyond_its_end():
    table, deepest = series_table(TYRE, LOAM)
    below, above = (compression_force(table, deepest, deepest * (1 + d)) for d in (-1e-6, 1e-6))
    assert above == pytest.approx(below, rel=1e-5)
    assert above > below


def test_static_compression_carries_the_load():
    wheel = WheelContact(TYRE, ConeIndexSoil(4e5), sinkage="bekker")
    compression = wheel.static_compression(2452.5)
    table, deepest = series_table(TYRE, LOAM)
    assert compression_force(table, deepest, compression) == pytest.approx(2452.5, rel=1e-12)
    with pytest.raises(ValueError, match="too soft"):
        wheel.static_compression(1e9)


def test_tyre_deflection_is_the_elliptic_patch_at_inflation_pressure():
    stiffness = math.pi * 2e5 * math.sqrt(0.762 * 0.2)
    assert TYRE.stiffness == pytest.approx(stiffness)
    assert TYRE.deflection_at(2452.5) == pytest.approx(2452.5 / stiffness)
    assert TYRE.deflection_at(1e9) == 0.14  # never beyond the section height
    assert Tyre(0.762, 0.2, 0.14, deflection_ratio=0.2).deflection_at([1.0, 9e9]) == pytest.approx(0.028)


test_bad_input_is_a_sentence = refusals(
    (lambda: Tyre(0.762, 0.0, 0.14), "Tyre.width = 0.0 m must be above 0"),
    (lambda: Tyre(-1.0, 0.2, 0.14), "Tyre.diameter = -1.0 m must be above 0"),
    (lambda: Tyre(0.762, 0.2, 0.5), "section_height = 0.5 m must be above 0 and at most 0.381"),
    (lambda: Tyre(0.762, 0.2, 0.14, deflection=0.2), "deflection = 0.2 m must be at least 0"),
    (lambda: Tyre(0.762, 0.2, 0.14, deflection_ratio=1.1), "deflection_ratio = 1.1"),
    (lambda: Tyre(0.762, 0.2, 0.14, deflection_ratio=0.1, deflection=0.1), "not both"),
    (lambda: ConeIndexSoil(math.nan), "cone_index = nan must be a finite number"),
    (lambda: BekkerSoil(0.0, 0.0, 1.0), "carry no load"),
    (lambda: BekkerSoil(0.0, 1e6, -1.0), "BekkerSoil.n = -1.0 must be above 0"),
    (lambda: sinkage_force(LOAM, 0.4, 0.2, 0.5), "sinkage"),
    (lambda: Tyre(762, 0.2, 0.14), "diameter = 762 m must be at most 10 m; 762 mm are 0.762 m"),
    (lambda: Tyre(0.762, 200, 0.14), "width = 200 m must be at most 10 m; 200 mm are 0.2 m"),
    (lambda: Tyre(0.762, 0.2, 140), "section_height = 140 m .*; 140 in are .*; 140 mm are 0.14 m"),
    (lambda: Tyre(30, 8, 6), "Tyre.diameter = 30 m .*; 30 in are 0.762 m"),
)
