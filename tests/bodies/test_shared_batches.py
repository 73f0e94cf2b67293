"""Batches and simulations copied, sent to processes, shared by threads: same bytes, no lost step."""

import copy
import dataclasses
import multiprocessing
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import bodies as B
from bodies.kernels.records import ClockRecord
from mlcp import prepare
from tests.commands import python

from .batch_fuzzer import COPIES
from .test_batch import end, quarter, varied

FORKS = [pytest.param("fork", marks=pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"))]


@pytest.fixture(scope="module")
def model():
    return B.compile(quarter())


def ends(batch):
    return [end(one) for one in batch]


def run_away(batch, steps, pipe):
    """Run the batch in another process; send its vehicles' final states, or the reason of a refusal."""
    try:
        batch.run(steps, threads=2)
        pipe.send(ends(batch))
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {error}")


def sent(batch, steps, start):
    context = multiprocessing.get_context(start)
    here, there = context.Pipe()
    process = context.Process(target=run_away, args=(batch, steps, there))
    process.start()
    answer = here.recv() if here.poll(120) else "no answer"
    process.join(10)
    assert process.exitcode == 0, answer
    return answer


@pytest.mark.parametrize("how", sorted(COPIES))
@pytest.mark.parametrize("lanes", [False, True], ids=["alone", "lanes"])
def test_a_copy_goes_the_same_way_on_memory_of_its_own(model, how, lanes):
    batch, twin = (varied(model, 9, lanes=lanes) for _ in range(2))
    batch.run(30, threads=2)
    twin.run(30, threads=1)
    other = COPIES[how](batch)
    kept = ends(batch)
    twin.run(40)
    other.run(40, threads=2)
    assert ends(other) == ends(twin)
    assert ends(batch) == kept
    other.set("wheel.mass", 230.0)
    other.set_input("torque", 0.0)
    batch.run(40)
    assert ends(batch) == ends(twin)


@pytest.mark.parametrize("start", [*FORKS, "spawn", pytest.param("forkserver", marks=pytest.mark.slow)])
@pytest.mark.parametrize("lanes", [False, True], ids=["alone", "lanes"])
def test_a_batch_works_in_another_process(model, start, lanes):
    batch = varied(model, 9, lanes=lanes)
    batch.run(20)
    answer = sent(batch, 30, start)
    batch.run(30)
    assert answer == ends(batch)


def test_sent_batches_keep_elimination_orders_and_stopped_vehicles(model):
    batch = varied(model, 9)
    state = batch[1].state()
    floats = state.floats.copy()
    floats[ClockRecord.pivot_planned.offset] = 1e9  # forces a new elimination order
    batch[1].restore(dataclasses.replace(state, floats=floats))
    batch.store.states[3, batch.store.first("velocity")] = np.inf
    with pytest.warns(B.SimulationWarning, match="1 of 9 vehicles stopped"):
        batch.run(5)
    others = [way(batch) for way in COPIES.values()]
    batch.run(40)
    for other in others:
        assert list(other.stopped) == [3]
        other.run(40, threads=1)
        for k in set(range(9)) - {3}:
            assert end(other[k]) == end(batch[k])


@pytest.mark.parametrize("lanes", [False, True], ids=["alone", "lanes"])
def test_threads_that_run_one_batch_lose_no_step(model, lanes):
    batch, twin = (varied(model, 9, lanes=lanes) for _ in range(2))
    crew = [threading.Thread(target=batch.run, args=(60, threads)) for threads in (1, 2, 3, 1)]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join(60)
    twin.run(240)
    assert ends(batch) == ends(twin)
    assert batch.time == pytest.approx(0.24)


def test_other_threads_read_and_copy_a_batch_between_its_steps(model):
    """Every copy made during a run is of a moment at which all vehicles have done equally many steps."""
    batch, twin = (varied(model, 9) for _ in range(2))
    batch._piece = 20
    runner = threading.Thread(target=batch.run, args=(2000, 2))
    runner.start()
    seen = []
    while runner.is_alive():
        seen.append(pickle.loads(pickle.dumps(batch)))
        assert np.unique(np.round(seen[-1].time, 9)).size == 1
        batch[4].state()
        batch.set_input("torque", -200.0 + 1000.0 * np.linspace(0.0, 1.0, 9))  # unchanged torques
    runner.join()
    twin.run(2000)
    assert ends(batch) == ends(twin)
    for other in seen[:3]:
        other.run(2000 - round(1e3 * other.time[0]))
        assert ends(other) == ends(twin)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_process_forked_beside_a_running_batch(model):
    """The child process refuses to run the batch whose vehicles are in mid-step, and runs another."""
    busy, idle, twin = (varied(model, 9) for _ in range(3))
    busy._piece = 10**9  # no pause between pieces of the run
    runner = threading.Thread(target=busy.run, args=(30_000, 1))
    runner.start()
    while not busy._halfway:
        time.sleep(1e-3)
    answers = [sent(busy, 20, "fork"), sent(idle, 20, "fork")]
    beside = runner.is_alive()
    runner.join()
    twin.run(20)
    assert answers[1] == ends(twin)
    if beside:
        assert "another thread was changing it when this process was forked" in answers[0]
    twin.run(29_980)
    assert ends(busy) == ends(twin)


@pytest.mark.parametrize("number", [signal.SIGINT, getattr(signal, "SIGALRM", signal.SIGINT)])
def test_after_an_interrupt_all_vehicles_have_equal_steps_and_copies_run_on(model, number):
    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(number, stop)
    try:
        for k in range(4):
            batch = varied(model, 11)  # eight vehicles in lanes (vector registers), three alone
            batch.run(1)
            timer = threading.Timer(0.05 * (k + 1), signal.raise_signal, args=(number,))
            timer.start()
            with pytest.raises(KeyboardInterrupt):
                batch.run(10**9, threads=1 + k % 2)
            timer.join()
            done = round(1e3 * batch.time[0])
            assert (np.round(1e3 * batch.time) == done).all()
            twin, other = varied(model, 11), copy.deepcopy(batch)
            twin.run(done + 20)
            for one in (batch, other):
                one.run(20)
                assert ends(one) == ends(twin)
    finally:
        signal.signal(number, before)


# simulations, views, prepared problems ------------------------------------------------------


@pytest.mark.parametrize("how", sorted(COPIES))
@pytest.mark.parametrize("solver", ["direct", "osqp"])
def test_simulations_and_workspaces(model, how, solver):
    sim, twin = (B.Simulation(model, 1e-3, solver=solver) for _ in range(2))
    sim.run(20)
    twin.run(20)
    other, work = COPIES[how](sim), COPIES[how](sim.work)
    kept = end(sim)
    other.run(30)
    if solver == "direct":
        work.run(30)
        assert end(work) == end(other)
    assert end(sim) == kept
    twin.run(30)
    assert end(other) == end(twin)


@pytest.mark.parametrize("solver", ["direct", "osqp"])
def test_threads_that_run_one_simulation_lose_no_step(model, solver):
    sim, twin = (B.Simulation(model, 1e-3, solver=solver) for _ in range(2))
    crew = [threading.Thread(target=sim.run, args=(25,)) for _ in range(4)]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join(60)
    twin.run(100)
    assert end(sim) == end(twin)


def test_a_vehicle_of_a_batch_and_views_of_it(model):
    batch = varied(model, 4)
    batch.run(20)
    one, view = batch[2], batch.velocity("wheel")
    assert copy.copy(one).batch is batch
    for way in (COPIES["deepcopy"], COPIES["pickle"]):
        other = way(one)
        assert end(other) == end(one)
        assert other.batch is not batch
        other.batch.run(10)
        still = way(view)
        assert not np.shares_memory(still, batch.store.states)
        assert still.tobytes() == view.tobytes()
    machine = B.Simulation(model, 1e-3).work.machine
    other = pickle.loads(pickle.dumps(machine))
    machine.wheel_state.rolling[:] = 7.0
    assert other.wheel_state.rolling.tolist() == [0.0]


@pytest.mark.parametrize("how", sorted(COPIES))
def test_prepared_problems(how):
    A = np.array([[2.0, 1.0], [1.0, 2.0]])
    ready = prepare(A)
    other = COPIES[how](ready)
    b = np.array([-1.0, 1.0])
    assert other.solve(b).z.tobytes() == ready.solve(b).z.tobytes()


# random use ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "rounds"), [(0, 6), *(pytest.param(s, 60, marks=pytest.mark.slow) for s in range(1, 5))]
)
def test_batches_copied_sent_and_shared_at_random(seed, rounds):
    found = python(*"-X faulthandler -m tests.bodies.batch_fuzzer".split(), seed, rounds)
    assert (found.returncode, found.stdout.split()[-1:]) == (0, ["done"]), (
        found.stdout + found.stderr[-2000:]
    )
