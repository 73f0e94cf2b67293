"""The tractor's drawbar table (pull, slip, efficiency) agrees with an independent force balance."""

import dataclasses
import json
import math

import numpy as np
import pytest
from scipy.optimize import brentq, fsolve

import bodies as B
from bodies import vehicle
from bodies.vehicle import LoadCar, Piece, pull_test
from bodies.vehicle.tools import d497
from tests.refusals import refusals
from wheelground.reports import drawbar

G, MASS, CENTRE, BASE = (
    9.80665,
    9391.0,
    1.20,
    2.90,
)  # gravity [m/s^2], mass [kg], centre of mass ahead of the rear axle [m], wheelbase [m]
HITCH = (-0.6, 0.0, 0.5)
STRENGTH = {"hard": 1.8e6, "firm": 1.2e6, "tilled": 9e5, "soft": 4.5e5}  # cone indices [Pa], ASABE D497
# Diameter, width, section height [m], pressure [Pa], height of the axle [m], gear ratio to the gearbox.
FRONT = (1.434, 0.48, 0.336, 1.2e5, 0.588, 14.41)
REAR = (1.9508, 0.52, 0.442, 1.1e5, 0.823, 20.0)


def ratios(tyre, load, slip, strength):
    """Thrust and resistance over ``load`` of an axle with two radial tyres, by Brixius' equations."""
    diameter, width, height, pressure, _, _ = tyre
    one = 0.5 * load
    delta = one / (math.pi * pressure * math.sqrt(diameter * width))
    b_m = strength * diameter * width / one * (1 + 5 * delta / height) / (1 + 3 * width / diameter)
    mu = 0.88 * (1 - math.exp(-0.1 * b_m)) * (1 - math.exp(-9.5 * slip)) + 0.0325
    return mu, 0.9 / b_m + slip / (2.0 * math.sqrt(b_m)) + 0.0325


def steady(slip, strength):
    """Pull and tractive efficiency at a slip of the rear wheels: planar statics of the whole tractor.

    The gears set the speeds of the axles. Thrust is a wheel's torque over its unloaded radius: it acts
    at this distance below the axle. Resistance acts at the axle, the pull at the hitch.
    """
    # rim speed over the gearbox's output speed [m]
    rim = {"front": 0.5 * FRONT[0] / FRONT[5], "rear": 0.5 * REAR[0] / REAR[5]}
    v = rim["rear"] * (1.0 - slip)
    slip_front = 1.0 - v / rim["front"]

    def forces(loads):
        found = []
        for tyre, load, s in ((FRONT, loads[0], slip_front), (REAR, loads[1], slip)):
            mu, gamma = ratios(tyre, load, s, strength)
            found.append((mu * load, gamma * load))
        return found

    def off(loads):
        (t_f, r_f), (t_r, r_r) = forces(loads)
        pull = t_f + t_r - r_f - r_r
        tip = pull * HITCH[2] + r_f * FRONT[4] + r_r * REAR[4]
        tip += t_f * (0.5 * FRONT[0] - FRONT[4]) + t_r * (0.5 * REAR[0] - REAR[4])
        return [loads[0] + loads[1] - MASS * G, loads[0] * BASE - (MASS * G * CENTRE - tip)]

    loads = fsolve(off, [0.3 * MASS * G, 0.7 * MASS * G], xtol=1e-11)
    (t_f, r_f), (t_r, r_r) = forces(loads)
    pull = t_f + t_r - r_f - r_r
    return pull, pull * v / (t_f * rim["front"] + t_r * rim["rear"]), loads


def best(strength):
    """Slip and efficiency at the largest efficiency, where its central difference is zero."""

    def slope(s):
        return steady(s + 1e-5, strength)[1] - steady(s - 1e-5, strength)[1]

    slip = brentq(slope, 0.03, 0.3, xtol=1e-12)
    return slip, steady(slip, strength)[1]


def rear_slip(table):
    """Mean slip of both rear wheels, relative to their rim speeds."""
    return 0.5 * (table["rear_left.travel_reduction [-]"] + table["rear_right.travel_reduction [-]"])


@pytest.mark.parametrize("soil", STRENGTH)
def test_the_sheet_is_the_force_balance(soil):
    """Wheel forces follow their law, powers balance, and the best efficiency is as by statics."""
    strength = STRENGTH[soil]
    slip, efficiency = best(strength)
    slips = slip * np.array([0.6, 0.8, 1.0, 1.2, 1.4])
    pulls = [steady(s, strength)[0] for s in slips]
    car = vehicle.read("tractor").on(soil=d497.SOIL_CLASSES[soil])
    table = pull_test(car, pulls, HITCH, controls={"gear": 3})
    assert table["off_the_law [-]"].max() < 1e-6
    powers = {n: v for n, v in table.items() if n.startswith("balance.")}
    engine = powers.pop("balance.engine [W]")
    assert np.abs(engine - sum(powers.values())).max() < 1e-6 * engine.max()
    np.testing.assert_allclose(table["vehicle.drawbar_pull [N]"], pulls, rtol=1e-3)
    curve = np.polynomial.Polynomial.fit(rear_slip(table), table["vehicle.tractive_efficiency [-]"], 4)
    top = brentq(curve.deriv(), slips[1], slips[3])
    assert curve(top) == pytest.approx(efficiency, rel=2e-4)
    assert top == pytest.approx(slip, abs=5e-4)


@pytest.mark.parametrize(
    ("tool", "texture", "speed", "width", "depth", "force"),
    [  # draft [N] by hand: F_i (A + B S + C S^2) W T with the texture's factor F_i, the tool's numbers
        # A, B, C, speed S [km/h], width W [m], depth T [cm]
        ("moldboard plow", "fine", 7.0, 1.6, 0.20, 1.0 * (652.0 + 5.1 * 49.0) * 1.6 * 20.0),
        ("moldboard plow", "medium", 5.0, 2.0, 0.25, 0.7 * (652.0 + 5.1 * 25.0) * 2.0 * 25.0),
        ("chisel plow, straight point", "coarse", 8.0, 11.0, 0.15, 0.65 * (91.0 + 5.4 * 8.0) * 165.0),
        ("disk harrow, tandem, primary", "medium", 9.0, 4.0, 0.10, 0.88 * (309.0 + 144.0) * 40.0),
        ("field cultivator, secondary", "fine", 10.0, 30.0, 0.08, (32.0 + 19.0) * 240.0),
    ],
)
def test_draft_is_d497s_formula(tool, texture, speed, width, depth, force):
    assert d497.draft(tool, texture, speed / 3.6, width, depth) == pytest.approx(force, rel=1e-12)


test_bad_tools_and_pulls_get_a_sentence = refusals(
    (lambda: d497.draft("mouldboard plow", "fine", 1.0, 1.0, 0.2), "did you mean 'moldboard plow'"),
    (lambda: d497.draft("moldboard plow", "coarze", 1.0, 1.0, 0.2), "did you mean 'coarse'"),
    (lambda: pull_test(vehicle.read("tractor"), [2e4, 1e4], HITCH), "pulls must rise"),
    (
        lambda: pull_test(vehicle.read("tractor"), [2e5], HITCH, controls={"gear": 3}),
        "does not go at a pull of 200000 N",
    ),
    error=B.MechanismError,
)


def test_a_car_that_holds_its_speed_makes_the_slip():
    """The governor holds the speed of the rims and the load car 1.5 m/s: both determine the slip."""
    car = LoadCar(
        name="car", hitch=HITCH, load="speed", length=30.0, body=Piece(mass=500.0, inertia=(9.0,) * 3)
    )
    tractor = vehicle.read("tractor")
    go = {
        "throttle": B.Schedule(((0.0, 0.0), (0.2, 1.0))),
        "gear": 3,
        "clutch": B.Schedule(((0.0, 0.0), (0.3, 0.0), (1.5, 1.0))),
        "load_speed": B.Schedule(((0.0, 0.0), (2.0, 1.5))),
    }
    loaded = dataclasses.replace(tractor, parts=(*tractor.parts, car), controls=tractor.controls | go)
    model = B.compile(loaded.mechanism())
    run = B.simulate(model, 8.0, 2e-3, record_every=50, state=B.equilibrium(model))
    told = run.tractive_performance()
    assert told["vehicle.speed [m/s]"][-1] == pytest.approx(1.5, rel=2e-3)
    rim = told["engine.speed [rad/s]"][-1] / (5.9 * 20.0) * 0.9754
    assert rear_slip(told)[-1] == pytest.approx(1.0 - 1.5 / rim, abs=2e-3)
    assert told["vehicle.drawbar_pull [N]"][-1] > 5e4


def test_the_command_makes_a_sheet(tmp_path):
    words = ("--soil", "firm", "--points", "3", "--out", tmp_path, "--json", tmp_path / "sheet.json")
    assert drawbar.app([str(w) for w in words], result_action="return_value") == 0
    sheet = json.loads((tmp_path / "sheet.json").read_text())
    assert all(check["verdict"] == "passed" for check in sheet["checks"])
    assert len(sheet["soils"]["firm"]["vehicle.drawbar_pull [N]"]) == 3
    assert (tmp_path / "drawbar_sheet.png").stat().st_size > 5000
