"""What a table of a file says on top of another one."""

from __future__ import annotations

from typing import Any


def merged(old: Any, new: Any) -> Any:
    """Tables key by key, parts by their names, everything else replaced.

    A table of another type takes the old one's place, as does one that names what the old one
    describes, or describes what the old one names.
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
    """What a part is merged by; a name that is no text is refused when the part is made."""
    return repr(row.get("name"))
