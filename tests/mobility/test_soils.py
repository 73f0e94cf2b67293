"""Strength from soil class and moisture: the printed table, and classes without an entry."""

import numpy as np
import pytest

from mobility import RATING, SOIL_CODES, USCS, strength_of_class

PSI = 6894.757293168361


def test_every_entry_gives_the_printed_equation():
    """By hand, lean clay of 25 % moisture: ln RCI = 15.506 - 3.530 ln 25 = 4.14337, RCI = 63.01 psi.

    RCI: rating cone index.
    """
    assert strength_of_class("CL", 25.0) / PSI == pytest.approx(63.01, abs=0.005)
    assert strength_of_class("SP", 10.0) / PSI == pytest.approx(np.exp(3.987) * 10.0**0.815)
    for name, (first, second) in RATING.items():
        assert np.log(strength_of_class(name, 20.0) / PSI) == pytest.approx(first - second * np.log(20))
        assert strength_of_class(SOIL_CODES[name], 20.0) == strength_of_class(name, 20.0)


def test_wetter_is_weaker_but_for_clean_sand():
    for name in RATING:
        dry, wet = strength_of_class(name, [10.0, 30.0])
        assert (wet < dry) == (name not in ("SW", "SP"))


def test_what_the_table_leaves_open_is_no_data():
    for name in (*(set(USCS) - set(RATING)), "XX"):
        assert np.isnan(strength_of_class(name, 20.0))
    assert np.isnan(strength_of_class([0, 99, SOIL_CODES["CL"]], [20.0, 20.0, 0.0])).all()
