"""What the command lines of the benchmarks share: bad input is a sentence, nothing half-written."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def refuse_bad_input() -> Iterator[None]:
    """Turn a ValueError or OSError of the block into one line on the screen and exit code 2."""
    try:
        yield
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from None


def writable_directory(path: Path) -> Path:
    """Refuse a directory that could not be made or written, before any work is done."""
    if path.exists() and not path.is_dir():
        raise ValueError(f"--out {path} is a file; give a directory")
    existing = path.absolute()
    while not existing.exists():
        existing = existing.parent
    try:
        tempfile.TemporaryFile(dir=existing).close()  # the only proof, also for root
    except OSError as error:
        reason = (error.strerror or "not possible").lower()
        raise ValueError(
            f"--out {path} cannot be written ({existing}: {reason}); give a directory of your own"
        ) from None
    return path


def writable_file(path: Path) -> Path:
    """Refuse a file that could not be written, before any work is done."""
    if path.is_dir():
        raise ValueError(f"--json {path} is a directory; give a file")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise ValueError(f"--json {path}: the directory {folder} does not exist")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise ValueError(f"--json {path} cannot be written: no permission")
    return path


def write_whole(path: Path, text: str) -> None:
    """Write a text file whole or not at all."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
