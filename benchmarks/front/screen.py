"""The screen of a terminal programme as HTML: colours as classes, so that they follow light and dark."""

from __future__ import annotations

import itertools
from html import escape

from rich.style import Style
from rich.text import Text

COLOURS = {1: "red", 2: "green", 3: "yellow", 4: "blue", 5: "magenta", 6: "cyan"}


def screen_as_html(printed: str) -> str:
    """What was printed with ANSI colours, as the content of a ``<pre>``."""
    lines = [Text.from_ansi(line) for line in printed.rstrip().splitlines()]
    return "\n".join(line_as_html(line) for line in lines)


def line_as_html(line: Text) -> str:
    """One line; overlapping spans are cut where any of them begins or ends."""
    line.rstrip()
    text = line.plain
    cuts = sorted({0, len(text), *(s.start for s in line.spans), *(s.end for s in line.spans)})
    pieces = []
    for start, end in itertools.pairwise(cuts):
        classes: list[str] = []
        for span in line.spans:
            if span.start <= start and end <= span.end and isinstance(span.style, Style):
                classes += classes_of(span.style)
        piece = escape(text[start:end])
        pieces.append(f'<span class="{" ".join(classes)}">{piece}</span>' if classes else piece)
    return "".join(pieces)


def classes_of(style: Style) -> list[str]:
    """Class names for a style; only the colours that carry a meaning."""
    names = [name for name, on in (("b", style.bold), ("dim", style.dim), ("i", style.italic)) if on]
    number = style.color.number if style.color is not None else None
    if number is not None and number < 16 and number % 8 in COLOURS:
        names.append(COLOURS[number % 8])
    return names
