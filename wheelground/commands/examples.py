"""``wheelground examples``: list or copy the example scripts."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

from ..reports.cli import refuse_bad_input, writable_directory
from .doctor import EXTRAS


def folder() -> Path:
    """Folder of the examples: inside the installed package, or beside it in a checkout."""
    here = Path(__file__).resolve().parents[1]
    inside = here / "examples"
    return inside if inside.is_dir() else here.parent / "examples"


def lacking(path: Path) -> list[str]:
    """Names of the extras needed by a script that are not installed."""
    used = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            used |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            used.add(node.module.split(".")[0])
    return [extra.name for extra in EXTRAS if used & set(extra.absent)]


def examples(*names: str, to: Path = Path()) -> int:
    """List the examples, or copy those named into a folder, to be run and changed.

    Parameters
    ----------
    names
        Examples to copy; none: list them; ``all``: all.
    to
        The folder to copy into. [the current one]
    """
    found = {path.stem: path for path in sorted(folder().glob("*.py"))}
    if not names:
        for name, path in found.items():
            text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            print(f"{name:26} {' '.join(text.split(chr(10) * 2)[0].split())}")
        print("\nCopy one with  wheelground examples NAME  and run it with  python NAME.py")
        return 0
    from mlcp.checks import nearest

    with refuse_bad_input():
        wanted = list(found) if names == ("all",) else [Path(name).stem for name in names]
        for name in wanted:
            if name not in found:
                raise ValueError(f"unknown example {name!r}; {nearest(name, found)}")
            if (to / f"{name}.py").exists():
                raise ValueError(f"{to / name}.py is there already; give another folder by --to")
        writable_directory(to, "--to").mkdir(parents=True, exist_ok=True)
        for name in wanted:
            for path in sorted(folder().glob(f"{name}.*")):  # script and data files
                print(f"written: {shutil.copyfile(path, to / path.name)}")
            for extra in lacking(found[name]):
                print(f"  {name}.py needs: pip install 'wheelground[{extra}]'")
    return 0
