"""Records (named fields in flat arrays): Python and compiled code read and write the same memory."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from mlcp.compiled.bundles import Bundle, array, inner, record, records, table, whole, whole_table
from mlcp.compiled.quick.passes import EntryCompiler
from mlcp.compiled.record_types import viewer
from mlcp.compiled.records import Record, Records, integer, integers, nested, number, numbers
from tests.refusals import refusals


class Memo(Record):
    asked = integer("how often")
    slip = number("-", "last asked for")
    values = numbers(2, "-", "what came out")


class Wheel(Record):
    row = integer("first row")
    radius = number("m", "of the tyre")
    centre = numbers(3, "m", "of the wheel")
    pair = integers(2, "of neighbours")
    memo = nested(Memo, "of its law")
    width = number("m", "of the tyre")


class Ground(Bundle):
    wheels = records(Wheel, "all wheels")
    load = array("N", "of every wheel")
    inertia = table("1/kg", "Delassus matrix")
    clock = record(Wheel, "a single one")
    order = whole("of elimination")
    variant = whole_table("soils of every wheel")


class Machine(Bundle):
    speed = array("m/s", "of every body")
    ground = inner(Ground, "what it stands on")


machine_of = viewer(Machine)


def use_everything(F, N):
    machine = machine_of(F, N)
    ground = machine.ground
    total = 0.0
    for k in range(len(ground.wheels)):
        wheel = ground.wheels[k]
        wheel.row = wheel.row + 1
        wheel.centre[1] += 2.0
        wheel.radius = 3
        wheel.pair[0] -= k
        wheel.memo.asked += 1
        wheel.memo.values[1] = wheel.memo.slip * wheel.width
        total += wheel.radius * wheel.row + wheel.centre[0] + wheel.centre[2] + wheel.pair[1]
        total += ground.load[k]
    ground.inertia[1, 2] = 7.0
    ground.inertia[2][0] += 1.0
    ground.variant[1, 0] -= ground.variant[0, 2]
    ground.clock.radius *= 2.0
    total += ground.clock.row + ground.inertia.shape[0] * ground.inertia.shape[1]
    return total + len(ground.order) + ground.order[2] + machine.speed[1:3][1] + machine.speed.size


def a_machine(seed: int, count: int) -> Machine:
    rng = np.random.default_rng(seed)
    wheels = Records.of(
        Wheel,
        [
            Wheel(row=k, width=rng.normal(), centre=rng.normal(size=3), pair=rng.integers(-9, 9, 2))
            for k in range(count)
        ],
    )
    return Machine.pack(
        speed=rng.normal(size=5),
        ground={
            "wheels": wheels,
            "load": rng.normal(size=count),
            "inertia": rng.normal(size=(3, 4)),
            "clock": Wheel(row=4, radius=0.5),
            "order": rng.integers(0, 99, 4),
            "variant": rng.integers(0, 9, (2, 3)),
        },
    )


compiled_plainly = njit(error_model="numpy")(use_everything)
compiled_quickly = njit(error_model="numpy", _nrt=False, pipeline_class=EntryCompiler)(use_everything)


@pytest.mark.parametrize("compiled", [compiled_plainly, compiled_quickly], ids=["stock", "quick"])
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(0, 6))
def test_compiled_and_plain_python_do_the_same_to_the_same_memory(compiled, seed, count):
    plain, other = a_machine(seed, count), a_machine(seed, count)
    assert use_everything(plain.F, plain.N) == compiled(other.F, other.N)
    assert plain.F.tobytes() == other.F.tobytes()
    assert plain.N.tobytes() == other.N.tobytes()


def test_what_is_packed_is_read_back_by_name():
    machine = a_machine(1, 3)
    ground = machine.ground
    assert ground.wheels.row.tolist() == [0, 1, 2]
    assert ground.wheels[2].row == 2
    assert ground.wheels.centre.shape == (3, 3)
    assert ground.inertia.shape == (3, 4)
    assert ground.clock.radius == 0.5
    ground.wheels[1].memo.slip = 0.25
    assert ground.wheels.memo.slip.tolist() == [0.0, 0.25, 0.0]
    ground.wheels.memo.values[2] = 1.0, 2.0
    assert ground.wheels[2].memo.values.tolist() == [1.0, 2.0]
    assert ground.variant.shape == (2, 3)
    ground.wheels.radius[:] = 8.0
    assert ground.wheels[1].radius == 8.0


class Speeds(Bundle):
    speed = array("m/s", "of every body")
    wheels = records(Wheel, "all wheels")


speeds_of = viewer(Speeds)


def total_speed(F, N, base):
    speeds = speeds_of(F, N, base)
    speeds.wheels[0].width = 7.0
    return speeds.speed[0] + speeds.speed[1] + len(speeds.wheels)


def test_a_table_of_places_may_stand_anywhere():
    N = np.array([99, 99, 99, 1, 3, 3, 3 + Wheel.FLOATS, 9, 9 + Wheel.INTS, 5, 6, 7, 8])
    for compute in (total_speed, njit(error_model="numpy")(total_speed)):
        F = np.arange(3.0 + Wheel.FLOATS)
        assert compute(F, N, 3) == 1.0 + 2.0 + 1
        assert speeds_of(F, N, 3).wheels.floats[0].tolist() == [*range(3, 2 + Wheel.FLOATS), 7.0]


test_a_misspelt_name_is_refused_and_named = refusals(
    (lambda: Wheel(radios=1.0), "Wheel has no field 'radios'"),
    (lambda: Ground.pack(loads=np.zeros(3)), "Ground has no entry 'loads'"),
    (lambda: a_machine(0, 1).ground.wheels.radios, "Wheel has no field 'radios'"),
    error=AttributeError,
)


def test_a_misspelt_name_does_not_compile():
    def misspelt(F, N):
        return machine_of(F, N).ground.wheels[0].radios

    machine = a_machine(0, 1)
    with pytest.raises(Exception, match="Unknown attribute 'radios' of type RecordType"):
        njit(misspelt)(machine.F, machine.N)
