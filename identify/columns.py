"""Read columns of numbers from a CSV file; lines that begin with # are skipped."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mlcp.checks import nearest

from .conversion import unit_of


def read_columns(
    path: str | Path,
    what: str,
    needed: Iterable[str],
    optional: Iterable[str] = (),
    si: Mapping[str, str] | None = None,
) -> tuple[dict[str, NDArray[np.float64]], tuple[str, ...]]:
    """Read columns by header, NaN for an empty cell; units as in ``VehSpd [km/h]`` are converted to SI.

    A column without a unit is read as SI. The second result has a sentence on such columns.

    Arguments:
        what: kind of the file for messages, such as "log".
        needed, optional: headers that the file must have, and may have, with or without a unit.
        si: SI units that headers must have, if they have one.

    Raises:
        ValueError: naming the file, and a missing column, one with text that is no number, one with
            another unit than ``si``, such as kg for a force, one that stands twice, or a row with more
            values than headers.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise ValueError(f"{path}: the {what} cannot be read: {why}") from None
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    reader = csv.DictReader(lines, skipinitialspace=True)
    headers = [header.strip() for header in reader.fieldnames or ()]
    reader.fieldnames = headers
    rows = list(reader)
    for number, row in enumerate(rows, 1):
        if any(row.pop(None, ())):  # type: ignore[call-overload]
            raise ValueError(f"{path}: row {number} has more values than the file has columns")
    needed, present = list(needed), list(map(str, rows[0])) if rows else []
    by_name = {unit_of(header)[0]: header for header in reversed(present)}
    found, without = {}, {}
    for header in dict.fromkeys((*needed, *optional)):
        place = header if header in present else by_name.get(unit_of(header)[0])
        if place is None:
            if header not in needed:
                continue
            has = nearest(header, present) if present else "the file has no rows"
            raise ValueError(f"{path}: column {header!r} is missing; {has}")
        if headers.count(place) > 1:
            raise ValueError(f"{path}: column {place!r} stands {headers.count(place)} times")
        (_, wanted, factor), (_, has_unit, own) = unit_of(header), unit_of(place)
        expected = wanted or (si or {}).get(header)
        if not (has_unit or wanted):
            without[header] = expected or ""
        if has_unit and expected and has_unit != expected:
            raise ValueError(f"{path}: column {place!r} must have a unit of {expected}")
        try:
            values = np.array([float(row[place] or "nan") for row in rows])
        except (TypeError, ValueError):
            raise ValueError(f"{path}: column {place} holds text that is no number") from None
        found[header] = values * (own if has_unit else factor)
    return found, note_on_units(without)


def note_on_units(without: Mapping[str, str]) -> tuple[str, ...]:
    """A sentence on columns without a unit, given with their SI units, "" if unknown.

    Those of dimension 1 (unit "-") are left out.
    """
    read = [f"{name} [{unit}]" if unit else name for name, unit in without.items() if unit != "-"]
    return (f"no unit in the file, read as SI: {', '.join(read)}",) if read else ()


def notes_on_gaps(measured: Mapping[str, np.ndarray]) -> list[str]:
    """A sentence on each quantity with missing numbers (NaN or infinite)."""
    gaps = {name: int((~np.isfinite(values)).sum()) for name, values in measured.items()}
    return [
        f"{name}: {count} of {np.size(measured[name])} numbers missing, left out"
        for name, count in gaps.items()
        if count
    ]
