"""Journal: everything that entered a run and, at a rate, what came out of it, as an MCAP file.
``replay`` reads it.

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
from collections.abc import Callable, Mapping
from importlib import metadata
from types import TracebackType
from typing import Any

import numpy as np

from ..clock import SECOND, Clock
from ..errors import RigError
from ..rig import Rig
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
