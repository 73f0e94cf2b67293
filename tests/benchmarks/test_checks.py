"""Checks in the reports on the quarter and the full vehicle of Peiret et al.: each can fail."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from wheelground.reports.full.case import COLUMNS, SHIFT, FullVehicleRun
from wheelground.reports.full.case import FullVehicleCase as VehicleCase
from wheelground.reports.full.checks import check_shift
from wheelground.reports.full.power import largest_gain
from wheelground.reports.quarter import checks
from wheelground.reports.quarter.case import QuarterVehicleCase
from wheelground.reports.quarter.runs import run_case
from wheelground.reports.verdict import Check, all_passed

pytestmark = pytest.mark.filterwarnings("ignore::contact.OutsideValidity")


def test_a_time_that_is_missed_is_told_and_fails_nothing():
    slow = Check("fast", "45 us", False, of_time=True)
    assert slow.verdict == "slow"
    assert all_passed([slow, Check("does not apply", "", None)])
    assert not all_passed([slow, Check("true", "no", False)])


def drive(slip, traction):
    """Run of both rear wheels with a given slip and thrust over time."""
    time = np.arange(0.01, 10.0, 0.01)
    wheels = np.zeros((time.size, 2, len(COLUMNS)))
    wheels[:, :, COLUMNS.index("slip")] = slip(time)[:, None]
    wheels[:, :, COLUMNS.index("traction")] = traction(time)[:, None]
    names = ("rear_left", "rear_right")
    return FullVehicleRun(
        "global", "direct", 1e-3, time, 0.0 * time, wheels, names, SimpleNamespace(), 0.0
    )


def spike(t):
    return np.where(np.abs(t - SHIFT) < 0.02, 1.0, 0.0)


def cut(t):
    return np.where((t > SHIFT) & (t < SHIFT + 0.15), 0.0, 1.0)


def surge(t):
    return np.where(t > SHIFT + 0.15, np.exp(SHIFT + 0.15 - t), 0.0)


def test_the_spike_of_the_gear_change_alone_is_no_gear_change():
    """A gear change is a pause of the thrust before a larger, decaying thrust; a lone peak fails."""
    only = drive(lambda t: 0.1 + 0.4 * spike(t), lambda t: 2e3 + 2e3 * spike(t))
    assert check_shift(VehicleCase(), only).passed is False
    uncut = drive(lambda t: 0.1 + 0.3 * surge(t), lambda t: 2e3 + 1.5e3 * surge(t))
    assert check_shift(VehicleCase(), uncut).passed is False
    whole = drive(lambda t: 0.1 * cut(t) + 0.3 * surge(t), lambda t: 2e3 * cut(t) + 1.5e3 * surge(t))
    assert check_shift(VehicleCase(), whole).passed is True
    swinging = drive(
        lambda t: 0.1 * cut(t) + (0.3 + 0.1 * np.cos(20.0 * t)) * surge(t),
        lambda t: 2e3 * cut(t) + 1.5e3 * surge(t),
    )
    assert check_shift(VehicleCase(), swinging).passed is False


@pytest.mark.parametrize(
    ("errors", "passed"), [((0.3, 0.25, 0.03, 5e-4), True), ((0.02, 0.01, 1e-3, 1e-4), False)]
)
def test_the_check_of_late_convergence_fails_for_a_scheme_of_first_order(errors, passed, monkeypatch):
    """``errors``: made-up errors of the speed [m/s] at steps of 2, 1, 0.1 and 0.01 ms."""
    steps = 2e-3, 1e-3, 1e-4, 1e-5
    found = dict(zip(steps, errors, strict=True)), dict.fromkeys(steps, 0.1)
    monkeypatch.setattr(checks, "convergence_of_set_valued", lambda case, fine: found)
    fine = SimpleNamespace(wheel=SimpleNamespace(v_x=None))
    told = checks.check_slow_convergence(QuarterVehicleCase(), ("set-valued",), lambda scheme: fine)
    assert told.passed is passed, told.measured


def test_only_eq_29_as_printed_gives_energy():
    """Of the schemes tested only ``local-current`` (eq 29 of Peiret et al. as printed) adds energy."""
    case = replace(QuarterVehicleCase(), duration=3.0)
    runs = [run_case(case, scheme, "direct") for scheme in ("set-valued", "local", "local-current")]
    told = checks.check_energy(case, runs)
    assert told.passed is True, told.measured
    assert "local-current" in told.measured
    as_if = [replace(run, scheme="local") for run in runs]
    assert checks.check_energy(case, as_if).passed is False
    start = VehicleCase(duration=0.5)
    assert largest_gain(start, "local-current", 1e-3) > 100.0
    assert largest_gain(start, "local", 1.0 / 60.0) < 1e-6
