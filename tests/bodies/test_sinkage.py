"""A wheel's record has its sinkage on every soil of a map, in ruts, and in the air."""

import numpy as np
import pytest

import bodies as B
from contact import BekkerSoil, WheelContact
from contact import terrain as T
from contact.normal import sinkage_force

from .test_ground import AREA, SOFT, TYRE, G, R, tandem

LOAD = 250.0 * G
LOAMY = WheelContact(TYRE, SOFT, sinkage="bekker")  # its sinkage is that of sandy loam


def root(base):
    """Sinkage at which the soil carries the wheel at rest."""
    from scipy.optimize import brentq

    return brentq(lambda z: float(sinkage_force(base, R, 0.2, z)) - LOAD, 1e-6, 0.3, xtol=1e-12)


def test_on_every_patch_it_is_that_of_the_patchs_own_base():
    here, there = BekkerSoil.sandy_loam(), BekkerSoil(0.0, 6e6, 0.7)
    ground = T.Plane(soil_map=T.SoilMap(SOFT, [T.Patch(SOFT, x=(3.0, 99.0), base=there)], 0.4))
    run = B.simulate(B.compile(tandem(ground, speed=2.0, wheel=LOAMY)), 3.5, 1e-3, record_every=50)
    x, record = run.position("wheel0")[:, 0], run.wheel("tyre0")
    settled = (x > 2.0) & (x < 2.7)
    assert record.sinkage[settled] == pytest.approx(root(here), rel=0.02)
    assert record.sinkage[-1] == pytest.approx(root(there), rel=0.02)
    assert x[-1] > 5.0


def test_in_ruts_it_is_that_of_all_passes():
    """The n-th of equal wheels in line sinks to z_1 n^(1/3) (z_1: sinkage of the first)."""
    described = tandem(T.Plane(memory=AREA), 3, speed=2.0, wheel=LOAMY)
    run = B.simulate(B.compile(described), 2.5, 1e-3, record_every=100)
    sunk = [run.wheel(f"tyre{k}").sinkage[-1] for k in range(3)]
    assert sunk[0] == pytest.approx(root(BekkerSoil.sandy_loam()), rel=0.02)
    assert sunk == pytest.approx(sunk[0] * np.arange(1, 4) ** (1 / 3), rel=0.02)


def test_on_hard_ground_and_in_the_air_it_is_zero():
    """A wheel on hard ground or in the air has no sinkage, also if listed before a wheel on soil."""
    described = tandem(T.Plane(), 2, 100.0, hard=(0,), wheel=LOAMY)
    assert described.wheels[0].soil is None
    run = B.simulate(B.compile(described), 1.0, 1e-3, record_every=10)
    hard, soft = run.wheel("tyre0"), run.wheel("tyre1")
    assert np.all(hard.sinkage == 0.0)
    assert soft.sinkage[-1] == pytest.approx(root(BekkerSoil.sandy_loam()), rel=0.02)
    assert hard.load[-1] == pytest.approx(LOAD, rel=5e-3)
    assert hard.resistance[-1] == 0.0 > soft.resistance[-1]
    assert run.missed == 0
    hop = B.simulate(B.compile(tandem(T.Step(1.0, 0.25, 0.3), 1, 0.0, speed=4.0)), 0.8, 5e-4)
    record = hop.wheel("tyre0")
    assert (record.load == 0.0).any()
    assert np.all(record.sinkage[record.load == 0.0] == 0.0)


@pytest.mark.parametrize("depth", [0.2, 0.45, 0.7])
def test_a_wheel_deep_below_the_ground_comes_up_again(depth):
    """A wheel started 0.2 to 0.7 m too deep has finite forces and comes to rest at its static height."""
    wheel = WheelContact(TYRE, SOFT)
    described = tandem(T.Plane(), 1, torque=0.0, speed=0.0, wheel=wheel, height=-depth)
    run = B.simulate(B.compile(described), 20.0, 1e-3, record_every=5)
    assert np.isfinite(run.positions).all()
    assert np.isfinite(run.wheel("tyre0").load).all()
    assert run.missed == 0
    assert run.wheel("tyre0").load[-1] == pytest.approx(LOAD, rel=1e-3)
    assert run.position("wheel0")[-1, 2] == pytest.approx(R - wheel.static_compression(LOAD), abs=1e-4)
