"""A fast model (oil) in another process: same numbers, error by latency, broken connection."""

import multiprocessing
import queue
import socket
import threading

import numpy as np
import pytest

import rig
from benchmarks.hydraulic_cases.circuits import bench
from rig import RigError
from rig.outside import remote
from rig.outside.remote import Lost, Remote, serve
from rig.two_rates.oil import Oil, Rods

SECONDS = 0.6
STEPS = {"T": 1e-3, "c": 1e-3, "t": 1e-4, "method": "ode4"}


def oil():
    return Oil(bench("bucket").circuit)


def other_process(ports):
    serve(oil(), ready=ports.put)


@pytest.fixture
def port():
    """Port of another process, which simulates the oil of the bucket's cylinder."""
    context = multiprocessing.get_context("spawn")
    ports = context.Queue()
    process = context.Process(target=other_process, args=(ports,), daemon=True)
    process.start()
    yield ports.get(timeout=120.0)
    process.terminate()
    process.join()


def moved(fast):
    """Extension of the bucket's cylinder over time [m] in a run at two rates."""
    case = bench("bucket")
    rods = Rods(case.rods)
    start = np.array([case.circuit.branches[0].cylinder.extension, 0.0])
    rates = rig.MultiRate(rods, fast, **STEPS)
    return rates.run(start, oil().start(rods.load), SECONDS)[0][:, 0]


def balance():
    """Force of the oil at rest [N]."""
    return oil().start(Rods(bench("bucket").rods).load)[-1:]


def test_another_process_gives_the_same_bytes(port):
    with Remote(port) as fast:
        assert moved(fast).tobytes() == moved(oil()).tobytes()


def test_the_error_grows_with_the_latency(port):
    """The error is zero without delay and grows with the delay (number of exchanges)."""
    exact, errors = moved(oil()), []
    for delay in (0, 1, 2):
        with Remote(port, delay=delay, force=balance()) as fast:
            errors.append(np.abs(moved(fast) - exact).max())
    assert errors[0] == 0.0
    assert 1e-6 < errors[1] < errors[2]


@pytest.mark.parametrize("delay", [0, 3])
def test_a_cut_line_is_connected_again_and_the_numbers_are_the_same(port, delay, monkeypatch):
    """Two answers are lost, after the other process has advanced its oil."""
    with Remote(port, delay=delay, force=balance()) as fast:
        wanted = moved(fast)
    answers, receive = [], remote.receive

    def cut(line):
        answers.append(receive(line))
        if len(answers) in (100, 333):
            line.shutdown(socket.SHUT_RDWR)
            raise Lost("cut")
        return answers[-1]

    monkeypatch.setattr(remote, "receive", cut)
    with Remote(port, delay=delay, force=balance()) as fast:
        assert moved(fast).tobytes() == wanted.tobytes()
    assert fast.reconnections == 2


def test_nobody_there_is_a_sentence():
    with socket.create_server(("127.0.0.1", 0)) as door:
        gone = door.getsockname()[1]
    fast = Remote(gone, patience=0.2)
    with pytest.raises(RigError, match=f"the fast model at 127.0.0.1:{gone} does not answer"):
        moved(fast)
    with pytest.raises(RigError, match="delay = -1 must be a whole number"):
        Remote(gone, delay=-1)


def test_a_model_that_fails_tells_why(port):
    rods = Rods(bench("bucket").rods)
    with Remote(port) as fast:
        rates = rig.MultiRate(rods, fast, **STEPS)
        with pytest.raises(RigError, match="a piston is outside its stroke"):
            rates.run(np.array([0.799, 5.0]), oil().start(rods.load), SECONDS)


def test_beyond_this_computer_a_token_is_required():
    with pytest.raises(RigError, match="listens on 0.0.0.0 needs a token"):
        serve(oil(), host="0.0.0.0")


def test_a_wrong_token_is_a_sentence():
    ports: queue.Queue[int] = queue.Queue()
    served = {"token": "right", "ready": ports.put}
    threading.Thread(target=serve, args=(oil(),), kwargs=served, daemon=True).start()
    port = ports.get(timeout=60.0)
    with pytest.raises(RigError, match="wrong token"), Remote(port, token="wrong") as fast:
        moved(fast)
    with Remote(port, token="right") as fast:
        assert moved(fast).tobytes() == moved(oil()).tobytes()
