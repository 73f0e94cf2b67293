"""Counts of import cycles, private accesses and other traits of the code; ``test_rooms`` limits them.

``python -m tests.house`` prints one count a line.

A room is a folder of modules; in a folder with subfolders other than ``kernels`` each module is a room.
An arrow up is an import between two rooms of one import cycle.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("mlcp", "contact", "bodies", "identify", "rig", "mobility", "wheelground")
# Imports of Numba's internals: llvmlite, and four subpackages of numba.
INSIDE = re.compile(r"^\s*(?:from|import) (?:llvmlite|numba\.(?:core|np|cpython|misc))", re.M)
TUPLES = {"_replace", "_asdict", "_fields", "_make"}  # public members of named tuples
# Regular expression of each way to declare a struct.
STRUCTS = {
    "records and bundles": r"^class \w+\((?:Record|Bundle)\)",
    "named tuples of kernels": r"^class \w+\(NamedTuple\)",
    "numbered columns": r"^(?:[A-Z_]+, ){4,}[A-Z_]+ = |^from .* import (?:\w+, )*layout\b",
}


@cache
def modules() -> dict[str, Path]:
    """Path of each module by its dotted name."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(text(path))


@cache
def imported(name: str) -> tuple[str, ...]:
    """Dotted names of our modules that a module imports, also within functions."""
    return tuple(_imported(name))


def _imported(name: str) -> Iterator[str]:
    known, path = modules(), modules()[name]
    home = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            above = home[: len(home) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                one = f"{base}.{alias.name}"
                if one in known or base in known:
                    yield one if one in known else base


@cache
def graph(package: str) -> dict[str, set[str]]:
    """Modules of a package imported by each of its modules."""
    own = [name for name in modules() if name.split(".")[0] == package]
    return {name: {one for one in imported(name) if one in own} - {name} for name in own}


@cache
def rooms(package: str) -> dict[str, set[str]]:
    """Rooms of a package imported by each room, without ``__init__`` modules."""
    found: dict[str, set[str]] = {}
    for name, others in graph(package).items():
        if not _opens(name):
            room = _room(name)
            found.setdefault(room, set()).update(_room(one) for one in others if one != package)
            found[room].discard(room)
    return found


def _opens(name: str) -> bool:
    return modules()[name].name == "__init__.py"


def _room(name: str) -> str:
    folder = modules()[name].parent
    within = [one for one in folder.iterdir() if (one / "__init__.py").exists()]
    has_rooms = any(one.name != "kernels" for one in within)
    return name if has_rooms or _opens(name) else name.rpartition(".")[0]


def circles(arrows: dict[str, set[str]]) -> list[list[str]]:
    """Import cycles: groups of modules in which each imports each other one, directly or indirectly."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            fresh = arrows.get(waiting.pop(), set()) - seen
            seen |= fresh
            waiting += fresh
        return seen

    after = {name: reached(name) for name in arrows}
    groups = {
        frozenset({one for one in after[name] if name in after.get(one, ())})
        for name in arrows
        if name in after[name]
    }
    return [sorted(group) for group in groups]


def arrows_up(package: str) -> list[str]:
    """Imports between rooms that import each other, directly or indirectly."""
    arrows = rooms(package)
    return sorted(
        f"{one} -> {other}"
        for group in circles(arrows)
        for one in group
        for other in arrows[one] & set(group)
    )


def files_of_folders() -> Counter[str]:
    """Number of modules in each folder, without ``__init__``."""
    paths = [path for path in modules().values() if path.name != "__init__.py"]
    return Counter(str(path.parent.relative_to(ROOT)) for path in paths)


def on_numbas_inside() -> dict[str, int]:
    """Number of lines of each module that imports llvmlite or Numba's internals."""
    return {
        str(path.relative_to(ROOT)): len(text(path).splitlines())
        for path in modules().values()
        if INSIDE.search(text(path))
    }


def private_members() -> Counter[str]:
    """Uses of private members of other modules' objects, by ``file: name``."""
    defined = {name: _defined(path) for name, path in modules().items()}
    ours = set().union(*defined.values())
    found: Counter[str] = Counter()
    for name, path in modules().items():
        for node in ast.walk(tree(path)):
            if not isinstance(node, ast.Attribute) or not node.attr.startswith("_"):
                continue
            own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls", "super")
            foreign = node.attr in ours - defined[name] - TUPLES and not node.attr.endswith("__")
            if foreign and not own:
                found[f"{path.relative_to(ROOT)}: {node.attr}"] += 1
    return found


def _defined(path: Path) -> set[str]:
    """Names of functions, classes, variables, attributes and slots that a module defines."""
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Constant) and str(node.value).startswith("_"):
            found.add(str(node.value))  # an entry of __slots__
    return found


def tuning_constants() -> dict[str, list[str]]:
    """Names of module-level constants of floats or tuples of them in mlcp, contact, bodies, by file."""
    found: dict[str, list[str]] = {}
    for name, path in modules().items():
        if name.split(".")[0] not in ("mlcp", "contact", "bodies"):
            continue
        names = [
            target.id
            for node in tree(path).body
            if isinstance(node, ast.Assign)
            for target, value in _pairs(node)
            if isinstance(target, ast.Name) and target.id.isupper() and _is_of_floats(value)
        ]
        if names:
            found[str(path.relative_to(ROOT))] = names
    return found


def _pairs(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts, strict=True)
        else:
            yield target, node.value


def _is_of_floats(value: ast.expr) -> bool:
    if isinstance(value, ast.Tuple):
        return bool(value.elts) and all(map(_is_of_floats, value.elts))
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    return isinstance(value, ast.Constant) and isinstance(value.value, float)


def structs() -> dict[str, int]:
    """Number of uses of each way to declare a struct in the folders ``kernels``."""
    texts = [text(path) for path in modules().values() if "kernels" in path.parts]
    return {
        way: sum(len(re.findall(pattern, one, re.M)) for one in texts)
        for way, pattern in STRUCTS.items()
    }


def same_names() -> dict[str, int]:
    """File names that occur in several folders, with their count."""
    names = Counter(path.name for path in modules().values() if not path.name.startswith("__"))
    return {name: count for name, count in names.items() if count > 1}


@cache
def counts() -> dict[str, int]:
    """All counts of this module by name."""
    inside = on_numbas_inside()
    return {
        "files of the largest folder": max(files_of_folders().values()),
        "circles of modules": sum(len(circles(graph(package))) for package in PACKAGES),
        "arrows up": sum(len(arrows_up(package)) for package in PACKAGES),
        "lines on Numba's inside": sum(inside.values()),
        "folders of these lines": len({"/".join(name.split("/")[:2]) for name in inside}),
        "private members of other modules": private_members().total(),
        "tuning constants": sum(map(len, tuning_constants().values())),
        "ways to declare a struct": sum(number > 0 for number in structs().values()),
        "file names in several folders": len(same_names()),
    }


if __name__ == "__main__":
    for what, number in (counts() | structs()).items():
        print(f"{what}: {number}")
