"""A journal, complete or truncated, replays to the same bytes; other programs can read it."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcap.reader import make_reader

import rig
from rig import FakeClock, RigError
from rig.outside.geodesy import Origin
from rig.outside.journal import Journal
from rig.outside.replay import read
from tests.rig.guided import TRACTOR


def machine():
    return rig.Rig(
        0.01, path=rig.straight(200.0), speed=4.0, seed=3, start={"position": (0.0, 0.5, 0.0)}, **TRACTOR
    )


def operator():
    """Operator who steers twice, at random; a replay has these inputs from the journal only."""
    noise = np.random.default_rng(5)

    def source(time):
        if (1.0 <= time < 1.6 or 2.0 <= time < 2.5) and noise.random() < 0.6:
            return {"engage": 0.0, "steering_wheel": float(noise.normal(0.0, 0.1))}
        return None

    return source


@pytest.fixture(scope="module")
def drive(tmp_path_factory):
    """Path of a journal and the run that it records: with an operator and ticks of up to 90 ms."""
    path, r = tmp_path_factory.mktemp("journal") / "drive.mcap", machine()
    clock = FakeClock(costs=[0.004, 0.03, 0.002, 0.09] * 100, wake=[1e-4, 3e-3])
    with Journal(path, r, rate=100.0, origin=Origin(52.0, 8.0)) as journal:
        run = r.run(5.0, clock=clock, outside=journal.outside(operator()))
    return path, run


def test_a_replay_is_the_same_bytes(drive):
    path, run = drive
    again, differs = read(path).replay()
    assert differs is None
    assert again.digest() == run.digest()
    assert {what for _, what, _ in run.events} == {"stale", "fresh"}
    assert again.events == run.events


def test_another_block_with_the_same_outside(drive):
    path, run = drive
    other, differs = read(path).replay(guidance="stanley")
    assert differs is not None
    assert np.abs(other["position"] - run["position"]).max() > 1e-3
    with pytest.raises(RigError, match="unknown guidance 'stanly'"):
        read(path).replay(guidance="stanly")


def test_guidance_in_place_of_a_controller_that_steered_from_outside(tmp_path):
    """The replay omits the controller's commands and keeps the operator's switch."""
    parts = {name: kind for name, kind in TRACTOR.items() if name != "guidance"}
    r = rig.Rig(0.01, path=rig.straight(200.0), speed=4.0, start={"position": (0.0, 0.5, 0.0)}, **parts)
    said = {"curvature_command": 0.02, "engaged": 1.0, "engage": 1.0}
    with Journal(tmp_path / "a.mcap", r) as journal:
        run = r.run(10.0, outside=journal.outside(lambda time: said))
    assert run["position"][-1, 1] > 10.0
    other, differs = read(tmp_path / "a.mcap").replay(guidance="look-ahead")
    assert differs is not None
    assert abs(other["position"][-1, 1]) < 0.1
    assert (other["engage"][1:] == 1.0).all()


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(share=st.floats(0.0, 0.999))
def test_cut_off_anywhere_it_replays_up_to_there(drive, tmp_path, share):
    path, run = drive
    whole = path.read_bytes()
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(whole[: int(share * len(whole))])
    try:
        found = read(cut)
    except RigError as error:
        assert "cut off before its beginning" in str(error)  # noqa: PT017
        return
    if found.ticks == 0:
        with pytest.raises(RigError, match="nothing to replay"):
            found.replay()
        return
    again, differs = found.replay()
    assert differs is None
    assert again.values.tobytes() == run.values[: found.ticks + 1].tobytes()


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_garbled_anywhere_it_replays_up_to_there_or_is_a_sentence(drive, tmp_path, data):
    path, run = drive
    whole = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at] ^= data.draw(st.integers(1, 255))
    bad = tmp_path / "bad.mcap"
    bad.write_bytes(whole)
    try:
        again, differs = read(bad).replay()
    except RigError:
        return
    assert differs is None
    assert again.values.tobytes() == run.values[: len(again.values)].tobytes()


def test_a_frame_of_a_bus_is_in_the_journal(tmp_path):
    r, path = machine(), tmp_path / "a.mcap"
    with Journal(path, r) as journal:
        r.run(0.05, outside=journal.outside())
        journal.can(0x0CADFF46, b"\xf9\x7e\xfd")
    assert read(path).frames == {5: [(0x0CADFF46, b"\xf9\x7e\xfd")]}


def test_other_versions_are_named(drive):
    found = read(drive[0])
    assert found.other_versions == ""
    found.versions["numpy"] = "1.0"
    assert found.other_versions.startswith("numpy 1.0 (here ")


def test_the_mcap_library_alone_reads_it(drive):
    path, run = drive
    with open(path, "rb") as file:
        found = [(c.topic, s.name, json.loads(m.data)) for s, c, m in make_reader(file).iter_messages()]
    poses = [m for topic, name, m in found if topic == "/pose" and name == "foxglove.FrameTransform"]
    assert len(poses) == 500
    assert poses[-1]["translation"]["x"] == run["position"][499, 0]
    turn = poses[-1]["rotation"]
    yaw = 2.0 * np.arctan2(turn["z"], turn["w"])
    assert yaw == pytest.approx(run["attitude"][499, 2], abs=1e-12)
    fixes = [m for topic, _, m in found if topic == "/fix"]
    x, y, _ = Origin(52.0, 8.0).local(
        fixes[-1]["latitude"], fixes[-1]["longitude"], fixes[-1]["altitude"]
    )
    assert (x, y) == pytest.approx(tuple(run["position"][499, :2]), abs=1e-6)


def test_an_hour_at_fifty_a_second_is_not_large(tmp_path):
    path, r = tmp_path / "a.mcap", machine()
    with Journal(path, r, rate=50.0) as journal:
        r.run(20.0, outside=journal.outside())
    assert path.stat().st_size * 180 < 300e6


def test_what_is_no_journal_is_a_sentence(tmp_path):
    (tmp_path / "no.mcap").write_bytes(b"nothing of the kind")
    with pytest.raises(RigError, match="is no journal of a rig"):
        read(tmp_path / "no.mcap")
    with pytest.raises(RigError, match="cannot be read as a journal: No such file"):
        read(tmp_path / "none.mcap")
    with pytest.raises(RigError, match="cannot be written as a journal"):
        Journal(tmp_path / "none" / "a.mcap", machine())
    with pytest.raises(RigError, match="journal: unknown signal 'positon'"):
        Journal(tmp_path / "a.mcap", machine(), signals=("positon",))
