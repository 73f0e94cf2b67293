"""Panel of a cockpit: levers, gauges, links and camera, as the table ``[panel]`` of a rig's file."""

from __future__ import annotations

import dataclasses
import functools
import math
import pathlib
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from mlcp.checks import nearest, shown
from mlcp.kinds import above, at_least, within

from .bus import Bus, signal_of
from .errors import RigError, checked

FOLDER = pathlib.Path(__file__).with_name("panels")
STOP = " "  # key of every page that stops the machine
MODIFIERS = {"Alt", "AltGraph", "CapsLock", "Control", "Meta", "Shift"}
FARTHEST = 1e4  # largest distance of a camera from its target [m]
Pair = tuple[float, float]
Point = tuple[float, float, float]


@dataclass(frozen=True)
@checked
class Lever:
    """One control of the operator, which sets a scalar signal.

    Arguments:
        signal: name of the signal.
        label: text on the page; "": the signal's name.
        low, high: range [unit of the signal].
        keys: keyboard keys for down and up, as a browser names them.
        rate: speed of the lever while a key is pressed [unit/s].
        step: change at one stroke of a key [unit]; 0: it moves by ``rate``.
        back: rate of return of a released lever [1/s]; 0: it stays.
        unit, factor: unit of the displayed value; displayed value over the signal.
        pad: axis of a gamepad and its sign.
        buttons: buttons of a gamepad for down and up.
        stick: on-screen stick (0 left, 1 right) and its axis (0 sideways, 1 towards oneself positive).
        ends: names of the stick's ends.
        mirrored: True: the slider's high end is on the left.
        overrides: True: a movement of the lever switches guidance off.

    Raises:
        RigError: an empty range; keys, an axis, buttons or a stick that a page does not have.
    """

    signal: str
    label: str = ""
    low: float = -1.0
    high: float = 1.0
    keys: tuple[str, ...] = ()
    rate: Annotated[float, above(0.0)] = 3.0
    step: Annotated[float, at_least(0.0)] = 0.0
    back: Annotated[float, at_least(0.0)] = 0.0
    unit: str = ""
    factor: float = 1.0
    pad: Pair | None = None
    buttons: tuple[int, int] | None = None
    stick: tuple[int, int] | None = None
    ends: tuple[str, str] | None = None
    mirrored: bool = False
    overrides: bool = False

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise RigError(
                f"lever {self.signal!r}: low = {self.low:g} must be below high = {self.high:g}"
            )
        if self.keys and (len(self.keys) != 2 or len(set(self.keys) - {STOP}) != 2):
            raise RigError(
                f"lever {self.signal!r}: keys = {shown(self.keys)} must be two, down and up, not the "
                "space bar, which stops"
            )
        for key in self.keys:
            if len(key) != 1 and (not key[:1].isupper() or key in MODIFIERS):
                raise RigError(
                    f"lever {self.signal!r}: keys: {key!r} must be one character or a browser's name of "
                    "a key, such as 'ArrowUp', and no modifier"
                )
        if self.step > self.high - self.low or self.factor == 0.0:
            raise RigError(
                f"lever {self.signal!r}: step = {self.step:g} must be within its range, and factor = "
                f"{self.factor:g} must not be 0"
            )
        for name, numbers in (("pad", (self.pad or ())[:1]), ("buttons", self.buttons or ())):
            if any(k < 0 or k != round(k) for k in numbers):
                where = shown(getattr(self, name))
                raise RigError(f"lever {self.signal!r}: {name} = {where} must begin with 0, 1, 2 ...")
        if (self.pad and not self.pad[1]) or (self.buttons and len(set(self.buttons)) != 2):
            raise RigError(
                f"lever {self.signal!r}: pad = {shown(self.pad)} must end with its sign, and buttons = "
                f"{shown(self.buttons)} must be two different ones"
            )
        if self.stick is not None and (not set(self.stick) <= {0, 1} or self.ends is None):
            raise RigError(
                f"lever {self.signal!r}: stick = {shown(self.stick)} must be two of 0 and 1, with ends"
            )


@dataclass(frozen=True)
@checked
class Gauge:
    """Displayed value of a signal; with ``low`` and ``high`` also as a bar.

    Arguments:
        signal: name of the signal.
        label: text on the page; "": the signal's name.
        index: index of the number in the signal.
        unit, factor: unit of the displayed value; displayed value over the signal.
        digits: number of decimals.
        low, high: ends of the bar [``unit``]; None: no bar.

    Raises:
        RigError: a field of another kind, an empty bar.
    """

    signal: str
    label: str = ""
    index: int = 0
    unit: str = ""
    factor: float = 1.0
    digits: Annotated[int, within(0, 12)] = 1
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        low, high = self.low, self.high
        if (low is None) != (high is None) or (low is not None and high is not None and low >= high):
            raise RigError(
                f"gauge {self.signal!r}: a bar needs low below high, got low = {low}, high = {high}"
            )
        if self.factor == 0.0:
            raise RigError(f"gauge {self.signal!r}: factor = 0 must not be 0")


@dataclass(frozen=True)
@checked
class Links:
    """Side view of a chain of links, each turned by an entry of a signal.

    Arguments:
        signal: signal of the joint angles, relative to the pose of the description [rad].
        first: index of the first link's angle in the signal.
        pin: x and z of the first pin [m].
        lengths: lengths of the links [m].
        degrees: angle of each link to the one before in the pose of the description [deg].
        ground: height of the ground [m].

    Raises:
        RigError: lengths and degrees of different counts.
    """

    signal: str
    pin: Pair
    lengths: tuple[float, ...]
    degrees: tuple[float, ...]
    first: int = 0
    ground: float = 0.0

    def __post_init__(self) -> None:
        if len(self.lengths) != len(self.degrees) or not self.lengths or min(self.lengths) <= 0.0:
            raise RigError("links of a panel need lengths above 0, and one angle in degrees for each")


@dataclass(frozen=True)
@checked
class Camera:
    """Initial camera of the scene.

    Arguments:
        eye, target: position, and the point at the picture's centre [m].

    Raises:
        RigError: a field of another kind; eye and target at one place or too far apart.
    """

    eye: Point
    target: Point

    def __post_init__(self) -> None:
        distance = math.dist(self.eye, self.target)
        if not 0.0 < distance < FARTHEST:
            raise RigError(
                f"camera of a panel: eye = {shown(self.eye)} must be at another place than target = "
                f"{shown(self.target)}, less than {FARTHEST:g} m away"
            )


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
            changed[name] = found = signal_of(name, whole)
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
                that of the signal.
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
            given[key] = tuple(_made(kind, row, f"{where}: {key}[{k}]") for k, row in enumerate(rows))
        for key, kind in (("links", Links), ("camera", Camera)):
            if key in given:
                given[key] = _made(kind, given[key], f"{where}: {key}")
        return _made(Panel, given, where)

    def table(self) -> dict[str, Any]:
        """Panel as a table of plain values; ``Panel.of`` reads it."""
        return _kept(self)


def _made(kind: Any, given: Any, where: str) -> Any:
    """Instance of a dataclass from its table; RigError for unknown or missing keys."""
    if not isinstance(given, dict):
        raise RigError(f"{where} must be a table, got {shown(given)}")
    known = {f.name for f in dataclasses.fields(kind)}
    for key in given:
        if key not in known:
            raise RigError(f"{where}: unknown key {key!r}; {nearest(key, known)}")
    absent = [
        f.name
        for f in dataclasses.fields(kind)
        if f.name not in given and f.default is f.default_factory is dataclasses.MISSING
    ]
    if absent:
        raise RigError(f"{where}: the key {absent[0]!r} is missing")
    try:
        return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in given.items()})
    except RigError as error:
        raise RigError(f"{where}: {error}") from None


def _kept(item: Any) -> Any:
    """Table of a dataclass's fields, without None and without default values."""
    if not dataclasses.is_dataclass(item):
        return [_kept(x) for x in item] if isinstance(item, tuple) else item
    pairs = ((f, getattr(item, f.name)) for f in dataclasses.fields(item))
    return {
        f.name: _kept(v) for f, v in pairs if v is not None and v != f.default and v != () and v != {}
    }


@functools.cache
def shipped(name: str) -> Panel:
    """Panel shipped with this package: "driving" or "digging"."""
    with open(FOLDER / f"{name}.toml", "rb") as file:
        return Panel.of(tomllib.load(file)["panel"], name)
