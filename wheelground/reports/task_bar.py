"""Progress bar over tasks of different lengths, with the present task and the time left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


class TaskBar(Progress):
    """Progress bar; a context manager. The sum of the tasks' weights is its ``total``, None: unknown."""

    def __init__(self, console: Console, first: str, total: float | None = None) -> None:
        name, left = TextColumn("{task.description:52}"), TextColumn("left")
        times = TimeElapsedColumn(), left, TimeRemainingColumn()
        super().__init__(name, BarColumn(bar_width=24), *times, console=console, transient=True)
        self.done, self.weight = 0.0, 0.0
        self.bar = self.add_task(first, total=total)

    def begin(self, what: str, weight: float = 1.0) -> Callable[[float], None]:
        """Show the next task; return the function that takes the fraction of it that is done."""
        self.done, self.weight = self.done + self.weight, weight
        self.update(self.bar, description=what, completed=self.done)
        return lambda share: self.update(self.bar, completed=self.done + share * self.weight)

    def work(self, what: str, action: Callable[[], Any], weight: float = 1.0) -> Any:
        """Show the next task, and return the result of ``action``, which does it."""
        self.begin(what, weight)
        return action()
