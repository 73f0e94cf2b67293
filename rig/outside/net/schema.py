"""Schemas (signals of a state or input frame and their order), and hello messages."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...bus import Bus, Signal
from ...errors import RigError, known
from ...port import Port

ROLES = ("view", "hardware", "operator", "log")
#: Largest rate of frames requested or sent by a client [1/s].
FASTEST = 1000.0


@dataclass(frozen=True)
class Schema:
    """Layout of a payload: the signals as float64 numbers, in the order of ``names``.

    Arguments:
        bus: table of signals.
        names: names of the signals.

    Raises:
        RigError: an unknown name, or one twice.
    """

    bus: Bus
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        for name in self.names:
            self.bus.signal(name)
        if len(set(self.names)) != len(self.names):
            raise RigError("a schema names a signal twice")

    def description(self) -> list[dict[str, Any]]:
        """Name, unit, type, shape, offset and, if any, range of each signal, for a welcome message."""
        out, at = [], 0
        for name in self.names:
            port = self.bus.signals[name].port
            entry = {"name": name, "unit": port.unit, "type": "f64", "shape": list(port.shape)}
            span = {key: value for key in ("low", "high") if math.isfinite(value := getattr(port, key))}
            out.append(entry | {"offset": at} | span)
            at += 8 * port.size
        return out

    @staticmethod
    def read(description: list[dict[str, Any]]) -> Schema:
        """Schema from the ``description`` in a welcome message."""
        signals = {}
        for entry in description:
            span = {key: entry[key] for key in ("low", "high") if key in entry}
            start = min(max(0.0, span.get("low", 0.0)), span.get("high", math.inf))
            port = Port(entry["unit"], tuple(entry["shape"]), start, **span)
            signals[entry["name"]] = Signal(entry["name"], port, "")
        return Schema(Bus(signals, {}, (), {}), tuple(signals))

    @property
    def size(self) -> int:
        """Size of the payload [bytes]."""
        return 8 * sum(self.bus.signals[n].port.size for n in self.names)

    def pack(self, values: Mapping[str, Any]) -> bytes:
        """Payload with the values of the signals."""
        parts = [np.asarray(values[name], "<f8").ravel() for name in self.names]
        return np.concatenate(parts).tobytes() if parts else b""

    def unpack(self, payload: bytes) -> dict[str, NDArray[np.float64]]:
        """Signals from a payload; RigError for a wrong length or a number out of its range."""
        if len(payload) != self.size:
            raise RigError(f"an input of {len(payload)} bytes; its schema has {self.size}")
        flat, out, at = np.frombuffer(payload, "<f8"), {}, 0
        for name in self.names:
            port = self.bus.signals[name].port
            part = flat[at : at + port.size].reshape(port.shape)
            out[name] = port.value(f"signal {name!r}", part).reshape(port.shape)
            at += port.size
        return out


@dataclass(frozen=True)
class Hello:
    """First message of a client.

    Arguments:
        role: one of ``ROLES``.
        token: token of the server.
        signals: names of the signals in state frames.
        inputs: names of the signals in its input frames.
        rate: rate of state frames [1/s].
        pull: True: one state frame, the next one due, for each ping; a slow client then gets no old
            frames.
    """

    role: str
    token: str = ""
    signals: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    rate: float = 50.0
    pull: bool = False

    def pack(self) -> bytes:
        """Bytes of the hello, as JSON."""
        return json.dumps(dataclasses.asdict(self)).encode()

    @staticmethod
    def read(payload: bytes) -> Hello:
        """Hello from JSON; RigError with the name of a wrong field."""
        try:
            found = json.loads(payload.decode("utf-8"))
        except (ValueError, RecursionError):
            raise RigError("the hello is no JSON") from None
        if not isinstance(found, dict):
            raise RigError("the hello must be a JSON object")
        for key in found:
            known("hello: unknown key", key[:40], Hello.__dataclass_fields__)
        role, rate, token = found.get("role"), found.get("rate", 50.0), found.get("token", "")
        if not isinstance(role, str) or role not in ROLES:
            raise RigError(f"the role of a hello must be one of {', '.join(ROLES)}")
        number = isinstance(rate, int | float) and not isinstance(rate, bool)
        if not number or not 0.0 < rate <= FASTEST:
            raise RigError(f"the rate of a hello must be above 0 and at most {FASTEST:g} a second")
        if not isinstance(token, str):
            raise RigError("the token of a hello must be a text")
        pull = found.get("pull", False)
        if not isinstance(pull, bool):
            raise RigError("pull of a hello must be true or false")
        signals, inputs = (_names(found.get(key, ()), key) for key in ("signals", "inputs"))
        return Hello(role, token, signals, inputs, float(rate), pull)


def _names(found: Any, key: str) -> tuple[str, ...]:
    if not isinstance(found, Iterable) or isinstance(found, str | dict):
        raise RigError(f"{key} of a hello must be a list of names")
    if not all(isinstance(name, str) and len(name) <= 64 for name in found):
        raise RigError(f"{key} of a hello must be a list of names")
    return tuple(found)
