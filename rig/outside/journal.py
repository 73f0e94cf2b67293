"""Journal: everything that entered a run and, at a rate, what came out of it, as an MCAP file; and its
replay to the same bytes.

    /rig/begin   once: the rig as TOML, its state, versions
    /rig/in      tick and signals that came from outside, where any came
    /rig/clock   tick and the clock at its beginning [ns], of a paced run: ages are decided on it
    /rig/out     tick and the signals that were asked for
    /rig/end     ticks, where the file was finished
    /can/in      tick, identifier and data of a frame of a bus
    /pose, /fix  foxglove.FrameTransform and foxglove.LocationFix: existing tools draw them
"""

from __future__ import annotations

import json
import math
import pathlib
import platform
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import metadata
from types import TracebackType
from typing import Any

import numpy as np

from ..clock import SECOND, Clock
from ..errors import RigError
from ..rig import Rig
from ..run import Run
from .geodesy import Origin
from .need import need

OBJECT = {"type": "object"}
#: Topic: name of its schema.
TOPICS = {
    "/rig/begin": "wheelground.Begin", "/rig/in": "wheelground.In", "/rig/clock": "wheelground.Clock",
    "/rig/out": "wheelground.Out", "/rig/end": "wheelground.End", "/can/in": "wheelground.Can",
    "/pose": "foxglove.FrameTransform", "/fix": "foxglove.LocationFix",
}  # fmt: skip


class Journal:
    """Writes what enters a run; a context manager, and a hook for ``Rig.run``.

        with Journal("drive.mcap", rig) as journal:
            rig.run(60.0, outside=journal.outside(server.inputs))

    Arguments:
        path: of the file, ``.mcap``.
        rig: before its run.
        rate: how often it writes what came out [1/s]; 0: never.
        signals: that it writes then; (): position, attitude and velocity.
        origin: of the rig's world, for fixes on a map; None: none are written.

    Raises:
        RigError: a rig that cannot be written as TOML; a path that cannot be opened; a rate below 0.
    """

    def __init__(
        self, path: str | pathlib.Path, rig: Rig, *, rate: float = 10.0, signals: tuple[str, ...] = (),
        origin: Origin | None = None,
    ) -> None:  # fmt: skip
        writer = need("mcap.writer", "a journal").Writer
        if not (math.isfinite(rate) and rate >= 0.0):
            raise RigError(f"rate = {rate} of a journal must be 0 or more a second")
        self.rig: Rig = rig
        self.origin: Origin | None = origin
        self.signals: tuple[str, ...] = signals or ("position", "attitude", "velocity")
        for name in self.signals:
            rig.bus.signal(name, "journal: ")
        self._every = 0 if rate == 0.0 else max(1, round(1.0 / (rate * rig.tick)))
        begin = _begin(rig)
        try:
            self._file = open(path, "wb")
        except OSError as error:
            raise RigError(f"{path} cannot be written as a journal: {error.strerror}") from None
        self._writer = writer(self._file, chunk_size=1 << 16)
        self._writer.start(profile="", library="wheelground")
        self._channels = {
            topic: self._writer.register_channel(
                topic=topic, message_encoding="json",
                schema_id=self._writer.register_schema(name, "jsonschema", json.dumps(OBJECT).encode()),
            )
            for topic, name in TOPICS.items()
        }  # fmt: skip
        self._put("/rig/begin", begin)

    def _put(self, topic: str, what: Mapping[str, Any]) -> None:
        at = self.rig.ticks * round(self.rig.tick * SECOND)
        text = json.dumps(what, separators=(",", ":"), allow_nan=False)
        self._writer.add_message(self._channels[topic], at, text.encode(), at)

    def outside(
        self, source: Callable[[], Mapping[str, Any]] | Callable[[float], Mapping[str, Any] | None]
        | None = None, clock: JournalClock | None = None,
    ) -> Callable[[float], Mapping[str, Any] | None]:  # fmt: skip
        """The hook for ``Rig.run``: what ``source(time)`` gives is written down and handed on.

        Arguments:
            source: called with the time [s]; gives signals by name, or None. None: nothing comes in.
            clock: of a run that keeps pace, see ``JournalClock``.
        """

        def hook(time: float) -> Mapping[str, Any] | None:
            tick = self.rig.ticks
            if clock is not None:
                self._put("/rig/clock", {"tick": tick, "ns": clock.last})
            if self._every and tick % self._every == 0:
                self._out(tick)
            given: Any = source(time) if source is not None else None  # type: ignore[call-arg]
            if given:
                values = {name: np.asarray(v, float).tolist() for name, v in given.items()}
                self._put("/rig/in", {"tick": tick, "values": values})
            return given

        return hook

    def can(self, can_id: int, data: bytes) -> None:
        """Write down a frame of a bus."""
        self._put("/can/in", {"tick": self.rig.ticks, "id": can_id, "data": data.hex()})

    def _out(self, tick: int) -> None:
        values = {name: self.rig[name].tolist() for name in self.signals}
        self._put("/rig/out", {"tick": tick, "values": values})
        x, y, z = (float(v) for v in self.rig["position"])
        roll, pitch, yaw = (float(v) / 2.0 for v in self.rig["attitude"])
        cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
        cy, sy = math.cos(yaw), math.sin(yaw)
        ns = tick * round(self.rig.tick * SECOND)
        when = {"sec": ns // SECOND, "nsec": ns % SECOND}
        turn = {
            "x": sr * cp * cy - cr * sp * sy, "y": cr * sp * cy + sr * cp * sy,
            "z": cr * cp * sy - sr * sp * cy, "w": cr * cp * cy + sr * sp * sy,
        }  # fmt: skip
        self._put("/pose", {
            "timestamp": when, "parent_frame_id": "world", "child_frame_id": "machine",
            "translation": {"x": x, "y": y, "z": z}, "rotation": turn,
        })  # fmt: skip
        if self.origin is not None:
            latitude, longitude, altitude = self.origin.geodetic(x, y, z)
            self._put("/fix", {
                "timestamp": when, "frame_id": "machine", "latitude": latitude, "longitude": longitude,
                "altitude": altitude, "position_covariance": [0.0] * 9, "position_covariance_type": 0,
            })  # fmt: skip

    def close(self) -> None:
        """Finish the file."""
        if not self._file.closed:
            self._put("/rig/end", {"ticks": self.rig.ticks})
            self._writer.finish()
            self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class JournalClock(Clock):
    """A clock whose newest reading is kept, for ``Journal.outside``."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.last: int = 0

    def now(self) -> int:
        """Time [ns]."""
        self.last = self._clock.now()
        return self.last

    def wait_until(self, instant: int) -> None:
        """As the clock within."""
        self._clock.wait_until(instant)

    def worked(self) -> None:
        """As the clock within."""
        self._clock.worked()


class ReplayClock(Clock):
    """Stands in every tick where the journal says that its clock stood when it began."""

    def __init__(self, readings: list[int]) -> None:
        self._readings, self._tick = readings, 0

    def now(self) -> int:
        """Time at the beginning of this tick [ns]."""
        return self._readings[min(self._tick, len(self._readings) - 1)]

    def wait_until(self, instant: int) -> None:
        """Returns at once: it has been waited."""

    def worked(self) -> None:
        """The next tick."""
        self._tick += 1


def _begin(rig: Rig) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rig.toml"
        rig.write(path)
        toml = path.read_text(encoding="utf-8")
    try:
        version = metadata.version("wheelground")
    except metadata.PackageNotFoundError:
        version = "not installed"
    versions = {"wheelground": version, "numpy": np.__version__, "python": platform.python_version()}
    return {"toml": toml, "fresh": rig.ticks == 0, "versions": versions}


@dataclass
class Recorded:
    """A journal that was read.

    Arguments:
        toml: the rig.
        versions: of what wrote it.
        inputs: signals from outside by tick.
        readings: of the clock, one a tick [ns].
        out: signals by tick, as they were.
        ticks: how far it goes.
        whole: it was finished; else what follows was lost.
    """

    toml: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    inputs: dict[int, dict[str, Any]] = field(default_factory=dict)
    readings: list[int] = field(default_factory=list)
    out: dict[int, dict[str, list[float]]] = field(default_factory=dict)
    ticks: int = 0
    whole: bool = False

    def rig(self, **swapped: str) -> Rig:
        """The rig at its beginning, with other blocks where they are named by category."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rig.toml"
            path.write_text(self.toml, encoding="utf-8")
            found = Rig.read(path)
        for category, block in swapped.items():
            found.swap(category, block)
        return found

    def replay(self, **swapped: str) -> tuple[Run, int | None]:
        """Run it again from what came in, as fast as it goes.

        Arguments:
            swapped: a block's name by category: what that would have done with the same outside.

        Returns:
            The run, and the first tick whose signals are not the recorded bytes; None: they all are.

        Raises:
            RigError: nothing to replay; a block that does not fit.
        """
        if self.ticks < 1:
            raise RigError("the journal ends before its first tick: there is nothing to replay")
        rig, differs = self.rig(**swapped), []

        def outside(time: float) -> Mapping[str, Any] | None:
            wanted = self.out.get(rig.ticks, {})
            if not differs and any(rig[name].tolist() != v for name, v in wanted.items()):
                differs.append(rig.ticks)
            return self.inputs.get(rig.ticks)

        clock = ReplayClock(self.readings) if self.readings else None
        duration = self.ticks * round(rig.tick * SECOND) / SECOND
        run = rig.run(duration, clock=clock, outside=outside)
        last = self.out.get(self.ticks, {})
        if not differs and any(rig[name].tolist() != v for name, v in last.items()):
            differs.append(self.ticks)
        return run, differs[0] if differs else None


def read(path: str | pathlib.Path) -> Recorded:
    """Read a journal, also one that was cut off: then up to there.

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
    except (ValueError, KeyError, TypeError) as error:
        raise RigError(f"{path} is no journal of a rig: {error}") from None
    if not found.toml:
        raise RigError(f"{path} is no journal of a rig, or was cut off before its beginning")
    if not found.whole:
        # the newest tick may lack what came in: it was cut off between two of its messages
        seen = [*(t + 1 for t in found.inputs), *found.out, len(found.readings) - 1, 0]
        found.ticks = max(seen)
    return found


def _messages(file: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    records = need("mcap.records", "a journal")
    stream = iter(need("mcap.stream_reader", "a journal").StreamReader(file).records)
    channels: dict[int, str] = {}
    while True:
        try:
            record = next(stream, None)
        except Exception:  # magic, length, compression, checksum: whatever is wrong, here it was cut off
            return
        if record is None:
            return
        if isinstance(record, records.Channel):
            channels[record.id] = record.topic
        elif isinstance(record, records.Message):
            yield channels[record.channel_id], json.loads(record.data)


def _take(found: Recorded, topic: str, message: dict[str, Any]) -> None:
    if topic == "/rig/begin":
        if not message["fresh"]:
            raise ValueError("it begins in the middle of a run")
        found.toml, found.versions = message["toml"], message["versions"]
    elif topic == "/rig/in":
        found.inputs[int(message["tick"])] = message["values"]
    elif topic == "/rig/clock":
        found.readings.append(int(message["ns"]))
    elif topic == "/rig/out":
        found.out[int(message["tick"])] = message["values"]
    elif topic == "/rig/end":
        found.ticks, found.whole = int(message["ticks"]), True
