"""Sweeps over parameters: every sample is computed once, with the result of a run alone."""

import numpy as np
import pytest

import bodies as B
from tests import naive

from .test_batch import quarter

SAMPLES = B.grid({"soil.cone_index": [3e5, 4e5, 5e5], "torque": [200.0, 300.0, 400.0]})


@pytest.fixture(scope="module")
def model():
    return B.compile(quarter())


def speed(batch):
    batch.run(300)
    return {"speed": batch.velocity("wheel")[:, 0], "place": batch.position("wheel")}


def test_a_grid_is_all_combinations():
    assert SAMPLES["soil.cone_index"].tolist() == [3e5] * 3 + [4e5] * 3 + [5e5] * 3
    assert SAMPLES["torque"].tolist() == [200.0, 300.0, 400.0] * 3


def test_the_same_table_from_any_chunks_and_order(model):
    whole = B.sweep(model, SAMPLES, speed)
    parts = B.sweep(model, SAMPLES, speed, chunk=2)
    order = np.random.default_rng(1).permutation(9)
    other = B.sweep(model, {name: x[order] for name, x in SAMPLES.items()}, speed, chunk=4)
    for name in ("speed", "place", "residual", "missed", "stopped"):
        assert whole[name].tobytes() == parts[name].tobytes()
        assert whole[name][order].tobytes() == other[name].tobytes()
    assert (whole.chunks, parts.chunks) == (1, 5)
    alone = B.Simulation(B.compile(quarter(4e5)), 1e-3)
    alone.set_input("torque", 300.0)
    alone.run(300)
    assert whole["speed"][4] == alone.velocity("wheel")[0]


def test_an_interrupted_sweep_continues_without_repetition(model, tmp_path):
    calls = []

    def until_the_third(batch):
        calls.append(len(batch))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return speed(batch)

    with pytest.raises(KeyboardInterrupt):
        B.sweep(model, SAMPLES, until_the_third, chunk=2, folder=tmp_path / "sweep")
    torn = tmp_path / "sweep" / "speed" / "c" / "1"
    torn.write_bytes(torn.read_bytes()[:-5])  # a crash of the computer truncates a file like this
    resumed = B.sweep(model, SAMPLES, speed, chunk=2, folder=tmp_path / "sweep")
    again = B.sweep(model, SAMPLES, speed, chunk=2, folder=tmp_path / "sweep")
    whole = B.sweep(model, SAMPLES, speed)
    assert (resumed.chunks, again.chunks) == (4, 0)
    for name, values in whole.values.items():
        assert values.tobytes() == resumed[name].tobytes() == again[name].tobytes()
    with pytest.raises(B.MechanismError, match="holds another sweep \\(step"):
        B.sweep(model, SAMPLES, speed, chunk=2, folder=tmp_path / "sweep", step=2e-3)
    other = SAMPLES | {"torque": SAMPLES["torque"] + 1.0}
    with pytest.raises(B.MechanismError, match="holds another sweep \\(digest"):
        B.sweep(model, other, speed, chunk=2, folder=tmp_path / "sweep")


def test_finished_samples_can_be_read_during_the_sweep(model, tmp_path):
    xarray = pytest.importorskip("xarray", reason="pip install 'wheelground[data]' brings xarray")
    seen = []

    def looking(batch):
        if seen or (tmp_path / "sweep" / "speed").exists():
            with xarray.open_zarr(tmp_path / "sweep", consolidated=False) as there:
                seen.append((int(there["done"].sum()), int(np.isfinite(there["speed"]).sum())))
        return speed(batch)

    found = B.sweep(model, SAMPLES, looking, chunk=3, folder=tmp_path / "sweep")
    assert seen == [(1, 3), (2, 6)]
    with xarray.open_zarr(tmp_path / "sweep", consolidated=False) as there:
        assert there["place"].dims == ("sample", "place_1")
        assert there["place"].values.tobytes() == found["place"].tobytes()
        assert there["torque"].values.tolist() == SAMPLES["torque"].tolist()


def test_a_folder_that_is_none(model, tmp_path):
    samples = {"torque": [1.0]}
    (tmp_path / "file").write_text("mine")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("mine")
    for name in ("file", "full"):
        with pytest.raises(B.MechanismError, match="cannot be used"):
            B.sweep(model, samples, speed, folder=tmp_path / name)
    assert (tmp_path / "file").read_text() == (tmp_path / "full" / "letter.txt").read_text() == "mine"
    B.sweep(model, SAMPLES, speed, chunk=9, folder=tmp_path / "sweep")
    (tmp_path / "sweep" / "done" / "c" / "0").unlink()
    with pytest.raises(B.MechanismError, match="has missed, .* of an earlier run"):
        B.sweep(model, SAMPLES, lambda b: {"x": b.time}, chunk=9, folder=tmp_path / "sweep")
    with pytest.raises(B.MechanismError, match="named without '/', not 'm/s'"):
        B.sweep(model, samples, lambda b: {"m/s": b.time}, folder=tmp_path / "other")


def same_table(model, **cluster):
    distributed = pytest.importorskip("distributed", reason="wheelground[mobility] brings it")
    whole = B.sweep(model, SAMPLES, speed)
    quiet = {"dashboard_address": None, "worker_dashboard_address": "127.0.0.1:0"}
    with distributed.Client(**quiet, **cluster) as client:
        found = B.sweep(model, SAMPLES, speed, chunk=2, client=client)
        with pytest.raises(B.MechanismError, match="not a dict"):
            B.sweep(model, SAMPLES, lambda batch: 3.0, chunk=2, client=client)
    for name, values in whole.values.items():
        assert values.tobytes() == found[name].tobytes()


def test_the_same_table_from_a_cluster(model):
    same_table(model, processes=False, n_workers=2, threads_per_worker=1)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_the_same_table_from_processes(model, workers):
    same_table(model, n_workers=workers, threads_per_worker=1)


def test_a_stopped_sample_is_marked(model):
    with pytest.warns(B.SimulationWarning, match="number 1: "):
        found = B.sweep(model, {"torque": [100.0, 1e306, 300.0]}, speed)
    assert found["stopped"].tolist() == [0, 1, 0]
    assert np.isnan(found["speed"]).tolist() == [False, True, False]


def test_a_steady_slip_carries_the_torque(model):
    samples = {"torque": [300.0, 400.0, 500.0], "soil.cone_index": [3e5, 4e5, 5e5]}

    def slip(batch):
        batch.run(2000)
        return {
            "slip": 1.0 - batch.velocity("wheel")[:, 0] / (0.381 * batch.angular_velocity("wheel")[:, 1])
        }

    found = B.sweep(model, samples, slip, step=5e-3)
    for torque, cone_index, i in zip(*samples.values(), found["slip"], strict=True):
        b_m = naive.mobility_number(cone_index, 0.762, 0.2, 2452.5, 0.0)
        assert naive.thrust_ratio(b_m, i) * 2452.5 == pytest.approx(torque / 0.381, rel=1e-5)


def test_xarray(model):
    xarray = pytest.importorskip("xarray", reason="pip install 'wheelground[data]' brings xarray")
    found = B.sweep(model, {"torque": [100.0, 300.0]}, speed).to_xarray()
    assert isinstance(found, xarray.Dataset)
    assert found["place"].dims == ("sample", "place_1")
    assert found["torque"].values.tolist() == [100.0, 300.0]


@pytest.mark.parametrize(
    ("samples", "measure", "sentence"),
    [
        ({"torqe": [1.0]}, speed, "'torqe' is unknown.*torque"),
        ({"torque": [1.0, 2.0], "soil.cone_index": [3e5]}, speed, "torque has 2, soil.cone_index has 1"),
        ({"torque": 1.0}, speed, "must be a list of finite numbers"),
        ({"torque": [np.nan]}, speed, "must be a list of finite numbers"),
        ({}, speed, "must be a dict of names and values, and not empty"),
        ({"gravity.acceleration": [1.0]}, speed, "several numbers"),
        ({"soil.cone_index": [3e5, -1.0]}, speed, "vehicle 1: .*cone_index"),
        ({"torque": [1.0]}, lambda batch: 3.0, "not a dict"),
        ({"torque": [1.0]}, lambda batch: {"x": [1.0, 2.0]}, "one row for each of 1 vehicles"),
        ({"torque": [1.0]}, lambda batch: {"missed": [1.0]}, "a name other than"),
    ],
)
def test_bad_input_is_one_sentence(model, samples, measure, sentence):
    with pytest.raises(B.MechanismError, match=sentence):
        B.sweep(model, samples, measure)


def test_a_client_that_is_none(model):
    with pytest.raises(B.MechanismError, match="must be a distributed.Client"):
        B.sweep(model, {"torque": [1.0]}, speed, client=4)


def test_a_column_that_is_none(model):
    with pytest.raises(B.UnknownName, match="'sped' is unknown.*speed"):
        B.sweep(model, {"torque": [1.0]}, speed)["sped"]
