"""Columns of a run's engineering report, each against its definition."""

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator

import bodies as B
from bodies import vehicle
from bodies.driveline.fuel import fuel_rate

from .drives import full_throttle


@pytest.fixture(scope="module")
def run():
    model = B.compile(vehicle.load("tractor", controls=full_throttle(gear=5)))
    return B.simulate(model, 4.0, 2e-3, state=B.equilibrium(model), record_work=True)


def test_a_wheels_columns_are_its_forces_and_speeds(run):
    told, wheel = run.tractive_performance(), run.wheel("front_left")
    law = next(w for w in run.model.mechanism.wheels if w.name == "front_left").soil
    late = slice(1500, None)
    slip, load = wheel.slip[late], wheel.load[late]
    np.testing.assert_allclose(told["front_left.travel_reduction [-]"][late], slip, atol=1e-12)
    mu, gamma = law.thrust_ratio(slip, load), law.resistance_ratio(slip, load)
    np.testing.assert_allclose(told["front_left.gross_traction_ratio [-]"][late], mu, atol=1e-6)
    np.testing.assert_allclose(told["front_left.motion_resistance_ratio [-]"][late], gamma, atol=1e-6)
    net = told["front_left.net_traction [N]"]
    gross = told["front_left.gross_traction [N]"]
    efficiency = (net * wheel.v_x)[late] / (gross * wheel.rim_speed)[late]
    np.testing.assert_allclose(told["front_left.tractive_efficiency [-]"][late], efficiency, rtol=1e-12)
    np.testing.assert_array_equal(told["front_left.rut_depth [m]"], wheel.sinkage)
    total = sum(told[f"{w.name}.net_traction [N]"] for w in run.model.mechanism.wheels)
    np.testing.assert_allclose(told["vehicle.net_traction [N]"], total, rtol=1e-12)


def test_the_engines_columns_are_its_curve_and_its_work(run):
    """Engine torque is the table's at the engine's speed, within a step's change; energy is its work."""
    told = run.tractive_performance()
    engine = next(e for e in run.model.mechanism.elements if isinstance(e, B.Engine))
    late = slice(1500, None)
    speed, torque = told["engine.speed [rad/s]"][late], told["engine.torque [N m]"][late]
    np.testing.assert_allclose(torque, np.interp(speed, *np.array(engine.full_load).T), rtol=2e-3)
    turned = np.gradient(run.coordinate("crankshaft bearing"), run.time)[late]
    np.testing.assert_allclose(speed[1:-1], turned[1:-1], rtol=1e-3)
    np.testing.assert_allclose(told["engine.power [W]"][late], torque * speed, rtol=1e-12)
    np.testing.assert_allclose(told["vehicle.energy [J]"], run.work()["engine"], rtol=1e-12)
    burnt = np.trapezoid(told["engine.fuel [kg/s]"], run.time)
    assert told["vehicle.fuel [kg]"][-1] == pytest.approx(burnt, rel=1e-12)
    gone = told["vehicle.distance [m]"][-1]
    assert gone == pytest.approx(np.ptp(run.position("frame")[:, 0]), rel=1e-2)
    assert told["vehicle.fuel_per_distance [kg/m]"][-1] == pytest.approx(burnt / gone, rel=1e-12)


def test_motors_on_hard_ground_have_power_and_energy_too():
    model = B.compile(vehicle.load("skid_steer", controls={"left": 0.8, "right": 0.8}))
    told = B.simulate(model, 3.0, 2e-3, record_every=5).tractive_performance()
    power = sum(
        told[f"{a}_{s} motor.power [W]"][-1] for a in ("front", "rear") for s in ("left", "right")
    )
    rolling = 0.02 * 15.0 * 9.80665 * told["vehicle.speed [m/s]"][-1]
    assert power == pytest.approx(rolling, rel=2e-2)
    assert told["vehicle.energy_per_distance [J/m]"][-1] > 0.02 * 15.0 * 9.80665


def test_fuel_between_the_points_of_a_map_is_scipys():
    rng = np.random.default_rng(0)
    speeds, torques = np.array([60.0, 150.0, 230.0]), np.array([0.0, 300.0, 500.0, 900.0])
    table = rng.uniform(0.0, 0.01, (3, 4))
    rows = [(w, t, table[i, j]) for i, w in enumerate(speeds) for j, t in enumerate(torques)]
    rng.shuffle(rows)
    at = np.column_stack([rng.uniform(60, 230, 200), rng.uniform(0, 900, 200)])
    expected = RegularGridInterpolator((speeds, torques), table)(at)
    np.testing.assert_allclose(fuel_rate(tuple(rows), *at.T), expected, rtol=1e-12)
    assert fuel_rate(tuple(rows), 1e3, -50.0) == pytest.approx(table[-1, 0])


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("[[600.0, 0.0, 1.0], [600.0, 200.0, 2.0]]", "two torques at each of at least two speeds"),
        ("[[600.0, 0.0, 1.0], [700.0, 200.0, 2.0], [600.0, 200.0, 1.0]]", "got 3 triples of 2 speeds"),
        ("[[600.0, 0.0, -1.0], [700.0, 0.0, 1.0], [600.0, 9.0, 1.0], [700.0, 9.0, 1.0]]", "below 0"),
        ("[[600.0, 0.0], [700.0, 0.0]]", "fuel_map_rpm_N_m_g_s.* must be 3 numbers"),
    ],
)
def test_a_map_that_is_no_grid_gets_a_sentence(rows, said):
    text = vehicle.path_of("tractor").read_text(encoding="utf-8")
    old = next(line for line in text.splitlines() if line.startswith("fuel_map"))
    with pytest.raises(B.MechanismError, match=said):
        vehicle.from_toml(text.replace(old, f"fuel_map_rpm_N_m_g_s = {rows}"), "x.toml")


def test_an_unknown_drawbar_gets_the_nearest_name():
    run = B.simulate(B.compile(vehicle.load("truck")), 2e-3, 2e-3)
    with pytest.raises(B.UnknownName, match="did you mean 'drag link'"):
        run.tractive_performance("drag lnk")
