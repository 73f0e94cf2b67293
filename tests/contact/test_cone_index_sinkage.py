"""Sinkage of standing and rolling wheels by the published relation to the cone index (``maclaurin``)."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bodies as B
from bodies import vehicle
from contact import BekkerSoil, ConeIndexSinkage, ConeIndexSoil, Tyre, WheelContact
from contact import terrain as T
from contact.rigid import Plane
from tests.bodies.test_ground import AREA, G, tandem
from tests.refusals import refusals

TYRE, LOAD = Tyre(0.762, 0.2, 0.14), 250.0 * G


def published(tyre, cone_index, load):
    """Published sinkage [m]: 0.224 D / N_CI^1.25, D: diameter [m], N_CI: Turnage's mobility number."""
    deflection = min(load / (math.pi * tyre.pressure * math.sqrt(tyre.diameter * tyre.width)), 0.14)
    number = cone_index * tyre.width * tyre.diameter / load
    number *= math.sqrt(deflection / tyre.section_height) / (1 + tyre.width / (2 * tyre.diameter))
    return 0.224 * tyre.diameter / number**1.25


def soft(cone_index, **changes):
    return WheelContact(TYRE, ConeIndexSoil(cone_index), **{"sinkage": "maclaurin"} | changes)


@settings(max_examples=40)
@given(st.floats(2e5, 3e6), st.floats(200.0, 6000.0))
def test_what_stands_has_sunk_by_the_published_relation(cone_index, load):
    sunk = soft(cone_index).static_compression(load) - load / TYRE.stiffness
    assert sunk == pytest.approx(published(TYRE, cone_index, load), rel=1e-6)


def test_softer_ground_is_deeper_in_a_run():
    """At cone indices from 150 to 2000 kPa a rolling wheel has the published sinkage within 0.1 %."""
    deep = []
    for cone_index in (1.5e5, 2.5e5, 4e5, 7e5, 1.2e6, 2e6):
        run = B.simulate(B.compile(tandem(T.Plane(), wheel=soft(cone_index), speed=1.0)), 2.0, 1e-3)
        record = run.wheel("tyre0")
        assert run.missed == 0
        assert record.sinkage[-1] == pytest.approx(
            published(TYRE, cone_index, record.load[-1]), rel=1e-3
        )
        deep.append(record.sinkage[-1])
    assert np.all(np.diff(deep) < 0.0)
    assert deep[0] > 10.0 * deep[-1]


def test_ground_that_does_not_give_leaves_the_tyre():
    wheel = soft(3e5, sinkage="none")
    assert wheel.static_compression(LOAD) == pytest.approx(LOAD / TYRE.stiffness, rel=1e-12)


def test_later_wheels_go_on_where_the_first_left_off():
    """In one rut the n-th of three equal wheels has the sinkage ``z_1 n^(1/3)`` within 0.2 %."""
    ground = T.Plane(memory=AREA)
    run = B.simulate(
        B.compile(tandem(ground, 3, speed=2.0, wheel=soft(4e5))), 2.5, 1e-3, record_every=100
    )
    sunk = [run.wheel(f"tyre{k}").sinkage[-1] for k in range(3)]
    assert sunk[0] == pytest.approx(published(TYRE, 4e5, LOAD), rel=0.01)
    assert sunk == pytest.approx(sunk[0] * np.arange(1, 4) ** (1 / 3), rel=2e-3)


def test_on_a_map_each_patch_has_its_own():
    soils = T.SoilMap(ConeIndexSoil(4e5), [T.Patch(ConeIndexSoil(1.2e6), x=(3.0, 99.0))], 0.4)
    described = tandem(T.Plane(soil_map=soils), speed=2.0, wheel=soft(9e5))
    run = B.simulate(B.compile(described), 3.5, 1e-3, record_every=50)
    x, record = run.position("wheel0")[:, 0], run.wheel("tyre0")
    before = (x > 2.0) & (x < 2.7)
    assert record.sinkage[before] == pytest.approx(published(TYRE, 4e5, LOAD), rel=0.02)
    assert record.sinkage[-1] == pytest.approx(published(TYRE, 1.2e6, LOAD), rel=0.02)


def test_a_vehicles_file_says_so(tmp_path):
    """A file selects the relation by name or by numbers; half the coefficient gives half the sinkage."""
    text = 'base = "hmmwv"\nname = "{}"\n[soil]\ncone_index_Pa = 3e5\n[contact]\nsinkage = {}\n'
    deep = {}
    for name, said in (
        ("plain", '"bekker"'),
        ("named", '"maclaurin"'),
        ("own", "{ coefficient = 0.112, exponent = 1.25 }"),
    ):
        (tmp_path / f"{name}.toml").write_text(text.format(name, said))
        car = vehicle.read(tmp_path / f"{name}.toml")
        contact = car.wheel
        deep[name] = contact.static_compression(6000.0) - 6000.0 / contact.tyre.stiffness
    assert deep["own"] == pytest.approx(0.5 * deep["named"], rel=1e-9)
    assert deep["plain"] != deep["named"]


def test_vehicles_of_a_batch_sink_each_into_its_own_soil():
    model = B.compile(tandem(Plane(), wheel=soft(4e5), speed=1.0))
    strength = np.linspace(3e5, 1.5e6, 8)
    lanes, alone = B.Batch(model, 8), B.Batch(model, 8, lanes=False)
    for batch in (lanes, alone):
        batch.set("soil.cone_index", strength)
        batch.run(1500)
    assert lanes.lanes
    height = lanes.position("wheel0")[:, 2]
    assert np.array_equal(height, alone.position("wheel0")[:, 2])
    assert np.all(np.diff(height) > 0.0)


LOAM = BekkerSoil.sandy_loam()
test_what_cannot_be_is_refused = refusals(
    (lambda: soft(3e5, sinkage="maclauren"), "unknown sinkage 'maclauren'"),
    (lambda: soft(3e5, sinkage=3), "sinkage = 3"),
    (lambda: WheelContact(TYRE, LOAM, law="wong-reece", sinkage="maclaurin"), "it needs a cone index"),
    (
        lambda: replace(soft(3e5), tyre=Tyre(0.762, 0.2, 0.14, deflection=0.0)),
        "deflection 0",
    ),
    (
        lambda: WheelContact(TYRE, LOAM, law="wong-reece", slip_sinkage=True, sinkage="none"),
        "leave out sinkage",
    ),
    (lambda: ConeIndexSinkage(exponent=-1.0), r"ConeIndexSinkage\.exponent = -1"),
    (lambda: soft(4e4).static_compression(LOAD), "the soil is too soft"),
)
