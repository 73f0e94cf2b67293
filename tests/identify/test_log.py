"""Fit of parameters to a drive's log, also of clock, gain and bias; coverage of the intervals."""

import numpy as np
import pytest

from identify import Log, Unknown, fit_log
from identify.solve import descend
from tests.refusals import refusals

TIME, NOISE = np.linspace(0.0, 8.0, 161), 0.05
TRUTH = {"mass": 480.0, "drag": 90.0, "clock.offset": 0.03, "speed.bias": 0.1}
UNKNOWN = {
    "mass": Unknown(600.0, 200.0, 1500.0, log=True),
    "drag": Unknown(60.0, 10.0, 500.0, log=True),
    "clock.offset": Unknown(0.0, -0.2, 0.2),
    "speed.bias": Unknown(0.0, -0.5, 0.5),
}


def coasting(values):
    """Times [s], and speed [m/s] in closed form, of a cart with linear drag and 300 N from 1 to 4 s."""
    times = np.linspace(-0.5, 8.5, 901)
    rate = values["drag"] / values["mass"]
    driven, left = np.clip(times - 1.0, 0.0, 3.0), np.maximum(times - 4.0, 0.0)
    return times, {"speed": 300.0 / values["drag"] * -np.expm1(-rate * driven) * np.exp(-rate * left)}


def noisy(seed, noise=NOISE):
    times, signals = coasting(TRUTH)
    speed = np.interp(TIME + TRUTH["clock.offset"], times, signals["speed"]) + TRUTH["speed.bias"]
    spoilt = speed + noise * np.random.default_rng(seed).standard_normal(TIME.size)
    return Log(TIME, {"speed": spoilt}, {"speed": noise})


def test_intervals_of_200_logs_cover_the_truth_as_often_as_they_promise():
    inside, near, standard, rejected = [], [], [], 0
    for seed in range(200):
        found = fit_log(noisy(seed), coasting, UNKNOWN)
        rejected += found.verdict == "law rejected"
        for name, value in TRUTH.items():
            inside.append(np.greater(value, found.interval(name, 0.68)).tolist() == [True, False])
            near.append(np.greater(value, found.interval(name, 0.95)).tolist() == [True, False])
            scale = (
                np.log(found.values[name] / value) if UNKNOWN[name].log else found.values[name] - value
            )
            standard.append(scale / found.deviations[name])
    assert rejected <= 6  # fits of 200; 2 are expected at the level of 1 %
    assert 0.61 < np.mean(inside) < 0.75
    assert 0.92 < np.mean(near) < 0.98
    assert (np.abs(np.mean(np.reshape(standard, (200, -1)), axis=0)) < 0.2).all()


def spoilt(seed, share=0.05, same_side=False):
    """A noisy log with the fraction ``share`` of outliers: 0.5 to 5 m/s off, or all 5 m/s too fast."""
    log, rng = noisy(seed), np.random.default_rng(1000 + seed)
    speed = log.measured["speed"].copy()
    wild = rng.choice(speed.size, round(share * speed.size), replace=False)
    off = rng.uniform(0.5, 5.0, wild.size) * rng.choice((-1.0, 1.0), wild.size)
    speed[wild] += 5.0 if same_side else off
    return Log(TIME, {"speed": speed}, {"speed": NOISE})


@pytest.mark.parametrize("same_side", [False, True])
@pytest.mark.parametrize("seeds", [10, pytest.param(20, marks=pytest.mark.slow)])
def test_5_per_cent_outliers_are_left_out_and_counted(same_side, seeds):
    """All 8 outliers are found; values stay within 1 standard deviation of a fit without outliers."""
    moved, inside = [], []
    for seed in range(seeds):
        found, clean = (
            fit_log(spoilt(seed, 0.05, same_side), coasting, UNKNOWN),
            fit_log(noisy(seed), coasting, UNKNOWN),
        )
        assert found.verdict in ("determined", "at a bound")
        assert "8 of 161 numbers left out as outliers" in found.report()
        assert found.abscissas["speed"].size == 153
        assert (
            fit_log(spoilt(seed, 0.05, same_side), coasting, UNKNOWN, outliers=0.0).verdict
            == "law rejected"
        )
        for name, value in TRUTH.items():
            moved.append(
                (found.values[name] - clean.values[name])
                / (clean.interval(name, 0.68)[1] - clean.values[name])
            )
            inside.append(np.greater(value, found.interval(name, 0.95)).tolist() == [True, False])
    assert np.max(np.abs(moved)) < 1.0
    assert np.mean(inside) > 0.88


def test_wild_samples_in_succession_are_an_error_of_the_law():
    log = noisy(0)
    speed = log.measured["speed"].copy()
    speed[60:68] += 1.0
    found = fit_log(Log(TIME, {"speed": speed}, {"speed": NOISE}), coasting, UNKNOWN)
    assert found.verdict == "law rejected"


def test_a_clock_30_ms_late_is_found_to_2_ms():
    for seed in range(5):
        found = fit_log(noisy(seed, 0.002), coasting, UNKNOWN)
        assert found.values["clock.offset"] == pytest.approx(0.03, abs=2e-3)


def held(values):
    """Speed of the cart with a friction that the 300 N must exceed; otherwise it stays at rest."""
    times, signals = coasting(values | {"drag": 90.0})
    share = max(0.0, 1.0 - values["friction"] / 300.0) ** 0.5
    return times, {"speed": share * signals["speed"]}


@pytest.mark.parametrize("friction", [10.0, 120.0, 340.0])
def test_a_start_at_rest_and_steps_to_rest_do_not_end_the_search(friction):
    """The model's speed at rest has no derivatives, but smaller errors than a speed that is too high."""
    truth = {"mass": 480.0, "friction": 299.9}
    unknown = {
        "mass": Unknown(600.0, 100.0, 5000.0, log=True),
        "friction": Unknown(friction, 0.0, 1000.0),
    }
    times, signals = held(truth)
    for seed in range(5):
        noise = 2e-3 * np.random.default_rng(seed).standard_normal(TIME.size)
        speed = np.interp(TIME, times, signals["speed"]) + noise
        found = fit_log(Log(TIME, {"speed": speed}, {"speed": 2e-3}), held, unknown, outliers=0.0)
        assert found.verdict == "determined"
        low, high = found.interval("friction", 0.999)
        assert low < truth["friction"] < high


def test_an_undetermined_parameter_is_not_printed_as_a_number():
    """With mass, drag and gain of the speed unknown, a common factor of all three is undetermined."""
    found = fit_log(noisy(0), coasting, UNKNOWN | {"speed.gain": Unknown(1.0, 0.2, 5.0, log=True)})
    assert found.verdict == "only combinations"
    assert "speed.gain: not determined" in found.report()


def test_two_minima_that_explain_the_data_alike_leave_their_unknown_open():
    """The speed depends on the square of an unknown: neither root is printed."""

    def run(values):
        return coasting(values | {"mass": values["root"] ** 2, "drag": 90.0})

    unknown = {"root": Unknown(15.0, -40.0, 40.0), "clock.offset": UNKNOWN["clock.offset"]}
    found = fit_log(noisy(0), run, unknown | {"speed.bias": UNKNOWN["speed.bias"]}, starts=4)
    assert found.verdict == "only combinations"
    assert [set(one) for one in found.open_directions] == [{"root"}]
    assert "root: not determined" in found.report()
    assert "clock.offset" in found.deviations


def test_another_law_is_rejected_in_100_of_100_logs():
    def without_drag(values):
        times, _ = coasting(TRUTH)
        return times, {"speed": 300.0 / values["mass"] * np.clip(times - 1.0, 0.0, 3.0)}

    for seed in range(100):
        found = fit_log(noisy(seed), without_drag, {"mass": UNKNOWN["mass"]})
        assert found.verdict == "law rejected"


def test_values_that_the_run_refuses_do_not_end_the_search():
    def run(values):
        if values["mass"] > 550.0:
            raise ValueError("too heavy")
        return coasting(values)

    found = fit_log(noisy(0), run, UNKNOWN | {"mass": Unknown(500.0, 200.0, 1500.0, log=True)})
    assert found.values["mass"] == pytest.approx(480.0, rel=0.1)


def test_initial_values_that_the_run_refuses_are_its_sentence():
    def run(values):
        raise ValueError("too heavy")

    with pytest.raises(ValueError, match="too heavy"):
        fit_log(noisy(0), run, UNKNOWN)


def test_a_csv_is_read_by_its_headers(tmp_path):
    file = tmp_path / "drive.csv"
    file.write_text("# of a test\nt,VehSpd\n0,1.5\n0.1,\n0.2,1.7\n", encoding="utf-8")
    log = Log.from_file(file, {"speed": "VehSpd"}, {"speed": 0.1}, time="t")
    assert np.isnan(log.measured["speed"][1])
    assert log.errors(lambda _: ([0.0, 1.0], {"speed": [1.5, 2.5]}), {}) == pytest.approx([0.0, 0.0])
    for columns, sentence in (({"speed": "v"}, "column 'v' is missing; known: VehSpd, t"),):
        with pytest.raises(ValueError, match=sentence):
            Log.from_file(file, columns, {"speed": 0.1}, time="t")
    with pytest.raises(ValueError, match="the log cannot be read"):
        Log.from_file(tmp_path / "none.csv", {"speed": "v"}, {"speed": 0.1})


def test_a_csv_of_a_spreadsheet_is_read_and_one_with_decimal_commas_refused(tmp_path):
    file = tmp_path / "drive.csv"
    file.write_text("time,speed\n0,1.5\n0.1,1.6,\n", encoding="utf-8-sig")
    log = Log.from_file(file, {"speed": "speed"}, {"speed": 0.1})
    assert log.measured["speed"] == pytest.approx([1.5, 1.6])
    file.write_text("time ,speed [km/h] ,x,x\n0,3.6,1,2\n0.1,7.2,1,2\n")
    log = Log.from_file(file, {"speed": "speed"}, {"speed": 0.1})
    assert log.measured["speed"] == pytest.approx([1.0, 2.0])
    with pytest.raises(ValueError, match="column 'x' stands 2 times"):
        Log.from_file(file, {"speed": "x"}, {"speed": 0.1})
    file.write_text("time,speed\n0,1,5\n0,1,1,6\n")
    with pytest.raises(ValueError, match=r"row 1 has more values than the file has columns"):
        Log.from_file(file, {"speed": "speed"}, {"speed": 0.1})


def test_numbers_that_are_missing_or_infinite_are_counted():
    log = Log([0.0, 1.0, 2.0], {"v": [1.0, np.nan, np.inf]}, {"v": 1.0})
    assert log.notes == ("v: 2 of 3 numbers missing, left out",)


def test_units_of_headers_are_converted_to_si(tmp_path):
    file = tmp_path / "drive.csv"
    file.write_text("time,VehSpd [km/h],yaw\n0,36,90\n1,72,180\n", encoding="utf-8")
    for speed in ("VehSpd", "VehSpd [km/h]"):
        log = Log.from_file(file, {"v": speed, "yaw": "yaw [deg/s]"}, {"v": 0.1, "yaw": 0.1})
        assert log.measured["v"] == pytest.approx([10.0, 20.0])
        assert log.measured["yaw"] == pytest.approx([0.5 * np.pi, np.pi])
        assert log.notes == ("no unit in the file, read as SI: time [s]",)
    for header, sentence in (
        ("VehSpd [kmh]", r"unit \[kmh\] of 'VehSpd' is unknown; did you mean 'km/h'"),
        ("VehSpd [N]", "'VehSpd \\[km/h\\]' must have a unit of N"),
        ("VehSped", "column 'VehSped' is missing; did you mean 'VehSpd"),
    ):
        with pytest.raises(ValueError, match=sentence):
            Log.from_file(file, {"v": header}, {"v": 0.1})


test_bad_logs_are_sentences = refusals(
    (([0.0, 0.0], {"v": [1.0, 2.0]}, {"v": 1.0}), "time must increase"),
    (([0.0, np.inf], {"v": [1.0, 2.0]}, {"v": 1.0}), "time must be finite"),
    (([0.0, 1.0], {}, {}), "at least one signal"),
    (([0.0, 1.0], {"v": [1.0]}, {"v": 1.0}), "a number for some row of time"),
    (([0.0, 1.0], {"v": [1.0, 2.0]}, {}), "noise of 'v' must be given"),
    (
        ([0.0, 1.0], {"v": [1.0, 2.0]}, {"v": 1.0, "w": 1.0}),
        "noise of 'w', which is no signal; known: v",
    ),
    (([0.0, 1.0], {"v": [1.0, 2.0]}, {"v": np.inf}), r"noise\['v'\] = inf must be a finite number"),
    (([0.0, 1.0], {"v": [1.0, 2.0]}, {"v": "a"}), r"noise\['v'\] = 'a' is not a number"),
    (([0.0, 1.0], {"v": [1.0, 2.0]}, 0.1), "noise = 0.1 must be a dictionary"),
    (([0.0, 1.0], {"v": ["a", "b"]}, {"v": 1.0}), r"signals\['v'\] must be an array of real numbers"),
    of=lambda given: Log(*given),
)


def test_a_run_that_does_not_fit_the_log_is_a_sentence():
    log = Log([0.0, 1.0], {"v": [1.0, 2.0]}, {"v": 1.0})
    with pytest.raises(ValueError, match="the run goes from 0 to 0.5 s, the log from 0 to 1 s"):
        log.errors(lambda _: ([0.0, 0.5], {"v": [1.0, 1.0]}), {})
    with pytest.raises(ValueError, match="the run has no signal 'v'"):
        log.errors(lambda _: ([0.0, 1.0], {"w": [1.0, 1.0]}), {})
    with pytest.raises(ValueError, match=r"signal 'v' of the run has shape \(1,\), its times \(2,\)"):
        log.errors(lambda _: ([0.0, 1.0], {"v": [1.0]}), {})
    for result, sentence in (
        (3, "must return times and signals, not 3"),
        ((0.0, 1.0), "must be a dict"),
        (([0.0, 1.0], {"v": [1.0, np.inf]}), "signals of the run are not finite at the initial values"),
    ):
        with pytest.raises(ValueError, match=sentence):
            fit_log(log, lambda _, result=result: result, {"mass": UNKNOWN["mass"]})


def test_a_search_with_given_slopes_ends_at_a_tenth_of_a_deviation():
    """With errors rounded to half a deviation and exact slopes a search takes at most nine calls."""
    slopes, calls = np.linspace(5.0, 15.0, 50)[:, None], []
    noise = np.random.default_rng(0).standard_normal(50)

    def errors(x):
        calls.append(x.copy())
        return np.round(2.0 * slopes @ (x - 1.2)) / 2.0 + noise

    found = descend(errors, np.array([0.5]), 200, lambda _: slopes)
    answer = 1.2 - (slopes.T @ noise).item() / (slopes.T @ slopes).item()
    assert found.x.item() == pytest.approx(answer, abs=0.5 / np.linalg.norm(slopes))
    assert len(calls) < 10
