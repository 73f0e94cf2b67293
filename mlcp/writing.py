"""Files written completely or not at all, with a message that names a file that cannot be written."""

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
    """Yield a temporary path in the folder of ``path``; the finished file is then moved to ``path``.

    The old file stays until then. A pipe, a device, or an old file whose folder allows no new file, is
    written directly.

    Arguments:
        path: path of the file; the temporary path has its ending. A symbolic link is followed.

    Raises:
        OSError: the file cannot be written, or the disk is full; the error has the system's type and
            names the file. Unless written directly, no partial file is left.
    """
    given = Path(os.fsdecode(path))
    part: Path | None = None
    try:
        with naming(path):
            there = Path(os.path.realpath(given))  # the file to which a symbolic link leads
            if not given.exists() or (there.is_file() and os.access(there.parent, os.W_OK)):
                part = _sibling(there)
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
    """Make a folder and its parents.

    Raises:
        OSError: the folder cannot be made; the message names it.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise FileExistsError(f"{path} is a file; give a folder") from None
    except OSError as error:
        raise named(error, path) from None


@contextlib.contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Add the file's name to errors of writing within the block.

    Raises:
        OSError: of the system's type, naming the file.
    """
    try:
        yield
    except OSError as error:
        if getattr(error, "names_its_file", False):
            raise
        raise named(error, path) from None


def named(error: OSError, path: str | os.PathLike[str]) -> OSError:
    """Make an error of the same type with a message that names the file."""
    kind = type(error) if type(error).__module__ == "builtins" else OSError
    found: Any = kind(
        f"{os.fsdecode(path)} cannot be written: {error.strerror or error.__cause__ or error}"
    )
    found.errno, found.names_its_file = error.errno, True
    return found


def _sibling(path: Path) -> Path:
    """Unique temporary path in the same folder, short even if the name of the file is long."""
    number = zlib.crc32(path.name.encode(errors="surrogateescape"))
    return path.with_name(f".{number:08x}.{os.getpid()}.{threading.get_ident()}{path.suffix[:16]}")


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file completely or not at all (:func:`written`)."""
    with written(path) as place:
        place.write_text(text, encoding="utf-8")
