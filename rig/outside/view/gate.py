"""Gate between browsers on other computers and the scene's page: a relay that asks for a token.

The page of the scene needs no token, and listens on this computer only. The gate listens on the given
host. The first request of a browser must have the token in its address; the answer sets a cookie,
which the browser's later requests and its WebSocket then have.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import threading
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from ...errors import RigError

COOKIE = "wheelground_scene"
LONGEST, PATIENCE = 1 << 14, 5.0  # largest head of a request [bytes], longest wait for it [s]
CONNECTIONS = 64  # largest number of connections at a time
REFUSED = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Gate:
    """Relay from ``host`` to a page on this computer; a context manager, in a thread of its own.

    Arguments:
        host: address to listen on.
        page: port of the page on this computer.
        token: token that the address of a browser's first request must have.
        port: port to listen on; 0: a free one.

    Raises:
        RigError: the port is not free.
    """

    def __init__(self, host: str, page: int, token: str, port: int = 0) -> None:
        self.host: str = host
        self.page: int = page
        self.token: str = token
        self.port: int = port
        self._cookie = hashlib.sha256(token.encode()).hexdigest()
        self._loop = asyncio.new_event_loop()
        self._open = 0

    def __enter__(self) -> Gate:
        opened = asyncio.start_server(self._serve, self.host, self.port, limit=LONGEST)
        try:
            self._server = self._loop.run_until_complete(opened)
        except OSError as error:
            self._loop.close()
            raise RigError(f"the scene cannot listen on {self.host}:{self.port}: {error}") from None
        self.port = self._server.sockets[0].getsockname()[1]
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._server.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(1.0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open += 1
        try:
            if self._open <= CONNECTIONS:
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
                answer = self.answer(head)
                if answer is None:
                    await self._relay(head, reader, writer)
                else:
                    writer.write(answer)
                    await writer.drain()
        except (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError):
            pass  # an error ends this connection only, not the gate
        finally:
            self._open -= 1
            writer.close()

    def answer(self, head: bytes) -> bytes | None:
        """Answer to a request that lacks the cookie; None for one with the cookie, which is relayed."""
        request, *fields = head.decode("latin-1").split("\r\n")
        cookies = SimpleCookie()
        for field in fields:
            name, _, value = field.partition(":")
            if name.strip().lower() == "cookie":
                with contextlib.suppress(CookieError):
                    cookies.load(value.strip())
        if COOKIE in cookies and _equal(cookies[COOKIE].value, self._cookie):
            return None
        words = request.split(" ")
        query = parse_qsl(words[1].partition("?")[2]) if len(words) == 3 else []
        if not any(key == "token" and _equal(value, self.token) for key, value in query):
            return REFUSED
        rest = urlencode([pair for pair in query if pair[0] != "token"])
        return (
            f"HTTP/1.1 303 See Other\r\nLocation: /{'?' * bool(rest)}{rest}\r\nContent-Length: 0\r\n"
            f"Set-Cookie: {COOKIE}={self._cookie}; HttpOnly; SameSite=Strict; Path=/\r\n"
            "Connection: close\r\n\r\n"
        ).encode("latin-1")

    async def _relay(
        self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self.page)
        back.write(head)
        try:
            await asyncio.wait(
                [asyncio.create_task(_copy(reader, back)), asyncio.create_task(_copy(there, writer))],
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            back.close()


def _equal(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Copy bytes until one of both connections ends."""
    with contextlib.suppress(OSError):
        while data := await source.read(1 << 16):
            target.write(data)
            await target.drain()
