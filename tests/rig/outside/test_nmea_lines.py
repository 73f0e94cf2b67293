"""A rig sends NMEA 0183 over UDP, TCP and serial lines; only the loopback is used."""

import contextlib
import datetime as dt
import itertools
import os
import socket
import struct
import time

import pynmea2
import pytest

import rig
from rig import RigError
from rig.outside.lines import NmeaSender, Place
from rig.outside.lines.serial_port import Serial
from rig.outside.lines.tcp import Tcp
from rig.outside.lines.udp import Udp
from rig.outside.nmea import Fix, sentences

from .driven import BEGUN, HERE, PLACE, drive, ear, machine


def told(run, count):
    """Sentences [bytes] of the first fixes of a drive, ten a second."""
    text = ""
    for k in range(count):
        yaw, speed = run["attitude"][10 * k, 2], run["velocity"][10 * k, 0]
        when = BEGUN + dt.timedelta(seconds=0.1 * k)
        text += "".join(sentences(Fix.of(HERE, when, run["position"][10 * k], yaw, speed)))
    return text.encode("ascii")


def test_a_drive_is_told_over_udp():
    r, (listener, port) = machine(), ear()
    with listener:
        line = NmeaSender(Udp("127.0.0.1", port), PLACE)
        run = drive(r, line, 1.0)
        assert b"".join(listener.recv(2048) for _ in range(10)) == told(run, 10)
        assert line.summary().endswith("10 fixes sent, 0 faults")
        line.close()


def test_programs_that_connect_hear_the_drive_and_one_that_breaks_off_harms_nobody():
    r, wire = machine(), Tcp("127.0.0.1", 0)
    line = NmeaSender(wire, PLACE)
    first, second = (socket.create_connection(("127.0.0.1", wire.port), 5.0) for _ in range(2))
    with first, second:
        first.sendall(b"$PUBX,00*33\r\n")  # a command to a receiver is dropped
        second.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

        def meanwhile():
            if r.ticks == 40:
                second.close()  # a reset, without a closing handshake
                time.sleep(0.01)

        run = drive(r, line, 1.0, meanwhile)
        line.close()
        first.settimeout(5.0)
        text = b""
        while more := first.recv(1 << 16):
            text += more
    assert text == told(run, 10)
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
        line = NmeaSender(Udp("127.0.0.1", port), Place(HERE, BEGUN, receiver=True), ("GGA",))
        drive(r, line, 2.0)
        texts = [listener.recv(2048).decode() for _ in range(line.fixes)]
        line.close()
    times = [pynmea2.parse(text.strip()).timestamp for text in texts]
    assert 19 <= len(times) <= 21
    assert all(a < b for a, b in itertools.pairwise(times))
    seconds = [t.second + 1e-6 * t.microsecond for t in times[1:]]
    assert all(10.0 * s == pytest.approx(round(10.0 * s)) for s in seconds)  # multiples of 0.1 s


def test_a_serial_line_tells_the_same_and_survives_its_other_end():
    ours, theirs = os.openpty()
    r, line = machine(), NmeaSender(Serial(os.ttyname(theirs), 115_200), PLACE)
    run = drive(r, line, 0.3)
    text = b""
    while text.count(b"\r\n") < 12:
        text += os.read(ours, 4096)
    assert text.replace(b"\r\r", b"\r") == told(run, 3)
    os.write(ours, b"$PUBX,00*33\r\n" + bytes(300))  # commands to the receiver are ignored
    os.close(ours)
    os.close(theirs)
    run = drive(r, line, 0.5)  # cable unplugged: failures are counted
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
