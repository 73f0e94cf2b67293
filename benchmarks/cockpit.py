"""From a key to the screen: a live rig, its cockpit in a browser:  python -m benchmarks.cockpit

The rig runs as a user starts it; the page itself times every input, from the key's event to after the
drawing of the pose that it led to. Needs playwright and a chromium on the PATH.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Annotated, Any

import cyclopts

from benchmarks.cli import (
    JsonFile,
    Whole,
    console,
    refuse_bad_input,
    run,
    writable_file,
    write_whole,
)
from benchmarks.verdict import Check, all_hold, recorded

MACHINES = {
    "tractor": ("drive", "--live", "--path", "field"),
    "hmmwv": ("drive", "hmmwv", "--live", "--path", "field"),
    "backhoe": ("dig",),
}
KEYS = {
    "tractor": ("ArrowLeft", "ArrowRight"),
    "hmmwv": ("ArrowLeft", "ArrowRight"),
    "backhoe": ("a", "d"),
}
MEDIAN, FIRST = 60.0, 20.0  # [ms], [s]
DRAWN = 40_000  # bytes of a PNG of the scene, once there is more in it than words
QUICK = ("--seconds", "5", "--machine", "tractor")
FLAGS = ("--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--disable-sync", "--disable-component-update")  # fmt: skip


@contextlib.contextmanager
def rig_process(*words: str, seconds: float = 600.0, **settings: Any) -> Iterator[tuple[str, float]]:
    """A rig as a user starts it: the address of its cockpit, and when it was started [s]."""
    began = time.monotonic()
    command = [sys.executable, "-m", "rig", *words, "--web-port", "0", "--seconds", f"{seconds:g}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **settings)
    try:
        address = ""
        while process.stdout is not None and not address:
            line = process.stdout.readline()
            if not line:
                raise ValueError(f"{' '.join(command[1:])} ended before it had a cockpit")
            if line.startswith("cockpit"):
                address = line.split()[1]
        yield address, began
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(30.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def cockpit(address: str) -> Iterator[Any]:
    """The page of a cockpit in a headless browser, once it is connected.

    Raises:
        ValueError: playwright or a chromium is missing.
    """
    chromium = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        raise ValueError("a browser is driven by playwright: pip install playwright") from None
    if chromium is None:
        raise ValueError("there is no chromium on the PATH")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(address)
        until(page, "state !== null")
        yield page
        browser.close()


def until(page: Any, condition: str, seconds: float = 60.0) -> None:
    """Wait until it is so on the page.

    Raises:
        ValueError: it never is.
    """
    end = time.monotonic() + seconds
    while not page.evaluate(condition):
        if time.monotonic() > end:
            raise ValueError(f"the cockpit did not come to {condition} within {seconds:g} s")
        page.wait_for_timeout(20)


def measured(machine: str, seconds: float, scene: bool, cache: str | None = None) -> dict[str, Any]:
    """What one machine's page measured while keys were pressed, and how long it took to move [s, ms]."""
    words = (*MACHINES[machine], *(() if scene else ("--no-scene",)))
    settings = {} if cache is None else {"env": {**os.environ, "NUMBA_CACHE_DIR": cache}}
    with rig_process(*words, **settings) as (address, began), cockpit(address) as page:
        while scene and len(page.locator("#view").screenshot()) < DRAWN:
            page.wait_for_timeout(100)
        seen = time.monotonic() - began
        until(page, "!waiting", 300.0)
        if machine == "backhoe":
            page.keyboard.down("a")
            until(page, "Math.abs(state.joint_angle[0]) > 0.01")
            page.keyboard.up("a")
        else:
            page.keyboard.down("ArrowUp")
            until(page, "Math.abs(state.speed) > 0.1")
            page.keyboard.up("ArrowUp")
        first = time.monotonic() - began
        page.wait_for_timeout(2000)
        page.evaluate("lags = []")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for key in KEYS[machine]:
                page.keyboard.down(key)
                page.wait_for_timeout(150)
                page.keyboard.up(key)
                page.wait_for_timeout(100)
        found = page.evaluate("inputToScreen()")
        late = page.locator("#late").inner_text()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    times = {"seen [s]": seen, "moving [s]": first}
    return {"machine": machine, "scene": scene, **times, "late": late, "load": load, **found}


def checks_of(rows: list[dict[str, Any]]) -> list[Check]:
    """What is promised of the page; its scene is drawn by the processor here, not by a graphics card."""
    checks = []
    for row in rows:
        name = row["machine"] + " with its scene" * row["scene"]
        median = row["median"]
        words = f"{name}: input to screen below {MEDIAN:g} ms"
        checks.append(Check(words, f"{median:.0f} ms", median < MEDIAN, True))
        for what in ("seen", "moving"):
            after = row[f"{what} [s]"]
            words = f"{name}: {what} within {FIRST:g} s"
            checks.append(Check(words, f"{after:.1f} s", after < FIRST, True))
    return checks


def show(rows: list[dict[str, Any]], checks: list[Check]) -> None:
    """Print the table and the verdicts."""
    from rich import box
    from rich.table import Table

    table = Table(title="From an input to the screen [ms]", box=box.SIMPLE)
    for name in ("machine", "cockpit", "inputs", "median", "p99", "worst", "seen after", "moving after",
                 "late ticks", "load"):  # fmt: skip
        table.add_column(name, justify="left" if name in ("machine", "cockpit") else "right")
    for row in rows:
        table.add_row(
            row["machine"], "map and scene" if row["scene"] else "map alone", str(row["count"]),
            *(f"{row[name]:.0f}" for name in ("median", "p99", "worst")),
            f"{row['seen [s]']:.1f} s", f"{row['moving [s]']:.1f} s",
            row["late"], f"{row['load']:.1f}",
        )  # fmt: skip
    console().print(table)
    for check in checks:
        console().print(check.line)


app = cyclopts.App(help=__doc__)


@app.default
def main(
    *,
    seconds: Annotated[Whole, cyclopts.Parameter(validator=cyclopts.validators.Number(gte=2))] = 20,
    machine: tuple[str, ...] = ("tractor", "hmmwv", "backhoe"),
    fresh: bool = False,
    json_file: JsonFile = None,
) -> int:
    """Press keys in the cockpit of each machine, with its scene and without, and show what it timed.

    Parameters
    ----------
    seconds
        of keys for each [s].
    machine
        tractor, hmmwv, backhoe.
    fresh
        as after an installation: everything is compiled again.
    json_file
        file for the numbers.
    """
    rows = []
    with refuse_bad_input():
        if unknown := [m for m in machine if m not in MACHINES]:
            raise ValueError(f"unknown machine {unknown[0]!r} (known: {', '.join(MACHINES)})")
        if json_file is not None:
            writable_file(json_file)
        for name in machine:
            for scene in (False, True):
                with tempfile.TemporaryDirectory() as cache:
                    rows.append(measured(name, seconds, scene, cache if fresh else None))
    checks = checks_of(rows)
    show(rows, checks)
    passed = all_hold(checks)
    if json_file is not None:
        content = {"rows": rows, "checks": recorded(checks), "passed": passed}
        write_whole(json_file, json.dumps(content, indent=1) + "\n")
    return 0 if passed else 1


if __name__ == "__main__":
    run(app)
