"""Compiled code on disk: a torn file costs a compilation and one sentence, a full folder a sentence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SOLVE = "from mlcp.kernels.deadline import is_late; from tests.mlcp.test_jit import add_by_number as f\n"
SOLVE += "import numpy as np; a = np.zeros(3); print(f(a, np.array([1]), 0), a.tolist())"


def python(cache, code=SOLVE):
    environment = dict(os.environ, NUMBA_CACHE_DIR=str(cache))
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )


@pytest.mark.parametrize(("ending", "length"), [("nbc", 100), ("nbc", 0), ("nbi", 20), ("nbi", 0)])
def test_a_torn_file_is_made_anew(tmp_path, ending, length):
    first = python(tmp_path)
    files = list(tmp_path.rglob(f"*.{ending}"))
    assert files
    for file in files:
        os.truncate(file, length)
    torn, after = python(tmp_path), python(tmp_path)
    assert torn.stdout == after.stdout == first.stdout
    assert torn.stderr.count("so it is compiled anew") == 1
    assert str(tmp_path) in torn.stderr
    assert after.stderr == first.stderr == ""


def test_a_folder_without_room_is_told_once(tmp_path):
    full = "import numba.core.caching as c\n"
    full += "def fail(self, key, data): raise OSError(28, 'No space left on device')\n"
    full += "c.IndexDataCacheFile.save = fail\n" + SOLVE
    found = python(tmp_path, full)
    assert found.stdout == python(tmp_path / "other").stdout
    assert found.stderr.count("cannot be kept (") == 1
    assert "No space left on device" in found.stderr


def test_code_of_other_sources_does_not_run(tmp_path):
    python(tmp_path)
    files = set(tmp_path.rglob("*.nbc"))
    python(tmp_path)
    assert set(tmp_path.rglob("*.nbc")) == files
    python(tmp_path, "import mlcp.jit; mlcp.jit.source_hash = lambda *packages: 'edited'\n" + SOLVE)
    assert len(set(tmp_path.rglob("*.nbc"))) == 2 * len(files)
