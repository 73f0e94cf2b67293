"""Compiled code uses another library's arrays in place, by a bundle (arrays by name) over them."""

import numpy as np
import pytest
from numba import njit

from mlcp.compiled.borrowed import Borrowed, borrowed_viewer
from mlcp.compiled.bundles import Bundle, array, halves, inner, records, table, whole
from mlcp.compiled.records import Record, Records, integer, number


class Tyre(Record):
    row = integer("first row")
    radius = number("m", "undeformed")


class Sparse(Bundle):
    values = array("", "entries")
    column = halves("of each")


class Car(Bundle):
    speed = array("m/s", "of every body")
    tyres = records(Tyre, "all")
    rows = inner(Sparse, "of constraints")
    inertia = table("kg", "of all")
    order = whole("of elimination")


car_at = borrowed_viewer(Car)


@njit(error_model="numpy")
def use(places):
    car = car_at(places)
    total = 0.0
    for k in range(len(car.rows.values)):
        total += car.rows.values[k] * car.speed[car.rows.column[k]]
    for k in range(len(car.tyres)):
        total += car.tyres[k].radius * car.tyres[k].row
    car.inertia[1, 2] = total + car.inertia.shape[0]
    car.order[0] = len(car.order)
    return total


def test_compiled_code_follows_what_is_lent_and_what_is_lent_instead():
    borrowed, speed = Borrowed(Car), np.arange(5.0)
    inertia, order = np.zeros((2, 3)), np.zeros(4, np.int64)
    tyres = Records.of(Tyre, [Tyre(row=2, radius=0.5), Tyre(row=3, radius=0.25)])
    rows = {"values": np.array([2.0, -1.0, 4.0]), "column": np.array([3, 0, 4], np.int32)}
    borrowed.give(speed=speed, tyres=tyres, rows=rows, inertia=inertia, order=order)
    places = borrowed._places
    total = (2.0 * 3.0 - 1.0 * 0.0 + 4.0 * 4.0) + (0.5 * 2 + 0.25 * 3)
    assert use(places) == total
    assert (inertia[1, 2], order[0]) == (total + 2.0, 4)
    borrowed.give(rows={"values": np.ones(1), "column": np.array([1], np.int32)})
    assert use(places) == 1.0 + 1.75


@pytest.mark.parametrize("wrong", [np.arange(5), np.arange(10.0)[::2], np.arange(5, dtype=np.float32)])
def test_an_array_that_is_laid_out_otherwise_is_refused(wrong):
    with pytest.raises(TypeError, match="Car.speed needs float64 in a row"):
        Borrowed(Car).give(speed=wrong)
    with pytest.raises(TypeError, match="Car.column needs int32 in a row"):
        Borrowed(Car).give(rows={"column": np.arange(3)})
