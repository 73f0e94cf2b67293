"""A run has a summary of three lines, a sheet with a picture for notebooks, figures whose panels have
one unit each, and tables. Progress and warnings are printed in sentences."""

import io
import logging
import sys
import time
import warnings

import numpy as np
import pytest

import bodies as B
from bodies import figures, progress, vehicle
from bodies.summary import facts
from contact import OutsideValidity, validity
from tests.commands import python

from .mechanisms import wheel_and_rod


@pytest.fixture(scope="module")
def run():
    model = B.compile(wheel_and_rod())
    return B.simulate(model, 0.5, 1e-3, record_every=10, reactions=["hinge"], record_work=True)


def test_a_run_has_a_summary_of_three_lines(run):
    text = repr(run)
    assert text.count("\n") == 2
    assert len(text.encode()) < 1000
    assert "'wheel and rod', 2 bodies: 0 to 0.5 s in 51 records, step 1 ms" in text
    assert "tolerance: 0" in text
    assert dict(facts(run))["'wheel'"].startswith("went 0.999 m, at the end 2 m/s (7.1")


def test_reprs_of_models_mechanisms_and_states_are_short(run):
    for thing in (
        run.model,
        run.model.mechanism,
        run.final,
        run.wheel("tyre"),
        vehicle.read("hmmwv"),
    ):
        assert len(repr(thing).encode()) < 1000
        assert "\n" not in repr(thing)
    assert "2 bodies, 1 wheel" in repr(run.model)
    assert "1 Revolute" in repr(run.model.mechanism)
    assert "(arrays of 51 numbers or vectors: load, " in repr(run.wheel("tyre"))
    assert "Vehicle('hmmwv': " in repr(vehicle.read("hmmwv"))


def test_a_notebook_shows_a_sheet_with_a_picture(run):
    page = run._repr_html_()
    assert page.count("data:image/png;base64,") == 1
    assert len(page) < 200_000
    assert "<script" not in page


def test_plot_shows_speed_slip_load_and_traction_by_default(run):
    figure = run.plot()
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert labels == ["speed [km/h]", "slip [-]", "load [N]", "traction [N]"]
    np.testing.assert_allclose(figure.axes[0].lines[0].get_ydata(), 3.6 * 2.0, rtol=1e-2)


def test_plot_takes_any_column_by_name_or_pattern_and_groups_by_unit(run):
    figure = run.plot("tyre.slip", "wheel.v?", "hinge", "rod.x [m]", "energy.*")
    found = {axes.get_ylabel().rsplit("[")[-1]: len(axes.lines) for axes in figure.axes}
    assert found == {"-]": 1, "m/s]": 3, "rad]": 1, "m]": 1, "J]": 3}
    with pytest.raises(B.UnknownName, match="did you mean 'tyre.slip'"):
        run.plot("tyre.slipp")
    with pytest.raises(B.MechanismError, match="name fewer"):
        figures.chosen({f"{k}.x [u{k}]": np.zeros(2) for k in range(20)}, ("*",))


def test_no_axes_is_ever_crowded():
    columns = {"time [s]": np.zeros(3)} | {
        f"body {k}.{c} [m]": np.zeros(3) for k in range(12) for c in "xy"
    }
    panels = figures.chosen(columns, ("*",))
    assert sum(len(curves) for _, curves in panels) == 24
    assert max(len(curves) for _, curves in panels) <= figures.MOST
    assert [label for label, _ in panels] == ["x [m]", "x [m]", "y [m]", "y [m]"]


def test_tables_hold_every_column_and_read_back(run, tmp_path):
    pandas = pytest.importorskip("pandas", reason="needs pandas: pip install 'wheelground[data]'")
    pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'wheelground[data]'")
    columns = run.columns()
    frame = run.to_dataframe()
    assert frame.index.name == "time [s]"
    assert set(frame.columns) == set(columns) - {"time [s]"}
    run.to_parquet(tmp_path / "run.parquet")
    back = pandas.read_parquet(tmp_path / "run.parquet")
    for name, values in columns.items():
        np.testing.assert_array_equal(back[name], values)


def test_netcdf_has_reactions_energies_and_work(run, tmp_path):
    xarray = pytest.importorskip("xarray", reason="needs xarray: pip install 'wheelground[data]'")
    run.to_netcdf(tmp_path / "run.nc")
    with xarray.open_dataset(tmp_path / "run.nc") as data:
        force, _ = run.reaction("hinge")
        np.testing.assert_array_equal(data.reaction_force.sel(joint="hinge"), force)
        np.testing.assert_array_equal(data.energy_total, run.energy().total)
        np.testing.assert_array_equal(data.work.sel(element="spring"), run.work()["spring"])
        assert data.reaction_torque.units == "N m"


@pytest.mark.parametrize(
    ("call", "package"),
    [("to_dataframe()", "pandas"), ("to_netcdf('x')", "xarray"), ("to_xarray()", "xarray")],
)
def test_a_missing_library_is_a_sentence_with_the_command(run, monkeypatch, call, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=rf"needs {package}: pip install 'wheelground\[data\]'"):
        eval(f"run.{call}", {"run": run})


def test_a_warning_begins_with_its_sentence():
    code = (
        "from contact.validity import outside\n"
        "outside('brixius', 'slip', 0.9, -0.3, 0.3, '', 'it goes on')\n"
        "import warnings; warnings.warn('of others')"
    )
    lines = python("-c", code).stderr.splitlines()
    assert lines[0] == "brixius: slip = 0.9 lies outside the validity -0.3 to 0.3; there it goes on"
    assert "warnings.simplefilter('ignore', contact.OutsideValidity)" in lines[1]
    assert lines[2].endswith("UserWarning: of others")
    validity.forget()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", OutsideValidity)
        validity.outside("brixius", "slip", 0.9, -0.3, 0.3, "", "it goes on")


class Screen(list):
    """Terminal that keeps its output."""

    write = list.append

    def isatty(self):
        return True

    def flush(self):
        pass


def test_progress_shows_the_time_left_after_two_seconds(monkeypatch):
    now, screen = [0.0], Screen()
    monkeypatch.setattr(progress.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(progress.sys, "stderr", screen)
    told = progress.Progress("simulate 'x'", 10.0)
    for now[0], done in ((1.0, 1.0), (1.9, 2.0)):
        told.at(done)
    assert screen == []
    now[0] = 2.5
    told.at(2.5)
    assert screen[-1].strip() == "simulate 'x': 25%, 2.5 of 10 s, 7.5 s left"
    told.end()
    assert "".join(screen).endswith("\r")


def test_without_a_screen_progress_goes_to_the_log(monkeypatch, caplog):
    monkeypatch.setattr(progress, "FIRST_LINE_AFTER", -1.0)
    monkeypatch.setattr(progress, "LINE_INTERVAL", -1.0)
    monkeypatch.setattr(progress, "LOG_INTERVAL", -1.0)
    monkeypatch.setattr("bodies.running.recorded_run.PIECE", 2)
    with caplog.at_level(logging.INFO, "bodies"):
        B.simulate(B.compile(wheel_and_rod()), 0.01)
        count = len(caplog.records)
        B.simulate(B.compile(wheel_and_rod()), 0.01, progress=False)
    assert any("left" in record.getMessage() for record in caplog.records)
    assert len(caplog.records) == count


def test_progress_without_a_known_end_shows_the_elapsed_time(monkeypatch):
    class Screen(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stderr", screen := Screen())
    with progress.Elapsed("compiling") as elapsed:
        elapsed.far = ", 3 of 8 parts"
        while "so far" not in screen.getvalue():
            time.sleep(0.05)
    written = screen.getvalue().split("\r")
    assert written[1] == "compiling, 3 of 8 parts, 1 s so far"
    assert written[-2:] == [" " * len(written[1]), ""]


def test_durations_are_written_in_seconds_minutes_or_hours():
    assert [progress.duration(s) for s in (0.25, 12.4, 200.0, 7500.0)] == [
        "0.25 s",
        "12 s",
        "3 min 20 s",
        "2 h 5 min",
    ]
