"""Wiring of a rig: all signals in one flat array, blocks in the order of a tick, and their checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .block import Block
from .bus import Bus
from .errors import RigError
from .timing.clock import SECOND, multiple


def check(bus: Bus, blocks: Mapping[str, Block], tick: int) -> None:
    """Check ports, producers and periods of all blocks; RigError for the first fault.

    ``tick``: tick of the rig [ns].
    """
    written: dict[str, Block] = {}
    for block in blocks.values():
        bus.category(block.category)
        for ports, verb in ((block.inputs, "reads"), (block.outputs, "writes")):
            for name, port in ports.items():
                known = bus.signal(name, f"{block.title} {verb} an ").port
                if port.unit != known.unit:
                    raise RigError(
                        f"{block.title} {verb} {name!r} in [{port.unit}], the bus carries it in "
                        f"[{known.unit}]"
                    )
                if port.shape != known.shape:
                    raise RigError(
                        f"{block.title} {verb} {name!r} with shape {port.shape}, on the bus it is "
                        f"{known.shape}"
                    )
        for name in block.outputs:
            if name in written:
                raise RigError(f"{written[name].title} and {block.title} both write {name!r}")
            written[name] = block
        for name in bus.outputs(block.category):
            if name not in block.outputs:
                raise RigError(f"{block.title} does not write {name!r}, as every {block.category} does")
        _every(block, tick)
    for block in blocks.values():
        for name in block.inputs:
            signal = bus.signals[name]
            if name not in written and not signal.alone:
                have = ", ".join(sorted(blocks))
                raise RigError(
                    f"{block.title} reads {name!r}, which nobody writes: the rig has no {signal.by} "
                    f"block (it has {have})"
                )


def _every(block: Block, tick: int) -> int:
    """Number of ticks between two calls of a block; RigError for a period that is no multiple of it."""
    if block.period is None:
        return 1
    return multiple(f"{block.title}: period", block.period, "the tick", tick / SECOND)


class Wiring:
    """Values of the bus in one array, and the blocks in their order of execution.

    ``places``: slice of each signal in ``values``. ``steps``: block, indices of its inputs and of its
    outputs in ``values``, ticks between two calls.
    """

    def __init__(
        self, bus: Bus, blocks: Mapping[str, Block], tick: int, start: Mapping[str, Any]
    ) -> None:
        self.places: dict[str, slice] = {}
        parts: list[np.ndarray] = []
        at = 0
        for name, signal in bus.signals.items():
            self.places[name] = slice(at, at + signal.port.size)
            parts.append(signal.port.value(name, start.get(name, signal.port.start)))
            at += signal.port.size
        self.values: NDArray[np.float64] = np.concatenate(parts)
        self._last = self.values.copy()
        self.written: frozenset[str] = frozenset(
            name for block in blocks.values() for name in block.outputs
        )
        self.steps: list[tuple[Block, NDArray[np.int64], NDArray[np.int64], int]] = [
            (blocks[c], self._at(blocks[c].inputs), self._at(blocks[c].outputs), _every(blocks[c], tick))
            for c in bus.order
            if c in blocks
        ]
        self.periods: list[float] = [every * tick / SECOND for *_, every in self.steps]

    def _at(self, names: Mapping[str, Any]) -> NDArray[np.int64]:
        """Indices in ``values`` of the signals ``names``, the ports of a block."""
        places = [np.arange(self.places[n].start, self.places[n].stop) for n in names]
        return np.concatenate([np.zeros(0, np.int64), *places])

    def gather(self) -> None:
        """Copy the blocks' initial outputs onto the bus, then all inputs from it."""
        for block, _, writes, _ in self.steps:
            self.values[writes] = block.y
        for block, reads, _, _ in self.steps:
            block.u[:] = self.values[reads]

    @property
    def titles(self) -> list[str]:
        """Titles of the blocks in their order of execution."""
        return [block.title for block, *_ in self.steps]

    def advance(
        self, k: int, time: float, parallel: bool, lap: Callable[[int], None] | None = None
    ) -> None:
        """Advance all blocks by tick k, which begins at ``time`` [s].

        parallel: all blocks read the outputs of the last tick, see ``rig.ORDERS``. ``lap``: called with
        the index of each block after its step.
        """
        values = self.values
        seen = values
        if parallel:
            seen = self._last
            seen[:] = values
        for i, ((block, reads, writes, every), h) in enumerate(
            zip(self.steps, self.periods, strict=True)
        ):
            if k % every == 0:
                seen.take(reads, out=block.u, mode="clip")
                block.advance(time, h)
                values[writes] = block.y
            if lap is not None:
                lap(i)
