"""The benchmark against MuJoCo runs, names its settings, and reports a missing package."""

import json

import pytest

from benchmarks import mujoco_peer, peers


def test_a_missing_mujoco_is_a_command(monkeypatch, capsys):
    monkeypatch.setattr(peers.importlib.util, "find_spec", lambda name: None)
    assert peers.main() == 2
    assert "pip install 'wheelground[mujoco]'" in capsys.readouterr().err


def test_a_setting_races_and_the_verdict_is_the_ratio(monkeypatch, tmp_path, capsys):
    pytest.importorskip("mujoco", reason="needs MuJoCo: pip install 'wheelground[mujoco]'")
    monkeypatch.setattr(
        peers, "settings", lambda: [mujoco_peer.Setting("Newton", "sparse", "Euler", "elliptic", 2.0)]
    )
    monkeypatch.setattr(peers, "STEPS_TO_REST", 300)
    code = peers.main(rounds=2, json_file=tmp_path / "peers.json")
    result = json.loads((tmp_path / "peers.json").read_text())
    ours, theirs = result["rows"]
    assert ours["joint_error"] < 1e-6
    assert theirs["joint_error"] < peers.LOOP_LIMIT
    assert result["ratio"] == pytest.approx(ours["us_per_step"] / theirs["us_per_step"])
    assert code == (0 if result["ratio"] <= peers.RATIO else 1)
    assert "different" in capsys.readouterr().out
