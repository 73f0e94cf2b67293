"""Errors of installation and first commands: one sentence that names the user's next step."""

import os
import sys
from pathlib import Path

import pytest

from tests.commands import python, typed

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("package", ["mlcp", "contact", "bodies", "rig", "mobility", "benchmarks"])
def test_an_old_python_is_told_which_one_is_needed(package):
    run = python("-c", f"import sys; sys.version_info = (3, 9, 18, 'final', 0); import {package}")
    assert run.returncode != 0
    assert "wheelground needs Python 3.11 or later" in run.stderr


def test_a_checkout_without_installation_is_told_to_install():
    hide = (
        "import importlib.util as u; old = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'numba' else old(name, *a)\n"
        "import benchmarks"
    )
    run = python("-c", hide)
    assert run.returncode == 2
    assert "numba is not installed" in run.stderr
    assert "pip install" in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("package", ["bodies", "identify"])
def test_a_library_that_is_run_names_the_commands(package):
    assert "python -m wheelground" in typed(package).returncode


@pytest.mark.parametrize(
    ("foreign", "imported"),
    [("contact", "bodies"), ("mlcp", "contact"), ("mlcp", "bodies"), ("bodies", "rig")],
)
@pytest.mark.parametrize("as_package", [True, False])
def test_a_foreign_package_of_the_same_name_is_named(tmp_path, foreign, imported, as_package):
    if as_package:
        (tmp_path / foreign).mkdir()
        (tmp_path / foreign / "__init__.py").write_text("")
    else:
        (tmp_path / f"{foreign}.py").write_text("")
    run = python("-c", f"import {imported}", cwd=tmp_path)
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: wheelground needs its own package")
    assert repr(foreign) in last


def test_the_benchmarks_say_which_package_hides_ours(tmp_path):
    (tmp_path / "bodies.py").write_text("")
    run = python("-c", "import benchmarks", cwd=tmp_path)
    assert run.returncode == 2
    assert "'bodies' that Python finds first is not wheelground's" in run.stderr
    assert str(tmp_path / "bodies.py") in run.stderr


def test_a_missing_extra_is_a_sentence():
    code = (
        "import sys; sys.modules['xarray'] = None\n"
        "from bodies import Trajectory as T\n"
        "T.to_xarray(T.__new__(T))"
    )
    last = python("-c", code).stderr.strip().splitlines()[-1]
    assert "xarray" in last
    assert "install" in last


@pytest.mark.parametrize("name", ["osqp", "cvxpy"])
def test_a_solver_whose_package_is_missing_says_what_to_install(name, monkeypatch):
    import mlcp

    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModuleNotFoundError, match=f"needs the package {name}.*pip install {name}"):
        mlcp.solve(mlcp.MLCP([[2.0]], [-1.0]), name)


def test_without_a_display_pictures_are_drawn_or_refused_by_a_sentence():
    """Without a display matplotlib draws to a file or raises an error, depending on its release."""
    nothing = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "MPLBACKEND": "TkAgg"}
    run = python("-c", "from bodies.figures import subplots; subplots()", **nothing)
    assert run.returncode == 0 or "MPLBACKEND=Agg" in run.stderr.strip().splitlines()[-1]


def test_a_backend_that_wants_a_window_is_answered_with_the_way_out(monkeypatch):
    import matplotlib.pyplot as plt

    from bodies.figures import subplots

    def refuse(*counts, **settings):
        raise ImportError("Cannot load backend 'TkAgg' as 'headless' is currently running")

    monkeypatch.setattr(plt, "subplots", refuse)
    with pytest.raises(ImportError, match=r"headless.*MPLBACKEND=Agg.*savefig"):
        subplots()


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    run = typed("wheelground", "compare", "laws", "--out", tmp_path / "out")
    assert run.returncode == 2
    assert "permission denied" in run.stderr


def test_without_a_folder_for_compiled_code_it_compiles_anew_and_says_so(monkeypatch):
    from numba.core import caching

    from mlcp.jit import entry_point

    def add_one(x):
        return x + 1

    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])
    with pytest.warns(UserWarning, match="NUMBA_CACHE_DIR"):
        compiled = entry_point("mlcp")(add_one)
    assert compiled(1) == 2
