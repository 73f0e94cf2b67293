"""Measured numbers in the documentation: blocks between two marks, written by the measuring command.

<!-- measured: NAME, by COMMAND -->
...
<!-- end -->
"""

from __future__ import annotations

import re
from pathlib import Path

from .cli import write_whole

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
BLOCK = re.compile(r"(<!-- measured: ([\w ]+), by `([^`]+)` -->\n)(.*?)(<!-- end -->)", re.S)


def blocks(text: str) -> dict[str, str]:
    """Texts between the marks of a page, by name."""
    return {name: inner for _, name, _, inner, _ in BLOCK.findall(text)}


def replaced(text: str, new: dict[str, str]) -> str:
    """Text of the page with new blocks between the marks.

    Raises:
        ValueError: the page has no block of such a name.
    """
    absent = set(new) - set(blocks(text))
    if absent:
        raise ValueError(f"the page has no block named {', '.join(sorted(absent))}")
    return BLOCK.sub(lambda m: m[1] + new.get(m[2], m[4]) + m[5], text)


def write_blocks(page: Path, new: dict[str, str]) -> Path:
    """Replace blocks of a page by the texts ``new``; an unknown name changes nothing."""
    write_whole(page, replaced(page.read_text(encoding="utf-8"), new))
    return page
