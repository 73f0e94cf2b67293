"""Fit of a vehicle, as a model or by name, to the log of a drive: intervals contain the true values."""

import numpy as np
import pytest

import bodies
from bodies.vehicle import QuarterVehicle, load
from contact import ConeIndexSoil, Tyre, WheelContact
from identify import Log, Unknown, fit, fit_log
from tests.refusals import refusals

STEP, ROW = 5e-3, 0.02  # step of the runs and time between rows [s]
SIGNALS = ("frame.speed", "rear_left.rim_speed", "frame.yaw_rate")
SOFT = 6e4  # cone index [Pa] for a robot of 15 kg


def model(name, cone_index):
    return bodies.compile(load(name, cone_index=cone_index))


def driven(machine, values, inputs):
    """Signals of a drive from rest in rows of 20 ms, from poses, velocities and wheels."""
    batch = bodies.Batch(machine, 1, STEP)
    batch.vary(values)
    for name, column in inputs.items():
        batch.set_input(name, column[0])
    batch.equilibrium()
    batch.run(200)
    rows = []
    for k in range(len(next(iter(inputs.values())))):
        x, y, z, w = np.roll(batch.quaternion("frame")[0], -1)
        yaw = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
        ahead = batch.velocity("frame")[0, :2] @ (np.cos(yaw), np.sin(yaw))
        rim = batch.wheels().rim_speed[0, 2]
        rows.append((ahead, rim, batch.angular_velocity("frame")[0, 2]))
        for name, column in inputs.items():
            batch.set_input(name, column[k])
        batch.run(round(ROW / STEP), threads=1)
    assert not batch.stopped
    return dict(zip(SIGNALS, np.array(rows).T, strict=True))


@pytest.fixture(scope="module")
def robot():
    """A robot on soil, the log of its turn, and the true values."""
    machine, time = model("skid_steer", SOFT), ROW * np.arange(150)
    inputs = {"left": np.minimum(time, 0.6), "right": 0.3 * np.minimum(time, 1.0)}
    truth = {"soil.cone_index": 7e4, "frame.mass": 12.0}
    signals = driven(machine, truth, inputs)
    rng = np.random.default_rng(2)
    noisy = {name: y + 0.01 * rng.standard_normal(y.size) for name, y in signals.items()}
    return machine, Log(time, noisy, dict.fromkeys(noisy, 0.01), inputs), truth


UNKNOWN = {
    "soil.cone_index": Unknown(5e4, 2e4, 2e5, log=True),
    "frame.mass": Unknown(10.2, 5.0, 20.0, log=True),
}


def test_soil_and_mass_of_a_vehicle_from_its_log(robot):
    machine, log, truth = robot
    found = fit(log, machine, unknown=UNKNOWN, step=STEP)
    assert found.verdict == "determined"
    for name, value in truth.items():
        low, high = found.interval(name, 0.999)
        assert low < value < high
        assert found.deviations[name] < 0.1


def test_a_vehicle_by_its_name_and_a_file_with_units(robot, tmp_path):
    """A shipped vehicle, given by name, is fitted to a CSV with units in its headers; a wrong unit is
    refused."""
    _, log, _ = robot
    file = tmp_path / "drive.csv"
    rows = zip(log.time, 3.6 * log.measured["frame.speed"], *log.controls.values(), strict=True)
    lines = ["time,VehSpd [km/h],L,R", *(",".join(map(repr, map(float, row))) for row in rows)]
    file.write_text("\n".join(lines), encoding="utf-8")
    inputs = {"left": "L", "right": "R"}
    read = Log.from_file(file, {"frame.speed": "VehSpd"}, {"frame.speed": 0.05}, inputs=inputs)
    assert read.measured["frame.speed"] == pytest.approx(log.measured["frame.speed"])
    found = fit(read, "skid_steer", unknown={"frame.speed.gain": Unknown(1.0, 0.2, 5.0)}, step=STEP)
    assert "frame.speed.gain" in found.deviations
    file.write_text("time,VehSpd [kW]\n0,0\n1,1\n", encoding="utf-8")
    with pytest.raises(ValueError, match="must have a unit of m/s"):
        Log.from_file(file, {"frame.speed": "VehSpd"}, {"frame.speed": 0.1})


def test_a_drive_without_slip_hardly_determines_the_soil(robot):
    machine, _, _ = robot
    time = ROW * np.arange(20)
    log = Log(time, {"frame.speed": 0.0 * time}, {"frame.speed": 0.01}, {"left": 0.0 * time})
    found = fit(log, machine, unknown={"soil.cone_index": UNKNOWN["soil.cone_index"]}, step=STEP)
    assert "no wheel has a slip above 1 %" in found.report()
    assert "soil.cone_index: not determined" in found.report()


def test_deviations_of_a_tractor_are_those_of_its_profile_likelihood():
    """With the mass two standard deviations off, chi^2 minimised over the cone index rises by some 4.

    The step at which the tractor starts to move changes with the parameters, and the signals jump with
    it: derivatives of the fit over too small a difference would be noise.
    """
    machine, time = model("tractor", 8e5), ROW * np.arange(75)
    inputs = {"throttle": np.minimum(time, 1.0), "steering": 0.0 * time}
    truth = {"soil.cone_index": 6e5, "frame.mass": 6800.0}
    signals = driven(machine, truth, inputs)
    unknown = {
        "soil.cone_index": Unknown(5e5, 2e5, 1.5e6, log=True),
        "frame.mass": Unknown(6133.0, 4500.0, 9000.0, log=True),
    }
    log = Log(time, signals, dict.fromkeys(signals, 0.01), inputs)
    run = log.driven(machine, unknown, STEP)
    exact = log.table(run, {name: np.array([value]) for name, value in truth.items()})
    assert np.abs(exact).max() < 0.1  # each run begins at rest with its own value of the mass
    rng = np.random.default_rng(1)
    noisy = {name: y + 0.01 * rng.standard_normal(y.size) for name, y in signals.items()}
    log = Log(time, noisy, dict.fromkeys(noisy, 0.01), inputs)
    run = log.driven(machine, unknown, STEP)
    found = fit(log, machine, unknown=unknown, step=STEP)
    assert found.verdict == "determined"
    for name, value in truth.items():
        low, high = found.interval(name, 0.999)
        assert low < value < high
    for sign in (-1.0, 1.0):  # least chi^2 over the cone indices, the mass two deviations off
        far = {name: np.exp(2.0 * sign * found.deviations[name]) * found.values[name] for name in truth}
        soils = far["soil.cone_index"] * np.exp(np.linspace(-0.02, 0.02, 16)).reshape(2, 8)
        mass = np.full(8, far["frame.mass"])
        tables = [log.table(run, {"soil.cone_index": row, "frame.mass": mass}) for row in soils]
        rise = np.min(np.sum(np.square(tables), axis=2)) - found.chi_square
        assert 2.0 < rise < 8.0  # 4, if the errors were linear


def test_a_log_whose_first_number_is_an_outlier_begins_at_rest(robot):
    """With the true values only that number is far from the run, which starts at rest."""
    machine, log, truth = robot
    signals = {name: y.copy() for name, y in log.measured.items()}
    signals["frame.speed"][0] = 3.0
    spoilt = Log(log.time, signals, log.noise, log.inputs)
    run = spoilt.driven(machine, UNKNOWN, STEP)
    (errors,) = spoilt.table(run, {name: np.array([value]) for name, value in truth.items()})
    assert np.flatnonzero(np.abs(errors) > 5.0).tolist() == [0]


def test_trial_values_that_the_vehicle_refuses_do_not_end_the_search(robot):
    """Trial values with a mass below 0 are refused by the vehicle; the fit goes on with the others."""
    machine, log, truth = robot
    unknown = UNKNOWN | {"frame.mass": Unknown(10.2, -8.0, 20.0)}
    found = fit_log(log, machine, unknown, step=STEP)
    assert found.values["frame.mass"] == pytest.approx(truth["frame.mass"], rel=0.2)


ONE = {"frame.mass": UNKNOWN["frame.mass"]}


def refused(case):
    """Fit of a log to the robot with changes of its signals, inputs and unknowns."""
    time = ROW * np.arange(5)
    signals = case.get("signals", {"frame.speed": 0.0 * time})
    log = Log(time, signals, dict.fromkeys(signals, 0.1), case.get("inputs", {}))
    given = {"unknown": ONE} | case.get("given", {})
    return fit(log, case.get("vehicle", "skid_steer"), **given)


test_bad_logs_of_vehicles_are_sentences = refusals(
    ({"signals": {"frame.sped": np.zeros(5)}}, "no signal 'frame.sped'; did you mean 'frame.speed'"),
    ({"signals": {"frame.speed": np.ones(5)}}, "begins at 1 m/s; a vehicle's log must begin at rest"),
    ({"inputs": {"throttle": np.zeros(5)}}, "input: 'throttle' is unknown"),
    (
        {"given": {"unknown": {"frame.masss": ONE["frame.mass"]}}},
        "'frame.masss' is unknown; did you mean",
    ),
    (
        {"given": {"unknown": {"front_left.centre": ONE["frame.mass"]}}},
        "front_left.centre must be 3 numbers",
    ),
    ({"given": {"unknown": {}}}, "unknown is empty"),
    ({"vehicle": "hmwv"}, "did you mean"),
    ({"vehicle": 3}, "fit: 3 is neither a vehicle nor a function"),
    ({"given": {"unknown": {"frame.mass": 9.0}}}, "unknown 'frame.mass' must be an Unknown"),
    ({"given": {"unknown": ["frame.mass"]}}, "unknown must be a dict of names"),
    ({"given": {"stepp": 0.1}}, "fit: setting 'stepp' is unknown; did you mean 'step'"),
    (
        {"given": {"unknown": {"clock.offset": Unknown(0.0, -1e9, 1e9)}}},
        "a run of 1e\\+09 s, clock offset included, has above 1000000 rows",
    ),
    ({"given": {"step": 0.0}}, "fit: step = 0.0"),
    ({"given": {"step": "fast"}}, "fit: step"),
    ({"given": {"starts": 0}}, "fit: starts = 0"),
    ({"given": {"seed": -1}}, "fit: seed = -1"),
    ({"given": {"outliers": 2.0}}, "fit: outliers = 2.0"),
    of=refused,
)


def test_a_log_needs_a_vehicle_and_a_wheel_test_a_soil(robot):
    from contact import WongReece
    from identify import WheelTest

    with pytest.raises(ValueError, match="a log needs a vehicle"):
        fit(robot[1], WongReece(), unknown=UNKNOWN)
    test = WheelTest(0.1, 0.1, [0.1], [1.0], {"pull": 1.0}, pull=[1.0])
    with pytest.raises(ValueError, match="a wheel test needs a law and a soil"):
        fit(test, "hmmwv", unknown=UNKNOWN)
    with pytest.raises(ValueError, match="fit: 3 is neither a wheel test nor a log"):
        fit(3, "hmmwv", unknown=UNKNOWN)


def test_the_speed_of_a_wheel_is_that_of_its_centre_at_any_angle_of_its_spin():
    """A quarter vehicle's only body turns with the wheel, by more than a turn in the log."""
    wheel = WheelContact(Tyre(0.762, 0.2, 0.14), ConeIndexSoil(5e5))
    machine = QuarterVehicle(300.0, 6.0, wheel, "torque").mechanism()
    time = ROW * np.arange(150)
    torque = np.minimum(300.0 * time, 250.0)
    batch, speed = bodies.Batch(bodies.compile(machine), 1, STEP), []
    batch.equilibrium()
    for value in torque:
        speed.append(batch.velocity("wheel")[0, 0])
        batch.set_input("torque", value)
        batch.run(round(ROW / STEP), threads=1)
    log = Log(time, {"wheel.speed": speed}, {"wheel.speed": 1.0}, {"torque": torque})
    run = log.driven(machine, {}, STEP)
    assert speed[-1] > 2.0
    assert np.abs(log.table(run, {"clock.offset": np.zeros(1)})).max() < 1e-9
