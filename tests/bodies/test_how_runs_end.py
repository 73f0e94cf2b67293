"""Start and end of runs: whole steps, last record, errors and interrupts, records kept after them."""

import _thread
import signal
import threading
import warnings

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from bodies.vehicle import QuarterVehicle
from contact import ConeIndexSoil, Tyre, WheelContact
from tests.refusals import refusals

from .mechanisms import drive
from .test_soil_wheels import quarter_mechanism


def pendulum(gravity=9.80665, links=1):
    """Horizontal chain of links of 1 m at rest, the first one hinged to the ground."""
    bodies = tuple(B.Body(f"b{k}", 1.0, (0.1, 0.1, 0.1), position=(0.5 + k, 0, 0)) for k in range(links))
    names = ["ground", *(b.name for b in bodies)]
    hinges = tuple(
        B.Revolute(
            name=f"h{k}", body_a=names[k], body_b=names[k + 1], position=(k, 0, 0), axis=(0, 1, 0)
        )
        for k in range(links)
    )
    return B.compile(B.Mechanism("pendulum", bodies, hinges, gravity=B.Gravity((0, 0, -gravity))))


def table_1(**changes):
    tyre = Tyre(0.762, 0.2, 0.14)
    return QuarterVehicle(250.0, 6.0, WheelContact(tyre, ConeIndexSoil(4e5)), **changes)


# length of runs ---------------------------------------------------------------------------


@pytest.mark.parametrize("every", [1, 7, 300, 3000, 4321, 4322, 10**9])
def test_records_do_not_depend_on_how_many_there_are(every):
    """The last record is the end of the run, also if it is no multiple of ``record_every`` steps."""
    run, _ = drive(table_1(torque=200.0), 4.321, record_every=every)
    whole, _ = drive(table_1(torque=200.0), 4.321)
    rows = [*range(0, 4321, every), 4321]
    assert run.time == pytest.approx(1e-3 * np.array(rows))
    assert run.velocities.tobytes() == whole.velocities[rows].tobytes()
    assert run.final.floats.tobytes() == whole.final.floats.tobytes()


def test_a_number_of_steps_is_whole():
    sim = B.Simulation(pendulum(), 1e-3)
    sim.run(0.7 / 1e-3)  # a number just below 700
    assert sim.time == pytest.approx(0.7)
    for steps, words in (
        (-1, "at least 0"),
        (0.5, "whole number"),
        (np.nan, "number"),
        (np.inf, "finite"),
        (None, "not a number"),
        ([1], "not a number"),
    ):
        with pytest.raises(B.MechanismError, match=words):
            sim.run(steps)
    assert sim.time == pytest.approx(0.7)


test_impossible_runs_are_refused_in_a_sentence = refusals(
    ({"duration": 4e-4}, "shorter than half a step"),
    ({"duration": -1.0}, "duration"),
    ({"duration": 1e300}, "duration"),
    ({"duration": np.nan}, "duration"),
    ({"step": 0.0}, "step"),
    ({"record_every": 0}, "record_every"),
    ({"record_every": 2.5}, "whole number"),
    ({"reactions": "h0"}, "list of joints"),
    ({"reactions": ["h7"]}, "unknown"),
    ({"projections": 1.5}, "whole number"),
    ({"solver": "directly"}, "did you mean 'direct'"),
    ({"model": "pendulum"}, "bodies.compile"),
    ({"state": 3}, "is not a bodies.State"),
    ({"duration": 1e6, "step": 1e-3}, "record_every"),
    of=lambda arguments: B.simulate(**{"model": pendulum(), "duration": 1.0, "step": 1e-3, **arguments}),
    error=B.MechanismError,
)


def test_no_time_at_all_is_the_first_record():
    assert B.simulate(pendulum(), 0.0, 1e-3).time.tolist() == [0.0]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("brake", np.nan, "finite"),
        ("brake", None, "not a number"),
        ("steering", np.inf, "finite"),
        ("steering", 30.0, "at most 18.8496 rad; 30 degrees are 0.5236 rad"),
        ("gear", 9, "gear of .*at least -1 and at most 6"),
        ("gear", -7, "at least -1"),
        ("gear", np.nan, "finite"),
        ("gears", 1, "did you mean 'gear'"),
        ("brake", "full", "not a number"),
    ],
)
def test_impossible_inputs_are_refused_in_a_sentence(hmmwv, name, value, words):
    sim = B.Simulation(hmmwv, 1e-3)
    before = sim.work.machine.input.copy()
    with pytest.raises(B.MechanismError, match=words):
        sim.set_input(name, value)
    with pytest.raises(B.MechanismError, match=words):
        B.equilibrium(hmmwv, inputs={name: value})
    assert sim.work.machine.input.tobytes() == before.tobytes()


@pytest.fixture(scope="module")
def hmmwv():
    return B.compile(vehicle.load("hmmwv", controls={"throttle": 0.0, "gear": 0, "brake": 1.0}))


@pytest.mark.parametrize(
    "push", [{"force": (1, np.nan, 0)}, {"torque": 3.0}, {"at": (1, 2)}, {"force": "x"}]
)
def test_a_force_is_three_finite_numbers(push):
    sim = B.Simulation(pendulum(), 1e-3)
    with pytest.raises(B.MechanismError, match="three|3 finite numbers"):
        sim.apply("b0", **push)
    assert not sim.work.machine.applied.any()


# errors and interrupts -----------------------------------------------------------------------------


def test_a_run_with_parting_joints_stops_with_an_error():
    """A thousand times the gravity at 1/60 s turns the links by more than a radian a step."""
    model = pendulum(gravity=9806.65, links=8)
    with pytest.raises(B.SimulationError, match=r"joint 'h\d' is .* m apart at t = ") as stopped:
        B.simulate(model, 5.0, 1 / 60)
    kept = stopped.value.trajectory
    assert model.machine.clock.parted == 0.5  # largest allowed gap [m]: arm of the hinges
    assert 1 <= len(kept.time) < 300
    assert kept.joint_errors[-1, 0] <= 0.5
    fine = B.simulate(pendulum(links=8), 1.0, 1 / 60)
    assert fine.joint_errors[-1, 0] < 0.05


def test_a_free_body_has_no_size_to_come_apart_by():
    sim = B.Simulation(B.compile(B.Mechanism("m", (B.Body("b", 1.0, (1, 1, 1)),))), 1e-3)
    sim.run(1000)
    assert sim.work.machine.clock.parted == np.inf


def test_a_run_that_diverges_keeps_its_records():
    def push(sim):
        if sim.time > 0.0495:
            sim.apply("b0", force=(1e308, 1e308, 1e308))

    with pytest.raises(B.SimulationError, match="apart|finite") as stopped:
        B.simulate(pendulum(), 1.0, 1e-3, callback=push, record_every=10)
    assert stopped.value.trajectory.time == pytest.approx(0.01 * np.arange(6))


def test_a_solver_from_outside_stops_at_the_same_sentences():
    sim = B.Simulation(pendulum(gravity=9806.65, links=8), 1 / 60, solver="osqp")
    with pytest.raises(B.SimulationError, match="apart"):
        sim.run(300)


def test_a_callback_that_raises_keeps_the_records():
    def stop(sim):
        if sim.time > 0.1234:
            raise KeyError("enough")

    with pytest.raises(KeyError, match="enough") as stopped:
        B.simulate(pendulum(), 1.0, 1e-3, callback=stop, record_every=50)
    kept = stopped.value.trajectory
    assert kept.time == pytest.approx([0.0, 0.05, 0.1, 0.124])
    assert "trajectory" in stopped.value.__notes__[0]
    rest = B.simulate(pendulum(), 1.0 - 0.124, 1e-3, state=kept.final)
    assert rest.positions[-1].tobytes() == B.simulate(pendulum(), 1.0, 1e-3).positions[-1].tobytes()


def interrupted(run):
    """Exception by which ``run``, a very long run, ends on Ctrl-C after half a second."""
    # background processes of a shell ignore Ctrl-C without this handler
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt) as stopped:
            run()
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    return stopped.value


def test_ctrl_c_is_answered_within_a_run_and_keeps_the_records():
    model = pendulum()
    B.simulate(model, 0.1, 1e-3)  # compiles first
    kept = interrupted(lambda: B.simulate(model, 1e4, 1e-6, record_every=20_000)).trajectory
    assert len(kept.time) > 2
    assert np.all(np.diff(kept.time) > 0.0)
    again = B.Simulation(model, 1e-6)
    again.run(round(kept.time[-1] / 1e-6))
    assert again.state().floats.tobytes() == kept.final.floats.tobytes()


def test_ctrl_c_ends_steps_without_records_and_records_within_compiled_code():
    sim = B.Simulation(pendulum(), 1e-6)
    sim.run(10)
    interrupted(lambda: sim.run(10**10))
    assert sim.time > 1e-5
    moving = table_1(torque=100.0)
    drive(moving, 0.1)
    kept = interrupted(lambda: drive(moving, 1e4, 1e-6, record_every=20_000)).trajectory
    assert len(kept.time) > 2
    assert np.all(np.diff(kept.time) > 0.0)


# missed steps ---------------------------------------------------------------


def test_a_step_without_a_solution_ends_soon_and_is_reported():
    """An unreachable tolerance ends a step after 200 fixed-point iterations; it counts as missed."""
    sim = B.Simulation(B.compile(quarter_mechanism("implicit", 300.0)), 1e-3)
    sim.run(20)
    contact = sim.work.contact()
    contact.settings.law_tolerance = -1.0
    before = sim.velocity("wheel0").copy()
    sim.run(3)
    assert contact.rows.report.passes == 200
    assert contact.rows.report.missed == 1.0
    assert np.abs(sim.velocity("wheel0") - before).max() < 0.1


def test_a_run_without_missed_steps_warns_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error", B.SimulationWarning)
        assert B.simulate(pendulum(), 1.0, 1e-3).missed == 0
        assert drive(table_1(), 1.0)[0].missed == 0
