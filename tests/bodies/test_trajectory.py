"""A recorded run: saved and loaded it is the same run, as CSV and xarray the same numbers."""

import numpy as np
import pytest

import bodies as B
from bodies.running import trajectory_file


def pendulum(name="rod"):
    body = B.Body(name, 1.0, (0.1, 0.1, 0.1), position=(0.5, 0, 0))
    hinge = B.Revolute(name="hinge", body_a="ground", body_b=name, axis=(0, 1, 0))
    brake = B.Brake(name="brake", joint="hinge", capacity=1.0, pressure=0.5)
    return B.compile(B.Mechanism("pendulum", (body,), (hinge, brake)))


@pytest.fixture(scope="module")
def run():
    return B.simulate(pendulum(), 0.2, 1e-3, record_every=10)


def test_saved_and_loaded_it_is_the_same_run_and_continues(run, tmp_path):
    run.save(tmp_path / "run.npz")
    again = B.Trajectory.load(tmp_path / "run.npz", pendulum())
    for name in (
        "time",
        "positions",
        "quaternions",
        "velocities",
        "coordinates",
        "impulses",
        "channel_impulses",
        "residuals",
        "joint_errors",
    ):
        np.testing.assert_array_equal(getattr(again, name), getattr(run, name))
    assert (again.step, again.missed) == (run.step, run.missed)
    np.testing.assert_array_equal(again.channel_force("brake"), run.channel_force("brake"))
    on = [B.simulate(t.model, 0.1, 1e-3, state=t.final).position("rod")[-1] for t in (run, again)]
    np.testing.assert_array_equal(*on)


@pytest.mark.parametrize("lateral", ["slip angle", "coulomb"])
def test_records_within_compiled_code_are_those_of_single_steps(lateral):
    """A hard wheel's run has the same records in one compiled call and in steps from Python."""
    ball = B.Body("wheel", 20.0, (1, 1, 1), (0, 0, 0.399), velocity=(2, 0.3, 0))
    rolls = B.Wheel(name="tyre", body="wheel", centre=(0, 0, 0.399), radius=0.4, lateral=lateral)
    model = B.compile(B.Mechanism("wheel", (ball,), wheels=(rolls,)))
    whole = B.simulate(model, 0.3, 1e-3, record_every=7)
    single = B.simulate(model, 0.3, 1e-3, record_every=7, callback=lambda sim: None)
    assert whole.time == pytest.approx([*(7e-3 * k for k in range(43)), 0.3])
    for name, column in whole.columns().items():
        np.testing.assert_array_equal(column, single.columns()[name], err_msg=name)
    assert np.abs(whole.wheel("tyre").v_y).max() > 0.1


def test_orientations_turn_with_the_hinge(run):
    """Quaternion of a rod that falls about y: ``(cos, 0, sin, 0)`` of half the hinge's angle."""
    half = 0.5 * run.coordinate("hinge")
    want = np.column_stack([np.cos(half), 0.0 * half, np.sin(half), 0.0 * half])
    assert abs(half[-1]) > 0.01
    np.testing.assert_allclose(run.quaternion("rod"), want, atol=1e-9)
    with pytest.raises(B.UnknownName, match="rod"):
        run.quaternion("rood")


def test_another_model_or_file_is_refused(run, tmp_path):
    run.save(tmp_path / "run.npz")
    with pytest.raises(B.MechanismError, match="another model .* 'body rod'"):
        B.Trajectory.load(tmp_path / "run.npz", pendulum("stick"))
    np.savez(tmp_path / "other.npz", time=np.zeros(3))
    with pytest.raises(B.MechanismError, match="it lacks 'angular_velocities'"):
        B.Trajectory.load(tmp_path / "other.npz", run.model)


@pytest.mark.parametrize("name", trajectory_file.ARRAYS)
def test_an_array_of_another_shape_is_refused(run, tmp_path, name):
    run.save(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as data:
        arrays = dict(data)
    np.savez(tmp_path / "run.npz", **{**arrays, name: np.zeros((2, 3, 5))})
    with pytest.raises(B.MechanismError, match=f"'{name}' has shape"):
        B.Trajectory.load(tmp_path / "run.npz", run.model)


def test_csv_has_every_number_with_its_unit(run, tmp_path):
    run.to_csv(tmp_path / "run.csv")
    header = (tmp_path / "run.csv").read_text().split("\n")[0].split(",")
    table = np.loadtxt(tmp_path / "run.csv", delimiter=",", skiprows=1)
    assert header[0] == "time [s]"
    np.testing.assert_array_equal(table[:, header.index("rod.z [m]")], run.position("rod")[:, 2])
    np.testing.assert_array_equal(table[:, header.index("hinge.angle [rad]")], run.coordinate("hinge"))


def test_xarray_and_plot(run):
    pytest.importorskip("xarray", reason="needs xarray")
    data = run.to_xarray()
    np.testing.assert_array_equal(data.position.sel(body="rod", axis="x"), run.position("rod")[:, 0])
    assert data.position.units == "m"
    axes = run.plot("hinge").axes[0]
    assert axes.get_xlabel() == "time [s]"
    speeds, turned = run.plot("rod.vx", "rod.vz", "hinge.angle").axes  # one panel per unit
    assert (speeds.get_ylabel(), turned.get_ylabel()) == ("[m/s]", "hinge.angle [rad]")
    np.testing.assert_array_equal(speeds.lines[1].get_ydata(), run.velocity("rod")[:, 2])
    with pytest.raises(B.UnknownName, match="did you mean 'rod.vx'"):
        run.plot("rod.v_x")
