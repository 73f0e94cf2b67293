"""The command ``full_vehicle`` writes its results and figures."""

import json

import numpy as np
import pytest

from wheelground.reports.full import command as full_vehicle
from wheelground.reports.full import report
from wheelground.reports.full.case import FullVehicleCase, run_case
from wheelground.reports.full.checks import check_residual, check_shift, difference
from wheelground.reports.full.figures import forces_and_slip, rear_wheels, vehicle_picture
from wheelground.reports.series import write_series


@pytest.fixture(scope="module")
def short():
    """Run of the first half second with the scheme ``global``."""
    return run_case(FullVehicleCase(step=2e-3, duration=0.5), "global")


def test_results_have_the_promised_keys(short):
    told = json.loads(json.dumps(report.as_dict(short, [short], 30e-6, [check_residual([short])])))
    assert told["bodies"] == 45
    assert {
        "joints",
        "rows",
        "steady_speed_km_h",
        "max_joint_error_m",
        "max_joint_error_rad",
        "max_residual",
        "us_per_step",
        "real_time_factor",
        "wheels",
        "runs",
        "passed",
    } <= set(told)
    assert [set(w) for w in told["wheels"]] == [
        {"name", "load_N", "traction_N", "resistance_N", "slip"}
    ] * 4
    assert told["max_joint_error_m"] < 1e-4
    assert difference(short, short) == 0.0
    assert check_shift(FullVehicleCase(duration=0.5), short).passed is None


def test_pictures_are_drawn(short, tmp_path):
    for picture in (
        forces_and_slip(short, tmp_path / "a.png"),
        vehicle_picture(short.simulation, tmp_path / "b.png"),
    ):
        assert picture.stat().st_size > 20_000


def test_the_numbers_of_the_figure_are_those_of_the_run(short, tmp_path):
    table = np.genfromtxt(
        write_series(tmp_path / "7.csv", rear_wheels(short)), delimiter=",", names=True
    )
    assert len(table) == len(short.time)
    assert table["time_s"][-1] == pytest.approx(0.5)
    assert np.allclose(table["rear_left_slip"], short.history("rear_left", "slip"), atol=1e-6)
    assert np.allclose(table["rear_right_load_N"], short.history("rear_right", "load"), rtol=1e-6)


@pytest.mark.slow
def test_the_program_passes_its_own_checks(tmp_path):
    out = tmp_path / "results.json"
    with pytest.raises(SystemExit) as stop:
        full_vehicle.app(["--solver", "direct", "--out", str(tmp_path), "--json", str(out)])
    told = json.loads(out.read_text())
    assert [c["name"] for c in told["checks"] if c["verdict"] == "FAILED"] == []
    assert stop.value.code == 0
