"""Confidence intervals contain the truth as often as stated, on logs of random vehicles (slow)."""

import numpy as np
import pytest
from scipy.stats import binom

from identify import Log, Unknown, fit
from tests.identify.test_vehicle_log import ROW, SIGNALS, STEP, driven, model

pytestmark = pytest.mark.slow

SOILS = {"skid_steer": (6e4, 3e4), "hmmwv": (5e5, 2.6e5)}  # cone index of the model, least true one [Pa]
THIRD = {
    "clock.offset": (Unknown(0.0, -0.15, 0.15), 0.08),
    "frame.speed.bias": (Unknown(0.0, -0.5, 0.5), 0.2),
    "rear_left.rim_speed.gain": (Unknown(1.0, 0.8, 1.25), 0.05),
}  # unknowns of the measurement, and the largest distance of the true value from the start


def random_inputs(rng, name, time):
    """Throttle and steering, or the two sides of a robot, linear between random values."""
    knots = np.linspace(0.0, time[-1], 6)
    drive = np.interp(time, knots, [0.0, *rng.uniform(0.2, 1.0, 5)])
    turn = np.interp(time, knots, [0.0, 0.0, *rng.uniform(-1.0, 1.0, 4)]) * rng.uniform()
    if name == "skid_steer":
        return {"left": drive, "right": np.clip(drive + 0.4 * turn, -1.0, 1.0)}
    return {"throttle": drive, "steering": turn}


def random_fit(seed, name, machine):
    """(fit, true values) of cone index, mass and one unknown of the measurement."""
    rng = np.random.default_rng(seed)
    own = next(one.mass for one in machine.mechanism.bodies if one.name == "frame")
    truth = {
        "soil.cone_index": SOILS[name][1] * np.exp(rng.uniform(0.0, np.log(4.0))),
        "frame.mass": own * rng.uniform(0.9, 1.3),
    }
    time = ROW * np.arange(225)  # [s] 1 s longer than the measurements
    inputs = random_inputs(rng, name, time)
    signals = driven(machine, truth, inputs)
    third = str(rng.choice(list(THIRD)))
    one, far = THIRD[third]
    truth[third] = one.start + rng.uniform(-far, far)
    offset = truth.get("clock.offset", 0.0)
    share, measured, noise = rng.uniform(0.005, 0.03), {}, {}
    missing = (np.arange(time.size) % 3 > 0) | (time > 3.5)
    for signal in SIGNALS:
        y = np.interp(time + offset, time, signals[signal])
        y = truth.get(f"{signal}.gain", 1.0) * y + truth.get(f"{signal}.bias", 0.0)
        noise[signal] = share * max(0.1, np.abs(y).max())
        measured[signal] = np.where(missing, np.nan, y + noise[signal] * rng.normal(size=y.size))
    log = Log(time, measured, noise, inputs)
    soil = truth["soil.cone_index"] * np.exp(rng.uniform(-0.4, 0.4))
    unknown = {
        "soil.cone_index": Unknown(soil, soil / 3.0, soil * 3.0, log=True),
        "frame.mass": Unknown(1.1 * own, 0.7 * own, 1.7 * own),
        third: one,
    }
    return fit(log, machine, unknown=unknown, step=STEP), truth


@pytest.mark.parametrize(("name", "count"), [("skid_steer", 16), ("hmmwv", 10)])
def test_intervals_cover_the_truth_as_often_as_stated(name, count):
    """At most one fit rejects the law; the number of covered true values is within binomial limits.

    For each unknown and level, chance exceeds the limits with a probability of 0.1 %.
    """
    machine, fits = model(name, SOILS[name][0]), []
    for seed in range(count):
        found, truth = random_fit(seed, name, machine)
        if found.verdict != "law rejected":
            fits.append((found, truth))
    assert len(fits) >= count - 1
    for probability in (0.68, 0.95):
        for kind in range(3):
            inside = []
            for found, truth in fits:
                unknown = list(truth)[kind]
                if unknown in found.deviations:
                    low, high = found.interval(unknown, probability)
                    inside.append(low < truth[unknown] < high)
            least, most = binom.ppf((5e-4, 1.0 - 5e-4), len(inside), probability)
            assert least <= sum(inside) <= most
