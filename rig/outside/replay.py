"""Replay of a journal: the recorded rig with the recorded inputs gives the same bytes."""

from __future__ import annotations

import json
import pathlib
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mlcp.neighbours import need

from ..errors import RigError, checked
from ..rig import Rig
from ..run import Run
from ..timing.clock import SECOND, Clock
from .journal import versions

#: Largest record of a readable file [bytes]; a larger length is damaged data.
LARGEST = 1 << 28


class ReplayClock(Clock):
    """Clock with the recorded reading at the beginning of each tick."""

    def __init__(self, readings: list[int]) -> None:
        self._readings, self._tick = readings, 0

    def now(self) -> int:
        """Time at the beginning of this tick [ns]."""
        return self._readings[min(self._tick, len(self._readings) - 1)]

    def wait_until(self, instant: int) -> None:
        """Return at once: a replay does not wait."""

    def worked(self) -> None:
        """Advance to the reading of the next tick."""
        self._tick += 1


@dataclass
class Recorded:
    """Contents of a journal.

    Arguments:
        toml: the rig as TOML.
        versions: versions of the packages that wrote it.
        inputs: received signals by tick.
        frames: received CAN frames by tick, (identifier, data).
        readings: readings of the clock, one for each tick [ns].
        out: recorded output signals by tick.
        ticks: number of ticks.
        whole: True: closed regularly; False: its end is missing.
    """

    toml: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    inputs: dict[int, dict[str, Any]] = field(default_factory=dict)
    frames: dict[int, list[tuple[int, bytes]]] = field(default_factory=dict)
    readings: list[int] = field(default_factory=list)
    out: dict[int, dict[str, list[float]]] = field(default_factory=dict)
    ticks: int = 0
    whole: bool = False

    @property
    def other_versions(self) -> str:
        """Text of the recorded versions that differ from the installed ones; "": none."""
        today = versions()
        other = {k: v for k, v in self.versions.items() if today.get(k) != v}
        return ", ".join(f"{k} {v} (here {today.get(k, 'none')})" for k, v in other.items())

    def rig(self, **swapped: str) -> Rig:
        """Recorded rig in its initial state; ``swapped``: other blocks by category."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rig.toml"
            path.write_text(self.toml, encoding="utf-8")
            found = Rig.read(path)
        for category, block in swapped.items():
            found.swap(category, block)
        return found

    def replay(self, **swapped: str) -> tuple[Run, int | None]:
        """Repeat the run with its recorded inputs, as fast as possible.

        Arguments:
            swapped: names of other blocks by category; inputs written by such a block are left out.

        Returns:
            The run, and the first tick with signals other than the recorded bytes; None: no difference.

        Raises:
            RigError: an empty journal; a block that does not fit.
        """
        if self.ticks < 1:
            raise RigError("the journal ends before its first tick: there is nothing to replay")
        if self.readings and len(self.readings) < self.ticks:
            raise RigError(
                f"the journal says {self.ticks} ticks but has its clock for {len(self.readings)} of them"
            )
        rig, differs = self.rig(**swapped), []

        def outside(time: float) -> Mapping[str, Any] | None:
            wanted = self.out.get(rig.ticks, {})
            if not differs and any(rig[name].ravel().tolist() != v for name, v in wanted.items()):
                differs.append(rig.ticks)
            given = self.inputs.get(rig.ticks)
            if given and swapped:  # leave out inputs now written by the new block
                given = {name: v for name, v in given.items() if name not in rig.wiring.written}
            return given

        clock = ReplayClock(self.readings) if self.readings else None
        duration = self.ticks * round(rig.tick * SECOND) / SECOND
        run = rig.run(duration, clock=clock, outside=outside)
        last = self.out.get(self.ticks, {})
        if not differs and any(rig[name].ravel().tolist() != v for name, v in last.items()):
            differs.append(self.ticks)
        return run, differs[0] if differs else None


@checked
def read(path: str | pathlib.Path) -> Recorded:
    """Read a journal; of a truncated file, the readable part.

    Raises:
        RigError: a file that is no journal of a rig.
    """
    found = Recorded()
    try:
        with open(path, "rb") as file:
            for topic, message in _messages(file):
                _take(found, topic, message)
    except OSError as error:
        raise RigError(f"{path} cannot be read as a journal: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RigError(
            f"{path} is no journal of a rig: {type(error).__name__} {str(error)[:80]}"
        ) from None
    if not found.toml:
        raise RigError(f"{path} is no journal of a rig, or was cut off before its beginning")
    if not found.whole:
        # the newest tick of a truncated file may lack inputs: leave it out
        seen = [*(t + 1 for t in found.inputs), *found.out, len(found.readings) - 1, 0]
        found.ticks = max(seen)
    return found


def _messages(file: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    records = need("mcap.records", "a journal", "log")
    reader = need("mcap.stream_reader", "a journal", "log").StreamReader(
        file, validate_crcs=True, record_size_limit=LARGEST
    )
    stream = iter(reader.records)
    channels: dict[int, str] = {}
    while True:
        try:
            record = next(stream, None)
        except Exception:  # wrong magic, length, compression or checksum: truncated here
            return
        if record is None:
            return
        if isinstance(record, records.Channel):
            channels[record.id] = record.topic
        elif isinstance(record, records.Message) and record.channel_id in channels:
            yield channels[record.channel_id], json.loads(record.data)


def _take(found: Recorded, topic: str, message: dict[str, Any]) -> None:
    if topic == "/rig/begin":
        if not message["fresh"]:
            raise ValueError("it begins in the middle of a run")
        found.toml, found.versions = message["toml"], message["versions"]
    elif topic == "/rig/in":
        found.inputs.setdefault(int(message["tick"]), {}).update(message["values"])
    elif topic == "/can/in":
        frame = int(message["id"]), bytes.fromhex(message["data"])
        found.frames.setdefault(int(message["tick"]), []).append(frame)
    elif topic == "/rig/clock":
        found.readings.append(int(message["ns"]))
    elif topic == "/rig/out":
        found.out[int(message["tick"])] = message["values"]
    elif topic == "/rig/end":
        found.ticks, found.whole = int(message["ticks"]), True
        if not 0 <= found.ticks < 1 << 32:
            raise ValueError(f"{found.ticks} ticks")
