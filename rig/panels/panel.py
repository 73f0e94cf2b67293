"""Panel of a cockpit: levers, gauges, links and camera, as the table ``[panel]`` of a rig's file."""

from __future__ import annotations

import dataclasses
import functools
import pathlib
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from mlcp.checks import shown

from ..bus import Bus, signal_of
from ..errors import RigError, checked
from .displays import Camera, Gauge, Links
from .lever import Lever
from .plain_tables import from_table, to_table

FOLDER = pathlib.Path(__file__).parent


@dataclass(frozen=True)
@checked
class Panel:
    """Panel of a machine.

    Arguments:
        levers, gauges: controls and displayed values, in their order on the page.
        links: side view instead of a map; None: the map.
        camera: initial camera; None: it frames the machine.
        guidance: True: the page has a switch between guidance and operator (signal "engage").
        signals: changes of the table of signals by name, with the keys of ``rig/bus.toml``, such as
            ``low``, ``timeout_s`` and ``safe``.

    Raises:
        RigError: a field of another kind.
    """

    levers: tuple[Lever, ...] = ()
    gauges: tuple[Gauge, ...] = ()
    links: Links | None = None
    camera: Camera | None = None
    guidance: bool = False
    signals: Mapping[str, Any] = field(default_factory=dict)

    def extend(self, bus: Bus) -> Bus:
        """Copy of the bus whose table of signals has the changes in ``signals``."""
        changed = dict(bus.signals)
        for name, table in self.signals.items():
            before = bus.signal(name, "panel: ")
            if not isinstance(table, dict):
                raise RigError(f"panel: signals.{name} must be a table, got {shown(table)}")
            if table.get("by", before.by) != before.by:
                raise RigError(f"panel: signals.{name}: by = {shown(table['by'])} cannot be changed")
            whole = {**bus.table()["signal"][name], **table}
            try:
                changed[name] = found = signal_of(name, whole)
            except RigError as error:
                raise RigError(f"panel: signals.{name}: {error}") from None
            low, high = found.port.low, found.port.high
            if low < before.port.low or high > before.port.high or not low <= found.safe <= high:
                raise RigError(
                    f"panel: signals.{name}: low = {low:g}, high = {high:g} and safe = {found.safe:g} "
                    f"must be within {before.port.low:g} to {before.port.high:g}, safe between both"
                )
        return dataclasses.replace(bus, signals=changed)

    def check(self, bus: Bus, written: Collection[str]) -> None:
        """Check signals and ranges; ``written``: names of the signals written by blocks.

        Raises:
            RigError: an unknown signal, a lever of a signal written by a block, a range beyond
                that of the signal, a key or stick of two levers.
        """
        taken: dict[Any, str] = {"key 'g'": "the switch of guidance"} if self.guidance else {}
        for lever in self.levers:
            uses: list[Any] = [f"signal {lever.signal!r}", *(f"key {key!r}" for key in lever.keys)]
            uses += [] if lever.stick is None else [f"stick {lever.stick}"]
            for use in uses:
                if use in taken:
                    raise RigError(f"panel: {use} of lever {lever.signal!r} is that of {taken[use]}")
                taken[use] = f"lever {lever.signal!r}"
            port = bus.signal(lever.signal, "panel: a lever sets an ").port
            if lever.signal in written:
                raise RigError(f"panel: lever {lever.signal!r}: a block of the rig writes this signal")
            if port.size != 1:
                raise RigError(f"panel: lever {lever.signal!r}: the signal has {port.size} numbers")
            if lever.low < port.low or lever.high > port.high:
                raise RigError(
                    f"panel: lever {lever.signal!r} from {lever.low:g} to {lever.high:g} must stay "
                    f"within the signal's {port.low:g} to {port.high:g}"
                )
        if fixed := sorted(set(self.signals) & set(written)):
            raise RigError(f"panel: signals.{fixed[0]}: a block of the rig writes this signal")
        for gauge in self.gauges:
            size = bus.signal(gauge.signal, "panel: a gauge shows an ").port.size
            if not 0 <= gauge.index < size:
                raise RigError(
                    f"panel: gauge {gauge.signal!r}: index = {gauge.index} must be 0 to {size - 1}"
                )
        if self.links is not None:
            size = bus.signal(self.links.signal, "panel: links follow an ").port.size
            if not 0 <= self.links.first <= size - len(self.links.lengths):
                raise RigError(f"panel: links: {self.links.signal!r} has {size} angles only")

    def without(self, written: Collection[str]) -> Panel:
        """Copy of the panel without the levers of ``written`` signals (those of blocks)."""
        kept = tuple(lever for lever in self.levers if lever.signal not in written)
        return dataclasses.replace(self, levers=kept, guidance=self.guidance and "engage" not in written)

    @staticmethod
    @checked
    def of(table: Mapping[str, Any], where: str = "panel") -> Panel:
        """Panel from a table ``[panel]``; ``where``: its place in the file, for errors.

        Raises:
            RigError: an unknown key (the message names the nearest known one), a value of another kind.
        """
        given = dict(table)
        for key, kind in (("levers", Lever), ("gauges", Gauge)):
            rows = given.get(key, [])
            if not isinstance(rows, list | tuple):
                raise RigError(f"{where}: {key} must be tables [[panel.{key}]]")
            given[key] = tuple(
                from_table(kind, row, f"{where}: {key}[{k}]") for k, row in enumerate(rows)
            )
        for key, kind in (("links", Links), ("camera", Camera)):
            if key in given:
                given[key] = from_table(kind, given[key], f"{where}: {key}")
        return from_table(Panel, given, where)

    def table(self) -> dict[str, Any]:
        """Panel as a table of plain values; ``Panel.of`` reads it."""
        return to_table(self)


@functools.cache
def shipped(name: str) -> Panel:
    """Panel shipped with this package: "driving", "digging", or that of a machine by its name."""
    with open(FOLDER / f"{name}.toml", "rb") as file:
        return Panel.of(tomllib.load(file)["panel"], name)
