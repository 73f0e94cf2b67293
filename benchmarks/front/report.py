"""The report: one HTML file with everything in it, to be opened anywhere, without a network."""

from __future__ import annotations

import base64
import json
import os
import platform
from datetime import datetime
from html import escape
from importlib import metadata
from pathlib import Path

from benchmarks.cli import write_whole

from .run import Result
from .screen import screen_as_html
from .tables import as_tables

MIME = {
    ".png": "image/png", ".svg": "image/svg+xml", ".jpg": "image/jpeg", ".gif": "image/gif",
    ".webp": "image/webp",
}  # fmt: skip


def write_report(results: list[Result], quick: bool, path: Path) -> Path:
    """Write the page whole or not at all; returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, page(results, quick))
    return path


def page(results: list[Result], quick: bool) -> str:
    """The whole page."""
    style = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    kind = "Quick variants: the same tables and pictures from shorter runs." if quick else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>wheelground: benchmarks</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<h1>wheelground: benchmarks</h1>
<p class="soft">{escape(machine())}</p>
<p>{verdict_of_all(results)} {kind}</p>
{summary(results)}
{"".join(section(result) for result in results)}
</body>
</html>
"""


def machine() -> str:
    """What it ran on, in a line."""
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("numpy", "numba"))
    when = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
    return (
        f"{when}. Python {platform.python_version()}, {versions}; {platform.system()} "
        f"{platform.machine()}, {processor()}, {os.cpu_count()} cores."
    )


def processor() -> str:
    """Name of the processor where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "processor unknown"
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "processor unknown"


def verdict_of_all(results: list[Result]) -> str:
    """How many passed."""
    passed = sum(result.passed for result in results)
    lacking = sum(bool(result.missing) for result in results)
    rest = f" {lacking} could not run: an extra is not installed." if lacking else ""
    return f"{passed} of {len(results) - lacking} benchmarks passed.{rest}"


def badge(result: Result) -> str:
    """The verdict, coloured."""
    kind = "passed" if result.passed else "soft" if result.missing else "failed"
    return f'<span class="{kind}">{escape(result.verdict)}</span>'


def summary(results: list[Result]) -> str:
    """One line a benchmark, each a link to its section."""
    rows = "".join(
        f'<tr><td><a href="#{r.benchmark.name}">{r.benchmark.name}</a></td><td>{badge(r)}</td>'
        f'<td class="number">{r.wall_s:.0f} s</td></tr>'
        for r in results
    )
    head = "<tr><th>benchmark</th><th>verdict</th><th>wall time</th></tr>"
    return f'<div class="scroll"><table>{head}{rows}</table></div>'


def section(result: Result) -> str:
    """What one benchmark says: verdict, pictures, screen, numbers."""
    name = result.benchmark.name
    parts = [
        f'<section id="{name}"><h2>{name}</h2>',
        f"<p>{escape(result.benchmark.summary)}</p>",
        f'<p class="soft">{badge(result)} in {result.wall_s:.0f} s: '
        f"<code>{escape(result.command)}</code></p>",
    ]
    if result.missing:
        parts.append(f'<p class="soft">{escape(result.missing)}</p>')
    parts += [picture(path) for path in result.files if path.suffix.lower() in MIME]
    if result.screen.strip():
        parts.append(f'<div class="scroll"><pre>{screen_as_html(result.screen)}</pre></div>')
    if result.errors.strip():
        shown = screen_as_html(result.errors)
        opened = "" if result.passed else " open"
        parts.append(
            f"<details{opened}><summary>warnings and errors</summary>"
            f'<div class="scroll tall"><pre>{shown}</pre></div></details>'
        )
    parts += [numbers(path) for path in result.files if path.suffix == ".json"]
    others = [p.name for p in result.files if p.suffix.lower() not in (*MIME, ".json")]
    if others:
        parts.append(f'<p class="soft">Beside the report: {escape(", ".join(others))}</p>')
    return "\n".join([*parts, "</section>"])


def picture(path: Path) -> str:
    """An image, inline."""
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    title = escape(path.stem.replace("_", " "))
    return (
        f'<figure><img alt="{title}" src="data:{MIME[path.suffix.lower()]};base64,{data}">'
        f"<figcaption>{title}</figcaption></figure>"
    )


def numbers(path: Path) -> str:
    """A JSON file as tables, and itself, for programs."""
    text = path.read_text(encoding="utf-8")
    try:
        tables = as_tables(json.loads(text))
    except ValueError as error:
        return f'<p class="failed">{escape(path.name)} is no JSON: {escape(str(error))}</p>'
    name = f"{path.parent.name}-{path.stem}"
    safe = text.replace("</", "<\\/")
    return (
        f"<details><summary>numbers ({escape(path.name)})</summary>{tables}</details>"
        f'<script type="application/json" id="{escape(name)}">{safe}</script>'
    )
