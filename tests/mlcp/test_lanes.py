"""A kernel compiled for lanes (data sets side by side in vector registers): bytes as of single calls."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core.errors import NumbaError

from mlcp.compiled.branches import as_many, every, no, some, split, where
from mlcp.compiled.bundles import Bundle, array, records
from mlcp.compiled.lanes import lane_viewer
from mlcp.compiled.record_types import viewer
from mlcp.compiled.records import Record, Records, integer, number
from mlcp.jit import kernel
from mlcp.kernels.elementary import atan2, cos, exp, expm1, log, power, sin

WIDTH = 8


class Mass(Record):
    kind = integer("1 where it is damped")
    speed = number("m/s", "of it")
    height = number("m", "of it")


class Masses(Bundle):
    masses = records(Mass, "all of them")
    load = array("N", "on each")


one, eight = viewer(Masses), lane_viewer(Masses, WIDTH)


@kernel
def step(masses):
    """Kernel with every operation that compilation for lanes supports, also branches on integers."""
    for k in range(len(masses.masses)):
        mass = masses.masses[k]
        v, z, f = mass.speed, mass.height, masses.load[k]
        x = 2 * v - z / (1.5 + abs(f)) + 3
        x += math.sqrt(abs(x)) * math.copysign(1.0, -v)
        if mass.kind == 1:
            x *= cos(z) - sin(f) * exp(-abs(v)) + expm1(-abs(f)) * power(1.0 + abs(z), 0.3)
        deep = (z < 0.0) & (f >= v) | ~(x != x) & (x <= 0.25)
        y = where(deep, min(x, f), max(v, 0.5 * math.floor(z)))
        y = where(f > 10.0, log(1.0 + abs(y)), y)
        where_it_reads, left = split(min(abs(z), 3.5))
        beside = masses.load[where_it_reads + 1] * left - masses.load[where(no(deep), where_it_reads, 0)]
        most = as_many(0.0, z)
        for m in range(len(masses.masses)):
            most = max(most, masses.load[m])
        masses.load[where_it_reads] = masses.load[where_it_reads + 1] - left
        if every(z == z) and some(f == f):
            mass.height = y - atan2(v, z) + math.hypot(x, f) + math.sqrt(beside * beside + most * most)
        mass.speed -= x * y
        masses.load[k] = where(f == 0.0, 1.0, -f)


@kernel
def step_one(F, N):
    step(one(F, N))


@kernel
def step_eight(F, N):
    step(eight(F, N))


def side_by_side(floats):
    """Interleave the memories of WIDTH copies number by number, aligned to a cache line."""
    n = floats[0].size
    room = np.zeros(WIDTH * n + 8)
    first = -room.ctypes.data // 8 % 8
    F = room[first : first + WIDTH * n]
    F.reshape(n, WIDTH)[:] = np.stack(floats, axis=1)
    return F


@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1), shift=st.integers(0, WIDTH - 1))
def test_a_lane_gets_its_own_bytes_whatever_its_company(seed, shift):
    rng = np.random.default_rng(seed)
    masses = Records.of(Mass, 5)
    masses.kind[:] = rng.integers(0, 2, 5)
    ints = Masses.pack(masses=masses, load=np.zeros(5)).N
    size = Masses.pack(masses=masses, load=np.zeros(5)).F.size
    floats = [rng.choice([0.0, -0.0, 20.0, *rng.normal(size=9)], size) for _ in range(WIDTH)]
    lanes = side_by_side(floats)
    turned = side_by_side(floats[shift:] + floats[:shift])
    step_eight(lanes, ints)
    step_eight(turned, ints)
    for k, alone in enumerate(floats):
        step_one(alone, ints)
        assert lanes.reshape(-1, WIDTH)[:, k].tobytes() == alone.tobytes()
        assert turned.reshape(-1, WIDTH)[:, (k - shift) % WIDTH].tobytes() == alone.tobytes()


def test_a_branch_on_numbers_that_may_differ_does_not_compile():
    @kernel
    def branching(F, N):
        masses = eight(F, N)
        if masses.load[0] > 0.0:
            masses.load[0] = 0.0

    masses = Masses.pack(masses=Records.of(Mass, 1), load=np.zeros(1))
    with pytest.raises(NumbaError):
        branching(side_by_side([masses.F] * WIDTH), masses.N)
