"""Fast model of a ``rig.MultiRate`` in another process: motion and force are exchanged over a socket."""

from __future__ import annotations

import contextlib
import hmac
import json
import select
import socket
import struct
import time
from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RigError
from ..two_rates.exchange import Stepped
from .net.server import LOOPBACK

Array = NDArray[np.float64]
HEAD = struct.Struct("<II")  # sizes of the text and of the numbers after it [bytes]
LARGEST = 1 << 20  # largest size of a message [bytes]
PART = 5.0  # time limit for the rest of a message after its first bytes [s]


class Lost(Exception):
    """Error of a connection: closed by the other side, or an invalid message."""


def send(line: socket.socket, words: dict[str, Any], *arrays: Array) -> None:
    """Send a message: JSON with the sizes of the arrays, then their numbers."""
    text = json.dumps({**words, "sizes": [len(a) for a in arrays]}).encode()
    numbers = np.concatenate([np.zeros(0), *arrays]).astype("<f8").tobytes()
    line.sendall(HEAD.pack(len(text), len(numbers)) + text + numbers)


def receive(line: socket.socket) -> tuple[dict[str, Any], list[Array]]:
    """Receive a message; Lost for a closed connection or an invalid message."""
    text, numbers = HEAD.unpack(_whole(line, HEAD.size))
    if text + numbers > LARGEST:
        raise Lost(f"a message of {text + numbers} bytes")
    try:
        words = json.loads(_whole(line, text))
        values = np.frombuffer(_whole(line, numbers), "<f8").copy()
        return words, np.split(values, np.cumsum(words["sizes"])[:-1]) if words["sizes"] else []
    except (ValueError, KeyError, TypeError) as error:
        raise Lost(str(error)) from None


def _whole(line: socket.socket, size: int) -> bytes:
    parts = b""
    while len(parts) < size:
        part = line.recv(size - len(parts))
        if not part:
            raise Lost("the connection was closed")
        parts += part
    return parts


def serve(
    fast: Stepped, port: int = 0, *, host: str = "127.0.0.1", token: str = "", ready: Any = None
) -> None:
    """Run a fast model for one ``Remote`` after another; a new connection ends the current one.

    Arguments:
        fast: fast model, such as the oil of a circuit.
        port: TCP port; 0: a free one.
        host: address to listen on; other than the loopback it requires a token.
        token: required token of a ``Remote``. The connection is not encrypted: the token protects
            against accidental connections, not against readers of the network's traffic.
        ready: called with the port once the server listens.

    Raises:
        RigError: no token beyond the loopback.
        OSError: the port is not free.
    """
    if host not in LOOPBACK and not token:
        raise RigError(f"a fast model that listens on {host} needs a token")
    with socket.create_server((host, port)) as listener:
        if ready is not None:
            ready(listener.getsockname()[1])
        while True:
            line, _ = listener.accept()
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with line, contextlib.suppress(Lost, OSError):
                line.settimeout(PART)
                _answer(fast, line, listener, token)


def _answer(fast: Stepped, line: socket.socket, listener: socket.socket, token: str) -> None:
    """Answer the requests of a client, the first with the state, until another client connects."""
    y: Array | None = None
    while listener not in select.select([line, listener], [], [])[0]:
        words, arrays = receive(line)
        if y is None and not hmac.compare_digest(str(words.get("token", "")).encode(), token.encode()):
            send(line, {"error": "wrong token"})
            return
        if "state" in words or y is None:
            y, arrays = arrays[0], arrays[1:]
        try:
            motion, slope = arrays
            y, last, mean = fast.go(y, motion, slope, words["count"], words["t"], words["method"])
        except Exception as error:  # any error of the model is reported to the client
            send(line, {"error": str(error)})
            return
        send(line, {}, y, last, mean)


class Remote(Stepped):
    """Fast model behind a socket, for ``rig.MultiRate``; a context manager.

    Each exchange sends the motion and receives the force. With a ``delay`` of d exchanges the force
    belongs to the motion d exchanges ago: a latency of d c, without waiting; c: time between two
    exchanges [s]. After a lost connection the state of the last answer and all later motions are
    sent again, so that the run continues with the same numbers.

    Arguments:
        port: port of ``serve``.
        host: address of ``serve``.
        token: token of ``serve``.
        delay: d, number of exchanges between a motion and its force.
        force: force on the slow model before the first answer [N], with a delay.
        patience: longest wait for a connection or an answer [s]; a first answer may need a compilation.

    Raises:
        RigError: no answer within ``patience``, or an error of the fast model.
    """

    def __init__(
        self,
        port: int,
        *,
        host: str = "127.0.0.1",
        token: str = "",
        delay: int = 0,
        force: Any = (),
        patience: float = 60.0,
    ) -> None:
        if type(delay) is not int or delay < 0:
            raise RigError(f"delay = {delay!r} must be a whole number of exchanges, 0 or more")
        self.place: tuple[str, int] = (host, port)
        self.token: str = token
        self.delay: int = delay
        self.force: Array = np.atleast_1d(np.asarray(force, float))
        self.patience: float = patience
        self.reconnections: int = -1
        self._line: socket.socket | None = None
        self._waiting: deque[tuple[dict[str, Any], tuple[Array, ...]]] = deque()
        self._known: tuple[Array, ...] = ()

    def __enter__(self) -> Remote:
        return self

    def __exit__(self, *error: object) -> None:
        self._drop()

    def go(
        self, y: Array, motion: Array, slope: Array, count: int, t: float, method: str
    ) -> tuple[Array, Array, Array]:
        """Send the motion; return state, last and mean force for the motion ``delay`` exchanges ago."""
        self._known = self._known or (y, self.force, self.force)
        request = {"count": count, "t": t, "method": method}, (motion, slope)
        self._waiting.append(request)
        end = time.monotonic() + self.patience
        new = True
        while new or len(self._waiting) > self.delay:
            try:
                line = self._line or self._connect(end)
                if line is self._line and new:
                    self._send(line, len(self._waiting) - 1)
                self._line, new = line, False
                if len(self._waiting) <= self.delay:
                    break
                words, answer = receive(line)
                if "error" in words:
                    raise RigError(
                        f"the fast model at {self.place[0]}:{self.place[1]}: {words['error']}"
                    )
                self._waiting.popleft()
                self._known = tuple(answer)
            except (OSError, Lost) as error:
                self._drop()
                if time.monotonic() > end:
                    raise RigError(
                        f"the fast model at {self.place[0]}:{self.place[1]} does not answer: {error}"
                    ) from None
                time.sleep(0.02)
        return self._known[0], self._known[1], self._known[2]

    def _connect(self, end: float) -> socket.socket:
        """Connect; send the token, the state and all unanswered motions."""
        line = socket.create_connection(self.place, max(0.05, end - time.monotonic()))
        try:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.reconnections += 1
            for k in range(len(self._waiting)):
                self._send(line, k, state=k == 0)
        except OSError:
            line.close()
            raise
        return line

    def _send(self, line: socket.socket, k: int, state: bool = False) -> None:
        words, arrays = self._waiting[k]
        if state:
            send(line, {**words, "state": True, "token": self.token}, self._known[0], *arrays)
        else:
            send(line, words, *arrays)

    def _drop(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None
