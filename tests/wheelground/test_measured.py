"""Published measurements beside the laws and vehicles that predict them."""

import json

import numpy as np
import pytest

from wheelground.reports.measured import machines, wheels
from wheelground.reports.measured.command import main
from wheelground.reports.measured.sources import DATA, table


@pytest.fixture(scope="module")
def of_wheels():
    return {(row.source, row.case, row.quantity): row for row in wheels.rows()}


def test_every_table_names_its_source_and_holds_finite_abscissas():
    for file in sorted(DATA.glob("*.csv")):
        assert file.read_text(encoding="utf-8").startswith("# ")
        rows = table(file.stem)
        assert rows.size > 2
        assert np.isfinite([row[1] for row in rows]).all()
    assert table("cmu_wheels").size == 54


def test_a_pivot_slides_as_equal_coulomb_contacts_do():
    """Effective over geometric track 1 + (L/B)^2, whatever the friction."""
    for wheelbase, track in ((0.512, 0.555), (0.262, 0.37559)):
        machine = machines.robot(wheelbase, track, 0.05, (0.5, 0.0))
        ratio, _ = machines.turn(machine, track, 0.05, 0.0)
        assert 1.0 / ratio == pytest.approx(1.0 + (wheelbase / track) ** 2, rel=5e-3)


def test_makers_factors_within_three_per_cent_but_the_rounded_one():
    makers = next(machines.turns())
    errors = dict(zip(makers.names, makers.predicted / makers.measured - 1.0, strict=True))
    assert abs(errors.pop("rosbot")) < 0.1
    assert max(map(abs, errors.values())) < 0.03


def test_a_fitted_soil_explains_pull_and_sinkage_of_a_wheel_straight_ahead(of_wheels):
    for wheel in ("smooth", "grousers"):
        pull, sinkage = (
            of_wheels["Pavlov", f"{wheel} wheel, soil fitted", q] for q in ("pull", "sinkage")
        )
        rows = table("cmu_wheels")
        load = rows["load_N"][(rows["wheel"] == wheel) & (rows["slip_angle_deg"] == 0)]
        ratio = (pull.predicted - pull.measured) / load
        assert np.sqrt(np.mean(ratio**2)) < 0.065
        assert sinkage.rms < 3.0
        assert of_wheels["Pavlov", f"{wheel} wheel, soil as measured", "sinkage"].rms > 10.0


def test_a_carcass_explains_the_deflection_of_a_truck_tyre():
    for row in machines.deflections():
        worst = np.abs(row.predicted / row.measured - 1.0)[row.measured > 40.0].max()
        assert (worst < 0.1) == ("carcass" in row.case)


def test_a_wheel_dragged_sideways_feels_a_fraction_of_the_measured_force(of_wheels):
    side = of_wheels["Pavlov", "smooth wheel, slip angle 90 deg", "side force"]
    assert (side.predicted < 0.35 * side.measured).all()


def test_the_command_prints_draws_and_saves(tmp_path, capsys):
    file = tmp_path / "rows.json"
    assert main(out=tmp_path, json=file) == 0
    assert "truck tyre, 4 bar, carcass" in capsys.readouterr().out
    assert {one["source"] for one in json.loads(file.read_text())} >= {"Pavlov", "Ding", "makers"}
    assert len(list(tmp_path.glob("*.png"))) == 2


def test_a_missing_folder_is_a_sentence(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(out=tmp_path, json=tmp_path / "none" / "rows.json")
    assert "does not exist" in capsys.readouterr().err
