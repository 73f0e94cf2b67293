"""Computation of a map's tiles by threads of this process, or by the workers of a Dask cluster."""

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
TRIM_THRESHOLD = 1 << 26  # unused memory that a worker retains [bytes]
TILES_IN_FLIGHT = 2  # submitted tiles for each worker, which bounds the memory


def has_dask() -> bool:
    """Whether the package ``distributed`` is installed."""
    return importlib.util.find_spec("distributed") is not None


def run_in_threads(
    folder: Path, todo: Sequence[tuple[int, int]], threads: int, at: Callable[[int], None]
) -> None:
    """Compute the tiles ``todo`` on threads; ``at`` is called with the number of finished tiles."""
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
    """Compute the tiles ``todo`` on Dask workers; ``at`` is called with the number of finished tiles.

    The workers write the tiles themselves and return a name only. If a worker dies, another worker
    computes its tiles again.

    Raises:
        ValueError: a tile whose computation ended several workers, or an error of the tile.
    """
    from distributed import KilledWorker, as_completed

    queue = iter(todo)
    threads = sum(client.nthreads().values()) or 1

    def submit(tiles: Iterable[tuple[int, int]]) -> list[Any]:
        return [client.submit(make_tile, str(folder.resolve()), *t, pure=False) for t in tiles]

    flying = as_completed(submit(itertools.islice(queue, TILES_IN_FLIGHT * threads)))
    for done, future in enumerate(flying, 1):
        try:
            if future.status != "finished":  # result() raises the error of the tile
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
    """Client of a cluster of processes on this computer, one thread each; prints the dashboard's URL.

    Raises:
        RuntimeError: the processes end at once, for instance in a script without the guard
            ``if __name__ == "__main__"``.
    """
    import dask
    from distributed import Client, LocalCluster

    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise SystemExit(1)  # a worker runs a script without a guard: the parent raises the error
    quiet = {
        "distributed.scheduler.allowed-failures": 10,
        "distributed.worker.profile.enabled": False,  # sampling at 100 Hz costs time
        # frequent polling by monitors costs 6 % of a core in idle processes
        "distributed.admin.tick.interval": "500ms",
        "distributed.admin.system-monitor.interval": "10s",
        "distributed.worker.memory.monitor-interval": "1s",
        "distributed.scheduler.work-stealing": False,
        "distributed.scheduler.active-memory-manager.start": False,
        # reuse freed memory of a tile for the next one: page faults cost time
        "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": TRIM_THRESHOLD,
        "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": TRIM_THRESHOLD,
    }
    with dask.config.set(quiet), ExitStack() as stack:
        try:
            cluster = stack.enter_context(
                LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    processes=True,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",
                    worker_dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
            )
        except RuntimeError:
            raise RuntimeError(
                "the worker processes did not start: a script that makes a map by processes needs "
                'if __name__ == "__main__": around what it does; threads=... needs none'
            ) from None
        client = stack.enter_context(Client(cluster))
        lacking = "" if importlib.util.find_spec("bokeh") else " (its plots need: pip install bokeh)"
        log.info("dashboard: %s%s", client.dashboard_link, lacking)
        yield client
