"""Copies and pickles of host objects: separate memory, same future, also in another process."""

import copy
import multiprocessing
import pickle

import numpy as np
import pytest

from contact import GroundContact
from contact.hosts import HostError, WheelsOnGround
from contact.hosts.copies import Unique
from contact.hosts.generic import GenericHost
from contact.terrain import Plane, SoilMemory

from .test_wheels_on_ground import LEFT, H, vehicle, wheel

COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
}
RUTS = Plane(memory=SoilMemory((-1.0, 4.0), (-2.0, 2.0), cell=0.1))


def sink(ground, k=0):
    """A step of one wheel that rolls and sinks; returns a copy of its wrench."""
    twist = np.array([[1.0, 0.0, -0.2, 0.0, 3.0, 0.0]])
    place = [[0.01 * k, 0.0, 0.36]]
    return ground.solve(H, place, [LEFT], twist, twist, np.eye(6) / 100.0).copy()


def send(ground, pipe):
    pipe.send(sink(ground, 50))


@pytest.mark.parametrize("how", sorted(COPIES))
@pytest.mark.parametrize("terrain", [None, RUTS], ids=["flat", "ruts"])
@pytest.mark.parametrize("steps", [0, 50])
def test_a_copy_has_the_same_future_and_memory_of_its_own(how, terrain, steps):
    ground, twin = (WheelsOnGround([wheel()], terrain) for _ in range(2))
    for k in range(steps):
        sink(ground, k)
        sink(twin, k)
    other = COPIES[how](ground)
    before = ground.wrench.copy(), ground.contact.memory.copy()
    for k in range(steps, steps + 100):
        assert sink(other, k).tobytes() == sink(twin, k).tobytes()
    assert ground.wrench.tobytes() == before[0].tobytes()
    assert ground.contact.memory.tobytes() == before[1].tobytes()
    for k in range(steps, steps + 100):
        sink(ground, k)
    assert ground.wrench.tobytes() == other.wrench.tobytes()
    assert ground.contact.memory.tobytes() == other.contact.memory.tobytes()


def test_a_ground_works_in_another_process():
    ground = WheelsOnGround([wheel()])
    for k in range(50):
        sink(ground, k)
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=send, args=(ground, there))
    process.start()
    process.join()
    assert process.exitcode == 0
    assert here.recv().tobytes() == sink(ground, 50).tobytes()


def test_a_copied_generic_host_solves_on_its_own_memory():
    M, J, position, axis, v, v_free = vehicle()
    host = GenericHost(WheelsOnGround([wheel()] * 4), v.size)
    host.solve(H, position, axis, J, M, v, v_free)
    other = copy.deepcopy(host)
    assert other.ground is not host.ground
    before = host.change.copy()
    moved = other.solve(H, position - 0.01, axis, J, M, v, v_free).copy()
    assert host.change.tobytes() == before.tobytes()
    assert host.solve(H, position - 0.01, axis, J, M, v, v_free).tobytes() == moved.tobytes()
    both = pickle.loads(pickle.dumps({"host": host, "ground": host.ground}))
    assert both["host"].ground is both["ground"]


@pytest.mark.parametrize("solver", ["direct", "osqp"])
def test_a_ground_contact_is_copied_after_its_first_solve_too(solver):
    ground = GroundContact([wheel()], solver=solver)
    situation = [-0.02], np.eye(4) / 100, np.zeros(4), np.full(4, -0.01)
    q = ground.solve(H, *situation).copy()
    other = pickle.loads(pickle.dumps(ground))
    assert other.solve(H, *situation) == pytest.approx(q, rel=1e-6, abs=1e-9)


def test_mujoco_is_copied_with_what_its_steps_have_seen():
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo: pip install 'wheelground[mujoco]'")
    from .test_mujoco import corner

    _, data, ground = corner("implicitfast")
    other = pickle.loads(pickle.dumps(ground))
    twin = copy.copy(data)
    kept = ground.ground.wrench.copy()
    for _ in range(5):
        other.step(twin)
    assert ground.ground.wrench.tobytes() == kept.tobytes()
    for _ in range(5):
        ground.step(data)
    assert twin.qpos == pytest.approx(data.qpos, rel=1e-12, abs=1e-12)
    assert other.ground.wrench == pytest.approx(ground.ground.wrench, rel=1e-9)
    assert isinstance(other.model, mujoco.MjModel)


def test_a_ground_whose_host_cannot_be_copied_says_so():
    class Plant(Unique):
        """An adapter that, like those of Drake and Exudyn, cannot be copied."""

    for way in COPIES.values():
        with pytest.raises(HostError, match="Plant: its host cannot be copied"):
            way(Plant())


# refusals -----------------------------------------------------------------------------------


def test_a_refused_solve_leaves_inputs_results_and_state_as_they_were():
    ground = WheelsOnGround([wheel()])
    sink(ground)
    before, wrench = ground._given.copy(), ground.wrench.copy()
    twist = np.zeros((1, 6))
    for z, mobility, words in (
        (-3.0, np.eye(6), "below the terrain"),
        (0.36, -np.eye(6), "cannot be that of a positive definite mass matrix"),
        (np.nan, np.eye(6), "not finite"),
        (0.36, 1j * np.eye(6), "real numbers"),
        (0.36, [["a"] * 6] * 6, "real numbers"),
        (0.36, np.eye(5), "shape"),
    ):
        with pytest.raises(HostError, match=words):
            ground.solve(H, [[0, 0, z]], [LEFT], twist, twist, mobility)
        assert ground._given.tobytes() == before.tobytes()
        assert ground.wrench.tobytes() == wrench.tobytes()
    for step in (0.0, -1.0, np.nan, None, "h"):
        with pytest.raises(HostError, match="step = .* (must be finite and above 0 s|number)"):
            ground.solve(step, [[0, 0, 0.36]], [LEFT], twist, twist, np.eye(6))


def test_a_state_of_other_wheels_is_refused():
    one, two = WheelsOnGround([wheel()]), WheelsOnGround([wheel()] * 2)
    ruts = WheelsOnGround([wheel()], RUTS)
    before = one.floats.copy(), one.ints.copy()
    wild = one.state() | {"active": np.full(4, 9)}
    for state in (two.state(), {}, one.state() | {"impulses": np.full(4, np.nan)}, wild, ruts.state()):
        with pytest.raises(HostError, match="state"):
            one.restore(state)
    assert one.floats.tobytes() == before[0].tobytes()
    assert one.ints.tobytes() == before[1].tobytes()
    broken = ruts.state()
    broken["memory"] -= 1.0
    with pytest.raises(HostError, match="memory of the ground"):
        ruts.restore(broken)
    for load in (np.nan, [1.0, 2.0], "x"):
        with pytest.raises(HostError, match="load"):
            one.start_from(load, H)


@pytest.mark.parametrize(
    "arguments",
    [
        {"extra_rows": -1}, {"extra_rows": 1.5}, {"extra_rows": 10**9}, {"max_passes": 0},
        {"max_newton_steps": -1}, {"max_iterations": -5}, {"law_tolerance": 0.0},
        {"solver_tolerance": -1.0}, {"relaxation": 3.0}, {"grounds": 3}, {"grounds": [Plane(), "flat"]},
        {"wheels": []}, {"wheels": [None]}, {"wheels": 7},
    ],
)  # fmt: skip
def test_a_ground_contact_that_cannot_be_is_a_sentence(arguments):
    given = {"wheels": [wheel()], **arguments}
    with pytest.raises(ValueError, match="^GroundContact"):
        GroundContact(**given)


def test_rows_and_wheels_that_are_not_there_are_a_sentence():
    ground = GroundContact([wheel()], extra_rows=1)
    before = ground.row_arrays.upper.copy()
    for row in ((1, 0.0, 1.0), (-1, 0.0, 1.0), (0, 1.0, 0.0), (0, np.nan, 1.0), (0, 0.0, 1.0, -1.0)):
        with pytest.raises(ValueError, match="^GroundContact.set_extra_row"):
            ground.set_extra_row(*row)
    assert ground.row_arrays.upper.tobytes() == before.tobytes()
    with pytest.raises(ValueError, match="there are no extra rows"):
        GroundContact([wheel()]).set_extra_row(0, 0.0, 1.0)
    for number, soil in ((1, wheel().soil), (-1, wheel().soil), (0, wheel().base), (0, None)):
        with pytest.raises(ValueError, match="^GroundContact.set_soil"):
            ground.set_soil(number, soil)
