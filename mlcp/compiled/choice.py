"""Kernel that calls one of several files' kernels, chosen by its index in a table of files."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from ..jit import kernel, part


def choice(
    files: Sequence[str],
    name: str,
    parameters: str,
    *,
    returns: bool = False,
    among: Sequence[int] | None = None,
    inline: bool = False,
) -> Any:
    """Make a kernel ``(kind, parameters)`` that calls the kernel ``name`` of ``files[kind]``.

    Numba has no table of functions to choose from at run time; so this function generates branches, one
    a file. Files without such a kernel get no branch.

    Arguments:
        files: full names of modules in ``kernels`` folders, covered by the cache key.
        name: name of the kernel in each of them.
        parameters: parameters of the kernels, separated by commas.
        returns: True if they return a value; then every file needs one.
        among: indices accepted by the kernel; all by default.
        inline: True to compile into the caller; if ``kind`` is a constant, only its branch is compiled.
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
    if returns:  # make the last branch unconditional, so that every path returns a value
        lines[-2:] = [lines[-1][4:]]
    exec("\n".join(lines), scope)
    return (part if inline else kernel)(scope[name])
