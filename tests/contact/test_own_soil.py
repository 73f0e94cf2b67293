"""A wheel sinks into its own soil, or into the soil named by ``sinkage``."""

import dataclasses
import warnings

import numpy as np
import pytest

from contact import (
    SOILS,
    BekkerSoil,
    ConeIndexSinkage,
    ConeIndexSoil,
    OutsideValidity,
    Tyre,
    WheelContact,
    WongReeceLateral,
    validity,
)
from contact import terrain as T
from contact.grounds import soils_of

TYRE, RIGID, LOAD = Tyre(0.762, 0.2, 0.14), Tyre(0.762, 0.2, 0.14, deflection_ratio=0.0), 2452.5
LOAM = BekkerSoil.sandy_loam()


def sunk(wheel, load=LOAD):
    return wheel.static_compression(load) - load / wheel.tyre.stiffness


@pytest.mark.parametrize("law", ["brixius", "clay", "sand", "sand-unified", "dry"])
def test_of_a_cone_index_it_sinks_by_that(law):
    for cone_index in (1.5e5, 4e5, 1e6, 2e6):
        wheel = WheelContact(TYRE, ConeIndexSoil(cone_index), law=law)
        wanted = ConeIndexSinkage(cone_index=cone_index).sinkage(TYRE, LOAD)
        assert sunk(wheel) == pytest.approx(float(wanted), rel=1e-6)
        by_name = dataclasses.replace(wheel, sinkage="bekker")
        assert sunk(by_name) == pytest.approx(0.032896857, rel=1e-6)  # [m] on sandy loam


@pytest.mark.parametrize("name", [name for name in SOILS if "snow" not in name])
def test_of_bekker_parameters_by_its_own_pressure_sinkage(name):
    soil = SOILS[name].bekker
    wheel = WheelContact(TYRE, soil, law="wong-reece")
    assert wheel.bearing == soil
    assert WheelContact(TYRE, soil, law="wong-reece", sinkage="bekker").bearing == soil
    assert WheelContact(TYRE, soil, LOAM, law="wong-reece").bearing == LOAM
    moved = dataclasses.replace(wheel, soil=ConeIndexSoil(4e5), law="brixius")
    assert moved.bearing == ConeIndexSinkage(cone_index=4e5)  # the new soil determines the sinkage


def test_a_base_is_what_it_stands_on():
    sand = SOILS["dry sand"].bekker
    assert WheelContact(TYRE, ConeIndexSoil(4e5), sand).bearing == sand
    assert WheelContact(TYRE, ConeIndexSoil(4e5), sand, sinkage="maclaurin").bearing == (
        ConeIndexSinkage(cone_index=4e5)
    )


def test_on_a_map_and_in_ruts_it_is_that_of_the_place():
    soils = T.SoilMap(ConeIndexSoil(3e5), [T.Patch(ConeIndexSoil(9e5), x=(2.0, 4.0))])
    wheel = WheelContact(TYRE, ConeIndexSoil(4e5))
    assert [w.bearing.cone_index for w in soils.wheels(wheel)] == [3e5, 9e5]
    ruts = soils_of(wheel, T.Plane(soil_map=soils, memory=T.SoilMemory((0, 9), (-1, 1), passes=2)))
    assert [w.bearing.cone_index for w in ruts] == [3e5] * 3 + [9e5] * 3
    deep = np.array([sunk(w) for w in ruts[:3]])
    assert np.cumsum(deep) == pytest.approx(deep[0] * np.arange(1, 4) ** (1 / 3), rel=1e-5)


@pytest.mark.parametrize(
    ("said", "changes"),
    [
        ("tyre of deflection 0", {"tyre": RIGID}),
        ("law of stresses", {"law": "wong-reece"}),
        ("law of stresses", {"lateral": WongReeceLateral()}),
    ],
)
def test_what_the_cone_index_does_not_say_is_told_once(said, changes):
    validity.forget()
    given = {"tyre": TYRE, "soil": ConeIndexSoil(4e5)} | changes
    with pytest.warns(OutsideValidity, match=said) as heard:
        assert dataclasses.replace(WheelContact(**given)) == WheelContact(**given)
    assert len(heard) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        validity.forget()
        WheelContact(**given, base=LOAM)
        WheelContact(RIGID, ConeIndexSoil(4e5), sinkage="bekker")


@pytest.mark.parametrize(
    ("cone_index", "meant"), [(400.0, "400 kPa are 400000 Pa"), (0.9, "0.9 MPa are 900000 Pa")]
)
def test_a_cone_index_in_another_unit_is_told(cone_index, meant):
    validity.forget()
    with pytest.warns(OutsideValidity, match=f"softer than mud.*; {meant}"):
        ConeIndexSoil(cone_index)


def test_an_angle_in_degrees_is_refused_with_its_conversion():
    with pytest.raises(ValueError, match="at most 1.5707 rad; 30 degrees are 0.5236 rad"):
        BekkerSoil(k_c=1e3, k_phi=1e6, n=1.0, friction_angle=30.0)
    with pytest.raises(ValueError, match="at most 1.5707 rad$"):  # 300 is not taken for degrees
        BekkerSoil(k_c=1e3, k_phi=1e6, n=1.0, friction_angle=300.0)


@pytest.mark.parametrize(
    ("pressure", "meant"),
    [(2, "2 bar are 200000 Pa"), (32, "32 psi are 220632 Pa"), (200, "200 kPa are 200000 Pa")],
)
def test_a_pressure_in_another_unit_is_refused_with_it(pressure, meant):
    with pytest.raises(ValueError, match=f"must be at least 1000 Pa;.*{meant}"):
        Tyre(0.762, 0.2, 0.14, pressure)
