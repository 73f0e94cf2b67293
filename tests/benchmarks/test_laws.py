"""The benchmark of the ground laws: every reference met, figures and JSON as promised."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import typed

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("name", ["references.json"])
def test_every_reference_is_met_and_written(tmp_path, name):
    command = [sys.executable, "-m", "benchmarks.laws", "--out", str(tmp_path)]
    run = subprocess.run(
        [*command, "--json", str(tmp_path / name)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
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
