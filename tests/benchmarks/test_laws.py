"""The benchmark of the ground laws: every reference is met, figures and JSON are complete."""

import json

from tests.commands import printed


def test_every_reference_is_met_and_written(tmp_path):
    printed(
        "-m", "wheelground", "compare", "laws", "--out", tmp_path, "--json", tmp_path / "references.json"
    )
    rows = json.loads((tmp_path / "references.json").read_text())
    assert len(rows) > 40
    wanted = {"law", "case", "quantity", "reference", "computed", "error", "passed"}
    assert all(set(row) == wanted for row in rows)
    assert all(row["passed"] is True for row in rows)
    assert len(list(tmp_path.glob("laws_*.png"))) == 4
