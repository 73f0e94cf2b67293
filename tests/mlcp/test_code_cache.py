"""Compiled code on disk: a damaged file causes a compilation and a message, a full disk a message."""

import os
import shutil

import pytest
from llvmlite import binding

from mlcp.compiled.shipped import LEVEL, NEEDED
from tests.commands import python

SOLVE = "from mlcp.kernels.deadline import deadline_passed\n"
SOLVE += "from tests.mlcp.test_jit import add_by_number as f\n"
SOLVE += "import numpy as np; a = np.zeros(3); print(f(a, np.array([1]), 0), a.tolist())"


def solving(cache, code=SOLVE, **settings):
    run = python("-c", code, NUMBA_CACHE_DIR=str(cache), **settings)
    assert run.returncode == 0, run.stderr
    return run


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder with compiled code, and the run that wrote it."""
    folder = tmp_path_factory.mktemp("kept")
    return folder, solving(folder)


@pytest.mark.parametrize(("ending", "length"), [("nbc", 100), ("nbi", 0)])
def test_a_torn_file_is_made_anew(kept, tmp_path, ending, length):
    folder, first = kept
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    files = list(tmp_path.rglob(f"*.{ending}"))
    assert files
    for file in files:
        os.truncate(file, length)
    torn, after = solving(tmp_path), solving(tmp_path)
    assert torn.stdout == after.stdout == first.stdout
    assert torn.stderr.count("so it is compiled anew") == 1
    assert str(tmp_path) in torn.stderr
    assert after.stderr == first.stderr == ""


def test_a_folder_without_room_is_told_once(kept, tmp_path):
    full = "import numba.core.caching as c\n"
    full += "def fail(self, key, data): raise OSError(28, 'No space left on device')\n"
    full += "c.IndexDataCacheFile.save = fail\n" + SOLVE
    found = solving(tmp_path, full)
    assert found.stdout == kept[1].stdout
    assert found.stderr.count("cannot be kept (") == 1
    assert "No space left on device" in found.stderr


def test_code_of_other_sources_does_not_run(kept, tmp_path):
    shutil.copytree(kept[0], tmp_path, dirs_exist_ok=True)
    files = set(tmp_path.rglob("*.nbc"))
    solving(tmp_path)
    assert set(tmp_path.rglob("*.nbc")) == files
    solving(tmp_path, "import mlcp.jit; mlcp.jit.source_hash = lambda *packages: 'edited'\n" + SOLVE)
    assert len(set(tmp_path.rglob("*.nbc"))) == 2 * len(files)


@pytest.mark.skipif(
    "NUMBA_CPU_NAME" in os.environ
    or not all(binding.get_host_cpu_features().get(name[1:], False) for name in NEEDED),
    reason="this processor, or the one that Numba compiles for, is below the level of shipped code",
)
def test_shipped_code_is_read_only_where_it_fits(tmp_path):
    folder = tmp_path / "code"
    folder.mkdir()
    level = {"NUMBA_CPU_NAME": LEVEL, "NUMBA_CPU_FEATURES": ""}
    first = solving(tmp_path / "first", WHEELGROUND_SHIPPED=str(folder), **level)
    assert first.stderr == ""
    assert list(folder.iterdir())

    def compiled(name, code=SOLVE, shipped=folder, **settings):
        found = solving(tmp_path / name, code, WHEELGROUND_SHIPPED=str(shipped), **settings)
        assert found.stdout == first.stdout
        return bool(list((tmp_path / name).rglob("*.nbc"))), found.stderr

    assert compiled("here") == (False, "")
    assert compiled("none", shipped="") == (True, "")
    assert compiled("below", **level | {"NUMBA_CPU_NAME": "x86-64-v2"}) == (True, "")
    other = "import mlcp.jit; mlcp.jit.source_hash = lambda *packages: 'edited'\n" + SOLVE
    assert compiled("edited", other) == (True, "")
    for path in folder.iterdir():
        os.truncate(path, 100)
    torn, told = compiled("torn")
    assert torn
    assert told.count("so it is compiled anew") == 1
