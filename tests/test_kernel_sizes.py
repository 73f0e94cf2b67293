"""Kernels stay readable: they have few parameters and few lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from mlcp.jit import is_kernel_source

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("mlcp", "contact", "bodies", "rig", "mobility", "wheelground")
PARAMETERS, LINES = 8, 60
REASON = "More than 60 lines, "  # beginning of the reason in a docstring
COMPILED = {"kernel", "summing", "part", "entry_point", "lazy", "njit", "c_entry"}


def compiled(path: Path) -> Iterator[tuple[str, ast.FunctionDef]]:
    """(file and name, function) of each function in a kernel source, or compiled by a decorator."""
    package = path.relative_to(ROOT).parts[0]
    everything = is_kernel_source(path.relative_to(ROOT / package))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            called = {ast.unparse(d).split("(")[0].split(".")[-1] for d in node.decorator_list}
            if everything or not COMPILED.isdisjoint(called):
                yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", node


@pytest.mark.parametrize("package", PACKAGES)
def test_kernels_have_few_parameters_and_lines(package):
    seen, broken = 0, []
    for path in sorted((ROOT / package).rglob("*.py")):
        for place, function in compiled(path):
            seen += 1
            given = function.args
            count = len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)
            length = function.end_lineno - function.lineno + 1
            if count > PARAMETERS:
                broken.append(f"{place} has {count} parameters")
            if length > LINES and REASON not in (ast.get_docstring(function) or ""):
                broken.append(f"{place} has {length} lines and no reason")
    assert broken == []
    assert seen > 50 or package in ("rig", "mobility", "wheelground")
