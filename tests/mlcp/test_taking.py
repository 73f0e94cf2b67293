"""Threads of compiled code that share a list of work items do every item exactly once."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numba import njit

from mlcp.compiled.machine_code import exchange


def take_all(flags, mine):
    for k in range(flags.shape[0]):
        if exchange(flags, k, 1) == 0:
            mine[k] += 1


def test_each_is_taken_by_one_thread():
    compiled = njit(nogil=True)(take_all)
    compiled(np.zeros(1, np.int64), np.zeros(1, np.int64))
    flags, mine = np.zeros(300_000, np.int64), np.zeros((3, 300_000), np.int64)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda own: compiled(flags, own), mine))
    assert np.all(mine.sum(axis=0) == 1)
    assert np.all(flags == 1)


def test_plain_python_does_the_same():
    flags, mine = np.array([0, 1, 0]), np.zeros(3, np.int64)
    take_all(flags, mine)
    assert mine.tolist() == [1, 0, 1]
    assert exchange(flags, 1, 5) == 1
    assert flags.tolist() == [1, 5, 1]
