"""The front process, which serves a rig's clients: inputs, events, journal, also if a process dies."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack

import numpy as np
import pytest
from mcap.reader import make_reader

import rig
from rig import RigError, WallClock
from rig.outside.front import Front
from rig.outside.geodesy import Origin
from rig.outside.journal import Journal
from rig.outside.live import live
from rig.outside.net.client import Client
from rig.outside.net.frame import Kind, NetworkFrame
from rig.outside.net.schema import Hello
from rig.outside.net.server import Server
from rig.outside.replay import read
from tests.rig.guided import GUIDED

from .clients import read_to_the_end

DESK = Hello("operator", signals=("position",), inputs=("engage", "steering_wheel"), rate=1e3)


def machine():
    return rig.Rig(0.01, speed=3.0, **GUIDED)


def test_an_operator_in_another_process_steers_and_is_neutral_200_ms_after_the_front_died():
    r, seen = machine(), []
    with Front(r) as front, Client(front.port, DESK) as desk:

        def outside(now):
            if now < 0.5:
                desk.send({"engage": 0.0, "steering_wheel": 0.1})
            if len(seen) == 50:
                os.kill(front._process.pid, signal.SIGKILL)
            seen.append(front(now))
            return seen[-1]

        run = r.run(1.2, clock=WallClock(), outside=outside)
        assert any(seen[:50])
        assert run["steer_angle"][45] == pytest.approx(0.1, abs=1e-3)
        stale = {name: t for t, what, name in run.events if what == "stale"}
        assert set(stale) == {"engage", "steering_wheel"}
        assert 0.65 < stale["steering_wheel"] < 0.9
        assert len(run.time) == 121
        assert abs(run["steer_angle"][-1]) < 1e-3


@pytest.mark.slow  # starts a process
def test_a_run_that_is_no_number_any_more_ends_no_front(tmp_path):
    """A NaN of the position ends the data lines, each with an event; journal and clients continue."""
    r, told = machine(), []
    listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listener.bind(("127.0.0.1", 0))
    lines = {"nmea": [f"udp:127.0.0.1:{listener.getsockname()[1]}"]}
    options = {"lines": lines, "origin": Origin(52.0, 8.0), "journal": tmp_path / "a.mcap"}
    with listener, Front(r, **options) as front, Client(front.port, Hello("log")) as log:
        journal = Journal(front, r, rate=100.0)
        hook = journal.outside(front)
        for k in range(50):
            if k == 20:
                for name in ("position", "fix_position"):
                    r.wiring.values[r.wiring.places[name]] = float("nan")
            hook(0.01 * k)
            r.ticks += 1
            time.sleep(0.01)
        journal.close()
        while (frame := log.frame(0.5)) is not None:
            told.append(json.loads(frame.payload))
        assert front._process.poll() is None
    assert front.failed == ""
    assert any("has ended" in what.get("line", "") for what in told), told
    out = read(tmp_path / "a.mcap").out
    assert out[10]["position"][0] is not None
    assert out[40]["position"] == [None] * 3


def test_clients_hear_within_a_second_that_the_simulation_died():
    code = (
        "import rig\\nfrom rig.outside.front import Front\\n"
        f"r = rig.Rig(0.01, speed=3.0, **{GUIDED!r})\\n"
        "with Front(r) as front:\\n"
        "    print(front.port, flush=True)\\n"
        "    r.run(60.0, clock=rig.WallClock(), outside=front)\\n"
    ).replace("\\n", "\n")
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as simulation:
        with Client(int(simulation.stdout.readline()), DESK) as desk:
            assert desk.newest(5.0) is not None
            simulation.kill()
            killed, told = time.monotonic(), b""
            while b"stopped" not in told and time.monotonic() - killed < 5.0:
                frame = desk.frame(0.1)
                told = b"" if frame is None else frame.payload
            assert b"simulation" in told
            assert time.monotonic() - killed < 1.0
        assert b"Traceback" not in simulation.stderr.read()  # the front process raised no error


def test_the_front_writes_the_journal_and_it_replays_to_the_same_bytes(tmp_path):
    """With a client in another process and the wall clock: the journal has every input at its tick."""
    r, path = machine(), tmp_path / "drive.mcap"
    poses = lambda: np.array([[0.12342, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]])  # noqa: E731
    with Front(r, poses=poses, journal=path) as front, Client(front.port, DESK) as desk:
        with Journal(front, r, rate=100.0) as journal:
            hook, sent = journal.outside(front), []

            def outside(now):
                if now < 0.6 and r.ticks % 3 == 0:
                    desk.send({"engage": 0.0, "steering_wheel": 0.3 * now})
                    sent.append(now)
                return hook(now)

            run = r.run(1.0, clock=WallClock(), outside=outside)
    assert front.failed == ""
    found = read(path)
    assert (found.whole, found.ticks, len(found.readings)) == (True, 100, 100)
    assert len(found.inputs) > 5
    again, differs = found.replay()
    assert differs is None
    assert again.digest() == run.digest()
    assert again.events == run.events
    assert "steering_wheel" in {name for _, what, name in run.events if what == "stale"}
    with open(path, "rb") as file:
        poses = [json.loads(m.data) for _, _, m in make_reader(file).iter_messages(topics=["/poses"])]
    assert len(poses) > 20  # 50 a second, less those that a busy computer skips
    assert poses[0]["transforms"][0]["translation"]["x"] == 0.1234


def test_a_front_that_dies_leaves_a_journal_that_replays_up_to_there(tmp_path):
    r, path = machine(), tmp_path / "drive.mcap"
    with Front(r, journal=path) as front, Journal(front, r) as journal:
        hook = journal.outside(front)

        def outside(now):
            if r.ticks == 250:
                front._process.kill()
            return hook(now)

        run = r.run(3.0, clock=WallClock(), outside=outside)
    assert front.failed == "the journal ended early: the front has gone"
    found = read(path)
    assert not found.whole
    assert 50 <= found.ticks <= 250  # of 10 ms: at most 2 s are lost
    again, differs = found.replay()
    assert differs is None
    assert again.values.tobytes() == run.values[: found.ticks + 1].tobytes()


def test_a_full_disk_ends_a_journal_with_a_sentence():
    with pytest.raises(RigError, match="No space left on device"), Journal("/dev/full", machine()):
        pass


@pytest.mark.slow  # starts a process
def test_a_full_disk_ends_the_journal_and_nothing_else():
    r, said = machine(), []
    run = live(r, 0.3, journal="/dev/full", web_port=-1, warn=said.append)
    assert len(run.time) == 31
    assert len(said) == 1
    assert "/dev/full ends at about" in said[0]
    assert said[0].endswith("No space left on device")


@pytest.fixture(scope="module")
def shared():
    """A front process and its rig for several runs, because a start takes long."""
    with Front(rig.Rig(0.01, speed=3.0, drive_train="first-order", **GUIDED)) as front:
        yield front


def test_clients_hear_what_happens_to_the_run(shared):
    """Clients get events of stale signals, of their return, and of late ticks."""
    front, r, told, begun = shared, shared.rig, [], shared.rig.time
    desks = Hello("operator", inputs=("engage", "steering_wheel")), Hello("log")
    with ExitStack() as stack:
        desk, log = (stack.enter_context(Client(front.port, hello)) for hello in desks)

        def outside(now):
            if now - begun < 0.1 or 0.5 <= now - begun < 0.6:
                desk.send({"engage": 0.0, "steering_wheel": 0.1})
            if round((now - begun) / 0.01) == 70:
                time.sleep(0.08)
            return front(now)

        r.run(1.1, clock=WallClock(), outside=outside)
        while (frame := log.frame(0.5)) is not None:
            told.append(json.loads(frame.payload))
    assert {"stale": "engage"} in told
    assert {"fresh": "engage"} in told
    books = [what for what in told if "late" in what]
    assert books
    assert books[-1]["late"] >= 1
    assert books[-1]["slips"] >= 1


def test_anybody_may_stop_and_only_the_operator_goes_on(shared):
    front, r = shared, shared.rig
    r.reset()
    with Client(front.port, Hello("view")) as onlooker:
        speeds = []

        def outside(now):
            if r.ticks == 30:
                onlooker.stop()
            speeds.append(float(r["speed_command"]))
            return front(now)

        run = r.run(3.0, clock=WallClock(), outside=outside)
        assert speeds[25] == pytest.approx(3.0)
        assert run["wanted_speed"][-1] == 0.0
        assert run["engage"][-1] == 0.0
        assert abs(run["speed_command"][-1]) < 0.3
        assert not [e for e in run.events if e[1] == "stale"]  # a stop is not a missing signal
        onlooker.stop(False)
        with pytest.raises(RigError, match="taken back by the operator alone"):
            read_to_the_end(onlooker)


def test_what_a_block_writes_is_refused_at_the_door_and_the_run_goes_on(shared):
    for name in ("position", "curvature_command"):
        with pytest.raises(
            RigError, match=f"signal '{name}' cannot come from outside: a .* block writes"
        ):
            Client(shared.port, Hello("hardware", inputs=(name,)))
    assert len(shared.rig.run(0.1, clock=WallClock(), outside=shared).time) == 11


def test_a_front_that_cannot_listen_is_a_sentence():
    with Front(machine()) as front, pytest.raises(RigError, match="another program has port"):
        Front(machine(), port=front.port).__enter__()
    with pytest.raises(RigError, match="a token is needed"):
        Front(machine(), host="0.0.0.0", token="").__enter__()


def test_the_wall_clock_wakes_at_its_instant_and_never_before():
    clock = WallClock()
    for _ in range(120):
        due = clock.now() + 2_000_000
        clock.wait_until(due)
        assert clock.now() >= due
    with pytest.raises(RigError, match="spin = 1 s must be at least 0 and at most 0.01 s"):
        WallClock(spin=1)


def told(client, name):
    """The next event of this name."""
    while True:
        frame = client.frame(5.0)
        assert frame is not None
        if frame.kind == Kind.EVENT and name in (found := json.loads(frame.payload)):
            return found


def news(client):
    """The next frame within 0.2 s, or None; events of the operator's seat are skipped."""
    while (frame := client.frame(0.2)) is not None and b"seat" in frame.payload:
        pass
    return frame


def test_while_a_machine_is_made_ready_it_is_shown_and_nothing_that_is_asked_for_moves_it():
    r = rig.Rig(
        0.01, speed=3.0, begin=False, **GUIDED, start={"position": (4.0, 2.0, 0.0), "engage": 0.0}
    )
    with Front(r) as front, ExitStack() as stack:

        def readying():
            desk = stack.enter_context(Client(front.port, DESK))
            seen, state = {}, None
            while "waiting" not in seen or state is None:
                frame = desk.frame(5.0)
                if frame.kind == Kind.STATE:
                    state = desk.state.unpack(frame.payload)
                else:
                    seen |= json.loads(frame.payload)
            assert seen["waiting"] == "the machine is made ready"
            np.testing.assert_array_equal(state["position"], (4.0, 2.0, 0.0))
            desk.send({"engage": 0.0, "steering_wheel": 0.3})
            desk._socket.sendall(NetworkFrame(Kind.PING).pack())
            while desk.frame(5.0).kind != Kind.PING:  # the reply follows all earlier inputs
                pass
            r.begin()
            return desk

        ready = []
        front.prepare(lambda: ready.append(readying()))
        assert told(ready[0], "waiting")["waiting"] == ""
        assert r.run(0.5, outside=front)["steer_angle"][-1] == 0.0
        late = stack.enter_context(Client(front.port, Hello("view")))
        assert news(late) is None  # a past event is not sent to new clients


def test_who_comes_after_a_stop_is_told_of_it():
    with Server() as server, Client(server.port, Hello("operator")) as desk:
        desk.stop()
        assert told(desk, "stop")["stop"].startswith("operator")
        with Client(server.port, Hello("view")) as late:
            assert told(late, "stop")["stop"].startswith("operator")
        desk.stop(False)
        assert told(desk, "stop")["stop"] is False
        with Client(server.port, Hello("view")) as later:
            assert news(later) is None


def test_a_front_outside_its_with_is_a_sentence():
    r = machine()
    front = Front(r)
    with pytest.raises(RigError, match="a front is there within its"):
        front(0.0)
    with front:
        front(0.0)
    with pytest.raises(RigError, match="a front is there within its"):
        r.run(0.1, outside=front)
