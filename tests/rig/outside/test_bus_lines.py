"""A controller steers a rig by ISO 11783 over a CAN bus or a hub, which joins processes to one bus."""

import contextlib
import random
import socket
import time
import unittest.mock

import can
import pytest

from rig import RigError
from rig.outside.can import messages
from rig.outside.can.bus import CanBus
from rig.outside.can.hub import Hub
from rig.outside.lines import Isobus

from .clients import wait
from .driven import PLACE, drive, machine


def test_two_controllers_on_a_bus_one_is_followed():
    with Hub() as hub:
        line = Isobus(f"socketcand:{hub.port}", PLACE)
        with CanBus("socketcand", "rig", host="127.0.0.1", port=hub.port) as bus:
            r, seen = machine(), []

            def speak():
                if r.ticks >= 70 and r.ticks % 5 == 0:
                    for source, curvature in ((0x1C, 0.05), (0x2D, -0.05)):
                        bus.send(*messages.system_command(curvature, True, source))
                    time.sleep(5e-3)
                seen.append(line.gateway.state)

            run = drive(r, line, 1.5, speak)
        assert line.gateway.state == "steering"
        assert line.gateway.refused >= 10
        assert (run["curvature_command"][90:] == pytest.approx(0.05)) or (
            run["curvature_command"][90:] == pytest.approx(-0.05)
        )
        assert line.frames()
        line.close()


def test_a_hub_is_not_moved_by_nonsense(capfd):
    chance = random.Random(8)
    words = [*b"open rawmode send echo FFFFFFFF -1 8 1_0 \xff".split(), b"", b"< send 123 1 11 >"]
    with Hub() as hub, CanBus("socketcand", "rig", host="127.0.0.1", port=hub.port) as bus:
        for _ in range(100):
            with socket.create_connection(("127.0.0.1", hub.port), 5.0) as stranger:
                said = b""
                for _ in range(20):
                    said += b"< " + b" ".join(chance.choice(words) for _ in range(chance.randrange(9)))
                    said += b" >" * (chance.random() < 0.9)
                with contextlib.suppress(ConnectionError):  # a hub has at most eight clients
                    stranger.sendall(said)
                    stranger.recv(100)
        with CanBus("socketcand", "rig", host="127.0.0.1", port=hub.port) as other:
            bus.receive()
            other.send(*messages.machine_info(0.1, 0x1C))
            found = []
            wait(lambda: found.extend(bus.receive()) or messages.machine_info(0.1, 0x1C) in found)
        assert hub.refused > 100
    assert "Traceback" not in capfd.readouterr().err


def test_a_bus_that_goes_away_is_found_again(monkeypatch):
    monkeypatch.setattr("rig.outside.lines.isobus.AGAIN", 0.0)
    r = machine()
    with Hub() as hub:
        line, port = Isobus(f"socketcand:{hub.port}", PLACE), hub.port
        drive(r, line, 1.0)
        assert line.gateway.state == "ready"
    for _ in range(20):
        drive(r, line, 0.2)
        time.sleep(0.01)
    assert line.faults >= 1
    with Hub(port) as hub:
        passed = hub.passed
        for _ in range(50):
            drive(r, line, 0.2)
            if hub.passed > passed:
                break
            time.sleep(0.02)
        assert hub.passed > passed
        line.close()


def test_a_real_bus_only_listens_and_never_steers_by_accident(monkeypatch):
    bus = unittest.mock.Mock(**{"recv.return_value": None})
    monkeypatch.setattr(can, "Bus", lambda **options: bus)
    line = Isobus("socketcan:can0", PLACE)
    drive(machine(), line, 1.0)
    bus.send.assert_not_called()
    assert "(only listened to)" in line.summary()
    drive(machine(), Isobus("socketcan:can0", PLACE, transmit=True), 1.0)
    numbers = {call.args[0].arbitration_id >> 8 & 0xFF00 for call in bus.send.call_args_list}
    assert numbers
    assert not numbers & {0xAD00, 0xEF00}
    command, info = messages.system_command(0.1, True, 0x1C), messages.machine_info(0.1, 0x1C)
    with pytest.raises(RigError, match="only listened to.*transmit=True"):
        CanBus("socketcan", "can0").send(*info)
    with pytest.raises(RigError, match="could steer a real machine.*allow_steering=True"):
        CanBus("socketcan", "can0", transmit=True).send(*command)
    CanBus("socketcan", "can0", transmit=True, allow_steering=True).send(*command)
    assert bus.send.call_args.args[0].arbitration_id == command[0]
    assert CanBus("socketcand", "rig", host="192.168.0.7", port=9).real
