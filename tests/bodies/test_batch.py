"""Vehicles of a ``Batch``: each moves as if it were alone, to the last bit."""

import dataclasses
import gc
import tracemalloc
import warnings

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from bodies.kernels.records import ClockRecord
from bodies.vehicle import QuarterVehicle
from contact import ConeIndexSoil, Tyre, WheelContact

STEPS = 400


def quarter(cone_index=4e5, mass=250.0, speed=1.0, law="brixius", **wheel):
    contact = WheelContact(
        Tyre(0.762, 0.2, 0.14, deflection_ratio=0.0), ConeIndexSoil(cone_index), law=law, **wheel
    )
    return QuarterVehicle(mass, 6.0, contact, torque="torque", pull=50.0).mechanism(speed)


@pytest.fixture(scope="module")
def model():
    return B.compile(quarter())


def end(simulation):
    """Bytes of the state, with elimination order and scaling: they determine all further steps."""
    state = simulation.state()
    return state.floats.tobytes() + state.ints.tobytes() + state.order.tobytes() + state.scale.tobytes()


def varied(model, n, turned=False, **settings):
    """A batch whose vehicles differ in soil, mass, slope and torque; ``turned`` reverses their order."""
    batch = B.Batch(model, n, **settings)
    share = np.linspace(0.0, 1.0, n)[:: -1 if turned else 1]
    slope = np.arctan(0.3 * share[::-1])
    down = -9.81 * np.stack([np.sin(slope), 0.0 * slope, np.cos(slope)], axis=1)
    batch.vary(
        {
            "soil.cone_index": 1.5e5 + 5e5 * share,
            "wheel.mass": 250.0 - 40.0 * share,
            "gravity.acceleration": down,
        }
    )
    batch.set_input("torque", -200.0 + 1000.0 * share)
    return batch


@pytest.mark.parametrize("n", [7, 9])  # nine: eight in lanes (vector registers), one alone
def test_company_and_threads_change_no_byte(model, n):
    few, many = varied(model, n), varied(model, n, turned=True)
    for steps in (STEPS // 4, 3 * STEPS // 4):
        few.run(steps, threads=1)
    many.run(STEPS, threads=2)
    assert [end(one) for one in few] == [end(one) for one in many][::-1]
    assert len({end(one) for one in few}) == n


def test_every_vehicle_is_in_one_group(model):
    """Each vehicle is in exactly one group of a thread: two threads on one vehicle would corrupt it."""
    batch = B.Batch(model, 9)
    batch.store.plan, batch.store.busy = np.zeros(300, np.int64), np.arange(300) % 7.0
    for n in range(1, 300, 7):
        rows = np.concatenate([rows for _, _, rows in batch._groups(np.arange(n))])
        assert sorted(rows.tolist()) == list(range(n))


def test_a_vehicle_alone_moves_as_in_a_batch(model):
    batch = varied(model, 5)
    batch.run(STEPS)
    share = np.linspace(0.0, 1.0, 5)
    slope = np.arctan(0.3 * share[::-1])
    for k in range(5):
        alone = quarter(1.5e5 + 5e5 * share[k], 250.0)
        bodies = (dataclasses.replace(alone.bodies[0], mass=250.0 - 40.0 * share[k]),)
        down = B.Gravity((-9.81 * np.sin(slope[k]), 0.0, -9.81 * np.cos(slope[k])))
        start = dataclasses.replace(quarter(), bodies=bodies, wheels=alone.wheels, gravity=down)
        sim = B.Simulation(batch[k].model, 1e-3)
        sim.set_input("torque", -200.0 + 1000.0 * share[k])
        sim.run(STEPS)
        assert end(sim) == end(batch[k])
        assert (sim.missed, sim.residual()) == (batch.missed[k], batch.residual[k])
        assert batch[k].model.mechanism == start
        fresh = B.Simulation(B.compile(start), 1e-3)  # finds a new elimination order
        fresh.set_input("torque", -200.0 + 1000.0 * share[k])
        fresh.run(STEPS)
        assert fresh.velocity("wheel") == pytest.approx(batch.velocity("wheel")[k], abs=1e-12)


@pytest.mark.slow
def test_a_vehicle_takes_at_most_forty_kilobytes():
    model, kept, state = B.compile(vehicle.load("hmmwv")), [], 0
    for n in (8, 8, 12):  # the first batch loads the shared code and tables
        gc.collect()
        tracemalloc.start()
        batch = B.Batch(model, n)
        batch.vary({"soil.cone_index": np.linspace(2e5, 5e5, n)})
        batch.run(1, threads=1)
        state = batch[0].state().floats.nbytes
        gc.collect()
        kept.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        del batch
    assert 4 * state < kept[2] - kept[1] < 4 * 40e3


def test_another_solver(model):
    batch = B.Batch(model, 3, solver="pgs")
    batch.set_input("torque", [0.0, 200.0, 400.0])
    alone = [one.simulation() for one in batch]
    batch.run(100)
    for k, sim in enumerate(alone):
        sim.run(100)
        assert end(sim) == end(batch[k])


def test_a_vehicle_taken_out_goes_on_alone_and_comes_back(model):
    batch, other = varied(model, 4), varied(model, 4)
    batch.run(150)
    alone = batch[2].simulation()
    alone.run(100)
    kept = batch[2].state()
    batch.run(100)
    assert end(alone) == end(batch[2])
    batch[2].restore(kept)
    batch[1].restore(kept)  # vehicle 1 takes the state of vehicle 2 and keeps its slope and soil
    assert batch.velocity("wheel")[1].tolist() == batch.velocity("wheel")[2].tolist()
    assert (
        batch[1].state().floats[ClockRecord.gravity.offset]
        != batch[2].state().floats[ClockRecord.gravity.offset]
    )
    other.run(150)
    assert end(batch[2]) == end(other[2])


@pytest.mark.parametrize("n", [4, 9])
def test_one_that_diverges_stops_alone_and_is_named(model, n):
    batch, calm = B.Batch(model, n), B.Batch(model, n)
    torque = np.linspace(0.0, 200.0, n)
    batch.set_input("torque", np.where(np.arange(n) == 2, 1e306, torque))
    calm.set_input("torque", torque)
    calm.run(50)
    with pytest.warns(
        B.SimulationWarning, match=f"1 of {n} vehicles stopped.*number 2: .*not.*finite|finite"
    ):
        batch.run(50, threads=2)
    assert list(batch.stopped) == [2]
    assert "stopped being finite at t = " in batch.stopped[2]
    for k in set(range(n)) - {2}:
        assert end(batch[k]) == end(calm[k])
    batch[2].restore(calm[2].state())
    batch.set_input("torque", torque)
    batch.run(50)
    calm.run(50)
    assert not batch.stopped
    assert end(batch[2]) == end(calm[2])


@pytest.mark.parametrize("n", [4, 9])
def test_a_new_elimination_order_is_the_vehicles_own(model, n):
    def ask(state):
        floats = state.floats.copy()
        floats[ClockRecord.pivot_planned.offset] = 1e9
        return dataclasses.replace(state, floats=floats)

    batch, calm = varied(model, n), varied(model, n)
    batch[1].restore(ask(batch[1].state()))
    alone = B.Simulation(batch[1].model, 1e-3, state=batch[1].state())
    for _ in range(3):  # vehicle 1 returns to the lanes (vector registers) with a new order
        batch.run(20, threads=2)
    calm.run(60)
    alone.run(60)
    assert end(alone) == end(batch[1])
    assert alone.work.machine.clock.pivot_planned < 1e9
    for k in set(range(n)) - {1}:
        assert end(batch[k]) == end(calm[k])


def test_reset_parameters_give_the_bytes_of_the_original(model):
    batch, fresh = B.Batch(model, 2), B.Batch(model, 2)
    batch.set("soil.cone_index", [2e5, 3e5])
    batch.run(10)
    batch.set("soil.cone_index", 4e5)
    for k in range(2):
        batch[k].restore(fresh[k].state())
    batch.run(50)
    fresh.run(50)
    assert [end(one) for one in batch] == [end(one) for one in fresh]


def test_models_of_one_structure():
    models = [B.compile(quarter(soil, speed=speed)) for soil, speed in ((3e5, 0.5), (5e5, 2.0))]
    batch = B.Batch(models, step=2e-3)
    assert batch.velocity("wheel")[:, 0].tolist() == [0.5, 2.0]
    batch.run(200)
    for k, model in enumerate(models):
        alone = B.Simulation(model, 2e-3)
        alone.run(200)
        assert end(alone) == end(batch[k])
    with pytest.raises(B.MechanismError, match="model of its own"):
        batch.set("wheel.mass", 200.0)
    other = B.compile(dataclasses.replace(quarter(), inputs={"torque": 0.0, "more": 0.0}))
    with pytest.raises(B.MechanismError, match="model number 1 is of another structure"):
        B.Batch([models[0], other])


def test_views_follow_the_run(model):
    batch = B.Batch(model, 3)
    x, v, t = batch.position("wheel"), batch.velocity("wheel"), batch.time
    batch.set_input("torque", [0.0, 200.0, 400.0])
    batch.run(100)
    assert t == pytest.approx(0.1)
    assert np.all(np.diff(v[:, 0]) > 0.0)
    assert x.shape == (3, 3)
    sim = batch[1].simulation()
    assert x[1].tolist() == sim.position("wheel").tolist()
    assert batch.angular_velocity("wheel")[1].tolist() == sim.angular_velocity("wheel").tolist()
    assert batch.quaternion("wheel")[1].tolist() == sim.quaternion("wheel").tolist()
    assert batch.coordinate("plane.angle")[1] == sim.coordinate("plane.angle")
    with pytest.raises(ValueError, match="read-only"):
        v[0, 0] = 1.0


@pytest.mark.parametrize(
    ("do", "sentence"),
    [
        (
            lambda b: b.set("soil.cone_indx", 1.0),
            "parameter: 'soil.cone_indx' is unknown.*soil.cone_index",
        ),
        (lambda b: b.set("soil.cone_index", [3e5, 4e5]), "for each of the 3 vehicles.*shape \\(2,\\)"),
        (lambda b: b.set("soil.cone_index", [3e5, 4e5, np.nan]), "values that are not finite"),
        (lambda b: b.set("soil.cone_index", [3e5, -1.0, 4e5]), "vehicle 1: .*cone_index"),
        (lambda b: b.set("gravity.acceleration", [0.0, 9.8]), "3 numbers for each of the 3 vehicles"),
        (
            lambda b: b.set("gravity.acceleration", [(0, 0, -9), (0, 0, 9.81), (0, 0, -9)]),
            "vehicle 1: gravity.* points up.*; \\(0, 0, -9.81\\) points down",
        ),
        (lambda b: b.set_input("torqe", 1.0), "'torqe' is unknown.*torque"),
        (lambda b: b.set_input("torque", [1.0, 2.0]), "for each of the 3 vehicles"),
        (lambda b: b.set_input("torque", "much"), "must be a number for each"),
        (lambda b: b.run(1.5), "steps = 1.5 must be a whole number"),
        (lambda b: b.run(1, threads=0), "threads"),
        (lambda b: b.velocity("wheels"), "'wheels' is unknown"),
        (lambda b: B.Batch(b.model), "n, how many vehicles, is missing"),
        (lambda b: B.Batch(b.model, 2.5), "n = 2.5 must be a whole number"),
        (lambda b: B.Batch("hmmwv", 2), "must be a bodies.Model"),
        (lambda b: B.Batch([b.model, b.model], 3), "there are 2 models"),
        (lambda b: B.Batch(b.model, 2, solver="osqp"), "'osqp' runs from Python"),
    ],
)
def test_wrong_names_and_lengths_are_refused_and_change_nothing(model, do, sentence):
    batch = B.Batch(model, 3)
    with pytest.raises(B.MechanismError, match=sentence):
        do(batch)
    batch.run(20)
    alone = B.Simulation(model, 1e-3)
    alone.run(20)
    assert {end(one) for one in batch} == {end(alone)}


def test_no_such_vehicle_and_no_warning_without_a_stopped_one(model):
    batch = B.Batch(model, 3)
    with pytest.raises(IndexError, match="3 is none of its vehicles, 0 to 2"):
        batch[3]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        batch.run(10)
