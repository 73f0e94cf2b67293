"""Transport of frames over a TCP stream or a WebSocket, and access control of web pages."""

from __future__ import annotations

import asyncio
import logging
import pathlib
import re
import socket
import struct
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

try:
    import fcntl
    import termios
except ImportError:  # Windows has neither module
    fcntl = termios = None

from mlcp.neighbours import need

from ...errors import RigError
from .frame import FrameReader, NetworkFrame, unpack

COCKPIT = pathlib.Path(__file__).with_name("cockpit.html")
#: Content security policy: the page loads nothing from other hosts and connects to its own server only.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; "
    "img-src data:"
)
#: Idle time before the system's keep-alive probes of a connection [s].
KEEP_ALIVE = 10
#: Largest amount of unsent data of a TCP connection, as a multiple of the newest frame's size [-].
MAX_BACKLOG = 2
#: Time between checks of a connection with too large a backlog [s].
CHECK_INTERVAL = 0.005
#: Functions that receive the next frame (None: end of the connection) and send a frame.
ReceiveFrame = Callable[[], Awaitable[NetworkFrame | None]]
SendFrame = Callable[[bytes], Awaitable[None]]


def tcp_functions(
    stream: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> tuple[ReceiveFrame, SendFrame]:
    """Functions that receive and send a frame over a TCP connection."""
    reader, frames = FrameReader(), deque[NetworkFrame]()

    async def receive() -> NetworkFrame | None:
        while not frames:
            received = await stream.read(4096)
            if not received:
                return None
            frames.extend(reader.feed(received))
        return frames.popleft()

    line = writer.get_extra_info("socket")

    async def send(frame: bytes) -> None:
        while _waiting(line) > MAX_BACKLOG * len(frame):  # the socket would fill with old frames
            await asyncio.sleep(CHECK_INTERVAL)
        writer.write(frame)
        await writer.drain()

    writer.transport.set_write_buffer_limits(0)
    _keep_alive(line)
    return receive, send


def websocket_functions(web: Any) -> tuple[ReceiveFrame, SendFrame]:
    """Functions that receive and send a frame over a WebSocket."""
    closed = need("websockets.exceptions", "a WebSocket", "live").ConnectionClosed

    async def receive() -> NetworkFrame | None:
        try:
            received = await web.recv()
        except closed:
            return None
        if isinstance(received, str):
            raise RigError("a WebSocket message must be a binary frame")
        return unpack(received)

    async def send(frame: bytes) -> None:
        try:
            await web.send(frame)
        except closed:
            raise ConnectionError from None

    return receive, send


def page(
    connection: Any, request: Any, hosts: Collection[str], origins: Collection[str], token: bool,
    machine: Mapping[str, Any],
) -> Any:  # fmt: skip
    """Response to a request: the cockpit's page, an error, or None to accept a WebSocket.

    A WebSocket is accepted from the cockpit's own page, from an allowed page, and from programs that are
    no browsers.

    Arguments:
        connection, request: objects of the library websockets.
        hosts: names of this server.
        origins: allowed other pages.
        token: True: the hello needs a token, which foreign pages do not have.
        machine: description of the welcome; "scene": port of a live scene shown in the page.
    """
    if request.path in ("/", "/?watch") and "Upgrade" not in request.headers:
        answer = connection.respond(200, COCKPIT.read_text(encoding="utf-8"))
        del answer.headers["Content-Type"]
        answer.headers["Content-Type"] = "text/html; charset=utf-8"
        scene = machine.get("scene")
        here = request.headers.get("Host", "").rpartition(":")[0]
        names = {"127.0.0.1", "localhost", *re.findall(r"^[\w.-]+$|^\[[0-9a-fA-F:]+\]$", here)}
        frames = "; frame-src " + " ".join(f"http://{n}:{scene}" for n in sorted(names)) if scene else ""
        answer.headers["Content-Security-Policy"] = POLICY + frames
        return answer
    if request.path != "/rig" and "Upgrade" not in request.headers:
        return connection.respond(404, "nothing here\n")
    host, origin = request.headers.get("Host", ""), request.headers.get("Origin")
    ours = (token or host.rpartition(":")[0] in hosts) and origin == f"http://{host}"
    if origin is None or ours or origin in origins:
        return None
    return connection.respond(403, "this page may not connect\n")


def counting(faults: Counter[str]) -> logging.Logger:
    """Logger that counts connection errors in ``faults`` instead of printing tracebacks."""

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            faults[record.getMessage()[:80]] += 1

    log = logging.Logger("wheelground rig", logging.ERROR)
    log.addHandler(Handler())
    return log


def _waiting(line: socket.socket) -> int:
    """Size of the socket's send queue [bytes]; 0 if the system does not provide it."""
    request = getattr(termios, "TIOCOUTQ", None)
    if fcntl is None or request is None:
        return 0
    try:
        return struct.unpack("i", fcntl.ioctl(line.fileno(), request, bytes(4)))[0]
    except OSError:  # the client has disconnected
        return 0


def _keep_alive(line: socket.socket) -> None:
    """Set a small send buffer and keep-alive probes, which detect a lost computer."""
    # the default buffer holds data of several seconds
    line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 14)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_KEEPIDLE", KEEP_ALIVE),
        ("TCP_KEEPINTVL", KEEP_ALIVE // 2),
        ("TCP_KEEPCNT", 4),
    ):
        if hasattr(socket, name):  # not every system has this option
            line.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def named(address: Any) -> str:
    """Address of a client as text, "host:port"."""
    return (
        f"{address[0]}:{address[1]}"
        if isinstance(address, tuple) and len(address) > 1
        else "of an unknown address"
    )
