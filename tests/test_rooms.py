"""The import graph inside each package: no circles, late and type-only imports included; small rooms."""

import ast
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("mlcp", "contact", "bodies", "rig", "mobility", "wheelground")
MOST = 22  # files of a folder
# Folders that still hold more; the number only falls.
CROWDED = {"contact/kernels": 58, "mlcp/kernels": 44, "bodies/kernels": 29, "mlcp": 23}
# Modules that still import each other; the list only shortens.
CIRCLES = {frozenset({"mlcp.problem", "mlcp.solvers.scaled"})}


def modules():
    """Path of each module by its dotted name."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(name, path, known):
    """The modules of its own package that a module imports, wherever in the file."""
    home = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            above = home[: len(home) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                one = f"{base}.{alias.name}"
                if one in known or base in known:
                    yield one if one in known else base


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_imports_itself_by_way_of_others(package):
    known = modules()
    graph = {
        name: {one for one in imported(name, path, known) if one.split(".")[0] == package} - {name}
        for name, path in known.items()
        if name.split(".")[0] == package
    }
    for circle in CIRCLES:
        for name in circle & graph.keys():
            graph[name] -= circle
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_a_folder_holds_no_more_than_some_twenty_files():
    count = Counter(str(path.parent.relative_to(ROOT)) for path in modules().values())
    assert {name: n for name, n in count.items() if n > max(MOST, CROWDED.get(name, 0))} == {}
