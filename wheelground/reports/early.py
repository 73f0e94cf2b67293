"""Process that compiles parts of the step in a first run, started before the program's own imports."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def compile_early() -> None:
    """Start a helper process if no compiled step is on disk; then import ``bodies``, which uses it.

    The helper's imports take a second, in which the present process does its own.
    """
    ready = _helper() if _is_first_run() and (os.cpu_count() or 1) > 1 else None
    from bodies.memory.compiled import ready_helpers

    ready_helpers.extend([ready] if ready else [])


def _folder(package: str) -> Path:
    found = find_spec(package)
    places = found.submodule_search_locations if found else None
    return Path(places[0] if places else "")


def _is_first_run() -> bool:
    """False if compiled code is in the wheel or in Numba's folder, or if this folder is unknown."""
    kept = Path(os.environ.get("NUMBA_CACHE_DIR") or _folder("bodies") / "kernels" / "__pycache__")
    if any(_folder("mlcp").glob("compiled/shipped/*.code")):
        return False
    if not kept.exists():
        return True
    return os.access(kept, os.W_OK) and not any(kept.rglob("step.run*.nbi"))


def _helper() -> Any:
    """Process of ``bodies.memory.compiled.serve``; it ends with the present process."""
    home = str(_folder("bodies").parent)
    order = f"import sys; sys.path.append({home!r}); from bodies.memory.compiled import serve; serve()"
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        return subprocess.Popen([sys.executable, "-P", "-c", order], text=True, **pipes)
    except OSError:
        return None
