"""JSON results as HTML tables that scroll within themselves."""

from __future__ import annotations

import math
from html import escape
from typing import Any


def as_tables(content: Any, title: str = "") -> str:
    """Lists of objects become tables; single values one table of names and values."""
    if isinstance(content, list) and content and all(isinstance(row, dict) for row in content):
        return heading(title) + table(content)
    if isinstance(content, dict):
        nested = {k: v for k, v in content.items() if isinstance(v, (dict, list)) and v}
        if not title and not any(is_record(v) for v in nested.values()):
            single = content
            nested = {}
        else:
            single = {k: v for k, v in content.items() if k not in nested}
        parts = [heading(title) + table([single])] if single else []
        return "".join([*parts, *(as_tables(v, join(title, k)) for k, v in nested.items())])
    return heading(title) + f'<div class="scroll"><pre>{escape(cell(content)[0])}</pre></div>'


def is_record(value: Any) -> bool:
    """Whether a value is worth a table of its own."""
    return isinstance(value, dict) or (isinstance(value, list) and isinstance(value[0], dict))


def join(title: str, name: str) -> str:
    return f"{title}, {name}" if title else name


def heading(title: str) -> str:
    return f"<h3>{escape(title)}</h3>" if title else ""


def table(rows: list[dict[str, Any]]) -> str:
    """One line a row; objects inside a row become columns of their own."""
    flat = [flatten(row) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(f"<tr>{''.join(td(row.get(name)) for name in names)}</tr>" for row in flat)
    return (
        '<div class="scroll tall"><table><thead><tr>'
        f"{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def flatten(row: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """{"a": {"b": 1}} as {"a.b": 1}."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            flat |= flatten(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = value
    return flat


def td(value: Any) -> str:
    text, number = cell(value)
    return f'<td class="number">{escape(text)}</td>' if number else f"<td>{escape(text)}</td>"


def cell(value: Any) -> tuple[str, bool]:
    """(text, whether it is a number)."""
    if value is None:
        return "", False
    if isinstance(value, bool):
        return ("yes" if value else "no"), False
    if isinstance(value, int):
        return str(value), True
    if isinstance(value, float):
        return (f"{value:.6g}" if math.isfinite(value) else str(value)), True
    if isinstance(value, (list, dict)):
        text = str(value)
        return (text if len(text) < 80 else text[:77] + "..."), False
    return str(value), False
