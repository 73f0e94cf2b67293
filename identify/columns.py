"""Columns of numbers from a CSV, without the lines that begin with #."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def read_columns(
    path: str | Path, what: str, needed: Iterable[str], optional: Iterable[str] = ()
) -> dict[str, NDArray[np.float64]]:
    """Columns by header, NaN for an empty cell.

    Arguments:
        what: kind of the file for messages, such as "log".
        needed, optional: headers; a file may lack the latter.

    Raises:
        ValueError: naming the file, and a missing column or one with text that is no number.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise ValueError(f"{path}: the {what} cannot be read: {why}") from None
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines, skipinitialspace=True))
    present = list(rows[0]) if rows else []
    for header in needed:
        if header not in present:
            has = ", ".join(map(str, present)) if present else "no rows"
            raise ValueError(f"{path}: column {header!r} is missing; the file has {has}")
    found = {}
    for header in dict.fromkeys((*needed, *optional)):
        if header in present:
            try:
                found[header] = np.array([float(row[header] or "nan") for row in rows])
            except (TypeError, ValueError):
                raise ValueError(f"{path}: column {header} holds text that is no number") from None
    return found
