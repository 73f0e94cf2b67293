"""Runs that are done stay done: a line of JSON each, written as soon as it is known.

Ctrl-C, or a machine that goes down, loses the run in progress only; ``--resume`` goes on from there.
"""

from __future__ import annotations

import functools
import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mlcp.writing import naming, write_text

from .measure import Line

ROOT = Path(__file__).resolve().parents[3]


@functools.cache
def sources() -> str:
    """A hash of everything that decides a run: a journal of other code is of no use."""
    digest = hashlib.sha256()
    packages = (ROOT / name for name in ("mlcp", "contact", "bodies", "wheelground"))
    for path in sorted(path for package in packages for path in package.rglob("*.*")):
        if path.suffix in (".py", ".toml"):
            digest.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


class Journal:
    """The runs and references already made.

    Arguments:
        path: its file; None keeps nothing.
        resume: go on with what the file holds; else it is begun anew.

    Raises:
        ValueError: the file was written by other code, so that its runs do not compare with new ones.
    """

    def __init__(self, path: Path | None = None, resume: bool = False) -> None:
        self.path = path
        self._lines: dict[tuple, Line] = {}
        self._references: dict[tuple[str, str], tuple[float, float]] = {}
        if path is None:
            return
        if resume and path.exists():
            self._read(path)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, json.dumps({"sources": sources()}) + "\n")

    def __len__(self) -> int:
        return len(self._lines)

    def _read(self, path: Path) -> None:
        first, *rest = path.read_text(encoding="utf-8").splitlines(keepends=True) or [""]
        if _parsed(first).get("sources") != sources():
            raise ValueError(
                f"--resume: {path} was written by another version of this code; run without --resume"
            )
        whole = [line for line in rest if line.endswith("\n")]  # the last may have been cut short
        if len(whole) < len(rest):
            write_text(path, "".join([first, *whole]))
        for text in whole:
            found = _parsed(text)
            if "run" in found:
                line = Line(**found["run"])
                self._lines[_key(line)] = line
            elif "reference" in found:
                law, case, step, error = found["reference"]
                self._references[law, case] = (step, error)

    def line(self, job: Any) -> Line | None:
        """What a run came to; None if it has not been made. A user's own parts may have changed."""
        if not all(isinstance(what, str) for what in (job.scheme.what, job.case.law)):
            return None
        return self._lines.get((job.law, job.case.name, job.scheme.name, job.solver, job.step))

    def reference(self, law: str, case: str) -> tuple[float, float] | None:
        """Step [s] and error [m/s] of a case's reference; None if it has not been made."""
        return self._references.get((law, case))

    def keep(self, line: Line) -> None:
        """Write down a run."""
        self._lines[_key(line)] = line
        self._write({"run": asdict(line)})

    def keep_reference(self, law: str, case: str, step: float, error: float) -> None:
        """Write down a reference."""
        self._references[law, case] = (step, error)
        self._write({"reference": [law, case, step, error]})

    def _write(self, what: dict[str, Any]) -> None:
        if self.path is not None:
            with naming(self.path), open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps(what) + "\n")


def _key(line: Line) -> tuple:
    return (line.law, line.case, line.scheme, line.solver, line.step_s)


def _parsed(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
