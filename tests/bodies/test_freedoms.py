"""Degrees of freedom by counting joint rows and by rank: they agree unless rows are redundant."""

import pytest

import bodies as B

from .mechanisms import JOINTS, truck, two_bodies
from .published import andrews, four_bar


@pytest.mark.parametrize("kind", [k for k in JOINTS if k != "bushing"])
def test_every_joint_takes_as_many_freedoms_as_it_has_rows(kind):
    m = B.mobility(B.compile(two_bodies(kind)))
    assert m.freedoms == m.counted == 12 - JOINTS[kind][0].rows
    assert m.redundant == 0


def test_planar_loops_in_space_are_redundant_but_move():
    assert B.mobility(andrews.build()) == B.Mobility(42 - 50, 41, 1, 9)
    assert B.mobility(four_bar.build()).counted == 30 - 35


def test_redundant_hinges_of_a_vehicle_change_the_count_and_not_the_freedoms():
    plain, more = (B.mobility(B.compile(truck(redundant=k))) for k in (0, 2))
    assert plain.freedoms == more.freedoms
    assert more.redundant == plain.redundant + 10
    assert plain.redundant == 0
