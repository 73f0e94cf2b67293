"""Bundles (named arrays in one block of memory): stored sizes, shared arrays, refused declarations."""

import numpy as np
import pytest
from numba import njit

from mlcp.compiled.bundles import (
    MODEL,
    STATE,
    Bundle,
    array,
    inner,
    record,
    records,
    table,
    whole,
    whole_table,
)
from mlcp.compiled.record_types import viewer
from mlcp.compiled.records import Record, Records, integer, number
from mlcp.compiled.row_types import as_array


class Wheel(Record):
    row = integer("its first")
    radius = number("m", "")


class Rows(Bundle):
    channel = whole("that each row acts on", MODEL)
    A = table("1/kg", "", size="rows, rows")
    z = array("N s", "", STATE, size="rows")
    active = whole("", STATE, size="rows")
    work = array("", "", size="rows rows + 2 rows + 1")


class Friction(Bundle):
    given = inner(Rows, "the channels", {"rows": "rows"})
    turned = whole_table("", size="rows, 2")


class Machine(Bundle):
    clock = record(Wheel, "", STATE)
    wheels = records(Wheel, "", MODEL, size="wheels")
    rows = inner(Rows, "of the machine", {"rows": "wheels"})
    hard = inner(Friction, "on the same rows", {"rows": "wheels"}, {"given": "rows"})
    scale = array("", "", MODEL)


machine_of = viewer(Machine)


def machine(count=3, **more):
    return Machine.made({"wheels": count}, rows={"channel": np.arange(count)}, scale=np.ones(5), **more)


def test_what_is_not_given_is_zeros_of_the_declared_size():
    made = machine()
    assert made.rows.A.shape == (3, 3)
    assert made.rows.work.size == 3 * 3 + 2 * 3 + 1
    assert made.hard.turned.shape == (3, 2)
    assert len(made.wheels) == 3
    assert made.F.sum() == 5.0
    assert made.rows.channel.tolist() == [0, 1, 2]


def test_state_lies_first_then_the_model_then_work():
    found = [(Machine.leaves[path].entry.part, path) for path in Machine.leaves]
    made = machine()
    ends = {}
    for part, path in found:
        leaf = Machine.leaves[path]
        if leaf.floats >= 0 and not leaf.like:
            ends.setdefault(part, []).append(made.N[2 * leaf.floats : 2 * leaf.floats + 2].tolist())
    assert max(ends["state"])[1] <= min(ends["model"])[0]
    assert max(ends["model"])[1] <= min(ends["work"])[0]
    assert made.F.ctypes.data % 64 == 0
    assert all(start % 8 == 0 for part in ends.values() for start, _ in part)


def test_what_is_shared_lies_in_one_place():
    made = machine()
    made.rows.A[1, 2], made.hard.given.z[0], made.rows.active[2] = 4.0, 5.0, -1
    assert made.hard.given.A[1, 2] == 4.0
    assert made.rows.z[0] == 5.0
    assert made.hard.given.active[2] == -1
    assert Machine.leaves["hard.given.z"].like == "rows.z"


def test_other_lengths_keep_all_the_rest():
    made = machine(2, clock=Wheel(radius=0.5, row=7))
    made.rows.z[:], made.rows.A[:] = (1.0, 2.0), ((1.0, 2.0), (3.0, 4.0))
    again = made.relaid(scale=np.arange(40.0), rows={"channel": np.arange(9)})
    assert again.scale.tolist() == list(range(40))
    assert again.rows.channel.size == 9
    assert (again.clock.radius, again.clock.row) == (0.5, 7)
    assert again.rows.z.tolist() == [1.0, 2.0]
    assert again.hard.given.A.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert again.F is not made.F


def test_a_bundle_or_nothing_may_be_the_value_of_an_inner_one():
    rows = Rows.made({"rows": 2}, channel=np.arange(2), z=np.array([3.0, 4.0]))
    made = Machine.made({"wheels": 2}, rows=rows, scale=np.ones(1))
    assert made.hard.given.z.tolist() == [3.0, 4.0]
    bare = Machine.made({"wheels": 0}, rows=None, hard=None, scale=np.ones(1))
    assert bare.rows.A.shape == (0, 1)
    assert bare.hard.turned.shape == (0, 1)


def test_an_array_without_size_and_value_is_refused_by_name():
    with pytest.raises(AttributeError, match=r"'rows\.channel' has no size, so it needs a value"):
        Machine.made({"wheels": 1}, scale=np.ones(1))
    with pytest.raises(ValueError, match=r"'rows\.z' is of shape \(4,\), it is to be \(1,\)"):
        Machine.made({"wheels": 1}, rows={"channel": [0], "z": np.ones(4)}, scale=np.ones(1))
    with pytest.raises(ValueError, match="'wheels': there are to be 1 records"):
        machine(1, wheels=Records.of(Wheel, 2))
    with pytest.raises(AttributeError, match=r"Machine has no entry 'rows\.trend'"):
        Machine.made({"wheels": 1}, rows={"trend": [0]})
    with pytest.raises(AttributeError, match=r"'hard\.given\.z' has the memory of 'rows\.z': give that"):
        machine(1, hard={"given": {"z": [1.0]}})


def test_declarations_that_cannot_be_are_refused():
    with pytest.raises(AttributeError, match=r"Silent\.rows: sizes has no 'rows'"):
        type("Silent", (Bundle,), {"rows": inner(Rows, "")})
    sizes = {"rows": "wheels"}
    for shared, why in (
        ({"trend": "load"}, "it has no entry 'rows.trend'"),
        ({"z": "force"}, "it has no entry 'force'"),
        ({"A": "load"}, "'rows.A' and 'load' are of two kinds"),
    ):
        own = {"load": array("N", ""), "rows": inner(Rows, "", sizes, shared)}
        with pytest.raises(AttributeError, match=why):
            type("Broken", (Bundle,), own)
    with pytest.raises(AttributeError, match="'relaid' is a name of every bundle's own"):
        type("Hidden", (Bundle,), {"relaid": array("N", "")})


def test_compiled_code_reads_what_is_shared_and_tables_as_arrays():
    def use(F, N):
        run = machine_of(F, N)
        A = as_array(run.hard.given.A)
        A[0, 1] += 2.0
        return A.sum() + A.shape[0] + run.rows.A[0, 1] + run.hard.turned.shape[1]

    plain, other = machine(), machine()
    plain.rows.A[2, 0] = other.rows.A[2, 0] = 0.5
    assert use(plain.F, plain.N) == njit(error_model="numpy")(use)(other.F, other.N)
    assert plain.F.tobytes() == other.F.tobytes()
