"""A saved state continues a run, also under other gravity, step or solver; damaged ones are refused."""

import dataclasses

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from bodies.kernels.records import ClockRecord
from bodies.kernels.slots import STATE_FLOATS
from bodies.memory.elimination import eliminated
from contact import terrain as T
from contact.kernels.ground import ground as at

from .test_ground import AREA, tandem
from .test_input import door
from .test_soil_wheels import quarter_mechanism


def free(bodies, inputs=0):
    parts = tuple(B.Body(f"b{i}", 1.0, (0.1, 0.1, 0.1)) for i in range(bodies))
    return B.compile(B.Mechanism("free", parts, inputs={f"i{j}": 0.0 for j in range(inputs)}))


def quarter(gravity=None, torque=300.0):
    mechanism = quarter_mechanism("implicit", torque)
    return B.compile(mechanism if gravity is None else dataclasses.replace(mechanism, gravity=gravity))


def on_a_hard_wheel():
    """A wheel with a springy tyre on hard ground, its hub off the body's centre of mass."""
    wheel = B.Body("wheel", 50.0, (2.0, 3.0, 2.0), position=(0, 0, 0.49), velocity=(2.0, 0, 0),
                   angular_velocity=(0, 3.0, 0))  # fmt: skip
    rolls = B.Wheel(name="tyre", body="wheel", centre=(0, 0.1, 0.49), radius=0.5)
    upright = B.Planar(name="keep", body_a="ground", body_b="wheel", axis=(0, 1, 0))
    return B.compile(B.Mechanism("hard", (wheel,), (upright,), wheels=(rolls,)))


def test_gravity_step_tolerance_and_solver_are_the_runs_own():
    rest = B.equilibrium(quarter(torque=0.0))
    tilted = (-9.80665 * np.sin(0.3), 0.0, -9.80665 * np.cos(0.3))
    sim = B.Simulation(quarter(B.Gravity(tilted)), 5e-3, state=rest, solver="pgs", tolerance=1e-9)
    clock = sim.work.machine.clock
    assert tuple(clock.gravity) == tilted
    assert (sim.step, clock.tolerance) == (5e-3, 1e-9)
    other = B.Simulation(sim.model, 1e-3, state=rest).state()
    sim.restore(other)
    assert (sim.step, clock.tolerance, sim.work.machine.count.solver) == (5e-3, 1e-9, 1)
    assert sim.state().floats[ClockRecord.step.offset] == 5e-3


def test_torques_that_a_model_describes_are_its_own_and_inputs_are_the_states():
    sim = B.Simulation(quarter(torque=300.0), 1e-3, state=quarter(torque=1.0).initial)
    assert list(sim.work.machine.input) == [300.0]
    names = B.Mechanism("m", (B.Body("b", 1.0, (1, 1, 1)),), inputs={"push": 1.0})
    one = B.Simulation(B.compile(names), 1e-3)
    one.set_input("push", 3.0)
    assert B.Simulation(B.compile(names), 1e-3, state=one.state()).work.machine.input[0] == 3.0


def test_loads_are_taken_over_as_forces_by_a_run_of_another_step():
    model = quarter(torque=0.0)
    run = B.simulate(model, 0.01, 5e-3, state=B.equilibrium(model))
    assert run.wheel("tyre0").load == pytest.approx(250.0 * 9.81, rel=1e-6)


@pytest.mark.parametrize("make", [quarter, on_a_hard_wheel], ids=["soft", "hard"])
def test_the_second_half_begins_with_the_last_record_of_the_first(make, tmp_path):
    model = make()
    whole = B.simulate(model, 0.4, 1e-3)
    first = B.simulate(model, 0.2, 1e-3)
    first.final.save(tmp_path / "half")
    second = B.simulate(model, 0.2, 1e-3, state=B.State.load(tmp_path / "half"))
    for name in ("positions", "velocities", "channel_impulses", "wheel_frames"):
        joined = np.concatenate([getattr(first, name), getattr(second, name)[1:]])
        assert joined.tobytes() == getattr(whole, name).tobytes(), name
        assert getattr(second, name)[0].tobytes() == getattr(first, name)[-1].tobytes(), name
    assert second.wheel_velocities[0] == pytest.approx(first.wheel_velocities[-1], abs=1e-12)
    assert second.wheel_velocities[1:].tobytes() == whole.wheel_velocities[-200:].tobytes()


def test_the_first_record_of_a_described_motion_is_that_motion():
    run = B.simulate(quarter(), 0.01, 1e-3).wheel("tyre0")
    assert (run.v_x[0], run.rim_speed[0]) == pytest.approx((1.0, 1.0))


def test_wheels_can_be_read_right_after_a_restore():
    model = B.compile(quarter_mechanism("implicit", 300.0))
    sim = B.Simulation(model, 1e-3)
    sim.run(500)
    before = vehicle.wheel_readings(sim)
    other = B.Simulation(model, 1e-3, state=sim.state())
    assert vehicle.wheel_readings(other) == before
    assert before["tyre0"].load > 2000.0


def test_a_state_fits_no_other_model_of_as_many_numbers():
    many = free(20)
    few = free(1, many.initial.floats.size - free(1).initial.floats.size)
    assert few.initial.floats.size == many.initial.floats.size
    with pytest.raises(B.MechanismError, match="belongs to another model"):
        B.Simulation(few, 1e-3, state=many.initial)
    hinge = B.Revolute(name="a", body_a="ground", body_b="b0")
    slide = B.Prismatic(name="a", body_a="ground", body_b="b0")
    one, other = (
        B.compile(B.Mechanism("m", (B.Body("b0", 1.0, (1, 1, 1)),), (joint,)))
        for joint in (hinge, slide)
    )
    with pytest.raises(B.MechanismError, match="belongs to another model"):
        B.Simulation(one, 1e-3).restore(other.initial)


def damaged(state):
    """Damaged copies of a state by name, as a user or a disk may make them."""
    ints = np.full_like(state.ints, 100_000)
    order = state.order.copy()
    order[0] = 10_000_000
    nan = state.floats.copy()
    nan[40] = np.nan
    return {
        "ints": dataclasses.replace(state, ints=ints),
        "active": dataclasses.replace(state, ints=np.where(state.ints == 0, 7, state.ints)),
        "order": dataclasses.replace(state, order=order),
        "twice": dataclasses.replace(state, order=np.zeros_like(state.order)),
        "scale": dataclasses.replace(state, scale=state.scale[:-1]),
        "nan": dataclasses.replace(state, floats=nan),
        "short": dataclasses.replace(state, floats=state.floats[:-1]),
        "kind": dataclasses.replace(state, floats=state.floats.astype("c16")),
        "digest": dataclasses.replace(state, model="0" * 64),
        "nothing": None,
    }


DAMAGES = "active", "digest", "ints", "kind", "nan", "nothing", "order", "scale", "short", "twice"


@pytest.mark.parametrize("what", DAMAGES)
def test_damaged_states_are_refused_and_nothing_has_changed(what):
    sim = B.Simulation(quarter(), 1e-3)
    sim.run(100)
    before = sim.state()
    assert set(damaged(before)) == set(DAMAGES)
    with pytest.raises(B.MechanismError, match="^state, for model 'quarter'|^state: its elimination"):
        sim.restore(damaged(before)[what])
    assert sim.state().floats.tobytes() == before.floats.tobytes()
    assert sim.state().ints.tobytes() == before.ints.tobytes()


@pytest.mark.parametrize(("place", "count"), [(at.TRAIL_COUNT, 1e6), (at.AT, 1.0), (at.AT, -1.0)])
def test_damaged_counts_of_a_soil_memory_are_refused(place, count):
    """The trail is empty: no point of it is at the wheel."""
    model = B.compile(tandem(T.Plane(memory=AREA), 1))
    sim = B.Simulation(model, 1e-3)
    state = sim.state()
    paths = list(STATE_FLOATS)
    before = paths[: paths.index("contact.grounds.memory")]
    trail = sum(model.array(path).size for path in before) + sim.work.contact().grounds.each[0].trail
    state.floats[trail + place] = count
    with pytest.raises(B.MechanismError, match="memory of the ground"):
        B.Simulation(model, 1e-3, state=state)


def torn_files(folder, save):
    """Write the file ``whole`` by ``save``, and beside it damaged copies of it and files of other
    content; return the names of these others.
    """
    save(folder / "whole")
    data = (folder / "whole").read_bytes()
    flipped = bytearray(data)
    flipped[len(data) // 2] ^= 0xFF
    pickled = np.array([{"a": 1}], dtype=object)
    np.save(folder / "foreign.npy", np.arange(3))
    np.savez(folder / "other.npz", floats=np.arange(3.0))
    np.savez(folder / "objects.npz", floats=pickled)
    for name, content in {
        "empty": b"",
        "half": data[: len(data) // 2],
        "flipped": bytes(flipped),
        "text": b"hello",
    }.items():
        (folder / name).write_bytes(content)
    return ("empty", "half", "flipped", "text", "foreign.npy", "other.npz", "objects.npz")


def test_files_that_are_no_states_are_a_sentence(tmp_path):
    state = B.Simulation(quarter(), 1e-3).state()
    for name in torn_files(tmp_path, state.save):
        with pytest.raises(B.MechanismError, match="not a file that State.save wrote"):
            B.State.load(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        B.State.load(tmp_path / "none")
    assert B.State.load(tmp_path / "whole").floats.tobytes() == state.floats.tobytes()


def test_files_that_are_no_trajectories_are_a_sentence(tmp_path):
    model = quarter()
    run = B.simulate(model, 0.01, 1e-3, record_work=True, reactions=["hub0"])
    for name in torn_files(tmp_path, run.save):
        with pytest.raises(B.MechanismError, match="not a file that Trajectory.save wrote"):
            B.Trajectory.load(tmp_path / name, model)
    again = B.Trajectory.load(tmp_path / "whole", model)
    assert again.final.floats.tobytes() == run.final.floats.tobytes()


@pytest.mark.parametrize("hinges", [1, 5])
def test_rebuilt_tables_are_those_of_the_plan(hinges):
    """The kernels' tables are rebuilt from the elimination order and scaling that a state has."""
    for model in (door(hinges), quarter()):
        plan = model.plan
        again = eliminated(model.structure, plan.order, plan.scale, plan.pivot)
        assert np.array_equal(again.table, plan.table)
        assert again.panels == plan.panels
