"""Record of a client in the server: its hello and its queue of frames."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from .frame import Kind, NetworkFrame
from .schema import FASTEST, Hello, Schema

#: Length of a client's queue of frames; a full queue is treated by ``put``.
QUEUE = 4
#: Longest time with a full queue before an operator is disconnected [s].
BEHIND = 1.0


@dataclass
class ClientRecord:
    """Record of a client after its hello.

    state, inputs: layouts of the frames to and from the client. client: address. queue: frames to send.
    """

    hello: Hello
    state: Schema
    inputs: Schema
    client: str = ""
    queue: deque[bytes] = field(default_factory=lambda: deque(maxlen=QUEUE))
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    next_state: float = 0.0
    state_requested: bool = False
    sequence: int = 0
    tokens: float = FASTEST
    last: float = 0.0
    last_frame: float = 0.0
    sending_since: float = 0.0
    kept_up: float = field(default_factory=time.monotonic)
    timer: asyncio.TimerHandle = field(init=False)
    reason: str = ""
    warned: str = ""
    end: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, frame: bytes) -> None:
        """Queue a frame; a full queue drops its oldest one.

        A controller must not act on old frames: with a full queue hardware is disconnected at once, an
        operator (whose screen may hang for a moment) after the time ``BEHIND``.
        """
        now, role = time.monotonic(), self.hello.role
        if len(self.queue) < QUEUE:
            self.kept_up = now
        elif role == "hardware" or (role == "operator" and now - self.kept_up > BEHIND):
            self.disconnect("it did not read its frames: a controller must not act on old ones")
        self.queue.append(frame)
        self.wake.set()

    def show(self, tick: int, now: float, values: dict[str, Any]) -> None:
        """Queue a state frame with the client's signals, if one is due or requested."""
        pulls = self.hello.pull
        if not self.state.names or (pulls and not self.state_requested) or now < self.next_state - 1e-9:
            return
        self.next_state, self.state_requested = now + 1.0 / self.hello.rate, False
        self.sequence += 1
        try:
            payload = self.state.pack(values)
        except KeyError as error:
            self.disconnect(f"signal {error} is not written in this rig")
            return
        self.put(NetworkFrame(Kind.STATE, payload, self.sequence, tick, now).pack())

    def disconnect(self, why: str) -> None:
        """Disconnect this client with a reason, even during a blocked send."""
        self.reason = why
        self.end.set()
