"""The page of every field of a vehicle's file is what the code says, and leaves nothing out."""

import re
import runpy
import tomllib
from pathlib import Path

import pytest

from bodies import vehicle
from bodies.vehicle.files.reader import TOP

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "vehicle_files.md").read_text(encoding="utf-8")


def test_the_page_is_what_the_code_says():
    written = runpy.run_path(str(DOCS / "vehicle_fields.py"))["page"]()
    assert written == PAGE, "write it again: python docs/vehicle_fields.py"


#: A key in the first cell of a row, with its default.
KEY = re.compile(r"(?<=[|,] )`(\w+)(?: = [^`]*)?`(?=[^|]*\|[^|]*\|[^|]*\|$)", re.M)


def test_every_row_has_its_keys_range_and_meaning():
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert sum(len(KEY.findall(row)) for row in rows) > 250
    for row in rows:
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
        assert len(cells) == 3, row
        assert all(cells), row


def test_every_table_and_key_at_the_top_is_on_the_page():
    headings = set(re.findall(r"^## `\[+(\w+)\]", PAGE, re.M)) | set(
        re.findall(r"^\| `\[?(\w+)", PAGE, re.M)
    )
    shipped = {n for n, c in vehicle.PARTS.items() if c.__module__.startswith("bodies.vehicle.")}
    assert TOP | shipped <= headings


@pytest.mark.parametrize("name", vehicle.shipped())
def test_every_key_of_a_shipped_file_is_on_the_page(name):
    known = set(KEY.findall(PAGE)) | {"type"}

    def keys(value):
        for key, inner in value.items() if isinstance(value, dict) else ():
            yield key
            yield from keys(inner)
        for inner in value if isinstance(value, list) else ():
            yield from keys(inner)

    given = tomllib.loads(vehicle.path_of(name).read_text(encoding="utf-8"))
    for part in vehicle.PARTS:
        for row in given.get(part, []):
            assert set(keys(row)) <= known, part
    for table in ("tyre", "soil", "lateral", "contact", "hard"):
        assert set(keys(given.get(table, {}))) <= known, table
