"""Running benchmarks one after the other, each in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from .catalogue import FOLDER, Benchmark

COLUMNS = 110  # width of the screen that a benchmark sees
VERDICTS = {0: "passed", 1: "a check failed", 2: "refused"}


@dataclass(frozen=True)
class Result:
    """What a benchmark left behind; ``code`` is its exit code, None when it did not run to an end."""

    benchmark: Benchmark
    command: str
    code: int | None
    wall_s: float
    screen: str
    errors: str
    files: tuple[Path, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether it ended well."""
        return self.code == 0

    @property
    def missing(self) -> str:
        """The sentence that names a missing extra, if that is why it did not run."""
        lines = [line for line in self.errors.splitlines() if "pip install" in line]
        return lines[-1] if lines and not self.passed else ""

    @property
    def verdict(self) -> str:
        """One or two words for the reader."""
        if self.missing:
            return "not installed"
        if self.code is None:
            return "interrupted"
        if "Traceback (most recent call last)" in self.errors and not self.passed:
            return "crashed"
        said = VERDICTS.get(self.code, f"ended with code {self.code}")
        lacking = self.screen.count(": not installed; pip install")
        return f"{said}; {lacking} not installed" if self.passed and lacking else said


def options_of(name: str) -> set[str]:
    """The options that a benchmark's own help shows; none if it cannot even show its help."""
    run = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}", "--help"],
        cwd=FOLDER.parent, env={**os.environ, "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "200"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", run.stdout))


def environment() -> dict[str, str]:
    """Colours and a fixed width, no animation, no window, UTF-8 on every system."""
    return {
        **os.environ, "FORCE_COLOR": "1", "TTY_INTERACTIVE": "0", "COLUMNS": str(COLUMNS),
        "MPLBACKEND": "Agg", "PYTHONIOENCODING": "utf-8",
    }  # fmt: skip


def arguments(benchmark: Benchmark, folder: Path, quick: bool) -> list[str]:
    """What to run it with: where to write, and its quick variant if asked."""
    options = options_of(benchmark.name)
    words = []
    if "--out" in options:
        words += ["--out", str(folder)]
    if "--json" in options:
        words += ["--json", str(folder / "results.json")]
    if quick:
        words += benchmark.quick or (["--quick"] if "--quick" in options else [])
    return words


def written(folder: Path, since: float) -> tuple[Path, ...]:
    """Files of this run: a picture of an earlier one must not stand for it."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return tuple(path.resolve() for path in files if path.stat().st_mtime >= since - 2.0)


def without_places(text: str, folder: Path) -> str:
    """What was printed without where things lie on this machine."""
    for place, name in ((folder, "out"), (Path(sys.prefix), "python"), (FOLDER.parent, ".")):
        text = text.replace(str(place.resolve()), name)
    return text.replace(str(Path.home()), "~")


def run_one(benchmark: Benchmark, folder: Path, quick: bool) -> Result:
    """Run a benchmark to its end and keep its screen."""
    folder.mkdir(parents=True, exist_ok=True)
    words = arguments(benchmark, folder.resolve(), quick)
    begun, start = time.time(), time.perf_counter()
    code: int | None = None
    process = subprocess.Popen(
        [sys.executable, "-m", f"benchmarks.{benchmark.name}", *words],
        cwd=FOLDER.parent, env=environment(), text=True, encoding="utf-8", errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        screen, errors = process.communicate()
        code = process.returncode
    except KeyboardInterrupt:
        process.terminate()
        screen, errors = process.communicate()
    shown = [str(Path(word).name) if os.sep in word else word for word in words]
    command = " ".join(["python -m benchmarks", benchmark.name, *shown])
    return Result(
        benchmark,
        command,
        code,
        time.perf_counter() - start,
        without_places(screen, folder),
        without_places(errors, folder),
        written(folder, begun),
    )


def run_several(benchmarks: list[Benchmark], out: Path, quick: bool, console: Console) -> list[Result]:
    """Run them in turn with a progress bar; Ctrl-C ends with what there is."""
    results: list[Result] = []
    columns = (
        TextColumn("{task.description:28}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    )  # fmt: skip
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=len(benchmarks))
        for benchmark in benchmarks:
            progress.update(task, description=benchmark.name)
            result = run_one(benchmark, out / benchmark.name, quick)
            results.append(result)
            progress.advance(task)
            colour = "green" if result.passed else "yellow" if result.missing else "red"
            console.print(f"[{colour}]{benchmark.name}[/]: {result.verdict}, {result.wall_s:.0f} s")
            if result.code is None:
                break
    return results
