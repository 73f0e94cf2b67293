"""Lines of the front: NMEA 0183 and AgOpenGPS over UDP and serial, ISO 11783 on a bus; loopback only."""

import contextlib
import datetime as dt
import itertools
import math
import os
import random
import socket
import struct
import sys
import time

import pynmea2
import pynmeagps
import pytest

import rig
from rig import RigError
from rig.outside import agopen
from rig.outside.can import messages
from rig.outside.can.bus import Bus
from rig.outside.can.hub import Hub
from rig.outside.geodesy import Origin
from rig.outside.lines import Isobus, Place, Receiver, SteerModule, open_lines
from rig.outside.lines.opening import open_wire
from rig.outside.lines.serial_port import Serial
from rig.outside.lines.tcp import Tcp
from rig.outside.lines.udp import Udp

BEGUN = dt.datetime(2026, 5, 1, 12, 0, tzinfo=dt.UTC)
HERE = Origin(52.1, 8.3, 50.0)
PLACE = Place(HERE, BEGUN)
ALL = frozenset({"curvature_command", "engaged", "off_track", "heading_error"})
#: As AgIO's source has it, with the last byte that it never makes a sum of.
AGIO_HELLO = bytes((0x80, 0x81, 0x7F, 200, 3, 56, 0, 0, 0x47))


def machine(**more):
    return rig.Rig(0.01, chassis="kinematic", steering="perfect", speed=3.0,
                   steering_controller="proportional", **more)  # fmt: skip


def drive(r, line, seconds, meanwhile=lambda: None, engage=True):
    """Run a rig with a line in the same process, as the front's process drives it."""

    def outside(now):
        meanwhile()
        line.take(now)
        given = line.signals(now, engage)
        line.tell(now, r.__getitem__, engage)
        return given

    return r.run(seconds, outside=outside)


def ear():
    """A UDP socket on the loopback and its port."""
    found = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    found.bind(("127.0.0.1", 0))
    found.settimeout(5.0)
    return found, found.getsockname()[1]


def both_read(text, run):
    """Sentences of a drive, read by both readers: the places are those of the drive."""
    lines = text.decode("ascii").splitlines()
    assert [line[3:6] for line in lines[:4]] == ["GGA", "VTG", "RMC", "HDT"]
    for k, line in enumerate(line for line in lines if line[3:6] == "GGA"):
        wanted = HERE.geodetic(*run["position"][10 * k])[:2]
        theirs, other = pynmea2.parse(line, check=True), pynmeagps.NMEAReader.parse(line)
        assert (theirs.latitude, theirs.longitude) == pytest.approx(wanted, abs=1e-8)
        assert (other.lat, other.lon) == pytest.approx(wanted, abs=1e-8)
        assert theirs.timestamp == (BEGUN + dt.timedelta(seconds=0.1 * k)).timetz()
    return k + 1


def test_two_readers_find_the_drive_over_udp():
    r, (listener, port) = machine(), ear()
    with listener:
        line = Receiver(Udp("127.0.0.1", port), PLACE)
        run = drive(r, line, 1.0)
        text = b"".join(listener.recv(2048) for _ in range(10))
        assert both_read(text, run) == 10
        assert line.told().endswith("10 fixes told, 0 faults")
        line.close()


def test_programs_that_connect_hear_the_drive_and_one_that_breaks_off_harms_nobody():
    r, wire = machine(), Tcp("127.0.0.1", 0)
    line = Receiver(wire, PLACE)
    first, second = (socket.create_connection(("127.0.0.1", wire.port), 5.0) for _ in range(2))
    with first, second:
        first.sendall(b"$PUBX,00*33\r\n")  # a command to a receiver is dropped
        second.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

        def meanwhile():
            if r.ticks == 40:
                second.close()  # without a goodbye
                time.sleep(0.01)

        run = drive(r, line, 1.0, meanwhile)
        line.close()
        first.settimeout(5.0)
        text = b""
        while more := first.recv(1 << 16):
            text += more
    assert both_read(text, run) == 10
    assert line.dropped == 13


def test_a_program_that_does_not_read_is_let_go_and_no_ninth_is_let_in():
    wire = Tcp("127.0.0.1", 0)
    lines = [socket.create_connection(("127.0.0.1", wire.port), 5.0) for _ in range(9)]
    time.sleep(0.01)
    wire.send(b"$GNHDT,1.0,T*00\r\n")
    assert (len(wire._listeners), wire.faults) == (8, 1)
    for _ in range(1000):
        for line in lines[:7]:
            with contextlib.suppress(BlockingIOError):
                line.recv(1 << 16, socket.MSG_DONTWAIT)
        wire.send(bytes(5000))
        if len(wire._listeners) == 7:
            break
    assert (len(wire._listeners), wire.faults) == (7, 2)
    wire.close()
    for line in lines:
        line.close()


def test_a_receiver_of_the_rig_is_told_at_its_own_time_also_where_nothing_moves():
    r = rig.Rig(0.01, chassis="kinematic", speed=0.0, gnss="rtk", start={"position": (5.0, 0.0, 0.0)})
    listener, port = ear()
    with listener:
        line = Receiver(Udp("127.0.0.1", port), Place(HERE, BEGUN, receiver=True), ("GGA",))
        drive(r, line, 2.0)
        texts = [listener.recv(2048).decode() for _ in range(line.fixes)]
        line.close()
    times = [pynmea2.parse(text.strip()).timestamp for text in texts]
    assert 19 <= len(times) <= 21
    assert all(a < b for a, b in itertools.pairwise(times))
    seconds = [t.second + 1e-6 * t.microsecond for t in times[1:]]
    assert all(10.0 * s == pytest.approx(round(10.0 * s)) for s in seconds)  # when it was true


def test_a_serial_line_tells_the_same_and_survives_its_other_end():
    ours, theirs = os.openpty()
    r, line = machine(), Receiver(Serial(os.ttyname(theirs), 115_200), PLACE)
    run = drive(r, line, 0.3)
    text = b""
    while text.count(b"\r\n") < 12:
        text += os.read(ours, 4096)
    assert both_read(text.replace(b"\r\r", b"\r"), run) == 3
    os.write(
        ours, b"$PUBX,00*33\r\n" + bytes(300)
    )  # a receiver is told things; this one does not listen
    os.close(ours)
    os.close(theirs)
    run = drive(r, line, 0.5)  # unplugged: nothing but a count
    assert len(run.time) == 51
    assert line._wire.faults >= 1
    line.close()
    with pytest.raises(RigError, match="cannot be opened as a serial line"):
        Serial("/dev/no such line")


def test_a_serial_line_that_is_plugged_in_again_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr("rig.outside.lines.serial_port.AGAIN", 0.0)
    name, (ours, theirs) = tmp_path / "ttyUSB0", os.openpty()
    name.symlink_to(os.ttyname(theirs))
    line = Serial(str(name))
    os.close(ours)
    os.close(theirs)
    name.unlink()
    for _ in range(5):
        line.send(b"nobody is there\r\n")
        assert line.receive() == []
    ours, theirs = os.openpty()
    name.symlink_to(os.ttyname(theirs))
    line.send(b"again\r\n")
    assert os.read(ours, 100).startswith(b"again")
    assert line.faults >= 1
    line.close()
    os.close(ours)
    os.close(theirs)


def test_agopengps_steers_over_udp():
    """Its own frames in, answers by its layout out, and release when it falls silent."""
    r, (agio, port) = machine(), ear()
    with agio:
        line = SteerModule(Udp("127.0.0.1", port), PLACE)
        module = ("127.0.0.1", line._wire.port)
        wanted = math.radians(5.25)  # to the left; AgOpenGPS has right positive

        def speak():
            if r.ticks == 0:
                agio.sendto(AGIO_HELLO, module)
                agio.sendto(bytes.fromhex("80817fca03caca0547"), module)
            if r.ticks % 10 == 0 and not 100 <= r.ticks < 200:
                data = struct.pack("<hBhBBB", 108, 1, -525, 255, 0, 0)
                agio.sendto(agopen.frame(0x7F, 254, data), module)
                time.sleep(1e-3)

        run = drive(r, line, 2.5, speak)
        came = []
        agio.setblocking(False)
        while True:
            try:
                came.append(agio.recv(2048))
            except BlockingIOError:
                break
        line.close()
    k = {t: round(t / 0.01) for t in (0.05, 1.2, 1.22, 1.26, 2.1)}
    assert run["steer_angle"][k[0.05]] == pytest.approx(wanted, abs=1e-9)
    assert run["engaged"][k[1.2]] == 1.0  # the last data are of 0.9 s, good for 0.3 s
    assert (run["engaged"][k[1.22] : 200] == 0.0).all()
    assert abs(run["steer_angle"][k[1.26]]) < 1e-9
    assert run["steer_angle"][k[2.1]] == pytest.approx(wanted, abs=1e-9)
    hello = [f for f in came if f[:4] == b"\x80\x81\x7e\x7e"]
    assert len(hello) == 1
    assert hello[0][4] == 5
    assert len(hello[0]) == 11
    assert [f for f in came if f[3] == 203] == [agopen.scanned("127.0.0.1")]
    answers = [f for f in came if f[:4] == b"\x80\x81\x7e\xfd"]
    assert len(answers) == 15
    for f in answers[1:9]:
        angle, heading, roll, switches, _ = struct.unpack("<hhhBB", f[5:-1])
        assert (angle, heading, roll, switches) == (-525, 9999, 8888, 0b01)
        assert (len(f), f[-1]) == (14, sum(f[2:-1]) & 0xFF)
    pandas = [f for f in came if f.startswith(b"$PANDA")]
    assert len(pandas) == 25
    assert line.commands == 15


def test_a_second_master_is_refused_until_the_first_is_silent():
    (one, port), (other, _) = ear(), ear()
    with one, other:
        line = SteerModule(Udp("127.0.0.1", port), PLACE)
        module = ("127.0.0.1", line._wire.port)
        frames = [agopen.SteerData(3.0, True, angle).frame() for angle in (0.1, -0.1)]

        def now(time_, *senders):
            for sender, frame in senders:
                sender.sendto(frame, module)
            time.sleep(2e-3)
            line.take(time_)
            return line.signals(time_, True)["curvature_command"]

        assert now(0.0, (one, frames[0]), (other, frames[1])) > 0.0
        assert now(0.2, (other, frames[1])) > 0.0
        assert line.refused == 2
        assert now(0.31) == 0.0
        assert now(0.4, (other, frames[1])) < 0.0
        assert line.signals(0.4, False) == {"curvature_command": 0.0, "engaged": 0.0}
        line.close()


def strange(chance):
    """A frame that somebody garbled, cut or made up."""
    good = chance.choice([
        AGIO_HELLO, agopen.SteerData(3.0, True, 0.1).frame(), agopen.frame(0x7F, 252, bytes(8)),
        b"$PANDA,,,*00\r\n", bytes(chance.randrange(40)), chance.randbytes(chance.randrange(300)),
        b"\x80\x81\x7f\xfe\xff", b"\x80\x81" * chance.randrange(9),
    ])  # fmt: skip
    found = bytearray(good)
    for _ in range(chance.randrange(3)):
        if found:
            found[chance.randrange(len(found))] = chance.randrange(256)
    return bytes(found[: chance.randrange(1, 400)])


def test_ten_thousand_strange_datagrams_and_pieces_of_a_serial_line():
    chance = random.Random(3)
    (agio, port), (ours, theirs) = ear(), os.openpty()
    os.set_blocking(ours, False)
    udp = SteerModule(Udp("127.0.0.1", port), PLACE)
    serial = SteerModule(Serial(os.ttyname(theirs), 115_200), PLACE)
    with agio:
        for k in range(5_000):
            agio.sendto(strange(chance), ("127.0.0.1", udp._wire.port))
            try:
                os.write(ours, strange(chance))
            except BlockingIOError:
                pass
            if k % 10 == 0:
                for line in (udp, serial):
                    line.take(1e-3 * k)
                    found = line.signals(1e-3 * k, True)
                    assert math.isfinite(found["curvature_command"])
        assert len(serial._reader._have) < 300
        assert udp.refused > 1000
        assert serial.refused > 500
        late = agopen.SteerData(3.0, True, 0.1).frame()  # and the next good one is taken
        before = udp.commands, serial.commands
        udp.take(100.0)
        serial.take(100.0)
        for _ in range(300):
            serial.take(100.0)
        agio.sendto(late, ("127.0.0.1", udp._wire.port))
        os.write(ours, bytes(300) + late)
        time.sleep(0.02)
        udp.take(200.0)
        serial.take(200.0)
        assert udp.commands > before[0]
        assert serial.commands > before[1]
    for line in (udp, serial):
        line.close()
    os.close(ours)
    os.close(theirs)


def test_two_controllers_on_a_bus_one_is_followed():
    with Hub() as hub:
        line = Isobus(f"socketcand:{hub.port}", PLACE)
        with Bus("socketcand", "rig", host="127.0.0.1", port=hub.port) as bus:
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
    words = [
        b"open",
        b"rawmode",
        b"send",
        b"echo",
        b"< send 123 1 11 >",
        b"FFFFFFFF",
        b"-1",
        b"8",
        b"1_0",
        b"\xff",
        b"",
    ]
    with Hub() as hub, Bus("socketcand", "rig", host="127.0.0.1", port=hub.port) as bus:
        for _ in range(100):
            with socket.create_connection(("127.0.0.1", hub.port), 5.0) as stranger:
                said = b""
                for _ in range(20):
                    said += b"< " + b" ".join(chance.choice(words) for _ in range(chance.randrange(9)))
                    said += b" >" * (chance.random() < 0.9)
                with contextlib.suppress(ConnectionError):  # it takes eight at a time
                    stranger.sendall(said)
                    stranger.recv(100)
        with Bus("socketcand", "rig", host="127.0.0.1", port=hub.port) as other:
            bus.receive()
            other.send(*messages.machine_info(0.1, 0x1C))
            end = time.monotonic() + 5.0
            found = []
            while messages.machine_info(0.1, 0x1C) not in found and time.monotonic() < end:
                found += bus.receive()
            assert found[-1] == messages.machine_info(0.1, 0x1C)
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


def test_a_real_bus_is_only_listened_to(monkeypatch):
    import can

    sent = []

    class Wired:
        def send(self, message):
            sent.append(message.arbitration_id)

        def recv(self, timeout):
            return None

        def shutdown(self):
            pass

    monkeypatch.setattr(can, "Bus", lambda **options: Wired())
    line = Isobus("socketcan:can0", PLACE)
    drive(machine(), line, 1.0)
    assert sent == []
    assert "(only listened to)" in line.told()
    drive(machine(), Isobus("socketcan:can0", PLACE, transmit=True), 1.0)
    assert sent
    assert not {i >> 8 & 0xFF00 for i in sent} & {0xAD00, 0xEF00}


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (
            {"can": ["hub"], "agopen": ["udp:127.0.0.1:1"]},
            "ISO 11783 on hub and AgOpenGPS .* both steer",
        ),
        ({"can": ["hub", "hub"]}, "ISO 11783 on hub and ISO 11783 on hub would both steer"),
        ({"can": ["hub:70000"]}, "port = '70000' must be a whole number from 0 to 65535"),
        ({"can": ["socketcand:0"]}, "port = '0' must be a whole number from 1"),
        ({"can": ["socketcand:1"]}, "bus 'socketcand'"),
        ({"can": ["no such:bus"]}, "bus 'no such'"),
        ({"can": [""]}, "bus ''"),
        ({"nmea": ["udp:127.0.0.1:0"]}, "port = '0' must be a whole number from 1 to 65535"),
        ({"nmea": ["udp:127.0.0.1:1e3"]}, "port = '1e3' must be"),
        ({"nmea": ["udp:no.such.host.invalid:7"]}, "no host 'no.such.host.invalid'"),
        ({"nmea": ["tpc:127.0.0.1:7"]}, "'tpc:127.0.0.1:7' is no wire here; one is udp, .*, tcp, tcp:"),
        ({"agopen": ["tcp:127.0.0.1:7"]}, "'tcp:127.0.0.1:7' is no wire here; .*PORT, serial:DEVICE or"),
        ({"nmea": ["tcp:203.0.113.1:7"]}, "TCP port 7 of 203.0.113.1 cannot be listened on"),
        ({"nmea": ["serial:"]}, "'serial:' is no wire"),
        ({"agopen": ["serial:/dev/null/x"]}, "cannot be opened as a serial line"),
    ],
)
def test_a_line_that_is_none_is_a_sentence_and_nothing_stays_open(wanted, told):
    before = len(os.listdir("/proc/self/fd")) if os.path.exists("/proc/self/fd") else 0
    with pytest.raises(RigError, match=told):
        open_lines(wanted, PLACE, ALL)
    time.sleep(0.05)
    if before:
        assert len(os.listdir("/proc/self/fd")) <= before


def test_a_rig_that_steers_itself_takes_no_second_guidance():
    with pytest.raises(RigError, match="has a guidance block that does: leave that out"):
        open_lines({"can": ["hub"]}, PLACE, ALL - {"curvature_command"})


def test_what_a_line_needs_is_missed_before_anything_runs(monkeypatch):
    monkeypatch.setitem(sys.modules, "pynmeagps", None)
    with pytest.raises(ImportError, match="NMEA 0183 needs pynmeagps: pip install"):
        open_lines({"nmea": ["udp"]}, PLACE, ALL)


def test_udp_of_this_computer_is_bound_to_it_alone():
    found = open_wire("udp", port=10110)
    assert found._socket.getsockname()[0] == "127.0.0.1"
    found.close()
