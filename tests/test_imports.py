"""Imports of the packages load little, and packages import each other in one direction."""

import ast
from pathlib import Path

import pytest

from mlcp.jit import is_kernel_source
from tests.commands import printed

ROOT = Path(__file__).parent.parent
# Modules that an import must not load. Numba loads the empty package scipy to look at its version.
HEAVY = ("scipy.sparse", "scipy.linalg", "scipy.optimize", "osqp", "cvxpy", "matplotlib", "rich")
FORBIDDEN = {
    "mlcp": ("contact", "bodies", "identify", "rig", "mobility", "benchmarks", "wheelground"),
    "contact": ("bodies", "identify", "rig", "mobility", "benchmarks", "wheelground"),
    "identify": ("rig", "mobility", "benchmarks", "wheelground"),
    "bodies": ("identify", "rig", "mobility", "benchmarks", "wheelground"),
    "rig": ("mobility", "benchmarks", "wheelground"),
    "mobility": ("identify", "rig", "benchmarks", "wheelground"),
    "wheelground": ("benchmarks",),
    "benchmarks": (),
}


def words_of(code):
    """Words of the last line that a Python program prints in a new process."""
    return printed("-c", code).splitlines()[-1].split()


def test_importing_the_packages_loads_numpy_and_numba_only():
    loaded = words_of(
        "import mlcp, contact, bodies, rig, mobility, wheelground, sys; print(*sys.modules)"
    )
    assert [name for name in HEAVY if name in loaded] == []


def test_importing_the_packages_reads_no_source_of_a_kernel():
    code = (
        "import bodies, mobility, contact.hosts, mlcp.jit as j; print(j.source_hash.cache_info().misses)"
    )
    assert words_of(code) == ["0"]


def test_the_help_of_the_command_loads_nothing_that_computes():
    code = "import atexit, sys; atexit.register(lambda: print(*sys.modules))\n"
    code += "from wheelground.command import main; main(['--help'])"
    loaded = {name.partition(".")[0] for name in words_of(code)}
    assert {"cyclopts", "wheelground"} <= loaded
    assert loaded & {*FORBIDDEN, "numpy", "numba", "scipy", "matplotlib"} == {"wheelground"}


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


@pytest.mark.parametrize("package", sorted(FORBIDDEN))
def test_kernels_import_nothing_whose_edit_would_not_recompile_them(package):
    """The cache key covers kernel sources only, so a kernel may use nothing from elsewhere."""
    root = ROOT / package
    for path in root.rglob("*.py"):
        if not is_kernel_source(path.relative_to(root)):
            continue
        home = [package, *path.relative_to(root).with_suffix("").parts]
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.ImportFrom):
                continue
            module = (node.module or "").split(".")
            origin = (home[: -node.level] + module) if node.level else module
            if origin[0] in FORBIDDEN and origin[:2] != ["mlcp", "jit"]:
                hashed = {"kernels", "compiled"} & set(origin)
                assert hashed, f"{path}: {ast.unparse(node)}"
