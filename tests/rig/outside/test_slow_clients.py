"""Clients that do not read: they get the newest frames or are disconnected, without effect on others."""

import socket
import sys
import time

import numpy as np
import pytest

from rig.bus import core
from rig.outside.net import session
from rig.outside.net.client import Client
from rig.outside.net.frame import FrameReader, Kind, NetworkFrame
from rig.outside.net.schema import Hello, Schema
from rig.outside.net.server import Server

from .clients import VALUES, VIEW, wait

#: Values of all signals.
MANY = {name: np.zeros(signal.port.shape) for name, signal in core().signals.items()}


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
    """A plain client: reads the frames queued by its operating system, oldest first."""
    line = socket.socket()
    if buffer is not None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    line.settimeout(5.0)
    line.connect(("127.0.0.1", server.port))
    line.sendall(NetworkFrame(Kind.HELLO, hello.pack()).pack())
    reader, ahead = FrameReader(), []

    def frame():
        while not ahead:
            if not (received := line.recv(1 << 16)):
                raise ConnectionError
            ahead.extend(reader.feed(received))
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
                for k in range(asked):  # meanwhile the client reads nothing
                    server.publish(k, 0.01 * k + asked, VALUES)
                wait(lambda: server._state is None)
                line.sendall(NetworkFrame(Kind.PING, b"now").pack())
                assert frame() == NetworkFrame(Kind.PING, b"now")
                server.publish(asked, 1e4 + asked, VALUES)
                assert (found := frame()).kind == Kind.STATE
                assert found.tick == asked
        assert server.faults.total() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="this system does not tell what waits")
def test_the_system_keeps_no_backlog_for_a_client_that_keeps_none():
    with Server() as server:
        line, frame = raw(server, Hello("view", signals=tuple(MANY), rate=1000.0), 4096)
        with line:
            for k in range(600):
                server.publish(k, 0.01 * k, MANY)
                wait(lambda: server._state is None)
            old = [frame().tick]
            while old[-1] < 596:
                old.append(frame().tick)
        size = len(NetworkFrame(Kind.STATE, bytes(Schema(core(), tuple(MANY)).size)).pack())
        assert len(old) <= 2 * 4096 // size + 1 + 2 + 2  # in the buffer, in transit, being sent, queued


@pytest.mark.parametrize("role", ["hardware", "operator"])
def test_a_controller_that_does_not_read_is_let_go(monkeypatch, role):
    monkeypatch.setattr("rig.outside.net.client_record.BEHIND", 0.05)
    with Server() as server:
        line, frame = raw(server, Hello(role, signals=tuple(MANY), rate=1e3), 4096)
        with line:
            for k in range(2_000):
                server.publish(k, 0.01 * k, MANY)
                if not server.clients:
                    break
                wait(lambda: server._state is None)
            wait(lambda: not server.clients)
            assert [why for why in server.faults if why.endswith("must not act on old ones")]
            with pytest.raises(ConnectionError):
                [*iter(frame, None)]


def test_an_operator_whose_screen_sticks_for_a_moment_keeps_the_seat():
    with (
        Server() as server,
        Client(server.port, Hello("operator", signals=tuple(VALUES), rate=1e3)) as desk,
    ):
        wait(lambda: server.clients)
        seat = server.clients[0]
        for k in range(50):  # faster than any client reads
            server._loop.call_soon_threadsafe(seat.put, NetworkFrame(Kind.STATE, bytes(32), k).pack())
        while (frame := desk.frame(1.0)).sequence < 49:
            pass
        assert frame.sequence == 49
        assert server.clients == [seat]


def test_who_reads_nothing_is_let_go(monkeypatch):
    monkeypatch.setattr(session, "SILENCE", 0.3)
    with Server() as server:
        line, _ = raw(server, Hello("view", signals=tuple(MANY), rate=1e3), 4096)
        end = time.monotonic() + 20.0
        while server.clients and time.monotonic() < end:
            server.publish(0, time.monotonic(), MANY)
            time.sleep(2e-4)
        line.close()
        assert server.faults["it read nothing for 0.3 s"] == 1
