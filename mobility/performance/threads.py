"""Compiled loops over many rows, on all cores of this process."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from mlcp.cores import cores

FEW = 64  # rows that are not worth a thread
BLOCKS = 4  # for each thread: rows differ in cost


def over_rows(work: Callable[[slice], None], count: int) -> None:
    """Call ``work(rows)`` until every row is done, on a thread a core.

    Arguments:
        work: of the rows of a slice, which no other row's result depends on; releases the GIL. So the
            result's bytes do not depend on the number of threads.
        count: rows.
    """
    threads = cores()
    if threads == 1 or count <= FEW:
        work(slice(0, count))
        return
    work(slice(0, 1))  # whatever is compiled or loaded first, is so once
    size = max(FEW, -(-count // (BLOCKS * threads)))
    ends = [*range(1, count, size), count]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda pair: work(slice(*pair)), itertools.pairwise(ends)))
