"""The benchmark of batches of vehicles passes in a small run, and reports that MuJoCo is missing."""

import json

from benchmarks import batch


def test_a_small_race_says_what_held_and_draws_it(monkeypatch, tmp_path, capsys):
    small = {
        "SIZES": (1, 8, 64),
        "STEPS_TO_REST": 300,
        "ROUND": 128,
        "SHORT_RUN_VEHICLES": 16,
        "LEARNERS": 64,
    }
    for name, value in small.items():
        monkeypatch.setattr(batch, name, value)
    monkeypatch.setattr(batch, "has_mujoco", lambda: False)
    code = batch.main(rounds=1, equilibria=2, out=tmp_path, json_file=tmp_path / "batch.json")
    found = json.loads((tmp_path / "batch.json").read_text())
    assert code == 0
    assert found["passed"]
    assert set(found["rates"]) >= {"one vehicle", "1 on 1", "8 on 1", "64 on 1"}
    assert (tmp_path / "batch.png").stat().st_size > 5000
    told = capsys.readouterr()
    assert "MuJoCo is not installed" in told.err
    assert "vehicles alone" in told.out
    assert "of the bare loop" in told.out
