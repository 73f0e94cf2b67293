"""The comparison of regularisations on a few runs: its measures follow their definitions."""

import csv
import json
import math
from dataclasses import replace

import numpy as np
import pytest

from contact import LAWS, Line, Regularisation, UserLaw
from mlcp import MLCP
from tests.commands import python
from wheelground.reports.quarter.closed_form import brake_torque, braked, ratios, steady_driving
from wheelground.reports.schemes import page, report
from wheelground.reports.schemes.matrix import Matrix, Named, jobs, run_matrix
from wheelground.reports.schemes.measure import condition, steady_error, total_variation
from wheelground.reports.schemes.named import named_law, named_scheme
from wheelground.reports.schemes.quarter_cases import quarter_cases
from wheelground.reports.schemes.standing import standing
from wheelground.reports.schemes.vehicle_case import vehicle_case


def stiff(at):
    """A damper with ten times the secant of the ground law: a scheme made up for this test."""
    return Line(damping=10.0 * at.secant, bound=at.peak)


def my_law(slip, load):
    """A loam made up for this test."""
    return 0.5 * np.tanh(6.0 * slip), 0.08 + 0.0 * slip


NOT_A_LAW = 3.0


@pytest.fixture(scope="module")
def results():
    schemes = [Named(n, n) for n in ("set-valued", "local", "implicit")]
    matrix = Matrix(
        laws=(Named("brixius", "brixius"),),
        schemes=(*schemes, Named("stiff", Regularisation.own(stiff))),
        solvers=("direct", "pgs"),
        steps=(1e-2, 1e-1),
        make_cases=quarter_cases,
        patience=2.0,
        only=("braking", "parking"),
    )
    return run_matrix(matrix, lambda what, weight: lambda share: None)


def test_every_combination_is_a_line(results):
    assert len(results.lines) == 2 * 2 * 2 * 4
    assert results.left_out == 0
    assert all(math.isfinite(x.us_per_step) and x.us_per_step > 0.0 for x in results.lines)


def test_the_slip_while_braking_is_the_closed_form(results):
    for line in results.pick(case="braking", scheme="implicit", step_s=1e-2):
        assert line.steady_error < 1e-5
        assert line.error < 0.01
        assert line.stable
    (own,) = results.pick(case="braking", scheme="stiff", solver="direct", step_s=1e-2)
    assert own.steady_error > 0.1  # a damper of ten times the law's secant changes the steady slip


def test_the_set_valued_scheme_chatters_while_braking_in_long_steps(results):
    lines = results.pick(case="braking", scheme="set-valued", solver="direct")
    assert max(x.chatter for x in lines) > 1.0
    assert all(x.largest_stable_step_s < 0.1 for x in lines)


def test_who_holds_and_who_creeps(results):
    creep = {x.scheme: x.creep_mm_min for x in results.pick(case="parking", solver="direct")}
    assert creep["implicit"] < 1e-6
    assert creep["set-valued"] < 1e-6
    assert 1.0 < creep["local"] < 10.0
    assert 0.1 < creep["stiff"] / creep["local"] * 10.0 < 10.0


def test_the_largest_stable_step_is_that_of_the_worst_case(results):
    for name in ("set-valued", "implicit"):
        limits = {x.case: x.largest_stable_step_s for x in results.pick(scheme=name, solver="direct")}
        found = standing(results, name, "brixius", "direct")
        assert found.stable == min(limits.values())
        assert limits[found.where] == found.stable
    assert standing(results, "global", "brixius", "direct") is None


@pytest.mark.parametrize("law", [name for name in LAWS if name != "ice"])
def test_closed_forms_solve_their_own_equations(law):
    cases = {case.name: case for case in quarter_cases(law)}
    vehicle, goal = cases["torque step"].vehicle, cases["torque step"].goal
    torque = vehicle.torque.points[-1][1]
    there = ratios(vehicle.wheel, goal.slip, vehicle.static_load)
    assert float(there.torque) * vehicle.static_load * 0.381 == pytest.approx(torque, rel=1e-9)
    assert steady_driving(vehicle, torque).pull_N > 0.0
    braking = cases["braking"]
    assert brake_torque(braking.vehicle, -braking.goal.slip) == pytest.approx(braking.vehicle.brake)
    assert braked(braking.vehicle, 1e9).reason == "the wheel locks"


def test_the_vehicle_pulls_away_on_its_law_in_long_steps():
    """At 10 ms the fixed-point iteration of four coupled wheels reaches the law within 0.1 %."""
    case = replace(vehicle_case("brixius"), duration=0.6)
    run = case.run("implicit", "direct", 1e-2, 1, 3)
    assert run.speeds.shape == (60, 5)
    assert run.speeds[-1, 0] > 0.3
    assert run.missed <= 1
    assert steady_error(case.goal, run) < 1e-3
    assert len(run.problems) == 3
    assert run.lost < 0.01 * run.turned_over


@pytest.mark.parametrize("law", ["brixius", "clay"])
def test_every_long_step_of_the_vehicle_meets_its_law(law):
    """No step of 0.1 s misses its tolerance, though each wheel's slip depends on the other wheels."""
    run = vehicle_case(law).run("implicit", "direct", 0.1)
    assert run.missed == 0
    assert run.passes.max() < 80
    assert run.speeds[-1, 0] > 0.2


def test_an_interrupted_comparison_writes_nothing(monkeypatch, tmp_path, capsys):
    def interrupted(*words):
        raise KeyboardInterrupt

    monkeypatch.setattr(report, "warm_up", interrupted)
    laws, schemes = (Named("brixius", "brixius"),), (Named("local", "local"),)
    matrix = Matrix(laws, schemes, ("direct",), (1e-1,), quarter_cases)
    assert report.compare(matrix, tmp_path, None) == 130
    assert "interrupted; nothing is written" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


def test_dear_runs_are_left_out_but_for_the_main_ones():
    laws = (Named("brixius", "brixius"), Named("wong-reece", "wong-reece"))
    schemes = (Named("local", "local"), Named("stiff", Regularisation.own(stiff)))
    matrix = Matrix(laws, schemes, ("direct", "cvxpy"), (1e-4, 1e-2), quarter_cases, 0.5, even=True)
    planned, left_out = jobs(matrix)
    told = {(j.law, j.scheme.name, j.solver, j.step) for _, _, mine in planned for j in mine}
    assert ("brixius", "local", "direct", 1e-4) in told
    assert ("wong-reece", "local", "direct", 1e-4) not in told
    assert not any(solver == "cvxpy" and step == 1e-4 for _, _, solver, step in told)
    assert left_out == 2 * 4 * 2 * 2 * 2 - sum(len(mine) for _, _, mine in planned)


def test_the_page_tells_what_hangs_on_round_off_by_its_size():
    """The documentation's numbers that depend on round-off are rounded until two processors agree."""
    assert {page.peaks(value) for value in (140.0, 190.43, 602.7, 599.8)} == {"over 100 peaks"}
    assert page.peaks(0.024) == "0.02"
    assert [page.few(*each) for each in ((0, 100), (12, 510800), (101, 30800), (7, 10))] == [
        "none",
        "below 1 %",
        "below 1 %",
        "below 100 %",
    ]


def test_total_variation_and_condition():
    assert total_variation(np.array([[0.0], [2.0], [1.0]])) == pytest.approx(1.5)
    assert total_variation(np.zeros((3, 1))) == 0.0
    box = (np.zeros(2), np.ones(2))
    assert condition((MLCP(np.diag([1.0, 100.0]), np.ones(2), *box),)) == pytest.approx(1.0)
    assert condition((MLCP(np.ones((2, 2)), np.ones(2), *box),)) == math.inf
    assert condition((MLCP(np.array([[2.0, 1.0], [1.0, 2.0]]), np.ones(2), *box),)) == (
        pytest.approx(3.0)
    )


def test_own_laws_and_schemes_by_name():
    here = __name__
    assert isinstance(named_law(f"{here}:my_law"), UserLaw)
    assert named_scheme(f"{here}:stiff").name == "stiff"
    assert named_law("dry") == "dry"
    for call, words in (
        (lambda: named_law(f"{here}:my_lam"), "did you mean 'my_law'"),
        (lambda: named_law(f"{here}:NOT_A_LAW"), "neither a law nor a function"),
        (lambda: named_scheme("nowhere:x"), "module 'nowhere' cannot be imported"),
        (lambda: named_scheme("locl"), "did you mean 'local'"),
    ):
        with pytest.raises(ValueError, match=words):
            call()


def test_the_command_writes_tables_pictures_csv_and_json(tmp_path):
    run = python(
        "-m",
        "wheelground", "compare", "schemes",
        "--law", "brixius", "--scheme", "local", "--scheme", "implicit", "--solver", "direct",
        "--case", "parking", "--case", "braking", "--step", 0.01, "--step", 0.1,
        "--out", tmp_path / "out", "--json", tmp_path / "results.json",
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    assert "schemes: law brixius, solver direct" in run.stdout
    told = json.loads((tmp_path / "results.json").read_text())
    assert set(told) == {"runs", "references", "left_out", "passed"}
    assert len(told["runs"]) == 8
    assert told["passed"] is True
    with open(tmp_path / "out" / "regularisation.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8
    assert {row["scheme"] for row in rows} == {"local", "implicit"}
    assert "np." not in str(rows)  # plain numbers
    assert sorted(path.name for path in (tmp_path / "out").glob("*.png")) == [
        "regularisation.png",
        "regularisation_choice.png",
    ]


def wrong(at):
    """A scheme with a mistake: ``Sliding``, its argument, has no field ``thrust``."""
    return Line(damping=at.thrust)


def no_line(at):
    """A scheme with a mistake: it returns a number instead of a ``Line``."""
    return at.secant


def test_a_scheme_is_tried_before_anything_is_compiled():
    with pytest.raises(
        ValueError, match=r"trial call raised AttributeError.*thrust.*a Sliding has step"
    ):
        named_scheme(f"{__name__}:wrong")
    with pytest.raises(ValueError, match=r"returned .*; it must return a contact\.Line"):
        named_scheme(f"{__name__}:no_line")
    assert named_scheme(f"{__name__}:stiff").line is stiff


def test_a_scheme_of_ones_own_is_run_where_the_others_are_judged():
    """With long runs left out (``patience`` 0 s) a user's scheme runs at the step of 1 ms alone."""
    schemes = (Named("implicit", "implicit"), Named("stiff", Regularisation.own(stiff)))
    matrix = Matrix(
        (Named("brixius", "brixius"),), schemes, ("direct",), (1e-4, 1e-3, 1e-2), quarter_cases, 0.0,
        only=("parking",),
    )  # fmt: skip
    ((_, _, mine),), left_out = jobs(matrix)
    assert [job.step for job in mine if job.scheme.name == "stiff"] == [1e-3]
    assert left_out == 2
