"""Merging of the tables of a vehicle file with those of its base, the file that it extends."""

from __future__ import annotations

from typing import Any


def merged(old: Any, new: Any) -> Any:
    """Merge the value ``new`` of a file into the value ``old`` of its base.

    Tables are merged key by key, lists of parts by the parts' names. Any other value replaces the old
    one; so does a table with another ``type``, and a table with the key ``name`` replaces one without,
    or the reverse.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        other = "type" in new and new["type"] != old.get("type")
        kept = {} if other or ("name" in new) != ("name" in old) else old
        return kept | {k: merged(kept[k], v) if k in kept else v for k, v in new.items()}
    lists = isinstance(old, list) and isinstance(new, list) and new
    if lists and all(isinstance(row, dict) for row in (*old, *new)):
        rows = {_name(row): row for row in old}
        for row in new:
            rows[_name(row)] = merged(rows[_name(row)], row) if _name(row) in rows else row
        return list(rows.values())
    return new


def _name(row: dict[str, Any]) -> str:
    """Key of a part for merging; any type of name is allowed here, since the part checks its name."""
    return repr(row.get("name"))
