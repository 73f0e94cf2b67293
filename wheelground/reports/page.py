"""``wheelground report``: tables and pictures of the other reports, in one HTML file."""

from __future__ import annotations

import base64
import io
import os
import subprocess
import sys
import time
from html import escape
from pathlib import Path

from rich.console import Console
from rich.text import Text

from .cli import console, refuse_bad_input, writable_directory, write_whole

#: Arguments of ``wheelground`` for each report, and additional arguments of a quick run.
PROGRAMS = {
    "quarter": (("quarter",), ("--scheme", "local", "--scheme", "implicit", "--solver", "direct")),
    "full": (("full",), ("--scheme", "implicit", "--solver", "direct")),
    "schemes": (
        ("compare", "schemes"),
        ("--law", "brixius", "--solver", "direct", "--step", "1e-3", "--step", "1e-2", "--step", "0.1"),
    ),
    "laws": (("compare", "laws"), ()),
    "drawbar": (("drawbar",), ()),
    "pull": (("pull",), ("--soil", "firm", "--points", "6")),
}
STYLE = """
body { margin: 0 auto; max-width: 64rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
pre { overflow-x: auto; padding: 0.7rem; background: #f2efea; font: 0.78rem/1.35 monospace; }
img { max-width: 100%; }
"""
#: Environment of a report: colours, fixed width, no animation, no window, UTF-8 on every system.
SCREEN = {
    "FORCE_COLOR": "1",
    "TTY_INTERACTIVE": "0",
    "COLUMNS": "110",
    "MPLBACKEND": "Agg",
    "PYTHONIOENCODING": "utf-8",
}
VERDICTS = {0: "passed", 1: "a check failed"}


def report(*names: str, out: Path = Path("out/report"), quick: bool = False) -> int:
    """Run reports, each in a process of its own, and write one page, DIR/report.html.

    Ends with code 0 if all passed.

    Parameters
    ----------
    names
        quarter, full, schemes, laws, drawbar or pull; all if none is named.
    out
        Directory for the page, and a folder for each report's own figures and tables.
    quick
        Shorter variants: minutes instead of half an hour, the same tables and pictures.
    """
    with refuse_bad_input():
        for name in names:
            if name not in PROGRAMS:
                from mlcp.checks import nearest

                raise ValueError(f"report: unknown {name!r}; {nearest(name, PROGRAMS)}")
        writable_directory(out)
    screen, sections, codes = console(), [], []
    for name in names or PROGRAMS:
        words, fewer = PROGRAMS[name]
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        options, begun = fewer if quick else (), time.time()
        with screen.status(name):
            run = subprocess.run(
                [sys.executable, "-m", "wheelground", *words, *options, "--out", str(folder)],
                env={**os.environ, **SCREEN},
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                check=False,
            )
        verdict = VERDICTS.get(run.returncode, "did not run to its end")
        screen.print(f"{name}: {verdict}")
        codes.append(run.returncode)
        # pictures of earlier runs in the folder are left out
        pictures = [p for p in sorted(folder.glob("*.png")) if p.stat().st_mtime >= begun - 2.0]
        sections.append(
            f"<h2>{name}: {verdict}</h2>\n<p><code>wheelground {escape(' '.join(words))}</code></p>\n"
            + "\n".join(picture(path) for path in pictures)
            + "".join(f"\n<pre>{as_html(text)}</pre>" for text in (run.stdout, run.stderr) if text)
        )
    page = out / "report.html"
    write_whole(
        page,
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>wheelground</title>\n'
        f"<style>{STYLE}</style></head>\n<body>\n<h1>wheelground</h1>\n"
        + "\n".join(sections)
        + "\n</body>\n</html>\n",
    )
    screen.print(f"report: {page}", soft_wrap=True)
    return max(map(abs, codes))


def as_html(printed: str) -> str:
    """Content of a ``<pre>`` from text with ANSI colours; the user's folder becomes ~."""
    screen = Console(record=True, file=io.StringIO(), width=400)
    screen.print(Text.from_ansi(printed.rstrip().replace(str(Path.home()), "~")), end="")
    return screen.export_html(code_format="{code}", inline_styles=True).rstrip()


def picture(path: Path) -> str:
    """HTML of a picture, with its data inline."""
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    return f'<figure><img alt="{path.stem}" src="data:image/png;base64,{data}"></figure>'
