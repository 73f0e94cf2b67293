"""Wheels in other simulation codes (hosts) have side force by default; warnings of a law's validity."""

import copy
import math

import numpy as np
import pytest

from contact import BrixiusLateral, ConeIndexSoil, Crolla, OutsideValidity, Tyre, WheelContact, validity
from contact.hosts import WheelsOnGround
from contact.hosts.generic import GenericHost
from contact.hosts.wheel_unit import WheelOnSoftGround

TYRE, MASS, INERTIA, STEP = Tyre(0.762, 0.2, 0.14), 250.0, 6.0, 2e-3
WHEEL = WheelContact(TYRE, ConeIndexSoil(4e5))
INVERSE = np.array([1 / MASS] * 3 + [1 / 10.0, 1 / INERTIA, 1 / 10.0])


def slid(steps, lateral=..., slope=0.15, planar=False, torque=0.0):
    """(final velocity, ground) of a wheel that rolls along a side slope."""
    settings = {} if lateral is ... else {"lateral": lateral}
    ground = WheelsOnGround([WHEEL], **settings)
    inverse = INVERSE * ([1, 0, 1, 0, 1, 0] if planar else [1, 1, 1, 0, 1, 0])
    tilt = math.atan(slope)
    pull = np.array([0.0, -9.81 * math.sin(tilt), -9.81 * math.cos(tilt), 0, 0, 0]) * (inverse > 0.0)
    x = np.array([0.0, 0.0, TYRE.radius - WHEEL.static_compression(MASS * 9.81)])
    v = np.array([1.0, 0.0, 0.0, 0.0, 1.0 / TYRE.radius, 0.0])
    for _ in range(steps):
        free = v + STEP * (pull + inverse * np.array([0, 0, 0, 0, torque, 0]))
        wrench = ground.solve(STEP, [x], [[0, 1, 0]], [v], [free], np.diag(inverse))[0]
        v = free + STEP * inverse * wrench
        x = x + STEP * v[:3]
    return v, ground


def test_a_wheel_on_a_side_slope_holds_by_default():
    held, ground = slid(500)
    assert ground.contact.wheels[0].lateral == Crolla()
    assert abs(held[1]) < 0.1 * abs(held[0])  # it rolls at a small slip angle
    free, _ = slid(500, None)
    assert free[1] == pytest.approx(-9.81 * math.sin(math.atan(0.15)), rel=1e-9)  # slides without force


def test_a_law_of_the_wheels_own_stays_and_another_can_be_said():
    own = WheelContact(TYRE, ConeIndexSoil(4e5), lateral=Crolla(0.2, 0.7))
    assert WheelsOnGround([own, WHEEL]).contact.wheels[0].lateral == Crolla(0.2, 0.7)
    ground = WheelsOnGround([own, WHEEL], lateral=BrixiusLateral())
    assert [w.lateral for w in ground.contact.wheels] == [Crolla(0.2, 0.7), BrixiusLateral()]
    bare = WheelsOnGround([own, WHEEL], lateral=None)
    assert [w.lateral for w in copy.deepcopy(bare).contact.wheels] == [Crolla(0.2, 0.7), None]
    with pytest.raises(ValueError, match="lateral = 'crolla' must be a Crolla or"):
        WheelsOnGround([WHEEL], lateral="crolla")


def test_a_planar_host_has_the_same_motion_with_it_as_without():
    """In planar motion a lateral law changes nothing: its constraint rows have zero impulses."""
    with_it, ground = slid(300, planar=True, torque=300.0)
    without, _ = slid(300, None, planar=True, torque=300.0)
    assert with_it == pytest.approx(without, rel=1e-5, abs=1e-9)
    assert ground.residual < 1e-9
    assert not ground.missed


def test_the_co_simulation_unit_says_its_side_force_by_name():
    for name, law in (("crolla", Crolla()), ("brixius", BrixiusLateral()), ("none", None)):
        unit = WheelOnSoftGround()
        unit.values["lateral"] = name
        unit.start()
        assert unit.ground.contact.wheels[0].lateral == law
    unit.values["lateral"] = "crola"
    with pytest.raises(ValueError, match="did you mean 'crolla'"):
        unit.start()


def test_outside_its_validity_a_law_says_so_once_in_a_host():
    """The ground warns once, after some hundred steps, as a run of ``bodies`` does at its end."""
    validity.forget()
    with pytest.warns(OutsideValidity, match=r"brixius: slip = 0\.\d+ lies outside") as said:
        slid(600, torque=1200.0, slope=0.0)
    assert len(said) == 1


def test_an_adapter_says_so_too():
    validity.forget()
    ground = WheelsOnGround([WHEEL])
    host = GenericHost(ground, 6)
    place = [[0.0, 0.0, TYRE.radius - 0.02]], [[0.0, 1.0, 0.0]]
    spin, v = np.diag(1 / INVERSE), np.array([1.0, 0, 0, 0, 8.0, 0])
    for _ in range(250):
        host.solve(STEP, *place, np.eye(6), spin, v, v)
    with pytest.warns(OutsideValidity, match="brixius: slip"):
        _ = [host.solve(STEP, *place, np.eye(6), spin, v, v) for _ in range(10)]
