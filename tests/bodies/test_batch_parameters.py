"""Parameters, states and readings of chosen vehicles of a batch equal those of vehicles run alone."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bodies as B
from bodies import vehicle
from bodies.building.compile import arrays_of
from bodies.kernels.slots import FLOATS
from bodies.many.traced import Tape
from contact import BekkerSoil, Tyre
from contact import terrain as T
from contact.normal import series_table, series_tables
from contact.sinkage import ConeIndexSinkage

from .test_batch import quarter

N = 6
RANDOM = np.random.default_rng(5)
VEHICLES = ("hmmwv", "tractor")


@pytest.fixture(scope="module")
def models():
    inclined = T.Plane(0.0, 0.0, 0.2)
    hard = {"on an incline": B.compile(vehicle.load("hmmwv", hard=True, ground=inclined))}
    return {name: B.compile(vehicle.load(name)) for name in VEHICLES} | hard


def assert_as_compiled(batch):
    """A vehicle has all numbers by which a compilation for it differs from the batch's model."""
    for one in batch:
        model = one.model  # each access makes a new model
        again = arrays_of(model.mechanism)
        for path in FLOATS:
            if path not in ("scale", "panels") and again.array(path).size == model.array(path).size:
                base = batch.variants.base.array(path)
                changed = ~((again.array(path) == base) | np.isnan(base))
                assert np.array_equal(model.array(path)[changed], again.array(path)[changed]), path


SETS = [
    {"soil.cone_index": (2e5, 5e5)},
    {"frame.mass": (900.0, 1500.0), "v_0": (0.05, 0.2)},
    {"lateral.gamma": (0.1, 0.3), "soil.cone_index": (2e5, 5e5)},
    {"tyre.section_height": (0.1, 0.15)},
    {"tyre.pressure": (1e5, 2e5), "soil.cone_index": (2e5, 5e5)},
]


@pytest.mark.parametrize("name", VEHICLES)
@pytest.mark.parametrize("ranges", SETS, ids=lambda ranges: "+".join(ranges))
@pytest.mark.parametrize("n", [3, pytest.param(N, marks=pytest.mark.slow)])
def test_numbers_written_into_a_vehicle_are_those_of_a_compilation(models, name, n, ranges):
    batch = B.Batch(models[name], n)
    for _ in range(2):
        batch.vary({key: RANDOM.uniform(*ends, n) for key, ends in ranges.items()})
        assert_as_compiled(batch)


def test_known_ranges_and_unchanged_values_compile_nothing(models, monkeypatch):
    batch = B.Batch(models["hmmwv"], N)
    ends = np.linspace(2e5, 5e5, N)
    batch.set("soil.cone_index", ends)
    calls = []
    changed = batch.variants.changed
    monkeypatch.setattr(batch.variants, "changed", lambda *a: calls.append(a) or changed(*a))
    batch.set("soil.cone_index", ends)
    batch.set("soil.cone_index", RANDOM.uniform(2e5, 5e5, N))
    batch[2].set("soil.cone_index", 3e5)
    assert calls == []
    batch.set("soil.cone_index", np.linspace(3e5, 6e5, N))  # compiles once, for the new largest value
    assert len(calls) == 1


def test_chosen_vehicles_get_parameters_inputs_and_states():
    batch = B.Batch(B.compile(quarter()), N)
    start, mask = batch.snapshot(), np.arange(N) % 2 == 0
    batch.run(50)
    after = batch.snapshot()
    batch.set("soil.cone_index", [2e5, 3e5, 4e5], lanes=mask)
    batch.set_input("torque", 100.0, lanes=[1, 3])
    batch[5].set_input("torque", 50.0)
    assert batch.varied["soil.cone_index"].tolist() == [2e5, 4e5, 3e5, 4e5, 4e5, 4e5]
    assert [float(v) for v in batch.store.rows("input")[:, 0]] == [0.0, 100.0, 0.0, 100.0, 0.0, 50.0]
    batch.restore(start, lanes=mask)
    assert batch.time == pytest.approx([0.0, 0.05] * 3)
    batch.restore(after.taken([1] * N))
    assert len({one.state().floats.tobytes() for one in batch}) == 1
    alone = after.states.copy()
    batch.restore(after)
    assert np.array_equal(batch.store.states, alone)
    state, other = batch[3].state(), batch[1].state()
    batch.restore(state, lanes=[0, 2])
    assert batch[2].state().floats.tobytes() == state.floats.tobytes()
    assert batch[1].state().floats.tobytes() == other.floats.tobytes()


@pytest.mark.parametrize("lanes", [[True] * (N - 1), [N], [-1], [0.5], "all", [[0]]])
def test_no_choice_of_vehicles_is_a_sentence(lanes):
    batch = B.Batch(B.compile(quarter()), N)
    for call in (
        lambda: batch.set("wheel.mass", 240.0, lanes=lanes),
        lambda: batch.set_input("torque", 1.0, lanes=lanes),
        lambda: batch.restore(batch.snapshot(), lanes=lanes),
    ):
        with pytest.raises(
            B.MechanismError, match=r"batch: lanes = .* must be 6 values of True and False"
        ):
            call()


def test_a_snapshot_of_another_batch_is_refused():
    batch, other = (B.Batch(B.compile(quarter()), n) for n in (N, N + 1))
    with pytest.raises(B.MechanismError, match="Snapshot of 7 vehicles .* is not of this batch, 6"):
        batch.restore(other.snapshot())


def test_a_snapshot_of_other_settings_leaves_those_of_the_batch():
    """Restored from a batch of another step length, vehicles run on as from the state of one of them."""
    model = B.compile(quarter())
    slow, batch, alone = B.Batch(model, 2, 2e-3), B.Batch(model, 2), B.Batch(model, 2)
    slow.run(50)
    batch.restore(slow.snapshot())
    alone.restore(slow[0].state())
    for one in (batch, alone):
        one.run(20)
    assert batch[1].state().floats.tobytes() == alone[0].state().floats.tobytes()


@pytest.mark.parametrize("name", [*VEHICLES, "on an incline"])
def test_readings_of_wheels_are_those_of_a_record(models, name):
    batch = B.Batch(models[name], N)
    if name in VEHICLES:
        batch.vary({"soil.cone_index": np.linspace(2e5, 5e5, N), "v_0": np.linspace(0.05, 0.2, N)})
    batch.set_input("throttle", np.linspace(0.2, 1.0, N))
    batch.run(200)
    states = [one.state() for one in batch]
    batch.run(20)
    every = batch.wheels()
    for k in (0, N - 1):
        run = B.simulate(batch[k].model, 0.02, state=states[k], progress=False)
        for i, wheel in enumerate(models[name].mechanism.wheels):
            record, mine = run.wheel(wheel.name), batch.wheel(wheel.name)
            for field in dataclasses.fields(record):
                found = getattr(mine, field.name)[k]
                assert found == pytest.approx(getattr(record, field.name)[-1], rel=1e-9, abs=1e-9)
                assert np.array_equal(getattr(every, field.name)[k, i], found)


def test_tables_of_many_tyres_and_grounds_are_those_of_each():
    grounds = [None, BekkerSoil.sandy_loam(), BekkerSoil(1e3, 1e6, 1.1)]
    grounds += [ConeIndexSinkage(cone_index=c) for c in RANDOM.uniform(1e5, 1e6, 70)]
    tyres = [Tyre(1.2, 0.4, 0.3, p, deflection=d) for p in (1e5, 1.5e5) for d in (None, 0.05)]
    pairs = [(tyre, ground) for ground in grounds for tyre in tyres]
    for (table, end), pair in zip(series_tables(pairs), pairs, strict=True):
        one, deepest = series_table(*pair)
        assert table.tobytes() == one.tobytes()
        assert end == deepest


SIZE = st.floats(0.1, 10.0)


@given(SIZE, SIZE, SIZE, SIZE)
def test_a_traced_number_is_evaluated_to_the_byte(a, b, c, d):
    def formula(x, y):
        z = (2.0 * x - y / 3.0) * x**1.5 + np.float64(1.3) / (x + y) - (-x)
        return abs(z) / 2 if x < y else z**2

    tape = Tape()
    traced = formula(*tape.inputs([a, b]))
    assert float(traced) == formula(a, b)
    (found,), holds = tape.evaluate([np.array([a, c]), np.array([b, d])], [traced.at])
    assert found[0] == formula(a, b)
    assert holds.tolist() == [True, (a < b) == (c < d)]
    if holds[1]:
        assert found[1] == formula(c, d)


def test_a_traced_number_in_an_array_is_a_number():
    (x,) = Tape().inputs([2.0])
    assert (x * np.ones(2)).tolist() == [2.0, 2.0]
    assert (np.ones(2) / x < x).all()
    assert math.sqrt(x) == math.sqrt(2.0)
    assert {x: 1}[2.0] == 1


@pytest.mark.parametrize("ranges", SETS[:3], ids=lambda ranges: "+".join(ranges))
def test_many_vehicles_take_few_compilations(models, ranges):
    """Only the extreme values are compiled; numbers of the other vehicles follow from formulas."""
    for model in (models[name] for name in VEHICLES):
        batch, calls = B.Batch(model, 40), []
        changed = batch.variants.changed
        batch.variants.changed = lambda *a, c=changed, n=calls: n.append(a) or c(*a)
        batch.vary({key: RANDOM.uniform(*ends, 40) for key, ends in ranges.items()})
        assert len(calls) <= 2 * len(ranges)
