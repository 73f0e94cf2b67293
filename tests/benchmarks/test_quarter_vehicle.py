"""The command ``quarter_vehicle``: its closed form, output, checks that can fail."""

import json
import warnings

import numpy as np
import pytest

from contact import OutsideValidity, validity
from tests.commands import python
from wheelground.reports.quarter import checks, report
from wheelground.reports.quarter.case import SCHEMES, QuarterVehicleCase, steady_state
from wheelground.reports.quarter.input_checks import check_input
from wheelground.reports.quarter.runs import QuarterVehicleRun, drive, run_case


@pytest.mark.parametrize(
    ("case", "slip", "resistance", "pull"),
    [
        (QuarterVehicleCase(), 0.322534, 380.517, 1194.286),
        (QuarterVehicleCase(deflection_ratio=0.2), 0.174294, 226.805, 1347.998),
        (QuarterVehicleCase(deflection_ratio=0.2, wheel_share=1.0), 0.042573, 1882.456, -307.653),
    ],
)
def test_closed_form(case, slip, resistance, pull):
    exact = steady_state(case)
    assert exact.slip == pytest.approx(slip, abs=1e-6)
    assert exact.resistance_N == pytest.approx(resistance, abs=1e-3)
    assert exact.pull_N == pytest.approx(pull, abs=1e-3)
    assert exact.moves == (pull > 0.0)


def test_there_is_no_steady_state_beyond_the_strength_of_the_soil():
    exact = steady_state(QuarterVehicleCase(cone_index=1e5))
    assert not exact.moves
    assert "spins up" in exact.reason


@pytest.mark.parametrize("ratio", [0.0, 0.2])
def test_runs_meet_the_limits_of_the_report(ratio):
    """Closed form, chatter, energy of the thrust and residuals under every scheme."""
    case = QuarterVehicleCase(deflection_ratio=ratio)
    runs = [run_case(case, scheme, solver) for scheme in SCHEMES for solver in ("direct", "pgs")]
    found = [
        checks.check_steady(case, runs),
        checks.check_energy(case, runs),
        checks.check_residual(runs),
    ]
    found += checks.check_chatter(case, runs) if ratio == 0.0 else []
    assert all(check.passed for check in found), found


@pytest.mark.parametrize(
    "check", [checks.check_whole_vehicle, checks.check_slope, checks.check_stopping, checks.check_order]
)
def test_other_cases_meet_the_limits_of_the_report(check):
    """A wheel too heavy to move, on a slope, braked to a stop both ways, and at halved steps."""
    case = QuarterVehicleCase()

    def reference(scheme):
        trajectory = drive(case.vehicle(scheme), case.duration, 4e-5, record_every=25)
        return QuarterVehicleRun(scheme, "direct", trajectory, 0.0)

    given = (reference,) if check is checks.check_order else ()
    found = check(case, SCHEMES, *given)
    assert all(one.passed for one in (found if isinstance(found, list) else [found])), found


@pytest.mark.parametrize("step", [1e-4, pytest.param(1e-5, marks=pytest.mark.slow)])
def test_implicit_needs_no_small_step(step):
    case = QuarterVehicleCase()
    fine = drive(case.vehicle("implicit"), case.duration, step, record_every=round(1e-3 / step))
    found = checks.check_coarse(case, QuarterVehicleRun("implicit", "direct", fine, 0.0))
    assert found.passed, found


def test_a_smooth_slip_holds_no_slope():
    """With eq 7 of Peiret et al. there is no traction at standstill: the locked wheel creeps [m]."""
    assert checks.creep_on_slope(QuarterVehicleCase(), "implicit", "smooth") > 0.1


def test_short_run_writes_figures_and_json(tmp_path):
    run = python(
        "-m",
        "benchmarks.quarter_vehicle",
        "--regularisation", "implicit", "--solver", "direct", "--deflection-ratio", "0.1",
        "--duration", "2", "--out", tmp_path / "pictures", "--json", tmp_path / "results.json",
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    results = json.loads((tmp_path / "results.json").read_text())
    assert {"analytic", "runs", "passed"} <= set(results)
    assert set(results["analytic"]) == {"slip", "thrust_N", "resistance_N", "pull_N", "speed_m_s"}
    assert set(results["runs"][0]) == {
        "regularisation", "solver", "step_s", "steps", "wall_s", "chatter", "swings_per_s",
        "max_residual", "steady", "passed",
    }  # fmt: skip
    assert set(results["runs"][0]["steady"]) == {"slip", "thrust_N", "resistance_N", "speed_m_s"}
    assert results["runs"][0]["steps"] == 2000
    assert results["passed"] is True
    assert len(list((tmp_path / "pictures").glob("*.png"))) == 2
    series = next((tmp_path / "pictures").glob("figures_4_and_5_*.csv"))
    table = np.genfromtxt(series, delimiter=",", names=True)
    assert table["time_s"][-1] == pytest.approx(2.0)
    assert table["load_N"][-1] == pytest.approx(2452.5, rel=0.02)
    assert "not applicable" in run.stdout
    assert run.stdout.index("Fig. 4") < run.stdout.index("closed form")  # order in the report


def test_a_floor_of_the_slip_that_shows_is_a_failed_check():
    """v_0 [m/s], the least divisor of a slip: the check fails if the thrust jumps at this speed."""
    for v_0, holds in ((1e-3, True), (1e-2, True), (0.3, False), (1.0, False)):
        case = QuarterVehicleCase(v_0=v_0, duration=6.0)
        run = run_case(case, "implicit", "direct")
        assert checks.check_floor(case, [run]).passed is holds
    assert checks.check_floor(case, []).passed is None


def test_a_cone_index_in_kilopascals_is_a_failed_check():
    for cone_index, holds in ((4e5, True), (6e4, True), (400.0, False), (0.4, False)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OutsideValidity)
            found = checks.check_validity(QuarterVehicleCase(cone_index=cone_index))
        assert found.passed is holds
        assert ("kPa?" in found.measured) is not holds


def test_a_longer_step_does_not_look_quieter():
    """Chatter is the change of the thrust per time: its amplitude grows with the step."""
    found = [run_case(QuarterVehicleCase(step=h), "set-valued", "direct") for h in (1e-3, 1e-2, 1e-1)]
    assert found[0].chatter > 0.05
    assert found[0].chatter < found[1].chatter < found[2].chatter < 0.5
    assert run_case(QuarterVehicleCase(step=1e-2), "implicit", "direct").chatter < 1e-3


def test_the_shipped_case_itself_warns_of_nothing(tmp_path, monkeypatch, capsys):
    """The report prints the law's measured range instead of a warning; other cases do warn."""
    monkeypatch.setattr(report, "all_checks", lambda *_: [])
    for case, quiet in ((QuarterVehicleCase(), True), (QuarterVehicleCase(cone_index=3e5), False)):
        validity.forget()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            assert report.report(case, ("implicit",), ("direct",), tmp_path, None) == 0
        assert any(isinstance(w.message, OutsideValidity) for w in said) is not quiet
        assert ("measured up to a slip of 0.3" in capsys.readouterr().out) is quiet


def test_an_interruption_leaves_the_pictures(tmp_path, monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(report, "all_checks", interrupted)
    assert (
        report.report(QuarterVehicleCase(duration=0.05), ("implicit",), ("direct",), tmp_path, None)
        == 130
    )
    assert len(list(tmp_path.glob("*.png"))) == 2
    assert "interrupted: nothing was checked" in capsys.readouterr().out


def test_mistakes_are_all_named():
    assert check_input().passed
