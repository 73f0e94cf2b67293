"""A vehicle's mobility table in a folder has the same bytes when read and after an interruption."""

import dataclasses

import numpy as np
import pytest

from mobility import Driver, lumped, surface
from mobility.performance import tabulate

pytestmark = pytest.mark.usefixtures("coarse_tables")


def bytes_of(table):
    arrays = table.reach, *table.steps, table.weakness, table.tables
    return b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)


@pytest.fixture(scope="module")
def car():
    return lumped("hmmwv_4x4", open_axles=False)


def test_a_kept_table_is_read_and_not_computed(car, tmp_path, monkeypatch):
    first = surface(car, most=1, folder=tmp_path)
    assert bytes_of(first) == bytes_of(surface(car, most=1))

    def never(*_, **__):
        raise AssertionError("computed again")

    monkeypatch.setattr(tabulate, "balance", never)
    again = surface(car, most=1, folder=tmp_path)
    assert bytes_of(again) == bytes_of(first)
    assert len(list(tmp_path.iterdir())) == 1


def test_another_vehicle_driver_or_setting_has_a_table_of_its_own(car, tmp_path):
    names = set()
    heavy = dataclasses.replace(car, mass=2600.0)
    for vehicle, driver, settings in (
        (car, None, {}),
        (heavy, None, {}),
        (car, Driver(sight=50.0), {}),
        (car, None, {"steepest": 0.6}),
    ):
        surface(vehicle, driver, most=0, folder=tmp_path, **settings)
        new = {path.name for path in tmp_path.iterdir()} - names
        assert len(new) == 1
        names |= new


def test_an_interrupted_table_continues_to_the_same_bytes(car, tmp_path, monkeypatch):
    whole = surface(car, most=1)
    real, calls = tabulate.border_of, []

    def until_interrupted(*given, **more):
        calls.append(len(given[1]))
        if len(calls) == 4:
            raise KeyboardInterrupt
        return real(*given, **more)

    monkeypatch.setattr(tabulate, "border_of", until_interrupted)
    with pytest.raises(KeyboardInterrupt):
        surface(car, most=1, folder=tmp_path)
    monkeypatch.setattr(tabulate, "border_of", lambda *g, **m: calls.append(len(g[1])) or real(*g, **m))
    before = len(calls)
    again = surface(car, most=1, folder=tmp_path)
    assert bytes_of(again) == bytes_of(whole)
    assert calls[before] != calls[0]  # the first nodes were already computed


def test_a_damaged_file_is_made_anew_and_a_folder_without_room_does_no_harm(car, tmp_path):
    whole = surface(car, most=0, folder=tmp_path)
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:1000])
    assert bytes_of(surface(car, most=0, folder=tmp_path)) == bytes_of(whole)
    (tmp_path / "file").write_text("")
    assert bytes_of(surface(car, most=0, folder=tmp_path / "file")) == bytes_of(whole)


def test_gears_and_ranges_are_chosen_and_named():
    low, both = lumped("hmmwv"), lumped("hmmwv", transfers=(2.72, 1.0))
    assert low.gearing.endswith("transfer ratio 2.72")
    assert both.gearing.endswith("transfer ratio 2.72 and 1")
    assert len(both.gears) == 2 * len(low.gears)
    assert [g.number for g in both.gears] == list(range(1, 2 * len(low.gears) + 1))
    for one, two in zip(low.gears, both.gears, strict=False):
        np.testing.assert_array_equal(one.torque, two.torque)
    high = lumped("hmmwv", transfers=(1.0,), allowed_gears=(2, 3))
    assert len(high.gears) == 2
    np.testing.assert_allclose(high.gears[0].speed, 2.72 * low.gears[1].speed)
    assert high.gearing == "gears 2, 3, transfer ratio 1"
    with pytest.raises(ValueError, match="gear of 'hmmwv' '7'"):
        lumped("hmmwv", allowed_gears=(7,))
    with pytest.raises(ValueError, match="transfers"):
        lumped("hmmwv", transfers=(-1.0,))
    with pytest.raises(ValueError, match="hub drives and no gears"):
        lumped("skid_steer", transfers=(1.0,))
    assert lumped("skid_steer").gearing == "hub drives"
