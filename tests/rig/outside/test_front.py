"""The front in its own process: what it shows, and what happens when either side dies."""

import os
import signal
import subprocess
import sys
import time

import pytest

import rig
from rig import RigError, WallClock
from rig.outside.front import Front
from rig.outside.net.client import Client
from rig.outside.net.schema import Hello

BLOCKS = {"chassis": "kinematic", "steering": "perfect", "steering_controller": "proportional",
          "guidance": "look-ahead", "gnss": "perfect"}  # fmt: skip
DESK = Hello("operator", signals=("position",), inputs=("engage", "steering_wheel"), rate=1e3)


def machine():
    return rig.Rig(0.01, speed=3.0, **BLOCKS)


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


def test_clients_hear_within_a_second_that_the_simulation_died():
    code = (
        "import rig\\nfrom rig.outside.front import Front\\n"
        f"r = rig.Rig(0.01, speed=3.0, **{BLOCKS!r})\\n"
        "with Front(r) as front:\\n"
        "    print(front.port, flush=True)\\n"
        "    r.run(60.0, clock=rig.WallClock(), outside=front)\\n"
    ).replace("\\n", "\n")
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as simulation:
        with Client(int(simulation.stdout.readline()), DESK) as desk:
            assert desk.newest(5.0) is not None
            simulation.kill()
            killed, told = time.monotonic(), b""
            while b"stopped" not in told and time.monotonic() - killed < 5.0:
                frame = desk.frame(0.1)
                told = b"" if frame is None else frame.payload
            assert b"simulation" in told
            assert time.monotonic() - killed < 1.0


def test_a_front_that_cannot_listen_is_a_sentence():
    with Front(machine()) as front, pytest.raises(RigError, match="cannot listen on"):
        Front(machine(), port=front.port).__enter__()
    with pytest.raises(RigError, match="a token is needed"):
        Front(machine(), host="0.0.0.0", token="").__enter__()


def test_the_wall_clock_wakes_at_its_instant_and_never_before():
    clock = WallClock()
    for _ in range(120):
        due = clock.now() + 2_000_000
        clock.wait_until(due)
        assert clock.now() >= due
    with pytest.raises(RigError, match="spin = 1 of a clock"):
        WallClock(spin=1)
