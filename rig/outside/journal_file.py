"""MCAP file of a journal.

Records are dictionaries for JSON, each of one tick, in the order of the ticks:

    begin   the rig as TOML, versions           ns      clock at the beginning of the tick
    in      received signals and their senders  out     values of the output signals
    can     received CAN frames                 poses   of bodies: name, x y z, w x y z
    end     number of ticks, at the end of the run
"""

from __future__ import annotations

import contextlib
import json
import math
import pathlib
import time
from collections.abc import Mapping
from typing import Any

from mlcp.neighbours import need

from ..errors import RigError
from ..timing.clock import SECOND
from .geodesy import Origin

OBJECT = {"type": "object"}
#: Schema of each topic.
TOPICS = {
    "/rig/begin": "wheelground.Begin", "/rig/in": "wheelground.In", "/rig/clock": "wheelground.Clock",
    "/rig/out": "wheelground.Out", "/rig/end": "wheelground.End", "/can/in": "wheelground.Can",
    "/pose": "foxglove.FrameTransform", "/poses": "foxglove.FrameTransforms",
    "/fix": "foxglove.LocationFix",
}  # fmt: skip
#: Longest interval between two writes to the file [s], and so the largest loss at a crash.
FLUSH = 1.0
CHUNK = 1 << 20


class JournalFile:
    """Writer of records to an MCAP file; ``failed``: error message after a failed write, else "".

    Arguments:
        path: file to write.
        tick: tick of the rig [ns].
        origin: geographic origin of the rig's world, for fixes; None: no fixes.

    Raises:
        RigError: a path that cannot be opened.
    """

    def __init__(self, path: str | pathlib.Path, tick: int, origin: Origin | None = None) -> None:
        writer = need("mcap.writer", "a journal", "log").Writer
        self.failed: str = ""
        self.ticks: int = 0
        self._path, self._tick, self._origin = path, tick, origin
        try:
            self._file = open(path, "wb")
        except OSError as error:
            raise RigError(f"{path} cannot be written as a journal: {error.strerror}") from None
        self._writer = writer(self._file, chunk_size=CHUNK)
        self._flushed = time.monotonic()
        with self._closing_when_full():
            self._writer.start(profile="", library="wheelground")
            self._channels = {topic: self._channel(topic, name) for topic, name in TOPICS.items()}

    def _channel(self, topic: str, name: str) -> int:
        schema = self._writer.register_schema(name, "jsonschema", json.dumps(OBJECT).encode())
        return self._writer.register_channel(topic=topic, message_encoding="json", schema_id=schema)

    def take(self, record: Mapping[str, Any]) -> None:
        """Write a record; does nothing after a failed write."""
        if self.failed:
            return
        with self._closing_when_full():
            self._take(record)
            if time.monotonic() - self._flushed > FLUSH:
                self._writer.flush()
                self._flushed = time.monotonic()

    @contextlib.contextmanager
    def _closing_when_full(self) -> Any:
        """Context in which an error of the disk ends the journal only, not the run."""
        try:
            yield
        except OSError as error:
            at = self.ticks * self._tick / SECOND
            self.failed = f"the journal {self._path} ends at about {at:g} s: {error.strerror}"
            with contextlib.suppress(OSError):
                self._file.close()

    def _take(self, record: Mapping[str, Any]) -> None:
        self.ticks = tick = int(record.get("tick", self.ticks))
        if "begin" in record:
            self._put("/rig/begin", record["begin"])
        if "ns" in record:
            self._put("/rig/clock", {"tick": tick, "ns": record["ns"]})
        if "out" in record:
            self._put("/rig/out", {"tick": tick, "values": record["out"]})
            self._place(record["out"])
        if "poses" in record:
            self._put("/poses", {"transforms": [self._transform(*pose) for pose in record["poses"]]})
        if "in" in record:
            whom = {"from": record["from"]} if record.get("from") else {}
            self._put("/rig/in", {"tick": tick, "values": record["in"], **whom})
        for can_id, data in record.get("can", ()):
            self._put("/can/in", {"tick": tick, "id": can_id, "data": data})
        if "end" in record:
            self._put("/rig/end", {"ticks": tick})

    def _put(self, topic: str, what: Mapping[str, Any]) -> None:
        at = self.ticks * self._tick
        try:
            text = json.dumps(what, separators=(",", ":"), allow_nan=False)
        except ValueError:  # NaN of a diverging run, which JSON cannot represent
            text = json.dumps(_finite(what), separators=(",", ":"))
        self._writer.add_message(self._channels[topic], at, text.encode(), at)

    def _when(self) -> dict[str, int]:
        at = self.ticks * self._tick
        return {"sec": at // SECOND, "nsec": at % SECOND}

    def _place(self, out: Mapping[str, Any]) -> None:
        """Write pose and fix of the machine, if the output signals include its position."""
        if "position" not in out or "attitude" not in out:
            return
        place = tuple(out["position"])
        self._put("/pose", self._transform("machine", place, quaternion(*out["attitude"])))
        if self._origin is not None:
            latitude, longitude, altitude = self._origin.geodetic(*place)
            self._put("/fix", {
                "timestamp": self._when(), "frame_id": "machine", "latitude": latitude,
                "longitude": longitude, "altitude": altitude, "position_covariance": [0.0] * 9,
                "position_covariance_type": 0,
            })  # fmt: skip

    def _transform(self, name: str, place: Any, turn: Any) -> dict[str, Any]:
        return {
            "timestamp": self._when(),
            "parent_frame_id": "world",
            "child_frame_id": name,
            "translation": dict(zip("xyz", place, strict=True)),
            "rotation": dict(zip("wxyz", turn, strict=True)),
        }

    def close(self) -> None:
        """Complete and close the file."""
        if not self._file.closed:
            with self._closing_when_full():
                self._writer.finish()
                self._file.close()


def _finite(what: Any) -> Any:
    """Copy of nested data with None for every number that is not finite."""
    if isinstance(what, dict):
        return {key: _finite(value) for key, value in what.items()}
    if isinstance(what, list | tuple):
        return [_finite(value) for value in what]
    return None if isinstance(what, float) and not math.isfinite(what) else what


def quaternion(roll: float, pitch: float, yaw: float) -> tuple[float, float, float, float]:
    """Quaternion w, x, y, z of an attitude [rad]: yaw about z, then pitch about y, then roll about x."""
    cr, sr, cp, sp = (f(a / 2.0) for a in (roll, pitch) for f in (math.cos, math.sin))
    cy, sy = math.cos(yaw / 2.0), math.sin(yaw / 2.0)
    return (
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    )
