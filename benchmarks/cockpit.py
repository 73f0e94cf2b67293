"""Time from a key to the screen: a live rig and its cockpit in a browser:  python -m benchmarks.cockpit

The rig runs as a user starts it; the page itself measures the time from a key's event to the drawing of
the resulting pose. Every stage is reported at its end and has a time limit.
Needs playwright and a chromium on the PATH.
"""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import Annotated, Any

import cyclopts

from wheelground.reports import cli
from wheelground.reports.verdict import Check, all_passed, recorded

#: Machines by name, with the arguments of ``python -m rig``; tractor and hmmwv follow a path.
MACHINES = {
    "tractor": ("drive", "--live", "--path", "field"),
    "hmmwv": ("drive", "hmmwv", "--live", "--path", "field"),
    "backhoe": ("dig",),
} | {
    name: ("drive", name, "--live")
    for name in ("wheel_loader", "backhoe_loader", "forwarder", "skid_steer", "rover", "truck",
                 "truck_6x6_air", "hmmwv_4x4", "hmmwv_pitman")
}  # fmt: skip
#: Keys that move a machine in the cockpit, where they are not the left and right arrows.
KEYS = {
    "backhoe": ("a", "d"),
    "backhoe_loader": ("a", "d"),
    "skid_steer": ("w", "s"),
    "rover": ("w", "s"),
}
STEERED = ("ArrowLeft", "ArrowRight")
MOVES = {
    "tractor": ("ArrowUp", "Math.abs(state.speed) > 0.1"),
    "hmmwv": ("ArrowUp", "Math.abs(state.speed) > 0.1"),
    "backhoe": ("a", "Math.abs(state.joint_angle[0]) > 0.01"),
}
MEDIAN, FIRST = 60.0, 20.0  # limits: median time from key to screen [ms], time to the first motion [s]
LONGEST = 60.0  # [s] time limit for the start of a rig's cockpit
LEAST = 5.0  # least time left for a machine's start [s]; with less the machine is left out
DRAWN = 40_000  # least size of a PNG of a drawn scene [bytes]; one with text alone is smaller
#: Without a graphics card the scene needs a software GL, which is off by default.
FLAGS = ("--no-sandbox", "--enable-unsafe-swiftshader", "--disable-background-networking",
         "--disable-sync", "--disable-component-update")  # fmt: skip


@contextlib.contextmanager
def rig_process(*words: str, seconds: float = 600.0, **settings: Any) -> Iterator[tuple[str, float]]:
    """Start a rig by its command; yields the address of its cockpit and the time at the start."""
    began = time.monotonic()
    command = [sys.executable, "-m", "rig", *words, "--web-port", "0", "--seconds", f"{seconds:g}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **settings)
    watchdog = threading.Timer(LONGEST, process.kill)
    watchdog.start()
    try:
        address = ""
        while process.stdout is not None and not address:
            line = process.stdout.readline()
            if not line:
                raise ValueError(f"{' '.join(command[1:])} ended before it had a cockpit")
            if line.startswith("cockpit"):
                address = line.split()[1]
        watchdog.cancel()
        yield address, began
    finally:
        watchdog.cancel()
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def browser() -> Iterator[Any]:
    """A headless browser.

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
        found = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield found
        found.close()


@contextlib.contextmanager
def cockpit(address: str, within: Any = None, seconds: float = 60.0) -> Iterator[Any]:
    """Connected page of a cockpit, in the given browser or in a new one."""
    with contextlib.ExitStack() as stack:
        page = (within or stack.enter_context(browser())).new_page(
            viewport={"width": 1280, "height": 720}
        )
        stack.callback(page.close)
        page.goto(address)
        until(page, "state !== null", seconds)
        yield page


def take_the_seat(page: Any, seconds: float = 60.0) -> None:
    """Give the page the role of the operator."""
    page.locator("#seat").click()
    until(page, "seated", seconds)


def until(page: Any, condition: str, seconds: float = 60.0) -> None:
    """Wait until a condition holds on the page.

    Raises:
        ValueError: the condition does not hold within ``seconds``.
    """
    end = time.monotonic() + seconds
    while not page.evaluate(condition):
        if time.monotonic() > end:
            raise ValueError(f"the cockpit did not come to {condition} within {seconds:.0f} s")
        page.wait_for_timeout(20)


def measured(
    machine: str,
    seconds: float,
    scene: bool,
    within: Any,
    *,
    end: float = math.inf,
    cache: str | None = None,
) -> dict[str, Any]:
    """Delays from key to screen in one machine's cockpit [ms]; times to first picture and motion [s].

    Arguments:
        machine: name of a machine in ``MACHINES``.
        seconds: duration of the key strokes [s].
        scene: whether the page draws the scene besides the map.
        within: browser.
        end: time on the monotonic clock at which the measurement must end [s].
        cache: folder of compiled code; None: the usual one.

    Raises:
        ValueError: scene, motion or a delay was missing at the time limit.
    """
    words = (*MACHINES[machine], *(() if scene else ("--no-scene",)))
    settings: dict[str, Any] = {} if cache is None else {"env": {**os.environ, "NUMBA_CACHE_DIR": cache}}

    def left() -> float:
        return max(1.0, end - time.monotonic())

    with (
        rig_process(*words, **settings) as (address, began),
        cockpit(address, within, left()) as page,
    ):
        while scene and len(page.locator("#view").screenshot()) < DRAWN:
            if time.monotonic() > end:
                raise ValueError("the scene was not drawn in time")
            page.wait_for_timeout(100)
        seen = time.monotonic() - began
        until(page, "!waiting", left())
        take_the_seat(page, left())
        keys = KEYS.get(machine, STEERED)
        key, condition = MOVES.get(machine, (keys[0], "inputToScreen().count > 0"))
        page.keyboard.down(key)
        until(page, condition, left())
        page.keyboard.up(key)
        first = time.monotonic() - began
        page.wait_for_timeout(1000)
        page.evaluate("lags = []")
        over = min(end, time.monotonic() + seconds)
        while time.monotonic() < over:
            for key in keys:
                page.keyboard.down(key)
                page.wait_for_timeout(150)
                page.keyboard.up(key)
                page.wait_for_timeout(100)
        found = page.evaluate("inputToScreen()")
        overruns = page.locator("#late").inner_text()
    if not found["count"]:
        raise ValueError("no input came back in time")
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    times = {"seen [s]": seen, "moving [s]": first}
    return {"machine": machine, "scene": scene, **times, "late": overruns, "load": load, **found}


def checks_of(rows: list[dict[str, Any]]) -> list[Check]:
    """Checks of each machine's times: key to screen, first picture, first motion."""
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
    figures = "inputs", "median", "p99", "worst", "seen after", "moving after", "late ticks", "load"
    texts = "machine", "cockpit"
    table = cli.new_table("From an input to the screen [ms]", (*texts, *figures), texts)
    for row in rows:
        table.add_row(
            row["machine"],
            "map and scene" if row["scene"] else "map alone",
            str(row["count"]),
            *(f"{row[name]:.0f}" for name in ("median", "p99", "worst")),
            f"{row['seen [s]']:.1f} s",
            f"{row['moving [s]']:.1f} s",
            row["late"],
            f"{row['load']:.1f}",
        )
    cli.console().print(table)
    for check in checks:
        cli.console().print(check.line)


app = cyclopts.App(help=__doc__)


@app.default
def main(
    *,
    seconds: Annotated[cli.Whole, cli.at_least(2)] = 5,
    within: Annotated[cli.Whole, cli.at_least(10)] = 85,
    machine: tuple[str, ...] = ("hmmwv", "tractor", "backhoe"),
    fresh: bool = False,
    json_file: cli.JsonFile = None,
) -> int:
    """Press keys in the cockpit of each machine, with and without its scene, and print the times.

    Parameters
    ----------
    seconds
        duration of the key strokes for each machine [s].
    within
        time limit of the whole program [s]; unfinished stages are reported as missing.
    machine
        names of shipped machines: tractor, hmmwv, backhoe, wheel_loader, ...
    fresh
        compile everything anew, as after an installation; only with the scene.
    json_file
        file for the numbers.
    """
    rows, failed = [], []
    with cli.refuse_bad_input():
        if unknown := [m for m in machine if m not in MACHINES]:
            raise ValueError(f"unknown machine {unknown[0]!r} (known: {', '.join(MACHINES)})")
        cli.writable_file(json_file)
        end = time.monotonic() + within
        with browser() as shared:
            for name, scene in ((m, s) for m in machine for s in ((True,) if fresh else (True, False))):
                what = name + (", map and scene" if scene else ", map alone")
                try:
                    if end - time.monotonic() < LEAST + seconds:
                        raise ValueError(f"no time is left of {within} s")
                    with tempfile.TemporaryDirectory() as cache:
                        row = measured(
                            name, seconds, scene, shared, end=end, cache=cache if fresh else None
                        )
                except ValueError as error:
                    failed.append(f"{what}: {error}")
                    cli.console().print(failed[-1])
                    continue
                rows.append(row)
                cli.console().print(
                    f"{what}: seen after {row['seen [s]']:.1f} s, moving after "
                    f"{row['moving [s]']:.1f} s, input to screen {row['median']:.0f} ms in the median "
                    f"of {row['count']}"
                )
    checks = checks_of(rows) + [Check(what, "missing", False, True) for what in failed]
    show(rows, checks)
    cli.save_results(json_file, {"rows": rows, **recorded(checks)})
    return 0 if all_passed(checks) else 1


if __name__ == "__main__":
    cli.run(app)
