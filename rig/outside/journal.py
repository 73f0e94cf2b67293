"""Journal: MCAP file with all inputs of a run and, at a rate, its outputs; read by ``replay``.

    /rig/begin   once: the rig as TOML with its seed and start values, versions
    /rig/in      tick, received signals and their senders
    /rig/clock   tick and clock at its beginning [ns], of runs in real time, for the ages of signals
    /rig/out     tick and the chosen output signals
    /rig/end     number of ticks, after a regular end of the run
    /can/in      tick, identifier and data of a received CAN frame
    /pose, /poses, /fix   foxglove.FrameTransform(s) and foxglove.LocationFix, for existing viewers

The records are made in the simulation's process, since only there is it known in which tick an input
took effect. With a ``Front`` they are sent to the front's process, which compresses and writes them.
"""

from __future__ import annotations

import math
import pathlib
import platform
import tempfile
from collections.abc import Callable, Mapping
from importlib import metadata
from types import TracebackType
from typing import Any, Protocol

import numpy as np

from ..errors import RigError
from ..rig import Rig
from ..timing.clock import SECOND
from .geodesy import Origin
from .journal_file import JournalFile


class Taker(Protocol):
    """Receiver of records: a ``JournalFile`` in this process, or a ``Front`` that has one."""

    failed: str

    def take(self, record: Mapping[str, Any]) -> None:
        """Write a record, or send it to the front."""


class Journal:
    """Recorder of the inputs and outputs of a run; a context manager.

        with Journal("drive.mcap", rig) as journal:
            rig.run(60.0, outside=journal.outside(front))

    Arguments:
        where: path of the file, ``.mcap``, or a ``Front`` with a journal.
        rig: rig before its run.
        rate: rate of the outputs [1/s]; 0: none.
        signals: names of the output signals; (): position, attitude and velocity.
        origin: geographic origin of the rig's world, for fixes; None: no fixes.

    Raises:
        RigError: a rig that cannot be written as TOML; a path that cannot be opened; a rate below 0; at
            the end: an incomplete file.
    """

    def __init__(
        self, where: str | pathlib.Path | Taker, rig: Rig, *, rate: float = 10.0,
        signals: tuple[str, ...] = (), origin: Origin | None = None,
    ) -> None:  # fmt: skip
        if not (math.isfinite(rate) and rate >= 0.0):
            raise RigError(f"rate = {rate} of a journal must be 0 or more a second")
        self.rig: Rig = rig
        self.signals: tuple[str, ...] = signals or ("position", "attitude", "velocity")
        for name in self.signals:
            rig.bus.signal(name, "journal: ")
        self._every = 0 if rate == 0.0 else max(1, round(1.0 / (rate * rig.tick)))
        begin = _begin(rig)
        self._journal_file: JournalFile | None = None
        if isinstance(where, str | pathlib.Path):
            where = self._journal_file = JournalFile(where, round(rig.tick * SECOND), origin)
        self._taker: Taker = where
        self._ended = False
        self._taker.take({"begin": begin})

    def outside(
        self, source: Callable[[float], Mapping[str, Any] | None] | None = None
    ) -> Callable[[float], Mapping[str, Any] | None]:
        """Argument ``outside`` of ``Rig.run``, which records the values of ``source`` and returns them.

        Arguments:
            source: function of the time [s] that returns signals by name, such as a ``Front``, or None
                without inputs. The senders in its attribute ``sources``, if any, are recorded too.
        """
        sources: Mapping[str, str] = getattr(source, "sources", {})

        def hook(time: float) -> Mapping[str, Any] | None:
            record: dict[str, Any] = {"tick": self.rig.ticks}
            if self.rig.pace is not None:
                record["ns"] = self.rig.pace.began
            if self._every and self.rig.ticks % self._every == 0:
                record["out"] = {name: self.rig[name].ravel().tolist() for name in self.signals}
            given: Any = source(time) if source is not None else None
            if given:
                record["in"] = {name: np.asarray(v, float).tolist() for name, v in given.items()}
                record["from"] = {name: sources[name] for name in given if name in sources}
            if len(record) > 1:
                self._taker.take(record)
            return given

        return hook

    def can(self, can_id: int, data: bytes) -> None:
        """Record a received CAN frame."""
        self._taker.take({"tick": self.rig.ticks, "can": [[can_id, data.hex()]]})

    def close(self) -> None:
        """Complete the file; RigError for an incomplete file."""
        if not self._ended:
            self._ended = True
            self._taker.take({"tick": self.rig.ticks, "end": True})
            if self._journal_file is not None:
                self._journal_file.close()
                if self._journal_file.failed:
                    raise RigError(self._journal_file.failed)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except RigError:
            if error is None:
                raise


def _begin(rig: Rig) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rig.toml"
        rig.write(path)
        toml = path.read_text(encoding="utf-8")
    return {"toml": toml, "fresh": rig.ticks == 0, "versions": versions()}


def versions() -> dict[str, str]:
    """Versions of this package, of NumPy and of Python."""
    try:
        version = metadata.version("wheelground")
    except metadata.PackageNotFoundError:
        version = "not installed"
    return {"wheelground": version, "numpy": np.__version__, "python": platform.python_version()}
