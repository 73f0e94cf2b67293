"""One landscape mapped by several numbers of workers: time, memory, bytes."""

from __future__ import annotations

import hashlib
import resource
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from mobility import LAYERS, Errors, Inputs, lumped, make_landscape, make_map, surface
from mobility import store as kept
from mobility.engine import run_on_dask
from mobility.odds import odds
from mobility.tiles import Job

from .row import Row

GIB = 1 << 30


def _memory(pid: int) -> int:
    """Resident memory of a process [byte]; 0 where it cannot be read."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            for line in file:
                if line.startswith("VmHWM"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def measure(out: Path, cells: int, workers: Sequence[int]) -> list[Row]:
    """Rows of the table."""
    from distributed import Client, LocalCluster

    begun = time.perf_counter()
    place = {p.stem: p for p in (out / f"place_{cells}").glob("[a-z]*.tif")}  # of a run before
    place = place or make_landscape(out / f"place_{cells}", cells=cells)
    rows = [Row(f"landscape of {cells} x {cells}", time.perf_counter() - begun, "s", timing=True)]
    inputs = Inputs(place["soil"], place["dem"], land=place["land"], limits={2: 4.0, 3: 0.0})
    table, errors = surface(lumped("hmmwv_4x4")), Errors()
    size = 512 if cells >= 4096 else 256
    job = Job(table.table, odds(table, errors.strength, errors.slope), inputs, size)
    bytes_, took = set(), {}
    for count in workers:
        folder = out / f"tiles_{cells}_{count}"
        shutil.rmtree(folder, ignore_errors=True)
        kept.lay(folder, job, "benchmark")
        todo = kept.left(folder, job)
        with (
            LocalCluster(
                count, threads_per_worker=1, dashboard_address=None, silence_logs=50
            ) as cluster,
            Client(cluster) as client,
        ):
            run_on_dask(folder, todo[:count], client, lambda done: None)  # every worker has begun
            pids = list(client.run(_pid).values())
            begun = time.perf_counter()
            run_on_dask(folder, todo[count:], client, lambda done: None)
            took[count] = (time.perf_counter() - begun) / max(len(todo) - count, 1)
            most = max(map(_memory, pids))
        rate = size * size / took[count] / 1e6
        rows.append(Row(f"tiles, {count} workers", rate, "M cells/s", timing=True))
        rows.append(Row(f"memory of a worker of {count}", most / GIB, "GiB", 1.0))
        marks = sorted((folder / kept.DONE).iterdir())
        bytes_.add(hashlib.sha256(b"".join(mark.read_bytes() for mark in marks)).hexdigest())
    rows.append(Row("different maps by different workers", len(bytes_) - 1.0, "", 0.0))
    if 1 in took and 2 in took:
        rows.append(Row("1 to 2 workers", took[1] / took[2], "times", 1.8, True, True))
    folder = out / f"map_{cells}"
    shutil.rmtree(folder, ignore_errors=True)
    begun = time.perf_counter()
    make_map(surface(lumped("hmmwv_4x4")), inputs, folder, workers=max(workers))
    limit = 60.0 if cells == 1000 else None
    rows.append(Row("from rasters to the page", time.perf_counter() - begun, "s", limit, timing=True))
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    rows.append(Row("memory of scheduler and client", used / GIB, "GiB", 0.5))
    size_of = (folder / "map.html").stat().st_size
    rows.append(Row("the page", size_of / 1e6, "MB", 5.0))
    again = make_map(table, inputs, folder, threads=1, page=False)
    rows.append(Row("tiles computed again", float(again.computed), "", 0.0))
    assert set(LAYERS) <= {path.stem for path in folder.glob("*.tif")}
    return rows


def _pid() -> int:
    import os

    return os.getpid()
