"""AgOpenGPS steers a rig over UDP or a serial line; only the loopback is used."""

import math
import os
import struct
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.outside import agopen
from rig.outside.lines import SteerModule
from rig.outside.lines.serial_port import Serial
from rig.outside.lines.udp import Udp

from .driven import PLACE, drive, ear, machine

#: Frame of AgIO as in its source: the last byte is fixed, no checksum.
AGIO_HELLO = bytes((0x80, 0x81, 0x7F, 200, 3, 56, 0, 0, 0x47))


def test_agopengps_steers_over_udp():
    """Steering frames of AgOpenGPS are followed and answered; 0.3 s without one release the steering."""
    r, (agio, port) = machine(), ear()
    with agio:
        line = SteerModule(Udp("127.0.0.1", port), PLACE)
        module = ("127.0.0.1", line._wire.port)
        wanted = math.radians(5.25)  # left; in AgOpenGPS's frames right is positive

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
    assert run["engaged"][k[1.2]] == 1.0  # the last steering frame, of 0.9 s, is valid for 0.3 s
    assert (run["engaged"][k[1.22] : 200] == 0.0).all()
    assert abs(run["steer_angle"][k[1.26]]) < 1e-9
    assert run["steer_angle"][k[2.1]] == pytest.approx(wanted, abs=1e-9)
    hello = [f for f in came if f[:4] == b"\x80\x81\x7e\x7e"]
    assert len(hello) == 1
    assert hello[0][4] == 5
    assert len(hello[0]) == 11
    assert [f for f in came if f[3] == 203] == [agopen.scan_reply("127.0.0.1")]
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


GOOD = agopen.SteerData(3.0, True, 0.1).frame()


@given(st.integers(1, 300))
def test_a_stream_is_read_however_it_is_cut_and_after_a_false_start(cut):
    said = b"noise" + GOOD + b"\x80\x81\x7f\xfe\xff" + 40 * GOOD
    reader, found = agopen.Reader(stream=True), []
    for at in range(0, len(said), cut):
        found += reader.feed(said[at : at + cut])
        assert len(reader._have) < 262
    assert found == 41 * [agopen.parse(GOOD)]


@given(st.lists(st.binary(max_size=40) | st.sampled_from([GOOD[:9], AGIO_HELLO[:-1], b"\x80\x81"])))
def test_after_strange_datagrams_a_frame_is_read(pieces):
    reader = agopen.Reader(stream=False)
    assert [reader.feed(piece) for piece in (*pieces, GOOD)][-1] == [agopen.parse(GOOD)]


def test_a_serial_line_steers_too():
    ours, theirs = os.openpty()
    line = SteerModule(Serial(os.ttyname(theirs), 115_200), PLACE)
    for piece in (b"noise", GOOD[:6], GOOD[6:]):
        os.write(ours, piece)
        time.sleep(5e-3)
        line.take(0.0)
    assert (line.commands, line.refused) == (1, 1)
    line.close()
    os.close(ours)
    os.close(theirs)
