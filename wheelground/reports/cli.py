"""Common parts of command lines: bad input gets a sentence, no file stays half-written."""

from __future__ import annotations

import atexit
import gc
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .verdict import Check

CLOSED = 141  # exit code when nobody reads the output any more: 128 + SIGPIPE, as a shell has it
UNIT = re.compile(r"(?<=\s)\[(?=(?:m|mm|km|s|ms|us|h|rad|mrad|kg|g|l)[]/])")
NARROWEST = 110  # columns that keep one number to a line


def whole(kind: type, tokens: Sequence[Any]) -> int:
    """An option's text as a whole number; 2.5 is none.

    Raises:
        ValueError: any other text; the option parser makes a sentence of it.
    """
    text = tokens[0].value
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a whole number") from None


Whole = Annotated[int, Parameter(converter=whole)]
#: An option that may be repeated.
Several = Parameter(negative=(), show_default=False)
#: The regularisation, by its full name or the short one: one, or several.
Scheme = Parameter(name=("--regularisation", "--scheme"))
Schemes = Parameter(name=Scheme.name, negative=(), show_default=False)
#: The option --json; a lone "-" reaches ``writable_file``, whose error names the right form.
JsonFile = Annotated[Path | None, Parameter(name="--json", allow_leading_hyphen=True)]


@contextmanager
def refuse_bad_input(*more: type[Exception]) -> Iterator[None]:
    """Turn a ValueError or OSError of the block, or one of ``more``, into one line and exit code 2."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (ValueError, OSError, *more) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from None


class _Console(Console):
    """A screen that ends the program as other tools end when nobody reads them any more.

    A unit in brackets, "step [ms]", is no style of rich's, which would leave it out.
    """

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def render_str(self, text: str, **options: Any) -> Any:
        return super().render_str(UNIT.sub(r"\\\g<0>", text), **options)


def console() -> Console:
    """Where tables are printed: as wide as the screen, but never so narrow that numbers are cut."""
    made = _Console()
    if not made.is_terminal or made.width < NARROWEST:
        made.width = max(NARROWEST, made.width)
    return made


def run(app: Callable[[], Any]) -> None:
    """Run a program that computes, with its warnings as notes, and leave as :func:`leave` does."""
    from mlcp.warned import note

    warnings.formatwarning = note
    atexit.register(gc.freeze)  # else a last collection over all that Numba has left takes a second
    leave(app)


def leave(app: Callable[[], Any]) -> None:
    """Run a program and leave with its exit code; 141 where the reader of its output has gone."""
    try:
        try:
            code = app()
        finally:
            sys.stdout.flush()
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # a full disk, on the way
            print(f"error: {error}", file=sys.stderr)
            raise SystemExit(2) from None
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # flushed once more at exit
        raise SystemExit(CLOSED) from None
    raise SystemExit(code)


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


def writable_file(path: Path | None) -> None:
    """Refuse a file that could not be written, before any work is done; None is no file."""
    if path is None:
        return
    if str(path).startswith("-"):
        raise ValueError(
            f"--json {path} is no file; standard output holds the tables, give the name of a file"
        )
    if path.is_dir():
        raise ValueError(f"--json {path} is a directory; give a file")
    folder = path.resolve().parent  # of a symbolic link's target
    if not folder.is_dir():
        raise ValueError(f"--json {path}: the directory {folder} does not exist")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise ValueError(f"--json {path} cannot be written: no permission")


def write_whole(path: Path, text: str) -> None:
    """Write a text file whole or not at all; through a symbolic link, and straight into a pipe."""
    from mlcp.writing import write_text

    write_text(path, text)


def new_table(title: str, headings: Sequence[str], texts: Sequence[str] = ()) -> Table:
    """An empty table: columns of ``texts`` stand to the left, those of numbers to the right."""
    table = Table(title=title, box=box.SIMPLE, padding=(0, 1, 0, 0))
    for heading in headings:
        left = heading in texts
        one_line = not left and " " not in heading  # headings of several words may break
        table.add_column(escape(heading), justify="left" if left else "right", no_wrap=one_line)
    return table


def checks_table(checks: Iterable[Check]) -> Table:
    """One line a promise."""
    table = Table(title="checks", box=box.SIMPLE, padding=(0, 1, 1, 0))
    table.add_column("promise", ratio=2)
    table.add_column("measured", ratio=3)
    table.add_column("verdict", no_wrap=True)
    for check in checks:
        table.add_row(escape(check.name), escape(check.measured), f"[{check.colour}]{check.verdict}")
    return table
