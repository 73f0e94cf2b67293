"""Bus of a rig: table of all signals, and the signals read and written by each category of blocks."""

from __future__ import annotations

import dataclasses
import functools
import pathlib
import tomllib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import RigError, checked, known
from .port import Port

TABLE = pathlib.Path(__file__).with_name("bus.toml")


@dataclass(frozen=True)
@checked
class Signal:
    """Signal: one entry of the bus table.

    Arguments:
        name: name of the signal.
        port: unit, shape, start, range and description.
        by: category of the blocks that write it.
        alone: True: without a producer the signal has its start value; False: a producer is required.
        timeout: age [s] beyond which an external value is stale; None: never.
        safe: replacement of a stale value [unit].

    Raises:
        RigError: an argument of another kind or out of its range.
    """

    name: str
    port: Port
    by: str
    alone: bool = False
    timeout: float | None = None
    safe: float = 0.0

    def __post_init__(self) -> None:
        if self.timeout is not None and self.timeout < 0.0:
            raise RigError(f"signal {self.name!r}: timeout = {self.timeout:g} s must be 0 or more")


@dataclass(frozen=True)
@checked
class Bus:
    """Table of signals and categories of blocks.

    Arguments:
        signals: signals by name.
        reads: names of the signals read by the blocks of each category.
        order: categories in their order of execution in a tick.
        about: short description of each category.

    Raises:
        RigError: an argument of another kind or out of its range.
    """

    signals: dict[str, Signal]
    reads: dict[str, tuple[str, ...]]
    order: tuple[str, ...]
    about: dict[str, str]

    def signal(self, name: str, where: str = "") -> Signal:
        """Signal by its name; the RigError for an unknown name has the nearest known name."""
        known(f"{where}unknown signal", name, self.signals)
        return self.signals[name]

    def category(self, name: str) -> str:
        """Check the name of a category and return it; a RigError has the nearest known name."""
        known("unknown category", name, self.reads)
        return name

    def inputs(self, category: str) -> dict[str, Port]:
        """Ports of the signals read by the blocks of a category."""
        return {name: self.signals[name].port for name in self.reads[self.category(category)]}

    def outputs(self, category: str) -> dict[str, Port]:
        """Ports of the signals written by the blocks of a category."""
        self.category(category)
        return {name: s.port for name, s in self.signals.items() if s.by == category}

    def split(self, flat: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        """Views of a flat array of all signals, by name: shape () for a number, (n,) for more."""
        found, at = {}, 0
        for name, signal in self.signals.items():
            found[name] = flat[at : at + signal.port.size].reshape(signal.port.shape)
            at += signal.port.size
        return found

    @staticmethod
    @checked
    def read(path: str | pathlib.Path = TABLE) -> Bus:
        """Read a bus from a file like ``rig/bus.toml``.

        Raises:
            RigError: an unreadable file or an inconsistent table, with the place of the fault.
        """
        try:
            with open(path, "rb") as file:
                table = tomllib.load(file)
        except (OSError, tomllib.TOMLDecodeError) as error:
            raise RigError(f"{path} is no table of a bus: {error}") from None
        return Bus.of(table, str(path))

    @staticmethod
    def of(table: dict[str, Any], where: str) -> Bus:
        """Bus from a table like that of ``rig/bus.toml``; ``where``: file name for errors."""
        try:
            order = tuple(table["order"])
            signals = {name: signal_of(name, entry) for name, entry in table["signal"].items()}
            categories = {name: dict(entry) for name, entry in table["category"].items()}
        except (KeyError, TypeError, AttributeError) as error:
            raise RigError(f"{where} is no table of a bus: {error}") from None
        reads = {name: tuple(entry.get("reads", ())) for name, entry in categories.items()}
        about = {name: str(entry.get("about", "")) for name, entry in categories.items()}
        bus = Bus(signals, reads, order, about)
        if sorted(order) != sorted(reads):
            raise RigError(f"{where}: order must name every category once, got {', '.join(order)}")
        for category, names in reads.items():
            for name in names:
                bus.signal(name, f"{where}: category {category!r} reads an ")
        for signal in signals.values():
            bus.category(signal.by)
        return bus

    def table(self) -> dict[str, Any]:
        """Bus as a table of plain values, for another process; ``Bus.of`` reads it."""
        signals = {
            name: {
                **dataclasses.asdict(signal.port),
                "by": signal.by,
                "alone": signal.alone,
                "timeout_s": signal.timeout,
                "safe": signal.safe,
            }
            for name, signal in self.signals.items()
        }
        categories = {
            name: {"reads": reads, "about": self.about.get(name, "")}
            for name, reads in self.reads.items()
        }
        return {"order": self.order, "signal": signals, "category": categories}


KEYS = {"unit", "shape", "start", "low", "high", "about", "by", "alone", "timeout_s", "safe"}


def signal_of(name: str, entry: dict[str, Any]) -> Signal:
    """Signal from its entry in the table."""
    for key in entry:
        known(f"signal {name!r}: unknown key", key, KEYS)
    given = {k: v for k, v in entry.items() if k in ("unit", "start", "low", "high", "about")}
    if isinstance(given.get("start"), list):
        given["start"] = tuple(given["start"])
    port = Port(shape=tuple(entry.get("shape", ())), **given)
    timeout = entry.get("timeout_s")
    return Signal(name, port, entry["by"], entry.get("alone", False), timeout, entry.get("safe", 0.0))


@functools.cache
def core() -> Bus:
    """Bus of the shipped blocks."""
    return Bus.read()
