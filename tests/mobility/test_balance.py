"""The force balance against the whole vehicle, closed forms and mobility indices."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from bodies import vehicle
from contact import MagicFormula, mobility_index, vehicle_cone_index
from mobility import Axle, Driver, going, index_class, lumped, needed_cone_index
from mobility.kernels import answers as L
from mobility.kernels.tables import DRIVER, GO, KEEP_MOVING, NO_DATA, NO_GO, POWER, SIDE, SIGHT, SOIL
from mobility.performance.limits import balance
from mobility.vehicles.converter import behind_converter
from mobility.vehicles.suspension import axle_compliance, carried
from tests.refusals import refusals


@pytest.fixture(scope="module")
def rear_driven():
    return lumped("hmmwv")


def test_slip_is_that_of_the_whole_vehicle(rear_driven):
    """Steady slip of the 45-body vehicle (``bodies.simulate``), full throttle, on four slopes."""
    found = going(rear_driven, [260e3, 260e3, 260e3, 400e3], [0.0, 0.05, 0.1, 0.2]).slip
    assert found == pytest.approx([0.0932, 0.1589, 0.3326, 0.2392], abs=1e-3)


def test_loads_and_pull_of_a_rigid_vehicle_on_hard_ground_are_the_textbooks():
    """With friction mu and four driven wheels the net pull over weight is mu cos(angle) - sin(angle)."""
    law = MagicFormula(B=10.0, C=1.0, D=0.8, E=0.0)  # C = 1: the force rises to D and stays
    whole = lumped("hmmwv_4x4", open_axles=False)
    contact = dataclasses.replace(whole.contact, law=law)
    whole = dataclasses.replace(whole, contact=contact)
    answers = balance(whole, 1e6, [0.0, 0.3])
    mu = float(contact.thrust_ratio(1.0, 6e3) - contact.resistance_ratio(1.0, 6e3))
    normal = np.cos(np.arctan([0.0, 0.3]))
    assert answers[:, L.MARGIN] == pytest.approx(mu * normal - np.sin(np.arctan([0.0, 0.3])), rel=2e-3)


def test_no_go_where_no_slip_holds(rear_driven):
    slopes = np.linspace(0.0, 0.4, 41)
    found = going(rear_driven, 300e3, slopes)
    assert (np.diff(found.kind.astype(int)) >= 0).all()  # GO, then KEEP MOVING, then NO-GO
    assert set(found.kind) == {GO, KEEP_MOVING, NO_GO}
    assert (found.reason[found.kind == NO_GO] == SOIL).all()
    assert (found.speed[found.kind == NO_GO] == 0.0).all()


def test_a_moving_vehicle_climbs_more_than_it_starts_on(rear_driven):
    slopes = np.linspace(0.0, 0.4, 401)
    for strength, start, best in ((260e3, 0.057, 0.124), (400e3, 0.196, 0.262)):
        kind = going(rear_driven, strength, slopes).kind
        assert slopes[kind == GO].max() == pytest.approx(start, abs=0.02)
        assert slopes[kind != NO_GO].max() == pytest.approx(best, abs=0.025)


def test_power_is_what_engine_and_gears_give():
    """At the limit of power the gear's torque at the wheels' spin equals the torque that is needed."""
    car = lumped("hmmwv_4x4")
    found = going(car, 5e6, 0.5)
    gear = car.gears[found.gear - 1]
    spin = found.speed / car.radius / (1.0 - found.slip)
    torque = np.interp(spin, gear.speed, gear.torque)
    assert found.reason == POWER
    assert torque == pytest.approx(balance(car, 5e6, 0.5)[L.TORQUE], rel=1e-9)


@pytest.mark.parametrize("name", ["hmmwv_4x4", "truck", "tractor"])
def test_speed_on_firm_ground_is_the_files_engine_and_gears(name):
    """Speed times force at the rims is the engine's power less the losses in oil, from the file; at a
    small force the engine runs in its governor's range, between the last table point with torque and
    zero torque.
    """
    car, parts = lumped(name), vehicle.read(name).parts
    engine, box = (
        next(p for p in parts if isinstance(p, kind))
        for kind in (vehicle.CombustionEngine, vehicle.ClutchAndGearbox)
    )
    drives = [p for p in parts if isinstance(p, vehicle.FinalDrive)]
    final = min((abs(d.ratio) for d in drives), key=lambda r: abs(r - abs(drives[0].ratio)))
    curve = np.array(engine.full_load)
    last = curve[:-1][curve[:-1, 1] > 0.0][-1, 0]  # last point of power, before the governor
    governed = 0
    for number, ratio in enumerate(box.ratios, 1):
        one = dataclasses.replace(car, gears=(car.gears[number - 1],))
        for slope in (0.0, 0.1, 0.3):
            found = going(one, 4e6, slope, driver=Driver(maximum=100.0, sight=1e4))
            if found.kind == NO_GO:
                continue
            spin = float(found.speed) / car.radius / (1.0 - float(found.slip))
            crank = spin * final * ratio * box.transfer_ratio
            torque = np.interp(crank * 30.0 / np.pi, curve[:, 0], curve[:, 1])
            lost = box.drag * crank**2 + sum(d.drag for d in drives) * (spin * final) ** 2
            power = torque * crank - lost
            assert spin * balance(one, 4e6, slope)[L.TORQUE] == pytest.approx(power, rel=0.01, abs=5.0)
            governed += last <= crank * 30.0 / np.pi <= curve[-1, 0]
    assert governed > 3


def test_downhill_the_engine_brakes_and_no_speed_is_above_what_brakes_stop():
    car, near = lumped("hmmwv_4x4"), Driver(maximum=100.0, sight=30.0)
    slopes = np.linspace(-0.6, 0.0, 61)
    found = going(car, 1e6, slopes, driver=near)
    a = balance(car, 1e6, slopes)[:, L.BRAKING]
    assert (found.speed * near.reaction + found.speed**2 / (2.0 * a) <= near.sight * (1.0 + 1e-9)).all()
    assert {POWER, SIGHT} <= set(found.reason)
    steep = slopes < -0.3
    assert (balance(car, 1e6, slopes[steep])[:, L.TORQUE] < 0.0).all()
    free = going(car, 1e6, slopes, driver=Driver(maximum=100.0, sight=1e4))
    engine = next(p for p in vehicle.read("hmmwv_4x4").parts if hasattr(p, "full_load"))
    most = car.gears[-1].speed[-1] * car.radius * 1.02  # highest speed [m/s], slip 2 %
    assert (free.speed <= most).all()
    assert engine.full_load[-1][1] < 0.0


def test_sight_driver_and_side_slope_limit_with_their_reason():
    car = lumped("hmmwv_4x4")
    near = Driver(sight=5.0)
    found = going(car, 2e6, -0.3, driver=near)
    a = balance(car, 2e6, -0.3)[L.BRAKING]
    assert found.reason == SIGHT
    assert found.speed * near.reaction + found.speed**2 / (2.0 * a) == pytest.approx(near.sight)
    slow = going(car, 2e6, 0.0, driver=Driver(maximum=3.0))
    assert (slow.reason, slow.speed) == (DRIVER, 3.0)
    steep = min(a.half_track for a in car.axles) / car.height + 0.01
    found = going(car, 5e6, 0.0, steep)
    assert (found.kind, found.reason) == (NO_GO, SIDE)


def test_left_and_right_are_alike_and_open_axles_hold_less():
    car = lumped("hmmwv")
    left, right = going(car, 4e5, 0.1, 0.2), going(car, 4e5, 0.1, -0.2)
    assert (left.slip, left.speed) == (right.slip, right.speed)
    locked = dataclasses.replace(car, open_axles=False)
    assert going(locked, 4e5, 0.1, 0.2).slip < left.slip


def test_a_vehicle_that_moves_does_not_hold_by_standing_with_spinning_wheels():
    random = np.random.default_rng(4)
    strength = np.exp(random.uniform(11.0, 15.0, 400))
    along, across = random.uniform(-0.4, 0.6, 400), random.uniform(-0.5, 0.5, 400)
    found = going(lumped("hmmwv_4x4"), strength, along, across)
    goes = found.kind != NO_GO
    assert goes.any()
    assert found.slip[goes].max() < 0.95
    assert found.speed[goes].min() > 0.1


def test_a_point_does_not_depend_on_the_threads_that_share_the_work(monkeypatch):
    from mobility.performance import threads

    random = np.random.default_rng(9)
    strength, along = np.exp(random.uniform(11.0, 15.0, 150)), random.uniform(-0.4, 0.6, 150)
    car, found = lumped("hmmwv_4x4"), []
    for cores in (1, 2, 5):
        monkeypatch.setattr(threads, "cores", lambda cores=cores: cores)
        found.append(balance(car, strength, along, 0.1).tobytes())
    assert found[0] == found[1] == found[2]


def test_drag_slows():
    car = lumped("hmmwv_4x4", drag_area=3.0)
    still = dataclasses.replace(car, drag_area=0.0)
    assert 0.9 < going(car, 5e6, 0.1).speed / going(still, 5e6, 0.1).speed < 1.0


def test_the_index_says_no_go_exactly_below_the_vehicles_index():
    car = lumped("hmmwv")
    tyre = car.contact.tyre
    gear = car.gears[0]
    power = (gear.torque * gear.speed).max()
    index = mobility_index(car.mass, 2, 4, tyre.width, tyre.diameter, 0.41, power)
    needed = needed_cone_index(car, 0.41)
    ratio = float(tyre.deflection_at(car.weight / 4)) / tyre.section_height
    assert needed == vehicle_cone_index(index, 1, ratio)
    assert needed_cone_index(car, 0.41, 50) == vehicle_cone_index(index, 50)
    below = np.nextafter(needed, 0.0)
    assert index_class([below, needed, np.nan], needed).tolist() == [NO_GO, GO, NO_DATA]
    assert index_class([1e6] * 3, needed, ["CL", "SP", "??"]).tolist() == [GO, NO_DATA, NO_DATA]


test_bad_input_is_a_sentence = refusals(
    (lambda: going(lumped("hmmwv"), -1.0, 0.0), "strength .* above 0"),
    (lambda: Driver(maximum=0.0), "maximum"),
    (lambda: dataclasses.replace(lumped("hmmwv"), axles=(Axle(0.0, 1.0),)), "at least two"),
    (lambda: lumped("trailer"), "'trailer' has no engine and no hub drives"),
    (lambda: lumped("hmmwv", drag_aera=1.0), "drag_area"),
)


def test_trailing_arms_give_way_by_their_levers():
    """The stiffness at the wheel is that of the spring times the squared ratio of their levers about the
    hinge; a wheel below its hinge moves backward as it rises."""
    file = Path(__file__).parents[2] / "examples" / "utility_vehicle.toml"
    arm = vehicle.read(file).part(vehicle.TrailingArm, "rear")
    found = axle_compliance(arm, 0.47, load=carried(arm))
    # hinge 0.55 m before and 0.08 m above the wheel; spring's lower end from the hinge, its direction
    foot, line = (0.12 - 0.55, 0.04 - 0.08), np.array([-0.0, 0.05, 0.36])
    lever = abs(foot[0] * line[2]) / np.linalg.norm(line)
    assert found.stiffness == pytest.approx(2.0 * 120e3 * (lever / 0.55) ** 2, rel=0.03)
    assert found.path == pytest.approx(-0.08 / 0.55, rel=0.02)
    assert found.unsprung == pytest.approx(2.0 * 71.1 + 42.0)


def test_behind_a_converter_the_turbine_has_what_the_engine_gives():
    """The turbine's torque at stall and at half the pump's speed, by hand; the turbine's power is at
    most the engine's largest."""
    file = Path(__file__).parents[2] / "examples" / "utility_vehicle.toml"
    parts = vehicle.read(file).parts
    box = next(p for p in parts if isinstance(p, vehicle.AutomaticTransmission))
    box = dataclasses.replace(box, lockup_capacity=0.0)
    engine = np.array([[80.0, 400.0], [250.0, 600.0], [280.0, -200.0]])
    found = behind_converter(engine, box)
    assert (np.diff(found[:, 0]) > 0.0).all()
    # stall at the engine speed w [rad/s]: engine torque 400 + 200/170 (w - 80) = pump torque 0.0185 w^2
    stall = max(np.roots([-0.0185, 200.0 / 170.0, 400.0 - 80.0 * 200.0 / 170.0]))
    assert found[0] == pytest.approx([0.0, 2.1 * 0.0185 * stall**2], rel=1e-4)
    half = np.interp(0.5, *np.array(box.converter_capacity).T)  # at half the pump's speed
    pump = max(np.roots([-half, 200.0 / 170.0, 400.0 - 80.0 * 200.0 / 170.0]))
    ratio = np.interp(0.5, *np.array(box.torque_ratio).T)
    assert np.interp(0.5 * pump, *found.T) == pytest.approx(ratio * half * pump**2, rel=1e-4)
    drives = found[:, 1] > 0.0
    most = np.interp(np.linspace(80.0, 280.0, 2001), *engine.T) * np.linspace(80.0, 280.0, 2001)
    assert (found[drives].prod(axis=1) <= most.max()).all()
    assert found[-1, 1] < 0.0  # [N m] at the highest speed the engine brakes the vehicle
    locked = behind_converter(engine, dataclasses.replace(box, lockup_capacity=1e4))
    assert np.interp(240.0, *locked.T) == pytest.approx(np.interp(240.0, *engine.T))
