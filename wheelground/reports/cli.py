"""Common parts of command lines: options, tables, messages on bad input, complete output files."""

from __future__ import annotations

import atexit
import gc
import json
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter, validators
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .verdict import Check

SOFTEST = 5e3  # cone index of liquid mud [Pa]; a smaller number is probably in another unit
CLOSED = 141  # exit code if the output's reader has ended: 128 + SIGPIPE, as in a shell
UNIT = re.compile(r"(?<=\s)\[(?=(?:m|mm|km|s|ms|us|h|rad|mrad|kg|g|l)[]/])")
NARROWEST = 110  # smallest width of a table [characters], at which numbers fit on one line


def whole(kind: type, tokens: Sequence[Any]) -> int:
    """Whole number from an option's text; 2.5 is refused.

    Raises:
        ValueError: any other text; the option parser prints the message.
    """
    text = tokens[0].value
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a whole number") from None


Whole = Annotated[int, Parameter(converter=whole)]


def at_least(number: int) -> Parameter:
    """Parameter of an option with a least value."""
    return Parameter(validator=validators.Number(gte=number))


#: Parameter of an option that may be repeated.
Several = Parameter(negative=(), show_default=False)
#: Option for one or several regularisations, with its long and its short name.
Scheme = Parameter(name=("--regularisation", "--scheme"))
Schemes = Parameter(name=Scheme.name, negative=(), show_default=False)
#: Option --json; ``writable_file`` refuses a lone "-", with a message on the right form.
JsonFile = Annotated[Path | None, Parameter(name="--json", allow_leading_hyphen=True)]


def in_pascals(cone_index: float | None) -> None:
    """Refuse an option --cone-index that is softer than any soil, probably in another unit.

    Raises:
        ValueError: a smaller cone index; the message has the value in pascals.
    """
    if cone_index is not None and 0.0 < cone_index < SOFTEST:
        unit, factor = ("MPa", 1e6) if cone_index < 10.0 else ("kPa", 1e3)
        raise ValueError(
            f"--cone-index {cone_index:g} is in Pa, softer than any soil; {cone_index:g} {unit} are "
            f"{factor * cone_index:.0f}"
        )


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
    """Screen that raises BrokenPipeError if the output's reader has ended.

    Units in brackets, as in "step [ms]", are printed: rich would read them as styles and omit them.
    """

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def render_str(self, text: str, **options: Any) -> Any:
        if options.get("markup") is not False:
            text = UNIT.sub(r"\\\g<0>", text)
        return super().render_str(text, **options)


def console() -> Console:
    """Console for tables, as wide as the screen, but at least ``NARROWEST``, at which numbers fit."""
    made = _Console()
    if not made.is_terminal or made.width < NARROWEST:
        made.width = max(NARROWEST, made.width)
    return made


def run(app: Callable[[], Any]) -> None:
    """Run a computing program with warnings printed as notes, and exit as :func:`leave` does."""
    from mlcp.warned import note

    warnings.formatwarning = note
    atexit.register(gc.freeze)  # excludes Numba's objects from the last collection, which saves a second
    leave(app)


def leave(app: Callable[[], Any]) -> None:
    """Run a program and exit with its code, or with 141 if its output's reader has ended."""
    try:
        try:
            code = app()
        finally:
            sys.stdout.flush()
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # another error, for example a full disk
            print(f"error: {error}", file=sys.stderr)
            raise SystemExit(2) from None
        # at exit Python flushes the output once more, which needs an open file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(CLOSED) from None
    raise SystemExit(code)


def writable(out: Path | None, json_file: Path | None) -> None:
    """Refuse a directory or a file that cannot be written, before any computation."""
    if out is not None:
        writable_directory(out)
    writable_file(json_file)


def writable_directory(path: Path, option: str = "--out") -> Path:
    """Refuse a directory that cannot be made or written, before any computation."""
    if path.exists() and not path.is_dir():
        raise ValueError(f"{option} {path} is a file; give a directory")
    existing = path.absolute()
    while not existing.exists():
        existing = existing.parent
    try:
        tempfile.TemporaryFile(dir=existing).close()  # the only reliable test, also for root
    except OSError as error:
        reason = (error.strerror or "not possible").lower()
        raise ValueError(
            f"{option} {path} cannot be written ({existing}: {reason}); give a directory of your own"
        ) from None
    return path


def writable_file(path: Path | None, option: str = "--json") -> None:
    """Refuse a file that cannot be written, before any computation; None: no file."""
    if path is None:
        return
    if str(path).startswith("-"):
        raise ValueError(
            f"{option} {path} is no file; standard output holds the tables, give the name of a file"
        )
    if path.is_dir():
        raise ValueError(f"{option} {path} is a directory; give a file")
    folder = path.resolve().parent  # folder of a symbolic link's target
    if not folder.is_dir():
        raise ValueError(f"{option} {path}: the directory {folder} does not exist")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise ValueError(f"{option} {path} cannot be written: no permission")


def write_whole(path: Path, text: str) -> None:
    """Write a text file completely or not at all; follow symbolic links; write pipes directly."""
    from mlcp.writing import write_text

    write_text(path, text)


def save_results(path: Path | None, results: Any) -> None:
    """Write results as JSON to ``path`` and print the path; None: no file."""
    if path is not None:
        write_whole(path, json.dumps(results, indent=1) + "\n")
        console().print(f"results: {path}", soft_wrap=True)


def new_table(title: str, headings: Sequence[str], texts: Sequence[str] = ()) -> Table:
    """Make an empty table; columns in ``texts`` are aligned left, columns of numbers right."""
    table = Table(title=title, box=box.SIMPLE, padding=(0, 1, 0, 0))
    for heading in headings:
        left = heading in texts
        one_line = not left and " " not in heading  # headings of several words may break
        table.add_column(escape(heading), justify="left" if left else "right", no_wrap=one_line)
    return table


def checks_table(checks: Iterable[Check]) -> Table:
    """Table of checks, one line each."""
    table = Table(title="checks", box=box.SIMPLE, padding=(0, 1, 1, 0))
    table.add_column("check", ratio=2)
    table.add_column("measured", ratio=3)
    table.add_column("verdict", no_wrap=True)
    for check in checks:
        table.add_row(escape(check.name), escape(check.measured), f"[{check.colour}]{check.verdict}")
    return table
