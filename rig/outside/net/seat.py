"""A client as the server keeps it: what it asked for, and the few frames that wait for it."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field

from .schema import FASTEST, Hello, Schema

#: Frames that wait for a client: a view or a log then gets the newest, the others are let go.
QUEUE = 4


@dataclass
class Seat:
    """One that has said hello."""

    hello: Hello
    state: Schema
    inputs: Schema
    who: str = ""
    queue: deque[bytes] = field(default_factory=lambda: deque(maxlen=QUEUE))
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    next_state: float = 0.0
    sequence: int = 0
    tokens: float = FASTEST
    last: float = 0.0
    heard: float = 0.0
    giving: float = 0.0
    watch: asyncio.TimerHandle = field(init=False)
    gone: str = ""
    end: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, frame: bytes) -> None:
        """Queue a frame; the oldest gives way for those that only look, others are let go."""
        if len(self.queue) == QUEUE and self.hello.role in ("hardware", "operator"):
            self.let_go("it did not read its frames: a controller must not act on old ones")
        self.queue.append(frame)
        self.wake.set()

    def let_go(self, why: str) -> None:
        """End this client, even where a frame to it is stuck on its way."""
        self.gone = why
        self.end.set()
