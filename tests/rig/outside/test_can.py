"""CAN messages equal published vectors and other decoders; addresses, packets, gateway and buses."""

import datetime as dt
import math
import struct

import can
import nmea2000
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nmea2000.input_formats import N2KFormat

import rig
from rig import RigError
from rig.outside.can import messages
from rig.outside.can.address import ALL, CLAIM, NULL, REQUEST, AddressClaim, Name, identifier, parts
from rig.outside.can.bus import BusGone, CanBus
from rig.outside.can.controller import Controller
from rig.outside.can.fast_packet import Assembler, split
from rig.outside.can.gateway import STOPPED_COMING, Gateway
from rig.outside.can.hub import Hub
from rig.outside.geodesy import Origin
from rig.outside.nmea import Fix

from .clients import wait

WHEN = dt.datetime(2026, 5, 1, 12, 0, 1, tzinfo=dt.UTC)
FIELD = Origin(-41.5, -93.6, 300.0)


def test_the_vectors_of_an_open_stack():
    """Messages of the guidance interface equal those in the tests of AgIsoStack++ (positive: right)."""
    can_id, data = messages.machine_info(-0.010, 0x44, limit=3, exit_reason=27, engage=True)
    assert (can_id, data.hex()) == (0x0CACFF44, "a87d047f5bffffff")
    assert messages.system_command(-0.09425, True, 0x46) == (
        0x0CADFF46,
        bytes.fromhex("f97efdffffffffff"),
    )
    assert messages.system_command(0.04775, False, 0x46)[1][:3] == bytes.fromhex("c17cfc")


@given(st.floats(-8.0, 8.0))
def test_a_curvature_comes_back_within_half_a_bit(curvature):
    name, values = messages.decode(*messages.system_command(curvature, True, 0x46))
    assert name == "GuidanceSystemCommand"
    assert values["Status"] == 1
    assert -values["Curvature"] == pytest.approx(1e3 * curvature, abs=0.125 + 1e-9)


def read(frames):
    """Values decoded by the package nmea2000, which uses canboat's tables."""
    decoder, found = nmea2000.NMEA2000Decoder(N2KFormat.PYTHON_CAN), {}
    for can_id, data in frames:
        message = decoder.decode(can.Message(arbitration_id=can_id, data=data, is_extended_id=True))
        if message is not None:
            found[message.PGN] = {field.id: field.value for field in message.fields}
    return found


@given(*(st.floats(-a, a) for a in (2e4, 2e4, 7.0, 15.0, 0.5)))
def test_another_decoder_reads_the_motion(x, y, yaw, speed, tilt):
    fix = Fix.of(FIELD, WHEN, (x, y, 2.0), yaw, speed)
    frames = messages.motion(fix, (tilt, -tilt / 2, yaw), tilt, speed, 12.5, 0x1C)
    found = read([f for name, f in frames.items() if not name.endswith("Speed") or name[0] == "C"])
    north = math.radians(fix.heading)
    turn = lambda a, b: abs(math.remainder(a - b, 2 * math.pi))  # noqa: E731
    assert found[129025]["latitude"] == pytest.approx(fix.latitude, abs=0.51e-7)
    assert found[129025]["longitude"] == pytest.approx(fix.longitude, abs=0.51e-7)
    assert found[129026]["sog"] == pytest.approx(abs(speed), abs=0.0051)
    assert turn(found[129026]["cog"], math.radians(fix.course)) < 0.51e-4
    assert turn(found[127250]["heading"], north) < 0.51e-4
    assert found[127251]["rate"] == pytest.approx(-tilt, abs=2e-8)
    assert found[127257]["roll"] == pytest.approx(tilt, abs=0.51e-4)
    assert found[127257]["pitch"] == pytest.approx(tilt / 2, abs=0.51e-4)
    for name in ("WheelSpeed", "GroundSpeed"):
        _, ours = messages.decode(*frames[name])
        assert ours["Speed"] == pytest.approx(abs(speed), abs=0.51e-3)
        assert ours["Distance"] == 12.5
        assert ours["Direction"] == (speed >= 0)


def test_a_position_comes_in_a_fast_packet_to_its_last_digit():
    fix = Fix.of(FIELD, WHEN, (1234.5, -777.7, 3.0), 0.7, 4.5)
    packet = messages.gnss_position(fix, 5)
    can_id = identifier(messages.GNSS_POSITION, 0x1C, priority=3)
    found = read([(can_id, part) for part in split(packet, 5)])[129029]
    assert found["latitude"] == pytest.approx(fix.latitude, abs=1e-13)
    assert found["longitude"] == pytest.approx(fix.longitude, abs=1e-13)
    assert found["date"] == WHEN.date()
    assert found["time"] == WHEN.time()
    assert found["method"] == "RTK Fixed Integer"
    assembler = Assembler()
    assert [assembler.add(1, 2, part) for part in split(packet, 5)][-1] == packet


@given(st.binary(min_size=9, max_size=223), st.integers(0, 7), st.data())
def test_a_packet_that_lost_a_frame_is_none(packet, sequence, data):
    frames, assembler = split(packet, sequence), Assembler()
    assert all(len(f) == 8 for f in frames)
    missing = data.draw(st.integers(0, len(frames) - 1))
    told = [assembler.add(7, 1, f) for k, f in enumerate(frames) if k != missing]
    assert all(t is None for t in told)
    assert [assembler.add(7, 1, f) for f in split(packet, (sequence + 1) % 8)][-1] == packet


def test_the_lower_name_keeps_the_address():
    ours = AddressClaim(Name(identity=5), preferred=0x80)
    assert ours.start(0.0) == [(identifier(CLAIM, 0x80), Name(identity=5).data())]
    assert not ours.good(0.2)
    assert ours.good(0.25)
    weaker, stronger = Name(identity=6).data(), Name(identity=4).data()
    assert ours.receive(identifier(CLAIM, 0x80), weaker, 1.0)[0][0] & 0xFF == 0x80
    assert ours.receive(identifier(REQUEST, 0x33, ALL), CLAIM.to_bytes(3, "little"), 1.1)
    moved = ours.receive(identifier(CLAIM, 0x80), stronger, 2.0)
    assert moved == [(identifier(CLAIM, 0x81), Name(identity=5).data())]
    assert not ours.good(2.1)
    fixed = AddressClaim(Name(identity=5, configurable=False), preferred=0x80)
    fixed.start(0.0)
    fixed.receive(identifier(CLAIM, 0x80), Name(identity=4, configurable=False).data(), 0.1)
    assert fixed.address == NULL
    assert not fixed.good(9.0)


def test_an_identifier_and_its_parts():
    assert parts(0x0CACFF44) == (0xAC00, 0x44, 0xFF, 3)
    assert parts(identifier(0xEF00, 0x1C, 0x33)) == (0xEF00, 0x1C, 0x33, 6)
    assert parts(identifier(129029, 0x1C, 0x33)) == (129029, 0x1C, ALL, 6)


SIGNALS = {
    "position": (0.0, 0.0, 0.0),
    "attitude": (0.0, 0.0, 0.3),
    "velocity": (4.0, 0.0, 0.0),
    "yaw_rate": 0.2,
}


def test_every_state_of_the_gateway_and_the_release_within_a_tick():
    gate, tick, told = Gateway(FIELD), 0.01, []
    for k in range(400):
        now = k * tick
        if 1.0 <= now < 2.0 or 2.6 <= now < 3.2:  # the controller pauses at 2 s and releases at 2.5 s
            gate.receive(*messages.system_command(0.05, True, 0x1C), now)
        elif 2.5 <= now < 2.6:
            gate.receive(*messages.system_command(0.0, False, 0x1C), now)
        outside = gate.outside(now, engage=now < 3.0)
        sent = gate.send(now, SIGNALS.__getitem__)
        told.append((now, gate.state, outside["engaged"], outside["curvature_command"], sent))
    change = [
        (round(t, 2), s)
        for (t, s, *_), (_, before, *_) in zip(told[1:], told, strict=False)
        if s != before
    ]
    assert [s for _, s in change] == [
        "announcing", "ready", "steering", "fault", "ready", "steering", "fault",
    ]  # fmt: skip
    assert change[2] == (1.0, "steering")
    last = 1.99  # time of the last command [s]
    assert change[3][0] == pytest.approx(last + 0.15 + tick, abs=1e-9)
    released = next(o for t, s, *o in told if s == "fault")
    assert released[:2] == [0.0, 0.0]
    info = [messages.decode(*f)[1] for t, s, _, _, sent in told if s == "fault" for f in sent
            if parts(f[0])[0] == 0xAC00]  # fmt: skip
    assert info[0]["ExitReason"] == STOPPED_COMING == 5  # AgIsoStack++: remote command timeout
    assert info[0]["RequestReset"] == 1
    assert info[-1]["ExitReason"] == 3  # AgIsoStack++: operator override
    assert next(o[1] for t, s, *o in told if s == "steering") == pytest.approx(0.05)


def test_every_message_has_gone_out_before_it_is_ready():
    gate, names = Gateway(FIELD), set()
    for k in range(200):
        gate.outside(0.01 * k)
        if gate.state == "ready":
            break
        for can_id, _ in gate.send(0.01 * k, SIGNALS.__getitem__):
            names.add(parts(can_id)[0])
    assert gate.state == "ready"
    assert names == {0xEE00, 0xAC00, 129025, 129026, 129029, 127250, 127251, 127257, 65096, 65097}


def test_a_request_is_answered_at_once_or_refused():
    """J1939-21: a unit answers a request for an unknown group with control byte 1."""
    gate = Gateway(FIELD)
    for k in range(100):
        gate.outside(0.01 * k)
        gate.send(0.01 * k, SIGNALS.__getitem__)

    def answered(number, destination):
        gate.receive(identifier(REQUEST, 0x33, destination), number.to_bytes(3, "little"), 1.0)
        return [(parts(i)[0], data) for i, data in gate.send(1.0, SIGNALS.__getitem__)]

    answered(CLAIM, ALL)  # drains all pending messages
    for number in (0xAC00, 65096, 129029):
        assert {n for n, _ in answered(number, 0xF0)} == {number}
    assert answered(0xFEDA, 0xF0) == [(0xE800, bytes.fromhex("01ffffff33dafe00"))]
    assert answered(0xFEDA, ALL) == answered(0xFEDA, 0x44) == []


def test_functions_of_names_are_those_of_an_open_stack():
    """Function codes of AgIsoStack++, in byte 6 of the address claim: steering control 16, navigation
    23."""
    assert Gateway(FIELD).claim.name.data()[5] == 16
    assert Controller(None, None, FIELD).claim.name.data()[5] == 23


def test_a_hub_that_sends_nonsense_is_one_sentence_and_no_log(caplog):
    with Hub() as hub, CanBus("socketcand", "rig", host="127.0.0.1", port=hub.port) as bus:
        for writer in list(hub._clients):
            hub._loop.call_soon_threadsafe(writer.write, b"< frame nonsense >")
        with pytest.raises(BusGone, match="the bus has gone: Failed to receive: .*'nonsense'$"):
            wait(lambda: bus.receive() != [])
    assert caplog.records == []


@given(st.integers(0, (1 << 29) - 1), st.binary(max_size=8))
def test_any_frame_may_come(can_id, data):
    gate = Gateway(FIELD)
    gate.outside(0.0)
    gate.receive(can_id, data, 0.0)
    gate.receive(identifier(0xAD00, 0x1C, priority=3), data, 0.0)
    assert abs(gate.outside(0.01)["curvature_command"]) <= messages.SHARPEST
    unit = Controller(rig.make("guidance", "look-ahead"), rig.straight(100.0), FIELD)
    unit.receive(*messages.encode("Heading", {"Heading": 0.0}, 0xF0), 0.0)
    for number in (parts(can_id)[0], messages.GNSS_POSITION, 127250):
        unit.receive(identifier(number, 0xF0), data, 0.0)


def test_values_that_are_not_available_change_nothing():
    """A missing value is sent as ones in all bits, which stand for 6.5 rad or 65 m/s."""
    gate = Gateway(FIELD)
    gate.receive(*messages.encode("GuidanceErrors", {"OffTrack": 0.5}, 0x1C), 0.0)
    signals = gate.outside(0.0)
    assert signals["off_track"] == pytest.approx(0.5)
    assert "heading_error" not in signals
    unit = Controller(rig.make("guidance", "look-ahead"), rig.straight(100.0), FIELD)
    for name, values in (("Heading", {"Heading": 1.0}), ("WheelSpeed", {"Speed": 2.0, "Direction": 1})):
        unit.receive(*messages.encode(name, values, 0xF0), 0.0)
        unit.receive(*messages.encode(name, {}, 0xF0), 0.1)
    assert unit.guidance.input("fix_heading")[0] == pytest.approx(0.5 * math.pi - 1.0)
    assert unit.guidance.input("fix_speed")[0] == pytest.approx(2.0)
    nowhere = struct.pack("<BHIqqqBBBhhiB", 0, 0, 0, *[(1 << 63) - 1] * 3, 4 << 4, 0, 0, 0, 0, 0, 0)
    for packet, refused in ((nowhere, 0), (nowhere[:12], 1)):
        for frame in split(packet, 1):
            unit.receive(identifier(messages.GNSS_POSITION, 0xF0, priority=3), frame, 0.2)
        assert unit.refused == refused
    assert unit.guidance.input("fix_position").tolist() == [0.0, 0.0, 0.0]
    assert unit.guidance.output("engaged")[0] == 0.0


def test_a_hub_joins_processes_and_refuses_nonsense():
    def client(hub):
        return can.Bus(interface="socketcand", channel="rig", host="127.0.0.1", port=hub.port)

    with Hub() as hub, client(hub) as one, client(hub) as other:
        one.send(can.Message(arbitration_id=0x0CADFF46, data=b"\xf9\x7e\xfd", is_extended_id=True))
        found = other.recv(5.0)
        assert (found.arbitration_id, bytes(found.data)) == (0x0CADFF46, b"\xf9\x7e\xfd")
        other.send(can.Message(arbitration_id=0x123, data=b"", is_extended_id=False))
        one.send(can.Message(arbitration_id=0x7FF, data=bytes(8), is_extended_id=False))
        assert other.recv(5.0).arbitration_id == 0x7FF
        one._tcp_send("< send 123 9 0 >")
        one._tcp_send("< nonsense >")
        one.send(can.Message(arbitration_id=0x111, data=b"\x01", is_extended_id=False))
        assert other.recv(5.0).arbitration_id == 0x111
        assert hub.refused == 2


def test_a_bus_that_is_none_is_a_sentence():
    with pytest.raises(RigError, match="bus 'no such'"):
        CanBus("no such")
    with CanBus("virtual", "a") as one, CanBus("virtual", "a") as other:
        one.send(*messages.machine_info(0.1, 0x1C))
        assert other.receive() == [messages.machine_info(0.1, 0x1C)]
