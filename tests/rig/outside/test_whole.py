"""All connections at once: listening ports, tokens, a controller that stops and continues."""

import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

import rig
from rig import WallClock
from rig.outside.front import Front
from rig.outside.geodesy import Origin
from rig.outside.journal import Journal
from rig.outside.net.client import Client
from rig.outside.net.schema import Hello
from rig.outside.replay import read
from tests.rig.guided import STEERED

HERE = Origin(52.1, 8.3)
needs_proc = pytest.mark.skipif(not os.path.exists("/proc/net/udp"), reason="no socket table here")


def machine(**more):
    start = {"position": (0.0, 0.5, 0.0)}
    blocks = STEERED | {"gnss": "perfect"} | more
    return rig.Rig(0.01, path=rig.straight(400.0), speed=3.0, start=start, **blocks)


def sockets_of(process):
    """(protocol, address, state) of the sockets of a process; addresses as the system writes them."""
    inodes = set()
    for name in os.listdir(f"/proc/{process}/fd"):
        try:
            told = os.readlink(f"/proc/{process}/fd/{name}")
        except OSError:
            continue
        if told.startswith("socket:["):
            inodes.add(told[8:-1])
    found = []
    for table in ("tcp", "tcp6", "udp", "udp6"):
        path = Path(f"/proc/{process}/net/{table}")
        for line in path.read_text(encoding="ascii").splitlines()[1:] if path.exists() else ():
            words = line.split()
            if words[9] in inodes:
                found.append((table, words[1].rpartition(":")[0], words[3]))
    return found


@needs_proc
def test_nothing_of_a_whole_session_is_open_beyond_this_computer(tmp_path):
    lines = {"can": ["hub"], "nmea": ["udp"]}
    options = {"web_port": 0, "lines": lines, "origin": HERE, "journal": tmp_path / "a.mcap"}
    r = machine()
    with Front(r, **options) as front, Journal(front, r) as journal:
        run = r.run(1.0, clock=WallClock(), outside=journal.outside(front))
        found = sockets_of(front._process.pid) + sockets_of(os.getpid())
        if not found:
            pytest.skip("the socket table shows nothing here")
        assert {address for _, address, _ in found} == {"0100007F"}, found
        listening = [protocol for protocol, _, state in found if state == "0A"]
        assert len(listening) >= 3  # ports of frames, page and hub
    assert len(run.time) == 101
    assert front.lines[0].startswith("ISO 11783 on hub: ready")
    assert front.lines[1].startswith("NMEA 0183 on udp:127.0.0.1:10110: ")
    assert front.lines[1].endswith(" fixes sent, 0 faults")


def test_a_front_beyond_this_computer_asks_for_its_token():
    with Front(machine(), host="0.0.0.0", web_port=0) as front:
        assert len(front.token) > 20
        with pytest.raises(rig.RigError, match="a token is needed"):
            Client(front.port, Hello("view"))
        with Client(front.port, Hello("view", front.token)) as onlooker:
            assert onlooker.welcome["state"] == []
        assert front.token not in Path(f"/proc/{front._process.pid}/cmdline").read_text(encoding="ascii")


@pytest.mark.slow  # a controller in a process of its own, in real time
def test_a_controller_that_stops_is_left_and_may_come_back(tmp_path):
    """The steering is released 150 ms after the controller's last message. The controller may steer
    again after a message without the intention to steer and a new command.

    With an operator and a receiver with drift; the journal replays the run to the byte.
    """
    r, path, at = machine(gnss="rtk", drive_train="first-order"), tmp_path / "a.mcap", {}
    options = {"lines": {"can": ["hub"]}, "origin": HERE, "journal": path}
    with ExitStack() as stack:
        front = stack.enter_context(Front(r, **options))
        journal = stack.enter_context(Journal(front, r, rate=100.0))
        desk = stack.enter_context(
            Client(front.port, Hello("operator", inputs=("engage", "wanted_speed")))
        )
        words = [sys.executable, "-m", "rig", "guide", "--seconds", "60", str(front.hub)]
        with subprocess.Popen(words, stdout=subprocess.PIPE) as controller:
            hook = journal.outside(front)

            def outside(now):
                if r.ticks % 3 == 0:
                    desk.send({"engage": 1.0, "wanted_speed": 3.0 + 0.1 * now})
                engaged = r["engaged"] > 0.5
                if engaged and "first" not in at:
                    at["first"] = now
                if "first" in at and "cut" not in at and now > at["first"] + 2.0:
                    at["cut"] = now
                    controller.send_signal(signal.SIGSTOP)
                if "cut" in at and "left" not in at and not engaged:
                    at["left"] = now
                if "left" in at and "on" not in at and now > at["left"] + 1.0:
                    at["on"] = now
                    controller.send_signal(signal.SIGCONT)
                if "on" in at and "again" not in at and engaged:
                    at["again"] = now
                return hook(now)

            run = r.run(25.0, clock=WallClock(), outside=outside)
            controller.kill()
    assert {"first", "cut", "left", "on", "again"} <= set(at), at
    # timeout 0.15 s, period of the messages 0.1 s, and delays of the computer
    assert at["left"] - at["cut"] < 0.5
    assert abs(run["position"][-1, 1]) < 0.2
    found = read(path)
    assert sum(map(len, found.frames.values())) > 50
    again, differs = found.replay()
    assert differs is None
    assert again.digest() == run.digest()
