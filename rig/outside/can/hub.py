"""Hub: CAN bus for several processes of this computer, over TCP in the protocol of socketcand.

Clients connect with python-can's interface ``socketcand``; no kernel module is needed.
"""

from __future__ import annotations

import asyncio
import threading
import time

from ...errors import RigError

CLIENTS = 8  # largest number of connected clients
#: Largest backlog of a client [bytes]; beyond it the client is disconnected.
BACKLOG = 1 << 16


class Hub:
    """Server that forwards each client's frames to all others in raw mode; a context manager, a thread.

    Arguments:
        port: TCP port on 127.0.0.1; 0: a free one, stored in ``port`` when open.

    Raises:
        RigError: the port is in use.
    """

    def __init__(self, port: int = 0) -> None:
        self.port: int = port
        self.passed: int = 0
        self.refused: int = 0
        self._clients: dict[asyncio.StreamWriter, bool] = {}

    def __enter__(self) -> Hub:
        self._ready, self._failed = threading.Event(), ""
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        self._ready.wait(10.0)
        if self._failed:
            raise RigError(f"no bus on port {self.port} of the loopback: {self._failed}")
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(5.0)

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        try:
            server = await asyncio.start_server(self._client, "127.0.0.1", self.port, limit=4096)
        except OSError as error:
            self._failed = str(error)
            self._ready.set()
            return
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for writer in list(self._clients):
            writer.close()

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._clients) >= CLIENTS:
            writer.close()
            return
        self._clients[writer] = False
        writer.write(b"< hi >")
        try:
            while True:
                word = await reader.readuntil(b">")
                if writer.transport.is_closing():
                    break
                self._take(writer, word.decode("ascii", "replace").strip("<> \r\n\t"))
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            pass
        finally:
            self._clients.pop(writer, None)
            writer.close()

    def _take(self, writer: asyncio.StreamWriter, text: str) -> None:
        words = text.split()
        if words[:1] in (["open"], ["rawmode"], ["echo"]):
            self._clients[writer] |= words[0] == "rawmode"
            writer.write(b"< ok >")
        elif words[:1] == ["send"]:
            frame = _frame(words)
            if frame is None:
                self.refused += 1
                writer.write(b"< error could not parse send command >")
            else:
                self._pass(writer, frame)
        else:
            self.refused += 1
            writer.write(b"< error unknown command >")

    def _pass(self, sender: asyncio.StreamWriter, frame: tuple[str, bytes]) -> None:
        can_id, data = frame
        self.passed += 1
        line = f"< frame {can_id} {time.time():.6f} {data.hex().upper()} >".encode("ascii")
        for writer, raw in list(self._clients.items()):
            if writer is sender or not raw or writer.transport.is_closing():
                continue
            if writer.transport.get_write_buffer_size() > BACKLOG:
                self._clients.pop(writer, None)
                writer.transport.abort()
            else:
                writer.write(line)


def _frame(words: list[str]) -> tuple[str, bytes] | None:
    """Identifier and data of a command ``send ID LENGTH BYTE ...``; None for invalid words."""
    try:
        number, length = int(words[1], 16), int(words[2], 16)
        data = bytes(int(word, 16) for word in words[3:])
    except (ValueError, IndexError):
        return None
    wide = len(words[1]) == 8
    if length != len(data) or length > 8 or not 0 <= number < (1 << 29 if wide else 1 << 11):
        return None
    return f"{number:08X}" if wide else f"{number:03X}", data
