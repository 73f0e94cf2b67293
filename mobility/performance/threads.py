"""Compiled loops over many rows, on threads for all cores."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from mlcp.cores import cores

FEW = 64  # least number of rows for a thread
BLOCKS = 4  # blocks of rows for each thread, since rows differ in cost


def over_rows(work: Callable[[slice], None], count: int) -> None:
    """Call ``work`` for all rows in blocks, on one thread for each core.

    Arguments:
        work: function of a slice of rows, which releases the GIL. Rows are independent, so that the
            bytes of the result are independent of the number of threads.
        count: number of rows.
    """
    threads = cores()
    if threads == 1 or count <= FEW:
        work(slice(0, count))
        return
    work(slice(0, 1))  # compile or load the kernels once, before the threads
    size = max(FEW, -(-count // (BLOCKS * threads)))
    ends = [*range(1, count, size), count]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda pair: work(slice(*pair)), itertools.pairwise(ends)))
