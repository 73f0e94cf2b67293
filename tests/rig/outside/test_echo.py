"""A numbered input: its number returns from the simulation together with the pose that it caused."""

import contextlib
import select

import pytest

import rig
from benchmarks.cockpit import checks_of, show
from rig.outside.cockpit import describe
from rig.outside.front import Front
from rig.outside.net.client import Client
from rig.outside.net.schema import Hello
from rig.outside.net.server import Server
from rig.outside.waiting import Bell
from tests.rig.guided import GUIDED


def test_the_number_comes_back_with_the_first_pose_that_the_input_had_a_part_in():
    r = rig.Rig(0.01, speed=3.0, **GUIDED)
    hello = Hello(
        "operator",
        signals=("input_number", "steer_angle"),
        rate=1e3,
        inputs=("engage", "steering_wheel", "input_number"),
    )
    seen = []
    with Front(r) as front, Client(front.port, hello) as desk:
        desk.send({"engage": 0.0, "steering_wheel": 0.2, "input_number": 41.0})
        desk.send({"engage": 0.0, "steering_wheel": 0.1, "input_number": 42.0})
        for _ in range(300):
            r.run(0.01, outside=front)
            found = desk.newest(0.02)
            if found is not None:
                seen.append((found[0].tick, *(float(v) for v in found[1].values())))
            if seen and seen[-1][1] == 42.0:
                break
    assert seen[-1][1:] == (42.0, pytest.approx(0.1))
    for _, number, angle in seen[:-1]:  # no number arrives before its pose
        assert (number, round(angle, 3)) in ((0.0, 0.0), (41.0, 0.2))


def test_what_a_tick_came_to_leaves_at_its_end():
    r = rig.Rig(0.01, speed=3.0, **GUIDED)
    hello = Hello("view", signals=("position",), rate=1e3)
    with Front(r) as front, Client(front.port, hello) as watching:
        for _ in range(300):  # until the server has received the hello
            r.run(0.01, outside=front, after=front.show)
            found = watching.newest(0.05)
            if found is not None and found[0].tick == r.ticks:
                break
        assert (found[0].tick, found[0].time) == (r.ticks, r.time)
        assert tuple(found[1]["position"]) == tuple(r["position"])


def test_an_input_rings_before_anybody_looks():
    with contextlib.closing(Bell()) as bell, Server(ring=bell.ring) as server:
        with Client(server.port, Hello("operator", inputs=("engage",))) as desk:
            assert not select.select([bell], [], [], 0.0)[0]
            desk.send({"engage": 1.0})
            assert select.select([bell], [], [], 5.0)[0]
            assert server.inputs() == {"engage": 1.0}
            bell.clear()
            assert not select.select([bell], [], [], 0.0)[0]


def test_a_page_is_told_of_every_lever_and_gauge_a_signal_that_there_is():
    digger, tractor = (rig.Rig(0.01, begin=False, **b) for b in ({"linkage": "backhoe"}, GUIDED))
    for r in (digger, tractor):
        machine = describe(r)
        for lever in machine["levers"]:
            port = r.bus.signal(lever["signal"]).port
            assert r.bus.signals[lever["signal"]].by == "operator"
            assert port.low <= lever["low"] < lever["high"] <= port.high
        for gauge in machine["gauges"]:
            assert gauge["signal"] in machine["signals"]
            assert gauge["index"] < r.bus.signal(gauge["signal"]).port.size
    keys = [key for lever in describe(digger)["levers"] for key in lever["keys"]]
    assert len(set(keys)) == len(keys) == 12


def test_what_the_page_timed_is_compared_with_what_is_promised(capsys):
    row = {"machine": "tractor", "scene": False, "count": 900, "median": 41.0, "p99": 73.0,
           "worst": 90.0, "seen [s]": 4.0, "moving [s]": 25.0, "late": "3", "load": 0.4}  # fmt: skip
    screen, seen, moving = checks_of([row])
    assert (screen.verdict, screen.measured) == ("passed", "41 ms")
    assert (seen.verdict, seen.measured) == ("passed", "4.0 s")
    assert (moving.verdict, moving.measured) == ("slow", "25.0 s")
    show([row], [screen, seen, moving])
    assert "map alone" in capsys.readouterr().out
