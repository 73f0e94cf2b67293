"""The documentation page of a vehicle file's fields agrees with the code and is complete."""

import re
import runpy
import tomllib
from pathlib import Path

import pytest

from bodies import vehicle
from bodies.vehicle.files.reader import TOP

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "vehicle_files.md").read_text(encoding="utf-8")


def test_the_page_agrees_with_the_code():
    written = runpy.run_path(str(DOCS / "vehicle_fields.py"))["page"]()
    assert written == PAGE, "write it again: python docs/vehicle_fields.py"


ITEM = re.compile(r"^- ((?:`[^`]+`(?:, )?)+)(.*?): (.+)$", re.M)


def keys_on_the_page():
    """Names of all keys, without their defaults."""
    return {
        cell.partition(" = ")[0]
        for item in ITEM.findall(PAGE)
        for cell in re.findall(r"`([^`]+)`", item[0])
    }


def test_every_item_has_keys_range_or_default_and_meaning():
    items = [line for line in PAGE.splitlines() if line.startswith("- `")]
    found = [ITEM.fullmatch(line) for line in items]
    assert all(found), [line for line, match in zip(items, found, strict=True) if not match]
    assert sum(match[1].count("`") // 2 for match in found) > 250
    for match in found:
        assert " = " in match[1] or match[2].removeprefix("*optional*, "), match[0]


def test_every_table_and_key_at_the_top_is_on_the_page():
    headings = set(re.findall(r"^## `\[+(\w+)\]", PAGE, re.M)) | set(
        re.findall(r"^- `\[?(\w+)", PAGE, re.M)
    )
    shipped = {n for n, c in vehicle.PARTS.items() if c.__module__.startswith("bodies.vehicle.")}
    assert TOP | shipped <= headings


@pytest.mark.parametrize("name", vehicle.shipped())
def test_every_key_of_a_shipped_file_is_on_the_page(name):
    known = keys_on_the_page() | {"type"}

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
