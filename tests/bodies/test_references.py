"""Motions that others have published are reproduced, with the order of the scheme."""

import pytest

from benchmarks.references import CASES, LEAST_ORDER, run_case


@pytest.mark.parametrize("name", CASES)
def test_published_reference(name):
    for row in run_case(name):
        assert row["order"] >= LEAST_ORDER, row
        assert row["passed"], row


def test_case_json_has_the_agreed_keys():
    row = run_case("revolute pendulum")[0]
    assert list(row) == ["case", "quantity", "reference", "computed", "error", "step_s", "order",
                         "passed"]
