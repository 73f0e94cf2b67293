"""Rig: one block of each category on one bus and one tick."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlcp.checks import shown

from . import bus as buses
from . import catalogue, files
from .block import Block
from .errors import RigError, checked, known
from .panels.panel import Panel, shipped
from .path import Path, straight
from .posed import Posed
from .run import Run
from .site import Site
from .timing.ages import Ages
from .timing.clock import SECOND, Clock, multiple, nanoseconds
from .timing.pace import Pace
from .wiring import Wiring, check

#: sequence: a block reads the outputs of earlier blocks in this tick; parallel: those of the last tick.
ORDERS = ("sequence", "parallel")


@checked.explained
class Rig:
    """Blocks on one bus with a path, a ground and a tick; connections are checked before any run.

    Arguments:
        tick: time between two exchanges of signals [s].
        path: planned path; None: straight ahead.
        terrain: ground with a ``height(x, y)`` [m]; None: level.
        seed: seed of all random noise.
        speed: initial speed [m/s]; also the value of "wanted_speed" and "speed_command" if no block
            writes them.
        start: values of signals before the first tick, by name [each in its unit]; "position",
            "attitude", "velocity" and "yaw_rate" are the initial state of a chassis.
        order: "sequence" or "parallel", see ``ORDERS``.
        bus: table of signals; None: the shipped one. Blocks may add signals, the panel change some.
        panel: panel of the cockpit; None: the machine's panel.
        begin: False: the blocks start with ``begin()`` or the first run, not now. Their kernels are
            compiled then; until then signals have their start values.
        blocks: a name or a block for each category, as ``chassis="bicycle"``.

    Raises:
        RigError: an unknown name (the message has the nearest known one), a misconnection, a number out
            of its range.
    """

    def __init__(
        self, tick: float = 0.01, *, path: Path | None = None, terrain: Any = None, seed: int = 0,
        speed: float | None = None, start: Mapping[str, Any] | None = None, order: str = "sequence",
        bus: buses.Bus | None = None, panel: Panel | None = None, begin: bool = True, **blocks: Any,
    ) -> None:  # fmt: skip
        self._table: buses.Bus = bus or buses.core()
        self._panel = panel
        self._tick = nanoseconds("tick", tick)
        self.tick: float = self._tick / SECOND
        known("unknown order", order, ORDERS)
        if path is not None and not isinstance(path, Path):
            raise RigError(f"path = {shown(path)} must be a Path, such as rig.straight(400.0)")
        if terrain is not None and not callable(getattr(terrain, "height", None)):
            raise RigError(f"terrain = {shown(terrain)} must have a height(x, y)")
        if type(seed) is not int or seed < 0:
            raise RigError(f"seed = {shown(seed)} must be a whole number, 0 or more")
        self.order: str = order
        self.site: Site = Site(path or straight(1000.0), terrain, seed, self.tick)
        self.speed: float | None = speed
        self.start_values: dict[str, Any] = dict(start or {})
        self.blocks: dict[str, Block] = {}
        for category, block in blocks.items():
            self.blocks[category] = catalogue.make(self._table.category(category), block)
        self._check()
        self._begun = begin
        self.reset()

    def add(self, block: Block) -> None:
        """Add a block; RigError if its category already has one: a signal has one producer."""
        if block.category in self.blocks:
            shared = ", ".join(sorted(block.outputs))
            raise RigError(
                f"{self.blocks[block.category].title} and {block.title} would both write {shared}; "
                "swap them, or leave one out"
            )
        self.swap(block.category, block)

    def swap(self, category: str, block: Any, **parameters: Any) -> None:
        """Replace the block of a category, and reset the rig.

        Arguments:
            category: category of the block.
            block: a block, or the name of one, which is made with ``parameters``.

        Raises:
            RigError: an unknown name or parameter (the message has the nearest known one), or a
                misconnection; the rig is then unchanged.
        """
        before = dict(self.blocks)
        self.blocks[category] = catalogue.make(self._table.category(category), block, **parameters)
        try:
            self._check()
        except RigError:
            self.blocks = before
            self._check()
            raise
        self.reset()

    def _check(self) -> None:
        """Make the table of signals and the panel of the blocks; RigError for the first mismatch."""
        table, panel = self._table, self._panel
        for block in self.blocks.values():
            table = block.extend(table)
        if panel is not None:
            table = panel.extend(table)
        self.bus: buses.Bus = table
        check(table, self.blocks, self._tick)
        written = {name for block in self.blocks.values() for name in block.outputs}
        if panel is None:
            found = (block.panel() for block in self.blocks.values())
            panel = next(filter(None, found), None) or shipped("driving")
            panel = panel.without(written)
        panel.check(table, written)
        self.panel: Panel = panel
        for name, value in self.start_values.items():
            port = self.bus.signal(name, "start: ").port
            port.value(f"start of {name!r}", value)
        if self.speed is not None:
            self.bus.signal("speed_command").port.value("speed", self.speed)

    def _values(self) -> dict[str, Any]:
        """Start values of the signals that differ from those of the ports."""
        values: dict[str, Any] = {}
        if self.speed is not None:
            values = {"wanted_speed": self.speed, "speed_command": self.speed}
            values |= {"velocity": (self.speed, 0.0, 0.0), "fix_speed": self.speed}
        return values | self.start_values

    def reset(self) -> None:
        """Return to the initial state, at time 0."""
        values = self._values()
        self.wiring: Wiring = Wiring(self.bus, self.blocks, self._tick, values)
        for block in self.blocks.values():
            block.prepare(self.site, values)
        self.ticks: int = 0
        self.pace: Pace | None = None
        self.events: list[tuple[float, str, str]] = []
        self._ages = Ages(self.bus, self.wiring.written)
        if self._begun:
            self._begin()

    def begin(self) -> None:
        """Start the blocks, unless they have been started."""
        if not self._begun:
            self._begin()
            self._begun = True

    def _begin(self) -> None:
        for block in self.blocks.values():
            block.begin()
        self.wiring.gather()

    @property
    def own_panel(self) -> Panel | None:
        """Panel given at the construction; None: the machine's panel is used."""
        return self._panel

    @property
    def begun(self) -> bool:
        """Whether the blocks have been started, see ``begin()``."""
        return self._begun

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.ticks * self._tick / SECOND

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """Present value of a signal, shape () for a number, (n,) for more [its unit]."""
        port = self.bus.signal(name).port
        return self.wiring.values[self.wiring.places[name]].reshape(port.shape).copy()

    def run(
        self,
        duration: float,
        *,
        clock: Clock | None = None,
        policy: str = "catch-up",
        max_lag: float = 0.05,
        outside: Callable[[float], Mapping[str, Any] | None] | None = None,
        after: Callable[[float], object] | None = None,
    ) -> Run:
        """Simulate a further ``duration`` [s]; equal rigs give equal bytes.

        Arguments:
            duration: simulated time [s], a multiple of the tick.
            clock: clock for a run in real time; None: as fast as possible.
            policy: policy for late ticks, see ``POLICIES``.
            max_lag: lateness beyond which "catch-up" moves its schedule [s].
            outside: called at the beginning of every tick with the time [s]; returns newly received
                signals by name, or None. A signal older than its timeout gets its safe value.
            after: called at the end of every tick with the time [s], for displays.

        Raises:
            RigError: a duration that is no multiple of the tick, or too long for the memory; a signal
                that is no longer finite; a late tick under "strict"; an external value that does not
                fit its signal.
        """
        count = self.ticks_of(duration)
        self.begin()
        self.pace = pace = None if clock is None else Pace(clock, self.tick, policy, max_lag)
        self.events = events = []
        missed = self._missed
        values = self._loop(count, pace, outside, events, after)
        accounts = None if pace is None else pace.accounts(count)
        first = self.ticks - count
        time = np.arange(first, self.ticks + 1) * self._tick / SECOND
        return Run(time, values, self.wiring.places, events, accounts, self._missed - missed)

    @property
    def _missed(self) -> int:
        """Number of time steps of all blocks whose contact solves missed their tolerance."""
        return sum(b.sim.missed for b in self.blocks.values() if isinstance(b, Posed))

    def ticks_of(self, duration: float) -> int:
        """Number of ticks in a duration [s]; RigError unless it is a multiple of the tick."""
        seconds = nanoseconds("duration", duration) / SECOND
        return multiple("duration", seconds, "the tick", self.tick)

    def _loop(
        self, count: int, pace: Pace | None, outside: Any, events: list, after: Any
    ) -> NDArray[np.float64]:
        wiring, parallel = self.wiring, self.order == "parallel"
        try:
            record = np.empty((count + 1, len(wiring.values)))
        except MemoryError:
            raise RigError(f"a record of {count} ticks does not fit into the memory") from None
        record[0] = wiring.values
        if pace is not None:
            pace.begin(count, wiring.titles)
        lap = None if pace is None else pace.lap
        for k in range(count):
            time = self.ticks * self._tick / SECOND
            now = self.ticks * self._tick if pace is None else pace.wait(k)
            if outside is not None:
                self._let_in(_asked(outside, time), now, time, events)
                if pace is not None:
                    pace.ready()
            try:
                wiring.advance(self.ticks, time, parallel, lap)
            except (ArithmeticError, ValueError) as error:
                if not isinstance(error, ArithmeticError) and type(error) is not ValueError:
                    raise
                raise RigError(f"at {time:g} s a block cannot use its numbers: {error}") from error
            self.ticks += 1
            record[k + 1] = wiring.values
            if after is not None:
                after(self.ticks * self._tick / SECOND)
            if pace is not None:
                pace.end(k)
        bad = ~np.isfinite(record)
        if bad.any():
            k, column = (int(i) for i in np.argwhere(bad)[0])
            name = next(n for n, p in wiring.places.items() if p.start <= column < p.stop)
            when = (self.ticks - count + k) * self._tick / SECOND
            raise RigError(f"at {when:g} s signal {name!r} is no longer a finite number")
        return record

    def _let_in(self, fresh: Mapping[str, Any], now: int, time: float, events: list) -> None:
        """Write external signals onto the bus; stale ones (ages by the clock) get safe values."""
        changes = self._ages.refresh(fresh, now) + self._ages.check(now)
        events += [(time, what, name) for what, name in changes]
        for name, value in self._ages.values().items():
            self.wiring.values[self.wiring.places[name]] = value

    def state(self) -> dict[str, Any]:
        """Whole state of the rig (tick, bus, blocks); a run continues from it with equal bytes."""
        self.begin()
        blocks = {category: block.state() for category, block in self.blocks.items()}
        return {"ticks": self.ticks, "bus": self.wiring.values.copy(), "blocks": blocks}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state()`` of the same rig has returned."""
        self.begin()
        self.ticks = state["ticks"]
        self.wiring.values[:] = state["bus"]
        for category, block in self.blocks.items():
            block.restore(state["blocks"][category])

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Refuse a copy or pickle: in it the blocks would lose their views of the signals."""
        raise RigError("a rig cannot be copied or pickled; an equal rig restores its state()")

    @staticmethod
    @checked
    def read(path: str | pathlib.Path, *, begin: bool = True) -> Rig:
        """Read a rig from a TOML file; ``begin`` as for ``Rig``. RigError for a faulty key.

        A relative path in it is taken from its folder, or, without such a file, the working directory.
        """
        return Rig(**files.arguments_of(path), begin=begin)

    @checked
    def write(self, path: str | pathlib.Path) -> None:
        """Write the rig as TOML; the rig read back gives the same bytes in a run."""
        files.write(self, path)


def _asked(outside: Callable[[float], Mapping[str, Any] | None], time: float) -> Mapping[str, Any]:
    """Signals by name, from a call of ``outside``; RigError for an exception or another return value."""
    try:
        fresh = outside(time)
    except RigError:
        raise
    except Exception as error:
        why = f"{type(error).__name__} {error}".rstrip()
        raise RigError(f"at {time:g} s outside={shown(outside)} raised {why}") from error
    if fresh is None or isinstance(fresh, Mapping):
        return fresh or {}
    raise RigError(
        f"at {time:g} s outside={shown(outside)} returned {shown(fresh)}; it must return signals by "
        "name, such as {'engage': 1.0}, or None"
    )


catalogue.load()
