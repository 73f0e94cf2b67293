"""Published measurements beside the laws and vehicles that predict them."""

import dataclasses
import json

import numpy as np
import pytest

from contact import WongReece
from identify import Unknown, fit
from identify.unknown import WONG_REECE
from wheelground.reports.measured import machines, wheels
from wheelground.reports.measured.command import main
from wheelground.reports.measured.figures import panels
from wheelground.reports.measured.sources import DATA, table


def once(fit):
    """The fit, computed once for equal rows and unknowns."""
    found = {}

    def call(rows, *unknown):
        key = rows.tobytes(), *map(str, unknown)
        if key not in found:
            found[key] = fit(rows, *unknown)
        return found[key]

    return call


@pytest.fixture(scope="module", autouse=True)
def _each_fit_once():
    with pytest.MonkeyPatch.context() as patch:
        for name in ("fitted", "fitted_at_angles"):
            patch.setattr(wheels, name, once(getattr(wheels, name)))
        yield


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
    """Effective over geometric track is 1 + (L/B)^2 for any friction; L: wheelbase, B: track."""
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
        pull, sinkage = (of_wheels["Pavlov", f"{wheel} wheel, fitted", q] for q in ("pull", "sinkage"))
        rows = table("cmu_wheels")
        load = rows["load_N"][(rows["wheel"] == wheel) & (rows["slip_angle_deg"] == 0)]
        ratio = (pull.predicted - pull.measured) / load
        assert np.sqrt(np.mean(ratio**2)) < 0.065
        assert sinkage.rms < 3.0
        assert of_wheels["Pavlov", f"{wheel} wheel, as measured", "sinkage"].rms > 10.0


@pytest.mark.parametrize("wheel", ["smooth", "grousers"])
@pytest.mark.parametrize("every", [2, pytest.param(1, marks=pytest.mark.slow)])
def test_each_slip_of_a_driven_wheel_is_predicted_from_the_other_rows(wheel, every):
    """Each pull (or every second one) above slip -0.1 follows from the other rows, to 0.08 load rms."""
    rows = table("cmu_wheels")
    of = rows[(rows["wheel"] == wheel) & (rows["slip_angle_deg"] == 0)]
    errors = []
    for k in np.flatnonzero(of["slip"] > -0.1)[::every]:
        found, _ = wheels.fitted(np.delete(of, k))
        row = of[k]
        one = found.law.wheel(found.soil, wheels.RADIUS, wheels.WIDTH, row["load_N"], row["slip"])
        errors.append((one.drawbar_pull - row["F_x_N"]) / row["load_N"])
    assert np.sqrt(np.mean(np.square(errors))) < 0.08


def test_the_shear_of_measured_wheels_predicts_driven_wheels_on_simulants(of_wheels):
    """Shear parameters fitted to other wheels predict each driven wheel's pull to 3 N rms."""
    for source, case in (
        ("Ding", "smooth wheel"), ("Ding", "30 lugs of 10 mm"), ("Hurrell", "14 grousers of 20 mm"),
    ):  # fmt: skip
        usual, found = (
            of_wheels[source, f"{case}, {law}", "pull"] for law in ("usual law", "shear of wheels")
        )
        assert found.rms < 0.8 * usual.rms
        assert found.rms < 3.0


def test_exit_and_shear_are_those_of_the_fits_in_sand():
    rows = table("cmu_wheels")
    for name, rim, share in (
        ("smooth", wheels.STEEL, wheels.SHEAR_UNDER_SMOOTH),
        ("grousers", 1.0, wheels.SHEAR_UNDER_LUGS),
    ):
        of = rows[(rows["wheel"] == name) & (rows["slip_angle_deg"] == 0)]
        found, _ = wheels.fitted(of, WONG_REECE)
        assert found.law.exit_share == pytest.approx(wheels.EXIT_IN_SAND, abs=0.05)
        assert not {"soil.k_phi", "soil.n"} & set(found.deviations)  # undetermined: several minima
        test = wheels.straight_test(of[of["slip"] > -0.1])
        law = WongReece(exit_share=wheels.EXIT_IN_SAND, rim_friction=rim)
        modulus = {"soil.shear_modulus": Unknown(0.015, 0.001, 0.1, log=True)}
        test = dataclasses.replace(test, noise={"pull": test.noise["pull"]}, sinkage=None)
        shear = fit(test, law, wheels.SAND, modulus).soil.shear_modulus
        assert shear / wheels.SAND.shear_modulus == pytest.approx(share, abs=0.01)


@pytest.mark.slow
def test_modulus_and_exponent_are_a_combination_from_any_random_start():
    rows = table("cmu_wheels")
    of = rows[(rows["wheel"] == "grousers") & (rows["slip_angle_deg"] == 0)]
    both = {"soil.k_phi", "soil.n"}
    test = wheels.straight_test(of)
    for seed in range(8):
        found = fit(test, WongReece(), wheels.SAND, WONG_REECE, seed)
        assert not both & set(found.deviations)
        assert any(both <= set(direction) for direction in found.open_directions)


def test_predictions_of_one_measured_object_share_a_panel(of_wheels):
    found = panels(list(of_wheels.values()))
    cases = [row.case for row in found["Pavlov", "smooth wheel", "pull"]]
    assert cases == ["smooth wheel, as measured", "smooth wheel, fitted"]


def test_a_carcass_explains_the_deflection_of_a_truck_tyre():
    for row in machines.deflections():
        worst = np.abs(row.predicted / row.measured - 1.0).max()
        assert (worst < 0.1) == ("carcass" in row.case)


def test_a_wheel_dragged_sideways_feels_a_fraction_without_ploughing(of_wheels):
    side = of_wheels["Pavlov", "smooth wheel, 90 deg, as measured", "side force"]
    assert (side.predicted < 0.35 * side.measured).all()


def test_one_soil_that_ploughs_explains_slip_angles_to_60_degrees():
    rows = table("cmu_wheels")
    for name, kept in (("smooth", (0, 30, 60)), ("grousers", (0, 30))):
        of = rows[(rows["wheel"] == name) & np.isin(rows["slip_angle_deg"], kept)]
        found, test = wheels.fitted_at_angles(of)
        best = test.predicted(found.law, found.soil, found.lateral)
        errors = (
            (best["pull"] - of["F_x_N"]) / of["load_N"],
            (best["side"] - of["F_y_N"]) / of["load_N"],
            1e3 * best["sinkage"] - of["sinkage_mm"],
        )
        f_x, f_y, depth = (np.sqrt(np.mean(e**2)) for e in errors)
        assert f_x < 0.25
        assert f_y < 0.20
        assert depth < 5.0


def test_straight_ahead_and_60_degrees_predict_30():
    rows = table("cmu_wheels")
    smooth = rows[(rows["wheel"] == "smooth") & (rows["slip_angle_deg"] < 90)]
    left_out = smooth["slip_angle_deg"] == 30
    found, _ = wheels.fitted_at_angles(smooth[~left_out])
    of = smooth[left_out]
    best = wheels.sideways_test(of).predicted(found.law, found.soil, found.lateral)
    for quantity, column in (("pull", "F_x_N"), ("side", "F_y_N")):
        ratio = (best[quantity] - of[column]) / of["load_N"]
        assert np.sqrt(np.mean(ratio**2)) < 0.22


def test_the_command_prints_draws_and_saves(of_wheels, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(wheels, "rows", lambda: list(of_wheels.values()))
    file = tmp_path / "rows.json"
    assert main(out=tmp_path, json=file) == 0
    assert "truck tyre, 4 bar, carcass" in capsys.readouterr().out
    assert {one["source"] for one in json.loads(file.read_text())} >= {"Pavlov", "Ding", "makers"}
    assert len(list(tmp_path.glob("*.png"))) == 2


def test_a_missing_folder_is_a_sentence(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(out=tmp_path, json=tmp_path / "none" / "rows.json")
    assert "does not exist" in capsys.readouterr().err
