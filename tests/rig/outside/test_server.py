"""Handshake, roles, inputs, stop and limits of a server; on the loopback, bounded in count and time."""

import json
import socket
import struct
from contextlib import ExitStack, suppress

import pytest

import rig
from rig import RigError
from rig.bus import core
from rig.outside.net import session
from rig.outside.net.client import Client
from rig.outside.net.frame import Kind, NetworkFrame
from rig.outside.net.schema import Hello
from rig.outside.net.server import Server, values_of
from tests.rig.guided import GUIDED

from .clients import VIEW, read_to_the_end, wait


def test_a_client_sees_the_rig_and_steers_it():
    r = rig.Rig(0.01, speed=3.0, **GUIDED)
    hello = Hello("operator", signals=("position", "steer_angle"), inputs=("engage", "steering_wheel"))
    with Server(machine={"name": "test"}) as server, Client(server.port, hello) as desk:
        assert desk.welcome["machine"] == {"name": "test"}
        assert desk.welcome["state"][1] == {
            "name": "steer_angle",
            "unit": "rad",
            "type": "f64",
            "shape": [],
            "offset": 24,
        }
        desk.send({"engage": 0.0, "steering_wheel": 0.2})
        wait(lambda: server._inputs)
        run = r.run(0.1, outside=lambda now: server.inputs())
        server.publish(r.ticks, r.time, values_of(r))
        frame, seen = desk.newest(5.0)
        assert (frame.tick, frame.time) == (10, 0.1)
        assert tuple(seen["position"]) == tuple(run["position"][-1])
        assert seen["steer_angle"] == pytest.approx(0.2, abs=1e-3)
        assert seen["steer_angle"].shape == r["steer_angle"].shape == ()
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


def test_operators_signals_are_refused_from_hardware_while_the_seat_is_taken():
    hello = Hello("hardware", inputs=("engage", "curvature_command"))
    values = {"engage": 1.0, "curvature_command": 0.1}
    with Server() as server, Client(server.port, hello) as unit, Client(server.port, VIEW) as page:
        unit.send(values)
        wait(lambda: server._inputs == values)
        server.inputs()
        with Client(server.port, Hello("operator", inputs=("engage",))) as desk:
            who = f"operator 127.0.0.1:{desk._socket.getsockname()[1]}"
            assert json.loads(page.frame(5.0).payload) == {"seat": who}
            assert json.loads(unit.frame(5.0).payload) == {"seat": who}
            for _ in range(2):
                unit.send(values)
            refused = {"refused": "engage", "why": f"the {who} holds the seat"}
            assert json.loads(unit.frame(5.0).payload) == refused
            wait(lambda: "curvature_command" in server._inputs)
            assert server.inputs() == {"curvature_command": 0.1}
            page.stop()
            assert json.loads(desk.frame(5.0).payload)["stop"].startswith("view 127.0.0.1:")
            desk.stop(False)
        assert [json.loads(page.frame(5.0).payload) for _ in range(3)][-1] == {"seat": ""}
        unit.send(values)
        wait(lambda: server._inputs == values)


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
        desk._socket.sendall(NetworkFrame(Kind.INPUT, payload).pack())
        with pytest.raises(RigError, match=told):
            desk.frame(5.0)
        assert server.inputs() == {}


@pytest.mark.parametrize("which", ["port", "web_port"])
@pytest.mark.parametrize("value", [-2, 65536, 8010.0, "8010", True, None])
def test_what_is_no_port_is_a_sentence(which, value):
    with pytest.raises(RigError, match=f"^{which} = .* 65535; 0 takes a free one"):
        Server(**{which: value})


def test_a_client_says_what_it_cannot_send():
    hello = Hello("operator", inputs=("engage", "wanted_speed"))
    server = Server()
    with server, Client(server.port, hello) as desk:
        with pytest.raises(RigError, match="the hello named 'wanted_speed', but the sent values lack"):
            desk.send({"engage": 1.0})
        for bad in (float("nan"), 2.0, (0.5, 0.5), "on"):
            with pytest.raises(RigError, match="signal 'engage' = "):
                desk.send({"engage": bad, "wanted_speed": 0.0})
        desk.send({"engage": 1.0, "wanted_speed": 0.0})
        with pytest.raises(RigError, match="tick -1 or time 0.0 does not fit into a frame"):
            NetworkFrame(Kind.STATE, b"", tick=-1).pack()


def test_the_limits():
    """The server allows eight clients, and disconnects one that sends over 1000 inputs a second."""
    with Server() as server, ExitStack() as stack:
        desk = stack.enter_context(Client(server.port, Hello("operator", inputs=("engage",))))
        for _ in range(7):
            stack.enter_context(Client(server.port, Hello("view")))
        with pytest.raises(RigError, match="there are 8 clients already"):
            Client(server.port, Hello("view"))
        burst = b"".join(NetworkFrame(Kind.INPUT, struct.pack("<d", 1.0)).pack() for _ in range(10_000))
        with suppress(OSError):  # the server closes the line before its end
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


def test_an_operator_comes_back_in_mid_run():
    with Server() as server:
        for value in (0.25, 0.5):
            with Client(server.port, Hello("operator", inputs=("engage",))) as desk:
                desk.send({"engage": value})
                wait(lambda: server._inputs)
                assert server.inputs()["engage"] == value
                desk._socket.shutdown(socket.SHUT_RDWR)  # the connection breaks without a closing frame
            wait(lambda: not server.clients)


def test_a_stop_touches_only_what_the_rig_reads():
    """A stop sets only those signals that the rig reads: here the wanted speed, and no lever."""
    reads = ("wanted_speed", "position")
    with Server(reads=reads) as server, Client(server.port, Hello("view")) as view:
        view.stop()
        wait(lambda: server.stopped)
        assert server.inputs() == {"wanted_speed": 0.0}


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
        desk._socket.sendall(NetworkFrame(Kind.EVENT, b'{"stop": 1}').pack())
        with pytest.raises(RigError, match="an event of a client is"):
            read_to_the_end(desk)
