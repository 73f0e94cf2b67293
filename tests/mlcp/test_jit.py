"""Kernels are compiled once for all callers, can be called by address, and share work among threads."""

import functools
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numba import njit, types

from mlcp.compiled.machine_code import exchange
from mlcp.jit import address, call, entry_point, kernel
from tests.commands import printed


@kernel
def add(a, k, amount):
    a[k] += amount


@kernel
def add_twice(a, k, amount):
    add(a, 0, amount)
    add(a, k, amount)


@entry_point("mlcp")
def add_by_number(a, places, number):
    add_twice(a, places[number], 0.5)
    return number + 1


@entry_point("mlcp")
def call_all(a, places, addresses):
    total = 0
    for k in range(addresses.shape[0]):
        total += call(addresses[k], a, places, k)
    return total


def test_a_kernel_does_from_python_what_its_python_does():
    compiled, plain = np.zeros(3), np.zeros(3)
    add_twice(compiled, 1, 2.0)
    for k in (0, 1):
        add.py_func(plain, k, 2.0)
    assert np.array_equal(compiled, plain)


def test_a_number_written_in_a_call_costs_no_compile_of_its_own():
    add_twice(np.zeros(3), 1, 2.0)
    add_by_number(np.zeros(3), np.array([2]), 0)
    assert len(add.inner.signatures) == 1


def test_compiled_code_calls_an_entry_point_by_its_address():
    a, places = np.zeros(3), np.array([1, 2])
    where = address(add_by_number, types.float64[::1], types.int64[::1], types.intp)
    assert call_all(a, places, np.array([where, where])) == 1 + 2
    assert a.tolist() == [1.0, 0.5, 0.5]


@functools.cache
def make_give(number):
    @entry_point("mlcp")
    def give(a, places, n):
        return number

    return give


KINDS = (types.float64[::1], types.int64[::1], types.intp)


def test_variants_of_one_function_stay_apart_in_the_cache():
    """Compiled by two processes and loaded by a third, each variant keeps its own result."""
    head = "import numpy as np; from mlcp.jit import address\n"
    head += "from tests.mlcp.test_jit import KINDS, call_all, make_give\n"

    for number in (3, 5):
        printed("-c", f"{head}address(make_give({number}), *KINDS)")
    asked = "[address(make_give(k), *KINDS) for k in (3, 5)]"
    places = "np.zeros(2), np.array([0, 1])"
    loaded = f"{asked}; print(call_all({places}, np.array({asked})))"
    assert printed("-c", head + loaded).strip() == "8"


def test_two_processes_that_compile_at_once_write_two_files(tmp_path):
    """Each process reads an index without the other's entry, as at the same moment; the machine code for
    each type of the first argument has its own file."""
    code = "import numba.core.caching as c; c.IndexDataCacheFile._load_index = lambda self: {}\n"
    code += "from numba import types; from mlcp.jit import address\n"
    code += "from tests.mlcp.test_jit import KINDS, make_give\n"
    for kind in ("float32", "float64"):
        call = f"address(make_give(3), types.{kind}[::1], *KINDS[1:])"
        printed("-c", code + call, NUMBA_CACHE_DIR=str(tmp_path))
    assert len(list(tmp_path.rglob("*give*.nbc"))) == 2


def take_all(flags, mine):
    for k in range(flags.shape[0]):
        if exchange(flags, k, 1) == 0:
            mine[k] += 1


def test_each_work_item_is_taken_by_one_thread():
    compiled = njit(nogil=True)(take_all)
    compiled(np.zeros(1, np.int64), np.zeros(1, np.int64))
    flags, mine = np.zeros(300_000, np.int64), np.zeros((3, 300_000), np.int64)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda own: compiled(flags, own), mine))
    assert np.all(mine.sum(axis=0) == 1)
    assert np.all(flags == 1)


def test_plain_python_takes_the_same_items():
    flags, mine = np.array([0, 1, 0]), np.zeros(3, np.int64)
    take_all(flags, mine)
    assert mine.tolist() == [1, 0, 1]
    assert exchange(flags, 1, 5) == 1
    assert flags.tolist() == [1, 5, 1]
