"""A guidance controller in another process, over a loopback bus, against one in the rig."""

import subprocess
import sys
import time

import numpy as np
import pytest

import rig
from rig.outside.can.address import parts
from rig.outside.can.bus import CanBus
from rig.outside.can.gateway import Gateway
from rig.outside.can.hub import Hub
from rig.outside.geodesy import Origin
from tests.rig.guided import TRACTOR

MACHINE = {name: kind for name, kind in TRACTOR.items() if name != "guidance"}


def machine(**more):
    return rig.Rig(
        0.01, path=rig.straight(400.0), speed=4.5, start={"position": (0.0, 1.0, 0.0)}, **MACHINE, **more
    )


def rms(run):
    return float(np.sqrt(np.mean(run["position"][3000:, 1] ** 2)))


@pytest.mark.slow  # a minute of a rig in lockstep with another process
def test_over_the_bus_it_steers_as_within():
    within = rms(machine(guidance="look-ahead").run(60.0))
    r, gate = machine(), Gateway(Origin(52.1, 8.3), receiver=True)
    words = [sys.executable, "-m", "rig", "guide", "--latitude", "52.1", "--longitude", "8.3"]
    with Hub() as hub, CanBus("socketcand", "rig", host="127.0.0.1", port=hub.port) as bus:
        with subprocess.Popen([*words, str(hub.port)], stdout=subprocess.PIPE) as controller:
            try:
                _ = hub_has_two(hub)
                run = r.run(60.0, outside=in_lockstep(r, gate, bus))
            finally:
                controller.kill()
    assert gate.state == "steering"
    assert rms(run) == pytest.approx(within, rel=0.2), (rms(run), within)


def hub_has_two(hub):
    """Wait until the other process is on the bus."""
    end = time.monotonic() + 60.0
    while sum(hub._clients.values()) < 2:
        assert time.monotonic() < end
        time.sleep(0.01)


def in_lockstep(r, gate, bus):
    """Step a rig in lockstep: after each position message the rig waits up to 2 s for the controller."""

    def outside(now):
        signals = gate.outside(now)
        frames = gate.send(now, r.__getitem__)
        for frame in frames:
            bus.send(*frame)
        end = time.monotonic() + (2.0 if any(parts(i)[0] == 129029 for i, _ in frames) else 0.0)
        answered = False
        while not answered:
            for can_id, data in bus.receive():
                gate.receive(can_id, data, now)
                answered |= can_id >> 16 & 0xFF == 0xAD
            if time.monotonic() > end:
                break
        return signals

    return outside
