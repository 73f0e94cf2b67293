"""One kernel out of a table of files: which of them is called is known by its place in the table."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from ..jit import kernel


def choice(
    files: Sequence[str],
    name: str,
    parameters: str,
    *,
    returns: bool = False,
    among: Sequence[int] | None = None,
) -> Any:
    """A kernel ``(kind, parameters)`` that calls the kernel ``name`` of ``files[kind]``.

    Numba knows no table of functions of which one is chosen while it runs, only branches: they are
    written here, one a file. A file without such a kernel is left out, and nothing is called for it.

    Arguments:
        files: full names of modules in ``kernels`` folders, which the cache key covers.
        name: of the kernel in each of them.
        parameters: of the kernels, separated by commas.
        returns: whether they return something; then every file needs one.
        among: places in the table that the kernel knows; all by default.
    """
    members = [getattr(importlib.import_module(file), name, None) for file in files]
    scope = {f"member_{k}": member for k, member in enumerate(members) if member is not None}
    known = range(len(files)) if among is None else among
    if returns and len(scope) < len(files):
        raise TypeError(f"every one of {', '.join(files)} needs a kernel {name!r}")
    lines = [f"def {name}(kind, {parameters}):"]
    for k in (k for k in known if members[k] is not None):
        branch = "if" if len(lines) == 1 else "elif"
        word = "return " if returns else ""
        lines += [f"    {branch} kind == {k}:", f"        {word}member_{k}({parameters})"]
    if returns:  # the last one without a question, so that there is something to return
        lines[-2:] = [lines[-1][4:]]
    exec("\n".join(lines), scope)
    return kernel(scope[name])
