"""Map tiles computed on Dask: the same bytes as in threads, for any number of workers, after kills."""

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from mobility import Inputs, make_map
from tests.commands import printed, python

from .places import layer_bytes, write

distributed = pytest.importorskip(
    "distributed", reason="clusters need Dask: pip install 'wheelground[mobility]'"
)


def rasters(folder, n):
    y, x = np.mgrid[:n, :n].astype(float)
    soil = 250.0 + 200.0 * np.sin(x / 31.0) * np.cos(y / 47.0)
    dem = 80.0 * np.sin(x / 23.0) * np.cos(y / 37.0)
    return write(folder / "ci.tif", soil), write(folder / "dem.tif", dem)


def test_a_client_of_ones_own_gives_the_bytes_of_threads(table, tmp_path):
    inputs = Inputs(*rasters(tmp_path, 64))
    make_map(table, inputs, tmp_path / "threads", size=32, threads=1, page=False)
    with distributed.Client(
        processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None
    ) as client:
        made = make_map(table, inputs, tmp_path / "dask", size=32, client=client, page=False)
    assert (made.tiles, made.computed) == (4, 4)
    assert layer_bytes(made.folder) == layer_bytes(tmp_path / "threads")


def test_a_small_map_starts_no_processes_unless_it_is_told_to(table, tmp_path, monkeypatch):
    from mobility.mapping import maps

    class Started(Exception):
        """Raised in place of a start of processes."""

    def cluster(workers):
        raise Started

    monkeypatch.setattr(maps, "local_cluster", cluster)
    inputs = Inputs(*rasters(tmp_path, 32))
    assert make_map(table, inputs, tmp_path / "small", page=False).computed == 1
    for how, given in (("told", {"workers": 1}), ("large", {})):
        monkeypatch.setattr(maps, "SMALL", 32 * 32)
        with pytest.raises(Started):
            make_map(table, inputs, tmp_path / how, page=False, **given)


@pytest.mark.slow
def test_a_script_without_a_guard_gets_one_sentence(tmp_path):
    """The started processes run the script again; each ends at ``local_cluster`` without a message."""
    script = tmp_path / "unguarded.py"
    script.write_text("from mobility.mapping.engine import local_cluster\nwith local_cluster(1): pass\n")
    done = python(script, timeout=120)
    assert done.returncode == 1
    assert 'needs if __name__ == "__main__":' in done.stderr.splitlines()[-1]
    assert done.stderr.count("Traceback") == 1


@pytest.mark.slow
def test_workers_tiles_and_kills_change_no_byte(table, tmp_path):
    """Layers made by 1, 2 or 4 processes, in tiles of 128, 256 or 512 cells, or by two processes with
    two kills, equal those of one thread to the byte."""
    inputs = Inputs(*rasters(tmp_path, 600))
    make_map(table, inputs, tmp_path / "threads", size=600, threads=1, page=False)
    whole = layer_bytes(tmp_path / "threads")
    for workers, size in ((1, 512), (2, 256), (4, 128)):
        out = tmp_path / f"{workers}"
        make_map(table, inputs, out, size=size, workers=workers, page=False)
        assert layer_bytes(out) == whole
    out = tmp_path / "killed"
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        killed = []

        def kill_two():
            for wanted in (3, 20):
                while len(list((out / "done").glob("[0-9]*"))) < wanted:
                    time.sleep(0.005)
                pid = sorted(client.run(os.getpid).values())[0]
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

        (out / "done").mkdir(parents=True)
        killer = threading.Thread(target=kill_two)
        killer.start()
        made = make_map(table, inputs, out, size=32, client=client, page=False)
        killer.join()
    assert len(set(killed)) == 2
    assert made.computed == made.tiles == 361
    assert layer_bytes(out) == whole


MEMORY = """
import sys
from pathlib import Path
from mobility import Inputs, lumped, make_map, surface
folder, size = Path(sys.argv[1]), int(sys.argv[2])
table = surface(lumped("hmmwv_4x4", open_axles=False), most=0)
make_map(table, Inputs(folder / "soil.tif", folder / "dem.tif"), folder / "map", size=size, threads=1)
status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
print(next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 2**10)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system shows no largest memory")
def test_memory_grows_with_the_maps_width_not_with_its_area(tmp_path):
    """With 16 times the cells the memory grows by at most a quarter of the size of layers and rasters
    (34 and 8 bytes a cell): strips of rows grow with the width. Measured: 126 of 672 MiB.
    """
    from mobility import make_landscape

    most = {}
    for cells in (1024, 4096):
        make_landscape(tmp_path / f"{cells}", cells=cells)
        most[cells] = float(printed("-c", MEMORY, tmp_path / f"{cells}", 256).split()[-1])  # [MiB]
    whole = 4096**2 * 42 / 2**20
    assert most[4096] - most[1024] < 0.25 * whole
    assert most[4096] < 1024.0
