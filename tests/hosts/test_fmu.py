"""Co-simulation units (FMUs): every variable has its unit of measurement, defined in SI base units."""

import pytest

from contact.hosts.fmu import UNITS, build
from contact.hosts.wheel_unit import WheelOnSoftGround

fmpy = pytest.importorskip("fmpy", reason="FMI: pip install 'wheelground[fmi]'")


@pytest.mark.parametrize("version", [3, 2])
def test_variables_carry_units_and_the_unit_is_valid(tmp_path, version):
    from fmpy.validation import validate_fmu

    path = build("contact.hosts.wheel_unit:WheelOnSoftGround", tmp_path / "wheel.fmu", version)
    assert validate_fmu(str(path)) == []
    about = fmpy.read_model_description(str(path))
    found = {v.name: v.unit for v in about.modelVariables}
    unit = WheelOnSoftGround
    for name, (_, measure, _) in (unit.parameters | unit.inputs | unit.outputs).items():
        assert found[name] == (measure or None)
    defined = {u.name: u.baseUnit for u in about.unitDefinitions}
    assert (defined["N"].kg, defined["N"].m, defined["N"].s) == (1, 1, -2)
    assert (defined["Pa"].kg, defined["Pa"].m, defined["Pa"].s) == (1, -1, -2)
    assert set(defined) <= set(UNITS)


def test_every_unit_of_the_shipped_units_is_known():
    from benchmarks.host_cases.quarter_unit import QuarterVehicleUnit

    for unit in (WheelOnSoftGround, QuarterVehicleUnit):
        for table in (unit.parameters, unit.inputs, unit.outputs):
            assert {measure for _, measure, _ in table.values()} <= {*UNITS, ""}


def test_units_count_the_steps_that_missed_their_tolerance(monkeypatch):
    """The benchmark with units counted none."""
    from benchmarks.host_cases import quarter, units

    class Missing(WheelOnSoftGround):
        def step(self, time, h):
            super().step(time, h)
            self.values["missed"] += 1.0

    monkeypatch.setattr(units, "WHEEL", f"{__name__}:Missing")
    monkeypatch.setitem(globals(), "Missing", Missing)
    assert units.wheel(quarter.Quarter.of_table_1("implicit"), 3).missed == 3
