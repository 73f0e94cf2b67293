"""Static equilibria in a batch equal those of single vehicles; a vehicle without equilibrium stops."""

import numpy as np
import pytest

import bodies as B
from bodies import vehicle

from .test_batch import end
from .test_no_rest import weighed_down


@pytest.fixture(scope="module")
def hmmwv():
    return B.compile(vehicle.load("hmmwv"))


def alone(one, inputs, **how):
    """Bytes of a vehicle's state in static equilibrium, found without the other vehicles."""
    sim = B.Simulation(one.model, 1e-3, state=B.equilibrium(one.model, inputs=inputs, **how))
    return end(sim)


def test_each_rests_where_it_would_alone():
    batch = B.Batch(weighed_down(250.0), 3)
    mass = np.array([200.0, 250.0, 300.0])
    batch.set("load.mass", mass)
    batch.run(20)
    batch.equilibrium(threads=2)
    assert not batch.stopped
    assert batch.time.tolist() == [0.0] * 3
    for one in batch:
        assert end(one) == alone(one, {})
    sunk = batch.position("load")[:, 2]
    assert np.all(np.diff(sunk) < 0.0)  # a larger mass sinks deeper
    for k, one in enumerate(batch):
        deep = one.model.mechanism.wheels[0].soil.static_compression(9.80665 * mass[k])
        assert 0.381 - sunk[k] == pytest.approx(deep, rel=1e-6)
    before = batch.position("load").copy()
    batch.run(200)
    assert np.abs(batch.position("load") - before).max() < 1e-9


def test_one_that_cannot_stand_stops_alone():
    batch = B.Batch(weighed_down(250.0, 1e5), 3)
    batch.set("load.mass", [200.0, 2000.0, 300.0])
    with pytest.warns(B.SimulationWarning, match="number 1: .*wheel 'tyre' cannot stand"):
        batch.equilibrium()
    assert list(batch.stopped) == [1]
    assert end(batch[2]) == alone(batch[2], {})
    again = batch.position("load").copy()
    batch.equilibrium()  # vehicle 1 stays stopped
    assert np.array_equal(batch.position("load"), again)


def test_vehicles_of_other_weight_and_soil(hmmwv):
    batch = B.Batch(hmmwv, 3)
    batch.vary({"soil.cone_index": [2e5, 3e5, 5e5], "frame.mass": [1500.0, 2000.0, 2500.0]})
    batch.equilibrium(inputs={"brake": [1.0, 0.5, 1.0]}, patient=False)
    for one, brake in zip(batch, (1.0, 0.5, 1.0), strict=True):
        assert end(one) == alone(one, {"brake": brake}, patient=False)
    batch.run(100)
    assert np.abs(batch.velocity("frame")).max() < 1e-5
    assert not batch.missed.any()


def loads(model, state):
    """Normal loads [N] of the wheels at rest."""
    sim = B.Simulation(model, 1e-3, state=state)
    sim.run(1)
    return np.array([reading.load for reading in vehicle.wheel_readings(sim).values()])


@pytest.mark.parametrize(("brake", "near"), [(0.0, 1e-6), (1.0, 2e-4)])
def test_a_quick_search_finds_the_loads_of_a_thorough_one(hmmwv, brake, near):
    how = {"inputs": {"brake": brake}}
    quick, patient = (B.equilibrium(hmmwv, patient=patient, **how) for patient in (False, True))
    assert loads(hmmwv, quick) == pytest.approx(loads(hmmwv, patient), rel=near)


def test_bad_input_changes_nothing(hmmwv):
    batch = B.Batch(hmmwv, 2)
    before = [end(one) for one in batch]
    for error, words, given in (
        (B.MechanismError, "brake", {"inputs": {"throttle": 0.5, "brake": [1.0, np.nan]}}),
        (B.UnknownName, "'brak' is unknown", {"inputs": {"throttle": 0.5, "brak": 1.0}}),
        (B.MechanismError, "must be a dict", {"inputs": 3.0}),
        (B.MechanismError, "must be a dict", {"inputs": ""}),
        (B.MechanismError, "tolerance", {"inputs": {"throttle": 0.5}, "tolerance": -1.0}),
        (B.MechanismError, "rounds", {"rounds": 0}),
        (B.MechanismError, "patient", {"patient": "no"}),
        (B.MechanismError, "threads", {"threads": 0}),
    ):
        with pytest.raises(error, match=words):
            batch.equilibrium(**given)
        assert [end(one) for one in batch] == before
