"""What importing costs, and which way the packages depend on each other."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# Numba itself loads the bare scipy package to look at its version.
HEAVY = ("scipy.sparse", "scipy.linalg", "scipy.optimize", "osqp", "cvxpy", "matplotlib", "rich")
FORBIDDEN = {
    "mlcp": ("contact", "bodies", "benchmarks"),
    "contact": ("bodies", "benchmarks"),
    "bodies": ("benchmarks",),
}


def test_importing_the_packages_loads_numpy_and_numba_only():
    code = "import mlcp, contact, bodies, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert [name for name in HEAVY if name in loaded] == []


@pytest.mark.parametrize("package", sorted(FORBIDDEN))
def test_packages_import_one_way(package):
    for path in (ROOT / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            for name in names:
                assert name.split(".")[0] not in FORBIDDEN[package], f"{path}: imports {name}"
