"""Which benchmarks there are: found by reading the folder, so that a new one joins by itself.

A benchmark is a module of this package that can be run; its docstring's first sentence describes it.
Nothing is imported to list them. A module may state shorter arguments for ``--quick`` as
``QUICK = ("--rounds", "3")``; one that has an option ``--quick`` needs none.
"""

from __future__ import annotations

import ast
import difflib
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Benchmark:
    """A program: its module's name, what it does, and its arguments for a quick run."""

    name: str
    summary: str
    quick: tuple[str, ...] = ()


def found(folder: Path = FOLDER) -> list[Benchmark]:
    """Every benchmark, by name."""
    modules = [path for path in sorted(folder.glob("*.py")) if not path.name.startswith("_")]
    return [read(path) for path in modules if 'if __name__ == "__main__":' in path.read_text()]


def read(path: Path) -> Benchmark:
    """What a module says of itself."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    text = " ".join((ast.get_docstring(tree) or "").split("\n\n")[0].split())
    text = re.split(r":?\s+(?:Run (?:it )?with )?\s*``?python -m|:?\s+python -m ", text)[0]
    sentence = re.split(r"(?<=[.!?])\s", text)[0].rstrip(".: ").replace("``", "")
    quick: tuple[str, ...] = ()
    for node in tree.body:
        names = [n.id for n in getattr(node, "targets", ()) if isinstance(n, ast.Name)]
        if isinstance(node, ast.Assign) and names == ["QUICK"]:
            quick = tuple(ast.literal_eval(node.value))
    return Benchmark(path.stem, sentence + "." if sentence else "", quick)


def named(name: str, folder: Path = FOLDER) -> Benchmark:
    """The benchmark of that name.

    Raises:
        ValueError: there is none; the sentence names the nearest and lists all.
    """
    known = {benchmark.name: benchmark for benchmark in found(folder)}
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, [*known, "all"], 1, 0.5)
    hint = f"; did you mean {near[0]!r}?" if near else ";"
    raise ValueError(f"unknown benchmark {name!r}{hint} (known: {', '.join(known)}, all)")
