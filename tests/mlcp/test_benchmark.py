"""The solver comparison counts as a wrong claim each false "solved" and each false "infeasible"."""

import numpy as np

from benchmarks.solvers import Case, SolverResult, cases, ratios, verdict_of, wrong_claims
from mlcp import MLCP
from tests.mlcp import generators

ONE = Case("one", MLCP(np.eye(2), -np.ones(2)))


def test_a_wrong_answer_called_right_is_counted():
    residual, claim, correct = verdict_of(ONE, "peer", np.zeros(2), "solved", 1e-6)
    row = SolverResult("one", 2, "peer", 1.0, residual, claim, correct)
    assert not correct
    assert wrong_claims([row]) == [row]
    assert verdict_of(ONE, "peer", np.ones(2), "solved", 1e-6)[2]


def test_our_own_claim_goes_through_the_verdict():
    assert verdict_of(ONE, "direct", np.zeros(2), "solved", 1e-10)[1:] == ("failed", False)


def test_infeasible_is_right_only_where_nothing_solves():
    assert not verdict_of(ONE, "direct", np.zeros(2), "infeasible", 1e-10)[2]
    none = Case("none", generators.infeasible(4), solvable=False)
    assert verdict_of(none, "direct", np.zeros(4), "infeasible", 1e-10)[2]


def test_ratios_compare_with_the_fastest_accurate_peer():
    rows = [
        SolverResult("p", 2, "direct", 10.0, 1e-15, "solved", True),
        SolverResult("p", 2, "quick", 1.0, 1e-8, "solved", True),
        SolverResult("p", 2, "exact", 100.0, 1e-14, "solved", True),
    ]
    assert ratios(rows, 1e-10) == [("p", "exact", 0.1)]
    assert ratios(rows, 1e-6) == [("p", "quick", 10.0)]


def test_the_set_holds_what_it_promises():
    names = [case.name for case in cases(quick=False)]
    assert {"vehicle_12", "vehicle_24", "boxes_996", "boxes_996_ratio_1e4", "relay"} <= set(names)
    assert len(names) == len(set(names))
