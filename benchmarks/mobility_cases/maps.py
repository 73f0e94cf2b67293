"""One landscape mapped by several numbers of workers: time and memory."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mobility import Errors, Inputs, lumped, make_landscape, surface
from mobility.mapping import store as kept
from mobility.mapping.engine import local_cluster, run_on_dask
from mobility.mapping.tiles import Job
from mobility.performance.odds import odds

from . import memory
from .row import Measurement

GIB = 1 << 30
SIZE, TILES = 512, 96  # side of a tile [cells]; least number of tiles in a measurement

PLACES = "soil", "dem", "land"


def inputs_of(soil: Path, dem: Path, land: Path) -> Inputs:
    """The landscape's rasters, with speed limits of two land uses."""
    return Inputs(soil, dem, land=land, limits={2: 4.0, 3: 0.0})


def measure(out: Path, cells: int, workers: Sequence[int]) -> list[Measurement]:
    """Rows of the table of maps: time, scaling and memory."""
    begun = time.perf_counter()
    # files of an earlier run of the benchmark
    place = {p.stem: p for p in (out / f"place_{cells}").glob("[a-z]*.tif")}
    place = place or make_landscape(out / f"place_{cells}", cells=cells)
    rows = [
        Measurement(f"landscape of {cells} x {cells}", time.perf_counter() - begun, "s", timing=True)
    ]
    inputs = inputs_of(*(place[k] for k in PLACES))
    table, errors = surface(lumped("hmmwv_4x4")), Errors()
    job = Job(table.table, odds(table, errors.strength, errors.slope), inputs, SIZE)
    took, busy = {}, {}
    for count in workers:
        folder = out / f"tiles_{cells}_{count}"
        shutil.rmtree(folder, ignore_errors=True)
        kept.create(folder, job, "benchmark")
        todo = kept.left(folder, job)
        with local_cluster(count) as client:
            # imports and machine code, before the timing
            client.run(_begin, str(folder.resolve()), *todo[0])
            before: Any = client.run(_used)
            own = time.process_time()
            begun = time.perf_counter()
            work = todo * max(1, TILES // len(todo))  # a small map is computed repeatedly
            run_on_dask(folder, work, client, lambda done: None)
            took[count] = time.perf_counter() - begun
            after: Any = client.run(_used)
            own = time.process_time() - own
            assert len(after) == count
            most = max(memory for _, memory in after.values())
            busy[count] = sum(after[k][0] - before[k][0] for k in after)
        rate = sum(map(job.cells, work)) / took[count] / 1e6
        rows.append(Measurement(f"tiles, {count} workers", rate, "M cells/s", timing=True))
        rows.append(Measurement(f"memory of a worker of {count}", most / GIB, "GiB", 1.0))
        share = busy[count] / (count * took[count])
        rows.append(
            Measurement(f"share of its time a worker of {count} computes", share, "-", timing=True)
        )
        share = own / took[count]
        rows.append(
            Measurement(f"share of its time the scheduler of {count} does", share, "-", timing=True)
        )
    if 1 in took and 2 in took:
        rows.append(Measurement("1 to 2 workers", took[1] / took[2], "times", 1.8, True, True))
        rows.append(
            Measurement("processor time of 2 over that of 1", busy[2] / busy[1], "-", timing=True)
        )
    folder = out / f"map_{cells}"
    shutil.rmtree(folder, ignore_errors=True)
    begun = time.perf_counter()
    words = [
        sys.executable,
        "-m",
        "benchmarks.mobility_cases.command",
        folder,
        *(place[k] for k in PLACES),
    ]
    # measured in a separate process
    memory, own = map(float, subprocess.check_output(words, text=True).split())
    limit = 60.0 if cells == 1000 else None
    rows.append(
        Measurement("from rasters to the page", time.perf_counter() - begun, "s", limit, timing=True)
    )
    rows.append(Measurement("processor time of it but for workers", own, "s", timing=True))
    rows.append(Measurement("memory of scheduler and client", memory / GIB, "GiB", 0.5))
    size_of = (folder / "map.html").stat().st_size
    rows.append(Measurement("the page", size_of / 1e6, "MB", 5.0))
    return rows


def _begin(folder: str, row: int, column: int) -> None:
    """Compute a tile in a worker, before the measurement."""
    kept.make_tile(folder, row, column)


def _used() -> tuple[float, int]:
    """Processor time [s] and largest memory [byte] of a worker so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime, memory.most()
