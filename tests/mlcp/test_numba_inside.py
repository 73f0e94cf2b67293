"""The compiler uses those internals of llvmlite and Numba that the documentation's table lists.

``docs/how_it_compiles.md`` lists them; a Numba with a changed internal fails here with a message.
"""

import ast
import importlib
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mlcp
from mlcp.compiled.backend import COMPILERS, TESTED

ROOT = Path(mlcp.__file__).parents[1]
PAGE = (ROOT / "docs" / "how_it_compiles.md").read_text(encoding="utf-8")
INSIDE = ("llvmlite", "numba.core", "numba.np")
MINORS = range(TESTED[0][1], TESTED[1][1] + 1)
TRIED = ("test_compiler", "test_records", "test_bundles", "test_lanes", "test_lazy", "test_borrowed")


def listed():
    """Names of each module in the page's table, and the parts that use them."""
    rows = re.findall(r"^\| `((?:llvmlite|numba)[\w.]*)` \| (.*?) \| (.*?) \|$", PAGE, re.M)
    return {module: (set(re.findall(r"`(\w+)`", names)), what) for module, names, what in rows}


def used():
    """Names of each module that files of ``mlcp/compiled`` import or read."""
    found = {}
    for path in (ROOT / "mlcp" / "compiled").rglob("*.py"):
        tree, modules = ast.parse(path.read_text(encoding="utf-8")), {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(INSIDE):
                for alias in node.names:
                    full = f"{node.module}.{alias.name}"
                    if _is_module(full):
                        modules[alias.asname or alias.name] = full
                    else:
                        found.setdefault(node.module, set()).add(alias.name)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                if node.value.id in modules:
                    found.setdefault(modules[node.value.id], set()).add(node.attr)
    return found


def _is_module(name):
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def test_the_page_lists_what_is_used():
    assert {module: names for module, (names, _) in listed().items()} == used()


@pytest.mark.parametrize("module", listed())
def test_this_numba_has_it(module):
    import llvmlite
    import numba

    names, what = listed()[module]
    has = importlib.import_module(module)
    missing = sorted(name for name in names if not hasattr(has, name))
    assert not missing, (
        f"Numba {numba.__version__} with llvmlite {llvmlite.__version__} has no {module}."
        f"{', '.join(missing)}: {what} rest on it, see docs/how_it_compiles.md"
    )


@pytest.mark.slow
@pytest.mark.parametrize("minor", MINORS)
def test_it_works_with_every_version_since_0_61(minor, tmp_path):
    """Tests of both compilers pass in a new environment with this version of Numba."""
    home = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    wanted = [f"numba==0.{minor}.*", "scipy", "pytest", "hypothesis"]
    made = subprocess.run(
        [python, "-m", "pip", "install", "-q", *wanted], capture_output=True, text=True, check=False
    )
    if made.returncode:
        pytest.skip(f"Numba 0.{minor} cannot be installed here: {made.stderr.strip().splitlines()[-1]}")
    for way in COMPILERS:
        ran = subprocess.run(
            [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=",
             *(ROOT / "tests" / "mlcp" / f"{name}.py" for name in TRIED)],
            cwd=ROOT, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT), "WHEELGROUND_COMPILER": way,
                 "NUMBA_CACHE_DIR": str(tmp_path / way)},
        )  # fmt: skip
        assert ran.returncode == 0, f"Numba 0.{minor}, {way}: {ran.stdout[-2000:]}"
