"""Parameters fitted during a run: found, tracked, constant while nothing determines them."""

import functools

import numpy as np
import pytest

import rig
from identify import Unknown
from rig.observer import NEW, OLD, REJECTED, Window

LAG = {"lag": Unknown(1.0, 0.05, 10.0, log=True)}


def lagging(values, history):
    """Speed command behind a first-order lag, from the first value; exact in each tick."""
    wanted, speed = history["wanted_speed"], history["speed_command"]
    h = np.diff(history["time"])
    found = np.empty((values["lag"].size, speed.size))
    found[:, 0] = speed[0]
    for k in range(1, speed.size):
        found[:, k] = wanted[k] + (found[:, k - 1] - wanted[k]) * np.exp(-h[k - 1] / values["lag"])
    return {"speed_command": found}


def vehicle(lag, **changes):
    window = Window(lagging, LAG, {"speed_command": 0.01}, ("wanted_speed",), **changes)
    train = rig.make("drive_train", "first-order", lag=lag, acceleration=100.0)
    return rig.Rig(0.02, chassis="kinematic", drive_train=train, observer=window)


def speeds(time):
    """Wanted speed [m/s]: constant until 8 s, then with a step each second."""
    return {"wanted_speed": 3.0 if time < 8.0 else 3.0 + int(time) % 2}


def test_a_lag_is_found_when_the_speed_changes_and_held_before():
    run = vehicle(0.4, seconds=2.0).run(14.0, outside=speeds)
    status, lag = run["identified_status"], run["identified"]
    assert lag[0] == 1.0
    steady = (run.time > 7.0) & (run.time < 8.0)
    assert (status[steady] == OLD).all()
    assert lag[-1] == pytest.approx(0.4, rel=0.02)
    assert run["identified_deviation"][-1] < 0.05
    assert (status == NEW).any()
    assert lag[run.time > 11.0] == pytest.approx(0.4, rel=0.02)


def test_it_answers_twice_a_second():
    run = vehicle(0.4, seconds=2.0).run(14.0, outside=speeds)
    changes = run.time[1:][np.diff(run["identified"]) != 0.0]
    assert np.diff(changes) == pytest.approx(0.5 * np.round(np.diff(changes) / 0.5), abs=1e-9)


def test_a_law_that_does_not_explain_the_window_is_rejected():
    """Speeds with limited acceleration do not fit the model of a first-order lag and are rejected."""
    machine = vehicle(0.4, seconds=2.0)
    train = rig.make("drive_train", "first-order", lag=0.4, acceleration=0.3)
    machine.swap("drive_train", train)
    run = machine.run(14.0, outside=speeds)
    rejected = run["identified_status"][1:] == REJECTED
    assert rejected[-1]
    assert (np.diff(run["identified"])[rejected] == 0.0).all()


def test_equal_rigs_give_equal_bytes_and_a_saved_state_continues():
    one, other = vehicle(0.4, seconds=2.0), vehicle(0.4, seconds=2.0)
    one.run(9.0, outside=speeds)
    other.restore(one.state())
    assert one.run(3.0, outside=speeds).digest() == other.run(3.0, outside=speeds).digest()


def test_bad_windows_are_sentences():
    for given, sentence in (
        ((lagging, {}, {"velocity.0": 1.0}), "at least one unknown"),
        ((lagging, LAG, {"speed": 1.0}), "unknown signal 'speed'"),
        ((lagging, LAG, {"velocity": 1.0}), "'velocity' must be a component, velocity.0 to velocity.2"),
        ((lagging, LAG, {"velocity.3": 1.0}), "'velocity.3' must be a component"),
        ((lagging, LAG, {"yaw_rate.0": 1.0}), "'yaw_rate' is one number, without components"),
        ((lagging, LAG, {"velocity.0": 0.0}), "noise of 'velocity.0' = 0.0 must be above 0"),
        ((lagging, LAG, {"velocity.0": "a"}), "noise of 'velocity.0' = 'a' is not a number"),
        ((lagging, {"lag": 3}, {"velocity.0": 1.0}), "unknown 'lag' = 3 must be an Unknown"),
    ):
        with pytest.raises(rig.RigError, match=sentence):
            Window(*given)
    machine = vehicle(0.4, seconds=2.0)
    for found, sentence in (
        ({}, "run returned no 'velocity.0'"),
        (None, "run returned no 'velocity.0'"),
        ({"velocity.0": np.ones(4)}, r"'velocity.0' of shape \(4,\); it must be \(3, 5\)"),
    ):
        run = functools.partial(lambda v, h, found: found, found=found)
        machine.swap("observer", Window(run, LAG, {"velocity.0": 1.0}, seconds=0.1))
        with pytest.raises(rig.RigError, match=sentence):
            machine.run(1.0)
