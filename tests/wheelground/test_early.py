"""A first run starts to compile before the program's own imports."""

import subprocess
import sys

import pytest

from bodies.memory import compiled
from wheelground.reports import early

ANSWER = "import sys; [print(line.split()[0], flush=True) for line in sys.stdin]"


@pytest.mark.parametrize(
    ("files", "first"),
    [
        ([], True),
        (["kept/kernels_1/other.run-59.nbi"], True),
        (["kept/kernels_1/step.run-59.nbi"], False),
        (["packages/mlcp/compiled/shipped/step.code"], False),
    ],
)
def test_a_first_run_has_no_compiled_step_on_disk(tmp_path, monkeypatch, files, first):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.setattr(early, "_folder", lambda package: tmp_path / "packages" / package)
    for file in files:
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).touch()
    assert early._is_first_run() == first


def test_a_ready_helper_compiles_parts_and_no_other_process_starts(monkeypatch):
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    ready = subprocess.Popen([sys.executable, "-c", ANSWER], text=True, **pipes)
    monkeypatch.setattr(early, "_is_first_run", lambda: True)
    monkeypatch.setattr(early, "_helper", lambda: ready)
    early.compile_early()
    assert compiled.ready_helpers == [ready]
    monkeypatch.setattr(compiled, "helper_process", lambda: pytest.fail("a second process"))
    monkeypatch.setattr(compiled, "compile_part", lambda *order: ready.wait())  # until the pool ends it
    monkeypatch.setattr(compiled, "cores", lambda: 2)
    pool = compiled.CompilerPool(["a", "b"], 0, 0, False, False)
    for free in pool._free:
        free.wait()
    assert sorted(pool._done) == ["a", "b"]
    assert ready.wait() == 0
    assert not compiled.ready_helpers
