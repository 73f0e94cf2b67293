"""Shallow snow: compaction to a final density, and the resistance of the compacted snow."""

import math

import numpy as np
import pytest

from contact import ShallowSnow, Tyre
from tests.refusals import refusals
from wheelground.reports.measured import machines

TYRE = Tyre(0.76, 0.235, 0.18, pressure=1.79e5)


def test_a_wheel_sinks_until_the_snow_has_its_final_density():
    """The mass of a column of snow is the same before and after compaction."""
    for pressure, final in ((1e5, 500.0), (3e5, 550.0), (5e5, 600.0), (8e5, 650.0)):
        z = ShallowSnow(0.2, 180.0).sinkage(pressure)
        assert 0.2 * 180.0 == pytest.approx((0.2 - z) * final, rel=1e-12)


def test_the_resistance_grows_with_the_mass_under_the_arc():
    snow, arc = ShallowSnow(0.15, 200.0), 0.38 * math.acos(1.0 - 0.09 / 0.38)
    assert snow.resistance(TYRE) == pytest.approx(13.6041 * (200.0 * 0.235 * arc) ** 1.26, rel=1e-12)
    assert snow.law(TYRE, 6800.0).rolling == pytest.approx(snow.resistance(TYRE) / 6800.0, rel=1e-12)
    law = snow.law(TYRE, 6800.0)
    assert (
        law.thrust_ratio(0.1, 6800.0, TYRE, None) > law.resistance_ratio(0.1, 6800.0, TYRE, None) > 0.0
    )


def test_measured_resistance_at_the_measured_sinkage():
    """28 resistances measured by CRREL: the error has no bias and is below their standard deviation.

    The calculated sinkage is too small.
    """
    sinkage, resistance = machines.snow()
    assert abs(resistance.bias) < 0.005
    assert resistance.rms < np.std(resistance.measured)
    assert sinkage.bias < 0.0


test_bad_snow_and_bad_wheels_are_sentences = refusals(
    (lambda: ShallowSnow(0.0, 200.0), "ShallowSnow.depth"),
    (lambda: ShallowSnow(0.2, 500.0), "ShallowSnow.density"),
    (lambda: ShallowSnow(0.2, 0.0), "ShallowSnow.density"),
    (lambda: ShallowSnow(0.2, 200.0).sinkage(-1.0), "ShallowSnow"),
    (lambda: ShallowSnow(0.2, 200.0).resistance(TYRE, 0.5), "ShallowSnow"),
    (lambda: ShallowSnow(0.2, 200.0).law(TYRE, 0.0), "ShallowSnow"),
)
