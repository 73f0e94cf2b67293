"""Files written whole or not at all, with a sentence that names the one that cannot be."""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any


@contextlib.contextmanager
def written(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Where to write what shall stand at ``path``: beside it, and it is put there once it is whole.

    What stood there before stays until then. Into a pipe or a device it is written at once.

    Arguments:
        path: of the file; its ending is kept. A symbolic link is followed.

    Raises:
        OSError: it cannot be written, or the disk is full; of the kind that the system gave, and naming
            the file. Nothing half-written is left.
    """
    given = Path(os.fsdecode(path))
    part: Path | None = None
    try:
        with naming(path):
            there = Path(os.path.realpath(given))  # no name at all for a pipe
            if not given.exists() or (there.is_file() and os.access(there.parent, os.W_OK)):
                part = _beside(there)
            yield part or given
            if part is not None:
                if there.exists():
                    shutil.copymode(there, part)
                part.replace(there)
    finally:
        if part is not None:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)


def make_folder(path: Path) -> None:
    """Make a folder, and those that it lies in.

    Raises:
        OSError: it cannot be made; the sentence names it.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise FileExistsError(f"{path} is a file; give a folder") from None
    except OSError as error:
        raise named(error, path) from None


@contextlib.contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Let what cannot be written be told by name.

    Raises:
        OSError: of the kind that the system gave, naming the file.
    """
    try:
        yield
    except OSError as error:
        if getattr(error, "names_its_file", False):
            raise
        raise named(error, path) from None


def named(error: OSError, path: str | os.PathLike[str]) -> OSError:
    """An error of the same kind that says which file cannot be written."""
    kind = type(error) if type(error).__module__ == "builtins" else OSError
    found: Any = kind(
        f"{os.fsdecode(path)} cannot be written: {error.strerror or error.__cause__ or error}"
    )
    found.errno, found.names_its_file = error.errno, True
    return found


def _beside(path: Path) -> Path:
    """A name that nobody else writes to, short however long the file's is."""
    number = zlib.crc32(path.name.encode(errors="surrogateescape"))
    return path.with_name(f".{number:08x}.{os.getpid()}.{threading.get_ident()}{path.suffix[:16]}")


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file, as :func:`written`."""
    with written(path) as place:
        place.write_text(text, encoding="utf-8")
