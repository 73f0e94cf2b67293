"""Frames, handshake, roles, and every way to misbehave; on the loopback, bounded in count and time."""

import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import time
import zlib
from contextlib import ExitStack

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import rig
from rig import RigError
from rig.bus import core
from rig.outside.net import session
from rig.outside.net.client import Client
from rig.outside.net.frame import HEAD, LARGEST, Frame, Kind, Reader, header, unpack
from rig.outside.net.schema import Hello, Schema
from rig.outside.net.server import Server, values_of

VALUES = {"position": (1.0, 2.0, 3.0), "yaw_rate": 0.25}
VIEW = Hello("view", signals=("position", "yaw_rate"), rate=1000.0)


def wait(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.002)
    assert condition()


@given(
    st.sampled_from(list(Kind)), st.binary(max_size=300), st.integers(0, 2**32 - 1),
    st.integers(0, 2**64 - 1), st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 40),
)  # fmt: skip
def test_a_frame_comes_back_however_the_stream_is_cut(kind, payload, sequence, tick, now, cut):
    frame = Frame(kind, payload, sequence, tick, now)
    packed = frame.pack()
    assert packed[:8] == b"WGR1" + struct.pack("<HH", 1, kind)
    assert packed[-4:] == struct.pack("<I", zlib.crc32(packed[:-4]))
    reader, found = Reader(), []
    for at in range(0, 2 * len(packed), cut):
        found += reader.feed((packed + packed)[at : at + cut])
    assert found == [frame, frame]


@given(st.binary(max_size=200), st.data())
def test_a_changed_frame_is_a_sentence(payload, data):
    packed = bytearray(Frame(Kind.STATE, payload).pack())
    at = data.draw(st.integers(0, len(packed) - 1))
    packed[at] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(RigError):
        unpack(bytes(packed))


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler on this machine")
def test_a_client_in_c_reads_the_frame_by_the_header(tmp_path):
    (tmp_path / "frame.h").write_text(header())
    (tmp_path / "read.c").write_text(
        """#include <stdio.h>
        #include <string.h>
        #include "frame.h"
        int main(void) {
            static uint8_t b[WGR_LARGEST];
            size_t n = fread(b, 1, sizeof b, stdin);
            wgr_head h; uint32_t crc; double x;
            memcpy(&h, b, sizeof h);
            memcpy(&crc, b + sizeof h + h.length, 4);
            memcpy(&x, b + sizeof h, 8);
            printf("%d %u %u %llu %.17g %.17g %d %zu", memcmp(h.magic, "WGR1", 4), h.kind, h.sequence,
                   (unsigned long long)h.tick, h.time, x, crc == wgr_crc(b, n - 4), n);
            return 0;
        }"""
    )
    subprocess.run(["cc", "-o", "read", "read.c"], cwd=tmp_path, check=True)
    frame = Frame(Kind.STATE, struct.pack("<d", 0.1), 7, 1 << 40, 2.5)
    told = subprocess.run(["./read"], cwd=tmp_path, input=frame.pack(), capture_output=True, check=True)
    assert told.stdout.decode() == f"0 3 7 {1 << 40} 2.5 0.10000000000000001 1 44"


def test_a_client_sees_the_rig_and_steers_it():
    r = rig.Rig(0.01, chassis="kinematic", steering="perfect", steering_controller="proportional",
                guidance="look-ahead", gnss="perfect", speed=3.0)  # fmt: skip
    hello = Hello("operator", signals=("position", "steer_angle"), inputs=("engage", "steering_wheel"))
    with Server(machine={"name": "test"}) as server, Client(server.port, hello) as desk:
        assert desk.welcome["machine"] == {"name": "test"}
        assert desk.welcome["state"][1] == {
            "name": "steer_angle", "unit": "rad", "type": "f64", "shape": [], "offset": 24
        }  # fmt: skip
        desk.send({"engage": 0.0, "steering_wheel": 0.2})
        wait(lambda: server._inputs)
        run = r.run(0.1, outside=lambda now: server.inputs())
        server.publish(r.ticks, r.time, values_of(r))
        frame, seen = desk.newest(5.0)
        assert (frame.tick, frame.time) == (10, 0.1)
        assert tuple(seen["position"]) == tuple(run["position"][-1])
        assert seen["steer_angle"] == pytest.approx(0.2, abs=1e-3)
        server.event(r.ticks, r.time, late=3)
        assert json.loads(desk.frame(5.0).payload) == {"late": 3}


@pytest.mark.parametrize(
    ("hello", "told"),
    [
        (Hello("view", "wrong"), "wrong token"),
        (Hello("view"), "a token is needed: it stands in the address that the rig printed"),
        (Hello("view", "key", ("positon",)), "unknown signal 'positon'; did you mean 'position'"),
        (Hello("pilot", "key"), "the role of a hello must be one of view, hardware, operator, log"),
        (Hello("view", "key", inputs=("engage",)), "the role 'view' only looks"),
        (Hello("view", "key", rate=0.0), "the rate of a hello"),
        (Hello("view", "key", rate=float("nan")), "the rate of a hello"),
    ],
)
def test_a_hello_that_does_not_fit_is_told_why(hello, told):
    with Server(token="key") as server, pytest.raises(RigError, match=told):
        Client(server.port, hello)


def test_one_operator_at_a_time_and_a_second_is_told_who():
    with Server() as server, Client(server.port, Hello("operator")) as first:
        who = f"127.0.0.1:{first._socket.getsockname()[1]}"
        with pytest.raises(RigError, match=f"another operator holds the seat: {who}"):
            Client(server.port, Hello("operator"))
        with Client(server.port, Hello("view")):
            pass


@pytest.mark.parametrize(
    ("payload", "told"),
    [
        (struct.pack("<d", float("nan")), "must be a finite number"),
        (struct.pack("<d", 1.5), "must be within 0 to 1"),
        (b"", "an input of 0 bytes; its schema has 8"),
    ],
)
def test_an_input_that_does_not_fit_ends_its_client_and_moves_nothing(payload, told):
    with Server() as server, Client(server.port, Hello("operator", inputs=("engage",))) as desk:
        desk._socket.sendall(Frame(Kind.INPUT, payload).pack())
        with pytest.raises(RigError, match=told):
            desk.frame(5.0)
        assert server.inputs() == {}


def test_ten_thousand_bad_frames_harm_nobody_else():
    """Ten thousand seeded wrong beginnings, hellos and inputs over 300 connections."""
    import random

    chance, frames = random.Random(7), 0
    with Server() as server, Client(server.port, VIEW) as other:
        while frames < 10_000:
            with socket.create_connection(("127.0.0.1", server.port), 5.0) as bad:
                bad.settimeout(5.0)
                try:
                    if chance.random() < 0.7:
                        hello = Hello("hardware", inputs=("engage", "wanted_speed"))
                        bad.sendall(Frame(Kind.HELLO, hello.pack()).pack())
                    good = [Frame(Kind.PING).pack(), Frame(Kind.INPUT, struct.pack("<dd", 1, 2)).pack()]
                    burst = [chance.choice(good) for _ in range(34)]
                    wrong = bytearray(chance.choice(good) + chance.randbytes(chance.randrange(90)))
                    for _ in range(chance.randrange(1, 4)):
                        wrong[chance.randrange(len(wrong))] = chance.randrange(256)
                    frames += len(burst) + 1
                    bad.sendall(b"".join(burst) + bytes(wrong)[: chance.randrange(1, 200)])
                    bad.shutdown(socket.SHUT_WR)
                    while bad.recv(1 << 16):
                        pass
                except ConnectionError:
                    pass
        wait(lambda: server._open == 1)
        server.publish(1, 0.01, VALUES)
        assert tuple(other.newest(5.0)[1]["position"]) == VALUES["position"]
        assert sum(server.faults.values()) > 100


def test_who_does_not_read_gets_the_newest_and_costs_no_memory():
    with Server() as server, Client(server.port, VIEW) as slow:
        wait(lambda: server.clients)
        for k in range(20_000):
            server.publish(k, 0.01 * k, VALUES)
            if k % 500 == 0:
                time.sleep(0.001)
        wait(lambda: server._state is None)
        assert len(server.clients[0].queue) <= 4
        newest = None
        while (found := slow.newest(0.2)) is not None:
            newest = found[0]
        assert newest.tick == 19_999


def raw(server, hello, buffer=None):
    """A foreign client: reads frame by frame what its system kept for it, the oldest first."""
    line = socket.socket()
    if buffer is not None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    line.settimeout(5.0)
    line.connect(("127.0.0.1", server.port))
    line.sendall(Frame(Kind.HELLO, hello.pack()).pack())
    reader, ahead = Reader(), []

    def frame():
        while not ahead:
            ahead.extend(reader.feed(line.recv(1 << 16)))
        return ahead.pop(0)

    assert frame().kind == Kind.WELCOME
    wait(lambda: len(server.clients) == 1)
    return line, frame


def test_who_pulls_reads_what_is_new_however_seldom_it_reads():
    hello = Hello("view", signals=tuple(VALUES), rate=1000.0, pull=True)
    with Server() as server:
        line, frame = raw(server, hello)
        with line:
            for asked in (100, 3_000):
                for k in range(asked):  # for a while it reads nothing
                    server.publish(k, 0.01 * k + asked, VALUES)
                wait(lambda: server._state is None)
                line.sendall(Frame(Kind.PING, b"now").pack())
                assert frame() == Frame(Kind.PING, b"now")
                server.publish(asked, 1e4 + asked, VALUES)
                assert (found := frame()).kind == Kind.STATE
                assert found.tick == asked
        assert server.faults.total() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="this system does not tell what waits")
def test_the_system_keeps_no_backlog_for_a_client_that_keeps_none():
    signals = core().signals
    many = {name: np.zeros(signal.port.shape) for name, signal in signals.items()}
    with Server() as server:
        line, frame = raw(server, Hello("view", signals=tuple(signals), rate=1000.0), 4096)
        with line:
            for k in range(600):
                server.publish(k, 0.01 * k, many)
                wait(lambda: server._state is None)
            old = [frame().tick]
            while old[-1] < 596:
                old.append(frame().tick)
        room = 4096 * 2 // len(Frame(Kind.STATE, bytes(Schema(core(), tuple(signals)).size)).pack())
        assert len(old) <= room + 1 + 2 + 2  # its own system's, on the way, the one in hand, newest ones


def read_to_the_end(client):
    while True:
        client.frame(1.0)


@pytest.mark.parametrize("role", ["hardware", "operator"])
def test_a_controller_that_does_not_read_is_let_go(monkeypatch, role):
    monkeypatch.setattr("rig.outside.net.seat.BEHIND", 0.05)
    signals = core().signals
    hello = Hello(role, signals=tuple(signals), rate=1e3)
    many = {name: np.zeros(signal.port.shape) for name, signal in signals.items()}
    with Server() as server, Client(server.port, hello) as slow:
        wait(lambda: server.clients)
        for k in range(20_000):
            server.publish(k, 0.01 * k, many)
            if not server.clients:
                break
            wait(lambda: server._state is None)
        wait(lambda: not server.clients)
        with pytest.raises(RigError, match="must not act on old ones|the server has gone"):
            read_to_the_end(slow)


def test_an_operator_whose_screen_sticks_for_a_moment_keeps_the_seat():
    with (
        Server() as server,
        Client(server.port, Hello("operator", signals=tuple(VALUES), rate=1e3)) as desk,
    ):
        wait(lambda: server.clients)
        seat = server.clients[0]
        for k in range(50):  # faster than anybody reads
            server._loop.call_soon_threadsafe(seat.put, Frame(Kind.STATE, bytes(32), k).pack())
        while (frame := desk.frame(1.0)).sequence < 49:
            pass
        assert frame.sequence == 49
        assert server.clients == [seat]


def test_a_websocket_carries_the_same_frames_and_only_our_page_may_open_one():
    page = "http://127.0.0.1:8080"
    with Server(port=-1, web_port=0, origins=(page,)) as server:
        address = f"ws://127.0.0.1:{server.web_port}"
        with connect(address, origin=page) as socket_:
            socket_.send(Frame(Kind.HELLO, VIEW.pack()).pack())
            assert unpack(socket_.recv(5.0)).kind == Kind.WELCOME
            wait(lambda: server.clients)
            server.publish(4, 0.04, VALUES)
            found = unpack(socket_.recv(5.0))
            assert Schema(server.bus, VIEW.signals).unpack(found.payload)["yaw_rate"] == 0.25
            socket_.send("text")
            assert b"binary frame" in unpack(socket_.recv(5.0)).payload
        with pytest.raises(InvalidStatus):
            connect(address, origin="http://elsewhere.example")


def strange_request(chance):
    """What finds its way to a port for browsers."""
    words = ("GET /rig HTTP/1.1", "Host: 127.0.0.1", "Connection: Upgrade", "Upgrade: websocket",
             "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")  # fmt: skip
    upgrade = "\r\n".join((*words, "", "")).encode()
    return chance.choice([
        chance.randbytes(chance.randrange(300)), b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", b"GET /" + b"a" * 9000,
        b"GET /rig HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n",
        b"GET /../../etc/passwd HTTP/1.1\r\n\r\n",
        upgrade + chance.randbytes(200), upgrade[: chance.randrange(len(upgrade))],
    ])  # fmt: skip


def test_strangers_at_the_browsers_port_are_counts_and_no_noise(capfd):
    import random

    chance = random.Random(5)
    with Server(port=0, web_port=0) as server, Client(server.port, VIEW) as other:
        for _ in range(300):
            with socket.create_connection(("127.0.0.1", server.web_port), 5.0) as stranger:
                stranger.settimeout(0.05)
                try:
                    stranger.sendall(strange_request(chance))
                    if chance.random() < 0.2:
                        stranger.recv(100)
                except OSError:
                    pass
        wait(lambda: server._open == 1)
        assert server.faults.total() > 50
        assert not any("fault of the server" in why for why in server.faults), server.faults
        server.publish(1, 0.01, VALUES)
        assert other.newest(5.0)[0].tick == 1
    assert capfd.readouterr().err == ""


@pytest.mark.skipif(not os.path.exists("/proc/net/tcp"), reason="this system shows no socket table")
def test_nothing_listens_beyond_this_computer():
    with Server() as server:
        assert server.token is None
        wanted = f"{server.port:04X}"
        with open("/proc/net/tcp", encoding="ascii") as table:
            listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
        assert [a for a in listening if a.endswith(wanted)] == [f"0100007F:{wanted}"]
    assert len(Server(host="0.0.0.0").token) > 20
    with pytest.raises(RigError, match="a token is needed"):
        Server(host="0.0.0.0", token="")


def test_a_port_that_is_taken_is_a_sentence():
    with Server() as server, pytest.raises(RigError, match="cannot listen"), Server(port=server.port):
        pass


@pytest.mark.parametrize("which", ["port", "web_port"])
@pytest.mark.parametrize("value", [-2, 65536, 8010.0, "8010", True, None])
def test_what_is_no_port_is_a_sentence(which, value):
    with pytest.raises(RigError, match=f"^{which} = .* 65535; 0 takes a free one"):
        Server(**{which: value})


@pytest.mark.parametrize(
    "payload",
    [
        b'{"role": "view", "token": "\\ud800"}',
        b'{"role": "view", "rate": ' + b"9" * 400 + b"}",
        b'{"role": "view", "rate": 1e999}',
        b'{"role": "view", "signals": ' + b"[" * 1500 + b"]" * 1500 + b"}",
        b'{"role": "view", "rate": NaN}',
        b'{"role": ["view"]}',
        b"\xff\xfe",
    ],
)
def test_a_strange_hello_is_one_sentence_and_no_fault_of_the_server(payload):
    with Server(token="key") as server, Client(server.port, Hello("view", "key")):
        with socket.create_connection(("127.0.0.1", server.port), 5.0) as strange:
            strange.sendall(Frame(Kind.HELLO, payload).pack())
            told = Reader().feed(strange.recv(1 << 16))
        assert [frame.kind for frame in told] == [Kind.BYE]
        assert not any("fault of the server" in why for why in server.faults), server.faults
        wait(lambda: len(server.clients) == 1)


def test_a_client_says_what_it_cannot_send():
    hello = Hello("operator", inputs=("engage", "wanted_speed"))
    server = Server()
    with server, Client(server.port, hello) as desk:
        with pytest.raises(RigError, match="the hello named 'wanted_speed', but it is not among"):
            desk.send({"engage": 1.0})
        for bad in (float("nan"), 2.0, (0.5, 0.5), "on"):
            with pytest.raises(RigError, match="signal 'engage' = "):
                desk.send({"engage": bad, "wanted_speed": 0.0})
        desk.send({"engage": 1.0, "wanted_speed": 0.0})
        with pytest.raises(RigError, match="tick -1 or time 0.0 does not fit into a frame"):
            Frame(Kind.STATE, b"", tick=-1).pack()


def test_the_limits():
    """Eight clients, a thousand inputs a second, five seconds to say hello."""
    with Server() as server, ExitStack() as stack:
        desk = stack.enter_context(Client(server.port, Hello("operator", inputs=("engage",))))
        for _ in range(7):
            stack.enter_context(Client(server.port, Hello("view")))
        with pytest.raises(RigError, match="there are 8 clients already"):
            Client(server.port, Hello("view"))
        burst = b"".join(Frame(Kind.INPUT, struct.pack("<d", 1.0)).pack() for _ in range(1500))
        desk._socket.sendall(burst)
        with pytest.raises(RigError, match="more than 1000 inputs a second|the server has gone"):
            read_to_the_end(desk)
        wait(lambda: len(server.clients) == 7)


def test_who_says_nothing_is_let_go(monkeypatch):
    monkeypatch.setattr(session, "PATIENCE", 0.1)
    monkeypatch.setattr(session, "SILENCE", 0.2)
    with Server() as server, socket.create_connection(("127.0.0.1", server.port)) as mute:
        mute.settimeout(5.0)
        assert b"no word for too long" in mute.recv(1000)
        with Client(server.port, Hello("operator", inputs=("engage",))) as desk:
            with pytest.raises(RigError, match="the operator sent nothing for 0.2 s"):
                read_to_the_end(desk)
        with Client(server.port, Hello("operator")):
            pass


def test_who_reads_nothing_is_let_go(monkeypatch):
    monkeypatch.setattr(session, "SILENCE", 0.3)
    signals = core().signals
    many = {name: np.zeros(signal.port.shape) for name, signal in signals.items()}
    with Server() as server, Client(server.port, Hello("view", signals=tuple(signals), rate=1e3)):
        wait(lambda: server.clients)
        end = time.monotonic() + 20.0
        while server.clients and time.monotonic() < end:
            server.publish(0, time.monotonic(), many)
            time.sleep(2e-4)
        assert server.faults["it read nothing for 0.3 s"] == 1


def test_an_operator_comes_back_in_mid_run():
    with Server() as server:
        for value in (0.25, 0.5):
            with Client(server.port, Hello("operator", inputs=("engage",))) as desk:
                desk.send({"engage": value})
                wait(lambda: server._inputs)
                assert server.inputs()["engage"] == value
                desk._socket.shutdown(socket.SHUT_RDWR)  # the line breaks, without a goodbye
            wait(lambda: not server.clients)


def test_a_stop_is_safe_values_until_the_operator_takes_it_back():
    with Server() as server, Client(server.port, Hello("operator", inputs=("engage",))) as desk:
        with Client(server.port, Hello("log")) as onlooker:
            onlooker.stop()
            assert json.loads(desk.frame(5.0).payload)["stop"].startswith("log 127.0.0.1:")
        desk.send({"engage": 1.0})
        desk.send({"engage": 1.0})
        found = server.inputs()
        assert set(found) == {n for n, s in core().signals.items() if s.alone and s.timeout}
        assert set(found.values()) == {0.0}
        desk.stop(False)
        assert json.loads(desk.frame(5.0).payload) == {"stop": False}
        server.inputs()
        desk.send({"engage": 1.0})
        wait(lambda: server._inputs)
        assert server.inputs() == {"engage": 1.0}
        desk._socket.sendall(Frame(Kind.EVENT, b'{"stop": 1}').pack())
        with pytest.raises(RigError, match="an event of a client is"):
            read_to_the_end(desk)


def test_too_long_is_refused_at_both_ends():
    with pytest.raises(RigError, match="at most 65536 bytes"):
        Frame(Kind.STATE, bytes(LARGEST)).pack()
    with pytest.raises(RigError, match="too long"):
        Reader().feed(HEAD.pack(b"WGR1", 1, 1, 5000, 0, 0, 0.0))


@settings(max_examples=100)
@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=8),
                    lambda c: st.lists(c, max_size=4) | st.dictionaries(
                        st.sampled_from(["role", "token", "signals", "inputs", "rate", "x"]), c),
                    max_leaves=8))  # fmt: skip
def test_any_json_is_a_hello_or_a_sentence(found):
    try:
        Hello.read(json.dumps(found).encode())
    except RigError:
        pass
