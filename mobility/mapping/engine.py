"""Who computes the tiles: threads of this process, or the workers of a Dask cluster."""

from __future__ import annotations

import importlib.util
import itertools
import logging
import multiprocessing
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from .store import make_tile

log: logging.Logger = logging.getLogger("mobility")
TRIM_THRESHOLD = 1 << 26  # bytes that a worker may hold unused
TILES_IN_FLIGHT = 2  # tiles in flight for each worker: so memory is bounded, whatever the map


def has_dask() -> bool:
    """Whether ``distributed`` can be imported."""
    return importlib.util.find_spec("distributed") is not None


def run_in_threads(
    folder: Path, todo: Sequence[tuple[int, int]], threads: int, at: Callable[[int], None]
) -> None:
    """Compute tiles on threads; ``at`` is told how many are done."""
    queue, done = iter(todo), 0
    with ThreadPoolExecutor(threads) as pool:

        def more(count: int) -> set[Any]:
            return {pool.submit(make_tile, str(folder), *t) for t in itertools.islice(queue, count)}

        flying = more(TILES_IN_FLIGHT * threads)
        try:
            while flying:
                finished, flying = wait(flying, return_when=FIRST_COMPLETED)
                for one in finished:
                    one.result()
                    done += 1
                    at(done)
                flying |= more(len(finished))
        except BaseException:
            for one in flying:
                one.cancel()
            raise


def run_on_dask(
    folder: Path, todo: Sequence[tuple[int, int]], client: Any, at: Callable[[int], None]
) -> None:
    """Compute tiles on the workers of a client, so many in flight; ``at`` is told how many are done.

    The workers write; nothing but a name comes back. A tile whose worker dies is given to another.

    Raises:
        ValueError: a tile whose workers died one after the other; or the tile's own error.
    """
    from distributed import KilledWorker, as_completed

    queue = iter(todo)
    threads = sum(client.nthreads().values()) or 1

    def submit(tiles: Iterable[tuple[int, int]]) -> list[Any]:
        return [client.submit(make_tile, str(folder.resolve()), *t, pure=False) for t in tiles]

    flying = as_completed(submit(itertools.islice(queue, TILES_IN_FLIGHT * threads)))
    for done, future in enumerate(flying, 1):
        try:
            if future.status != "finished":  # its result stays with the worker, unused
                future.result()
        except KilledWorker as error:
            raise ValueError(
                f"{error.task}: {error.allowed_failures + 1} workers died one after the other; a "
                "smaller tile needs less memory"
            ) from None
        at(done)
        for another in submit(itertools.islice(queue, 1)):
            flying.add(another)


@contextmanager
def local_cluster(workers: int):
    """A client of so many processes of this machine, one thread each; says where its dashboard is.

    Raises:
        RuntimeError: the processes end at once, as where a script starts them without a guard.
    """
    import dask
    from distributed import Client, LocalCluster

    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise SystemExit(1)  # a process that is being started runs the script again: the first one tells
    quiet = {
        "distributed.scheduler.allowed-failures": 10,
        "distributed.worker.profile.enabled": False,  # it samples 100 times a second
        # monitors that poll many times a second: 6 % of a core in idle processes, with two cores
        "distributed.admin.tick.interval": "500ms",
        "distributed.admin.system-monitor.interval": "10s",
        "distributed.worker.memory.monitor-interval": "1s",
        "distributed.scheduler.work-stealing": False,
        "distributed.scheduler.active-memory-manager.start": False,
        # a tile's arrays stay with the worker: handed back each time, they cost page faults
        "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": TRIM_THRESHOLD,
        "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": TRIM_THRESHOLD,
    }
    with dask.config.set(quiet), ExitStack() as stack:
        try:
            cluster = stack.enter_context(
                LocalCluster(
                    n_workers=workers, threads_per_worker=1, processes=True, host="127.0.0.1",
                    dashboard_address="127.0.0.1:0", worker_dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
            )  # fmt: skip
        except RuntimeError:
            raise RuntimeError(
                "the worker processes did not start: a script that makes a map by processes needs "
                'if __name__ == "__main__": around what it does; threads=... needs none'
            ) from None
        client = stack.enter_context(Client(cluster))
        lacking = "" if importlib.util.find_spec("bokeh") else " (its plots need: pip install bokeh)"
        log.info("dashboard: %s%s", client.dashboard_link, lacking)
        yield client
