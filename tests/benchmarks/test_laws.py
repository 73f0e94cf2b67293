"""The benchmark of the ground laws: every reference is met, figures and JSON are complete."""

import json

import pytest

from tests.commands import printed, typed


@pytest.mark.parametrize("name", ["references.json"])
def test_every_reference_is_met_and_written(tmp_path, name):
    printed("-m", "benchmarks.laws", "--out", tmp_path, "--json", tmp_path / name)
    rows = json.loads((tmp_path / name).read_text())
    assert len(rows) > 40
    wanted = {"law", "case", "quantity", "reference", "computed", "error", "passed"}
    assert all(set(row) == wanted for row in rows)
    assert all(row["passed"] is True for row in rows)
    assert len(list(tmp_path.glob("laws_*.png"))) == 4


def test_a_file_for_a_directory_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    run = typed("benchmarks.laws", "--out", tmp_path / "file")
    assert run.returncode == 2
    assert "is a file; give a directory" in run.stderr
