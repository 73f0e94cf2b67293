"""One kernel out of a table of files: which of them is called is known by its place in the table."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from ..jit import kernel


def choice(files: Sequence[str], name: str, parameters: str) -> Any:
    """A kernel ``(kind, parameters)`` that calls the kernel ``name`` of ``files[kind]``.

    Numba knows no table of functions of which one is chosen while it runs, only branches: they are
    written here, one a file. A file without such a kernel is left out, and nothing is called for it.

    Arguments:
        files: full names of modules in ``kernels`` folders, which the cache key covers.
        name: of the kernel in each of them; it returns nothing.
        parameters: of the kernels, separated by commas.
    """
    members = [getattr(importlib.import_module(file), name, None) for file in files]
    scope = {f"member_{k}": member for k, member in enumerate(members) if member is not None}
    lines = [f"def {name}(kind, {parameters}):"]
    for k, member in enumerate(members):
        if member is not None:
            branch = "if" if len(lines) == 1 else "elif"
            lines += [f"    {branch} kind == {k}:", f"        member_{k}({parameters})"]
    exec("\n".join(lines), scope)
    return kernel(scope[name])
