"""Blocks exported as FMI 3 co-simulation units and imported by FMPy: the same numbers."""

import numpy as np
import pytest

import rig
from rig.fmu import UnitBlock, export
from tests.rig.guided import TRACTOR

pytest.importorskip("fmpy", reason="FMI: pip install 'wheelground[fmi]'")
pytest.importorskip("pythonfmu3", reason="FMI: pip install 'wheelground[fmi]'")

SWAPS = {
    "chassis": ("bicycle", {"mass": 8000.0, "friction": 0.8}),
    "steering": ("third-order valve", {"delay": 0.02}),
    "guidance": ("look-ahead", {}),
    "gnss": ("rtk", {}),
}


def machine(**blocks):
    return rig.Rig(
        0.01,
        speed=4.5,
        seed=3,
        start={"position": (0.0, 1.0, 0.0), "velocity": (4.5, 0.1, 0.0)},
        **TRACTOR | blocks,
    )


@pytest.mark.parametrize("category", SWAPS)
def test_a_block_goes_out_and_comes_back_the_same(category, tmp_path):
    from fmpy.validation import validate_fmu

    name, parameters = SWAPS[category]
    path = export(category, name, tmp_path / "unit.fmu")
    assert validate_fmu(str(path)) == []
    own = rig.make(category, name, **parameters)
    back = UnitBlock(path, category, **parameters)
    back.period = own.period
    one = machine(**{category: own})
    two = machine(**{category: back})
    plain, foreign = one.run(2.0), two.run(2.0)
    assert np.abs(plain.values - foreign.values).max() <= 1e-12
    assert np.ptp(plain["steer_angle"]) > 1e-3
    two.reset()
    assert two.run(2.0).digest() == foreign.digest()


def test_misfits_are_sentences(tmp_path):
    path = export("steering", "perfect", tmp_path / "unit.fmu")
    for words, make in (
        ("no parameter 'limt'; did you mean 'limit'", lambda: UnitBlock(path, "steering", limt=0.3)),
        ("has no output 'position_1', as every chassis block has", lambda: UnitBlock(path, "chassis")),
        ("cannot be read as a unit", lambda: UnitBlock(tmp_path / "none.fmu", "steering")),
        ("unknown category 'stering'", lambda: UnitBlock(path, "stering")),
        ("did you mean 'bicycle'", lambda: export("chassis", "bycicle", path)),
        ("cannot be saved", lambda: machine(steering=UnitBlock(path, "steering")).state()),
        ("does not exist", lambda: export("chassis", "bicycle", tmp_path / "none" / "unit.fmu")),
    ):
        with pytest.raises(rig.RigError, match=words):
            make()
    two = export("steering", "perfect", tmp_path / "two.fmu", fmi=2)
    with pytest.raises(rig.RigError, match=r"no co-simulation unit of FMI 3, but of FMI 2\.0"):
        UnitBlock(two, "steering")
