"""The GNSS receiver: its lever arm, latency, rate, noise and outages."""

import math

import numpy as np
import pytest

import rig
from tests.refusals import refusals
from tests.rig.guided import GUIDED


class Bank:
    """Ground that falls to the right by an angle."""

    def __init__(self, angle):
        self.slope = math.tan(angle)

    def height(self, x, y):
        return self.slope * np.asarray(y) + 0.0 * np.asarray(x)


def fixes(time=10.0, *, speed=2.0, terrain=None, seed=0, preset="perfect", tick=0.01, **numbers):
    receiver = rig.make("gnss", preset, **numbers)
    return rig.Rig(
        tick, chassis="kinematic", gnss=receiver, speed=speed, terrain=terrain, seed=seed
    ).run(time)


def test_roll_moves_the_antenna():
    """An antenna 3 m up moves 0.2615 m at 5 degrees roll; compensation by attitude removes the shift."""
    seen = {c: fixes(terrain=Bank(math.radians(5.0)), compensation=c) for c in ("heading", "attitude")}
    assert seen["heading"]["fix_position"][-1, 1] == pytest.approx(
        -3.0 * math.sin(math.radians(5.0)), rel=1e-9
    )
    assert round(3.0 * math.sin(math.radians(5.0)), 4) == 0.2615
    assert seen["attitude"]["fix_position"][-1, 1] == pytest.approx(0.0, abs=1e-12)


def test_a_fix_is_late_by_the_latency_and_held_for_a_period():
    run = fixes(rate=10.0, latency=0.06)
    behind = run["position"][:-1, 0] - run["fix_position"][1:, 0]
    settled = behind[100:]
    assert settled.min() == pytest.approx(2.0 * 0.06)
    assert settled.max() == pytest.approx(2.0 * (0.06 + 0.09))
    age = run["fix_age"][1:][100:]
    assert np.abs(2.0 * age - settled).max() < 1e-9


def test_noise_has_the_size_and_memory_it_is_given():
    run = fixes(
        3000.0, tick=1.0, speed=0.0, rate=1.0, latency=0.0, white=0.005, wander=0.01, wander_time=20.0
    )
    p = run["fix_position"][1:]
    n = len(p)
    # variance of the difference of samples 1 s apart: 2 (white^2 + wander^2 (1 - fade)) [m^2]; white and
    # wander: standard deviations of both parts of the noise, fade: correlation of the second over 1 s
    fade = math.exp(-1.0 / 20.0)
    step = np.diff(p, axis=0)
    expected = 2.0 * (0.005**2 + 0.01**2 * (1.0 - fade))
    assert np.mean(step**2) == pytest.approx(expected, rel=4.0 / math.sqrt(n))
    assert np.std(p) == pytest.approx(math.hypot(0.005, 0.01), rel=0.25)


def test_noise_is_a_matter_of_the_seed():
    one, two, other = (fixes(preset="rtk", seed=s) for s in (7, 7, 8))
    assert one.digest() == two.digest()
    assert one.digest() != other.digest()


def test_an_outage_takes_quality_away_and_holds_the_command():
    receiver = rig.make("gnss", "rtk", outages=((2.0, 4.0),))
    r = rig.Rig(0.01, speed=3.0, **GUIDED | {"chassis": "bicycle", "gnss": receiver})
    run = r.run(6.0)
    quality, engaged = run["fix_quality"], run["engaged"]
    assert (quality[250:400] == 0.0).all()
    assert (engaged[250:400] == 0.0).all()
    assert quality[-1] == 4.0
    assert engaged[-1] == 1.0


test_bad_receivers_are_sentences = refusals(
    ({"latency": 0.005}, "latency = 0.005 s is no multiple of the tick 0.01 s"),
    ({"rate": 30.0}, "period of 1/rate"),
    ({"quality": 3.0}, "quality = 3 must be 1, 2 or 4"),
    ({"compensation": "roll"}, "unknown compensation 'roll'"),
    ({"white": -1.0}, "white = -1.0 must be within 0"),
    of=lambda numbers: fixes(0.1, **numbers),
    error=rig.RigError,
)
