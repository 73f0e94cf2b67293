"""Files that cannot be written: the message names them, old files stay complete, no part remains."""

import ast
import contextlib
import os
import pathlib
import re

import numpy as np
import pytest

import bodies as B
import mlcp
import rig
from mlcp.writing import written
from tests.commands import printed

from .bodies.test_batch import quarter

resource = pytest.importorskip("resource", reason="needs limits on the size of files")


@contextlib.contextmanager
def full(room):
    """Limit the size of written files to ``room`` bytes: writing more fails, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture(scope="module")
def run():
    return B.simulate(B.compile(quarter()), 0.05, 1e-3)


@pytest.fixture
def writers(run):
    problem = mlcp.MLCP(np.eye(40), -np.ones(40))
    journey = rig.Run(np.arange(50.0), np.zeros((50, 2)), {"a": slice(0, 2)})
    return {
        "save.npz": run.save,
        "table.csv": run.to_csv,
        "state.npz": run.final.save,
        "mechanism.toml": lambda path: B.write_mechanism(run.model.mechanism, path),
        "problem.npz": lambda path: mlcp.dump(problem, path),
        "rig.csv": journey.to_csv,
    }


def test_a_full_disk_names_the_file_and_leaves_the_one_before(writers, tmp_path):
    for name, write in writers.items():
        path = tmp_path / name
        for before in (None, b"what was there"):
            if before is not None:
                path.write_bytes(before)
            with full(100), pytest.raises(OSError, match=f"{name} cannot be written: ") as told:
                write(path)
            assert "\n" not in str(told.value)
            assert (path.read_bytes() if path.exists() else None) == before
            assert [p.name for p in tmp_path.iterdir()] == [name] * path.exists()
        write(path)
        assert path.stat().st_size > 100
        path.unlink()


def test_paths_that_cannot_be_written_are_named_with_the_reason(writers, tmp_path):
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "folder.npz").mkdir()
    for write in writers.values():
        for path, why, kind in (
            (tmp_path / "none" / "a.npz", "No such file or directory", FileNotFoundError),
            (tmp_path / "file" / "a.npz", "Not a directory", NotADirectoryError),
            (tmp_path / "folder.npz", "Is a directory", IsADirectoryError),
            (tmp_path / f"{'a' * 300}.npz", "File name too long", OSError),
        ):
            with pytest.raises(kind, match=f"{path.name} cannot be written: {why}"):
                write(path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "folder.npz"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_devices_and_pipes_are_written_at_once(writers, tmp_path):
    for name, write in writers.items():
        if name != "problem.npz":  # NumPy appends .npz to the name of a device
            with pytest.raises(OSError, match="/dev/full cannot be written: No space left"):
                write("/dev/full")
    code = "import sys, mlcp.writing as w; w.write_text('/dev/stdout', 'through a pipe')"
    assert printed("-c", code) == "through a pipe"


def test_links_are_followed_and_who_may_read_a_file_stays(tmp_path):
    path, link = tmp_path / "real.csv", tmp_path / "link.csv"
    path.write_text("before")
    path.chmod(0o600)
    link.symlink_to(path)
    with written(link) as place:
        place.write_text("after")
        assert path.read_text() == "before"
    assert link.is_symlink()
    assert path.read_text() == "after"
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("out", ["/proc/q", "file/map", "file"])
def test_a_landscape_that_cannot_be_written_is_a_sentence(out, tmp_path, monkeypatch, capsys):
    pytest.importorskip("rasterio", reason="needs rasterio")
    from mobility.landscape import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("no folder")
    assert main(["--cells", "16", "--out", out]) == 2
    assert capsys.readouterr().err.startswith(f"error: {out} ")
    assert not os.path.exists("/proc/q")


def test_a_landscape_on_a_full_disk_leaves_no_file(tmp_path):
    pytest.importorskip("rasterio", reason="needs rasterio")
    from mobility.landscape import make_landscape

    for cells, room in ((200, 20_000), (16, 500)):  # GDAL writes the second file only as it closes it
        with full(room), pytest.raises(OSError, match=r"\.tif cannot be written: ") as told:
            make_landscape(tmp_path / "land", cells=cells)
        assert str(told.value).count("cannot be written") == 1
        assert not list((tmp_path / "land").iterdir())


@pytest.mark.parametrize("room", [500, 5000, 300_000, 350_000])
def test_a_layer_of_a_map_is_whole_or_not_there(room, tmp_path):
    """On a full disk no file remains, also if GDAL fails at the overviews or closes without an error.

    ``is_whole`` recognises a complete file and refuses its first ``room`` bytes.
    """
    pytest.importorskip("rasterio", reason="needs rasterio")
    from mobility import LAYERS
    from mobility.mapping.geotiff import write_layer
    from mobility.mapping.rasters import Grid
    from mobility.mapping.tiff import is_whole

    values = np.random.default_rng(1).random((300, 300), np.float32)
    grid = Grid((300, 300), (10.0, 0.0, 0.0, 0.0, -10.0, 0.0), "EPSG:32633", (10.0, 10.0))
    path = tmp_path / "speed.tif"
    with full(room), pytest.raises(OSError, match=r"speed\.tif cannot be written: "):
        write_layer(path, values, grid, LAYERS["speed"])
    assert not list(tmp_path.iterdir())
    write_layer(path, values, grid, LAYERS["speed"])
    assert is_whole(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:room])
    assert not is_whole(path)


def test_an_error_of_ones_own_goes_through_and_leaves_nothing(tmp_path):
    def write():
        with written(tmp_path / "a.csv") as place:
            place.write_text("half")
            raise KeyError("own")

    with pytest.raises(KeyError, match="own"):
        write()
    assert not list(tmp_path.iterdir())


PRIVATE = re.compile(
    r"(^|_)(lay|laid|judged?|hearsay|push|hold|held|settle|settling|ask|told|tell|hear|beside|lent|seldom|ahead"
    r"|missing|way|hurry|lighten|loosen|foresee|press|hangs|felt|crew|apart|late|jump)(_|s?$)"
)
ROOT = pathlib.Path(__file__).parent.parent
# Allowed number of names with a word of ``PRIVATE`` (words that are not terms of the field), by package.
# A change may lower these numbers, but not raise them; ``Schedule(hold=)`` is a zero-order hold.
LEFT = {
    "mlcp": 0,
    "contact": 0,
    "bodies": 1,
    "rig": 0,
    "mobility": 0,
    "wheelground": 0,
    "benchmarks": 0,
    "examples": 0,
}
CLAUSES = 50  # largest number of the word "what" in docstrings and comments of the packages


def trees():
    for package in LEFT:
        for path in sorted((ROOT / package).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            yield package, text, ast.parse(text)


def names(tree):
    """Names that a module defines: functions, classes, arguments, variables, attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def test_names_are_the_fields_words():
    found = {package: set() for package in LEFT}
    for package, _, tree in trees():
        found[package] |= {
            name for name in names(tree) if not name.startswith("__") and PRIVATE.search(name.lower())
        }
    assert {p: len(f) for p, f in found.items()} == LEFT, found


def test_few_clauses_stand_where_nouns_exist():
    count = 0
    for package, text, tree in trees():
        if package in ("benchmarks", "examples"):
            continue
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
        docs = [ast.get_docstring(n) or "" for n in ast.walk(tree) if isinstance(n, kinds)]
        comments = [line.split("#", 1)[1] for line in text.splitlines() if "#" in line]
        count += sum(len(re.findall(r"\b[Ww]hat\b", words)) for words in docs + comments)
    assert count <= CLAUSES
