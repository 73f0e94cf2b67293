"""Garbage, wrong hellos, other web pages: counted, answered by a message, and disconnected."""

import random
import socket
import struct
from contextlib import suppress

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from rig.outside.net.client import Client
from rig.outside.net.frame import FrameReader, Kind, NetworkFrame, unpack
from rig.outside.net.schema import Hello, Schema
from rig.outside.net.server import Server

from .clients import VALUES, VIEW, wait


def test_bad_frames_harm_nobody_else():
    """Each of 286 clients, some without a hello, sends 34 good frames and then damaged bytes."""
    chance = random.Random(7)
    hello = NetworkFrame(Kind.HELLO, Hello("hardware", inputs=("engage", "wanted_speed")).pack()).pack()
    inputs = NetworkFrame(Kind.INPUT, struct.pack("<dd", 1, 2)).pack()
    good = (NetworkFrame(Kind.PING).pack(), inputs)
    with Server() as server, Client(server.port, VIEW) as other:
        for _ in range(286):
            burst = b"".join(chance.choice(good) for _ in range(34))
            wrong = bytearray(chance.choice(good) + chance.randbytes(chance.randrange(90)))
            for _ in range(chance.randrange(1, 4)):
                wrong[chance.randrange(len(wrong))] = chance.randrange(256)
            with socket.create_connection(("127.0.0.1", server.port), 5.0) as bad:
                with suppress(ConnectionError):
                    bad.sendall(
                        hello * (chance.random() < 0.7) + burst + wrong[: chance.randrange(1, 200)]
                    )
                    bad.shutdown(socket.SHUT_WR)
                    while bad.recv(1 << 16):
                        pass
        wait(lambda: server._open == 1)
        server.publish(1, 0.01, VALUES)
        assert tuple(other.newest(5.0)[1]["position"]) == VALUES["position"]
        assert sum(server.faults.values()) > 100


def test_a_websocket_carries_the_same_frames_and_only_our_page_may_open_one():
    page = "http://127.0.0.1:8080"
    with Server(port=-1, web_port=0, origins=(page,)) as server:
        address = f"ws://127.0.0.1:{server.web_port}"
        with connect(address, origin=page) as socket_:
            socket_.send(NetworkFrame(Kind.HELLO, VIEW.pack()).pack())
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
    """Random request to a port for browsers."""
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
            strange.sendall(NetworkFrame(Kind.HELLO, payload).pack())
            told = FrameReader().feed(strange.recv(1 << 16))
        assert [frame.kind for frame in told] == [Kind.BYE]
        assert not any("fault of the server" in why for why in server.faults), server.faults
        wait(lambda: len(server.clients) == 1)
