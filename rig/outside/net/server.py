"""Server: clients over TCP and WebSocket, in a thread or a process that never steps the rig.

What goes wrong with a client is counted, told to it in one sentence, and it is gone; no other notices.
Whoever is connected may ask for a stop; only the operator takes it back.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import numpy as np

from mlcp.checks import shown

from ...bus import Bus, core
from ...errors import RigError
from ..need import need
from . import door
from .frame import Frame, Kind
from .schema import FASTEST, Hello, Schema
from .seat import Seat

CLIENTS = 8
#: Time for a hello; after which an operator who sends nothing, or a client whose line takes nothing or
#: whose computer no longer answers, is let go [s].
PATIENCE, SILENCE = 5.0, 30.0
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Server:
    """TCP and WebSocket on one rig's signals; a context manager.

    Arguments:
        host: to listen on; beyond the loopback a token is needed.
        port: of TCP; 0: a free one, in ``port`` once it is open. -1: none.
        web_port: of WebSocket and of the cockpit's page; 0: a free one. -1: none.
        token: that a hello must bring; None: one is made beyond the loopback, none is needed on it.
        bus: the table of signals; None: the shipped one.
        machine: JSON told in the welcome, such as name, step and terrain.
        origins: other pages that may open a WebSocket, as the browser names them; the cockpit's own may,
            and a program that is no browser.
        takes: names of signals that may come in; None: whatever no block of ``bus`` has to write.

    Raises:
        RigError: a port that is taken or no port at all; a host beyond the loopback with an empty token.
    """

    def __init__(
        self, host: str = "127.0.0.1", port: int = 0, web_port: int = -1, *, token: str | None = None,
        bus: Bus | None = None, machine: dict[str, Any] | None = None, origins: tuple[str, ...] = (),
        takes: Iterable[str] | None = None,
    ) -> None:  # fmt: skip
        if token is None and host not in LOOPBACK:
            token = secrets.token_urlsafe(16)
        if host not in LOOPBACK and not token:
            raise RigError(f"host {host!r} is beyond this computer: a token is needed there")
        for name, value in (("port", port), ("web_port", web_port)):
            if type(value) is not int or not -1 <= value <= 65535:
                raise RigError(
                    f"{name} = {shown(value)} must be a whole number up to 65535; 0 takes a free one, "
                    "-1 none"
                )
        self.host: str = host
        self.port: int = port
        self.web_port: int = web_port
        self.token: str | None = token
        self.bus: Bus = bus or core()
        self.machine: dict[str, Any] = machine or {}
        self.origins: tuple[str, ...] = origins
        alone = (name for name, signal in self.bus.signals.items() if signal.alone)
        self.takes: frozenset[str] = frozenset(alone if takes is None else takes)
        self.faults: Counter[str] = Counter()
        self.clients: list[Seat] = []
        self.stopped: str = ""
        self.sources: dict[str, str] = {}
        self._inputs: dict[str, Any] = {}
        self._state: tuple[int, float, dict[str, Any]] | None = None
        self._lock = threading.Lock()
        self._open = 0

    # --- called by whoever steps the rig --------------------------------------------------------

    def publish(self, tick: int, now: float, values: dict[str, Any]) -> None:
        """Hand on the signals of a tick; returns at once.

        Arguments:
            tick: number of the tick.
            now: the rig's time [s].
            values: signals by name; those that nobody asked for cost nothing.
        """
        if self.clients:
            with self._lock:
                waiting, self._state = self._state, (tick, now, values)
            if waiting is None:  # else a newer one takes the place of what was not yet sent
                self._loop.call_soon_threadsafe(self._spread)

    def event(self, tick: int, now: float, **what: Any) -> None:
        """Tell everybody of an event, such as ``event(12, 0.12, late=3)``."""
        frame = Frame(Kind.EVENT, json.dumps(what).encode(), 0, tick, now).pack()
        self._loop.call_soon_threadsafe(lambda: [c.put(frame) for c in self.clients])

    def inputs(self) -> dict[str, Any]:
        """Signals that came in since the last call, the newest of each; safe values after a stop.

        Who sent one stands in ``sources``, who asked for a stop in ``stopped``; "" where nobody has.
        """
        with self._lock:
            found, self._inputs = self._inputs, {}
        return self.safe() if self.stopped else found

    def safe(self) -> dict[str, float]:
        """The safe value of every signal that may come in and has one."""
        signals = ((name, self.bus.signals[name]) for name in sorted(self.takes))
        return {name: signal.safe for name, signal in signals if signal.timeout is not None}

    def __enter__(self) -> Server:
        self._ready, self._failed = threading.Event(), ""
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        self._ready.wait(10.0)
        if self._failed:
            raise RigError(self._failed)
        return self

    def __exit__(self, *error: object) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10.0)

    # --- inside the loop ------------------------------------------------------------------------

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._loop.set_exception_handler(self._unexpected)
        try:
            tcp = web = None
            if self.port >= 0:
                tcp = await asyncio.start_server(self._tcp, self.host, self.port, limit=1 << 16)
                self.port = tcp.sockets[0].getsockname()[1]
            if self.web_port >= 0:
                serve = need("websockets.asyncio.server", "a WebSocket").serve
                web = await serve(
                    self._web, self.host, self.web_port, process_request=self._page,
                    max_size=1 << 16, max_queue=4, compression=None, logger=door.counting(self.faults),
                )  # fmt: skip
                self.web_port = next(iter(web.sockets)).getsockname()[1]
        except (OSError, ImportError) as error:
            self._failed = f"the server cannot listen on {self.host}: {error}"
            self._ready.set()
            return
        self._ready.set()
        await self._stop.wait()
        bye = Frame(Kind.BYE, b'{"why": "the rig has ended"}').pack()
        for client in self.clients:
            client.put(bye)
        await asyncio.sleep(0.05)
        for server in (tcp, web):
            if server is not None:
                server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    def _unexpected(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.faults[f"fault of the server: {context.get('message', '')}"[:80]] += 1

    async def _tcp(self, stream: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._guard(*door.stream_ends(stream, writer), writer.get_extra_info("peername"))
        finally:
            if writer.transport.get_write_buffer_size():
                writer.transport.abort()
            writer.close()

    async def _web(self, web: Any) -> None:
        await self._guard(*door.web_ends(web), web.remote_address)

    def _page(self, connection: Any, request: Any) -> Any:
        hosts = (*LOOPBACK, "[::1]", self.host)
        refused = door.page(connection, request, hosts, self.origins, bool(self.token), self.machine)
        self.faults["another page"] += refused is not None and refused.status_code == 403
        return refused

    async def _guard(self, take: Callable, give: Callable[[bytes], Awaitable[None]], who: Any) -> None:
        """A client from its hello to its end; whatever it does, this returns."""
        self._open += 1
        client = None
        try:
            if self._open > CLIENTS:
                raise RigError(f"there are {CLIENTS} clients already")
            client = self._welcome(await asyncio.wait_for(take(), PATIENCE), who)
            await give(self._schema(client))
            self.clients.append(client)
            await self._talk(client, take, give)
        except (RigError, TimeoutError) as error:
            why = str(error) or "no word for too long"
            self.faults[why.partition(";")[0][:80]] += 1
            bye = Frame(Kind.BYE, json.dumps({"why": why}).encode()).pack()
            try:
                await asyncio.wait_for(give(bye), 0.5)
            except (ConnectionError, TimeoutError):
                pass
        except OSError:
            self.faults["connection lost"] += 1
        except Exception as error:  # a fault of ours: this client goes, the others stay
            self.faults[f"fault of the server: {type(error).__name__}"] += 1
        finally:
            self._open -= 1
            if client in self.clients:
                self.clients.remove(client)

    def _welcome(self, first: Frame | None, who: Any) -> Seat:
        if first is None:
            raise RigError("it left without a hello")
        if first.kind != Kind.HELLO:
            raise RigError("the first frame must be a hello")
        hello = Hello.read(first.payload)
        given = hello.token.encode("utf-8", "surrogatepass")
        if self.token and not hmac.compare_digest(given, self.token.encode()):
            raise RigError("wrong token")
        held = [c.who for c in self.clients if c.hello.role == "operator"]
        if hello.role == "operator" and held:
            raise RigError(f"another operator holds the seat: {held[0]}")
        if hello.inputs and hello.role not in ("hardware", "operator"):
            raise RigError(f"the role {hello.role!r} only looks: it has no inputs")
        inputs = Schema(self.bus, hello.inputs)
        for name in hello.inputs:
            if name not in self.takes:
                by = self.bus.signals[name].by
                raise RigError(f"signal {name!r} cannot come from outside: a {by} block writes it")
        now = time.monotonic()
        return Seat(hello, Schema(self.bus, hello.signals), inputs, door.named(who), last=now, heard=now)

    def _schema(self, client: Seat) -> bytes:
        told = {"state": client.state.told(), "input": client.inputs.told(), "machine": self.machine}
        return Frame(Kind.WELCOME, json.dumps(told).encode()).pack()

    async def _talk(self, client: Seat, take: Callable, give: Callable) -> None:
        reading = asyncio.ensure_future(self._read(client, take))
        writing = asyncio.ensure_future(self._write(client, give))
        ending = asyncio.ensure_future(self._ended(client))
        tasks = (reading, writing, ending)
        self._watch(client)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            client.watch.cancel()
            for task in tasks:
                task.cancel()
            found = await asyncio.gather(*tasks, return_exceptions=True)
        for error in found:
            if isinstance(error, Exception):
                raise error

    async def _read(self, client: Seat, take: Callable) -> None:
        while (frame := await take()) is not None:
            client.heard = time.monotonic()
            if frame.kind == Kind.BYE:
                return
            if frame.kind == Kind.PING:
                client.put(Frame(Kind.PING, frame.payload, frame.sequence).pack())
            elif frame.kind == Kind.INPUT and client.inputs.names:
                self._let_in(client, frame)
            elif frame.kind == Kind.EVENT:
                self._stop_asked(client, frame)
            else:
                raise RigError(
                    f"a {client.hello.role} does not send {frame.kind.name.lower()} frames here"
                )

    def _let_in(self, client: Seat, frame: Frame) -> None:
        now = time.monotonic()
        client.tokens = min(FASTEST, client.tokens + FASTEST * (now - client.last))
        client.last = now
        client.tokens -= 1.0
        if client.tokens < 0.0:
            raise RigError(f"more than {FASTEST:g} inputs a second")
        values = client.inputs.unpack(frame.payload)
        with self._lock:
            self._inputs.update(values)
            self.sources.update(dict.fromkeys(values, f"{client.hello.role} {client.who}"))

    def _stop_asked(self, client: Seat, frame: Frame) -> None:
        """``{"stop": true}`` from anybody, ``{"stop": false}`` from the operator."""
        try:
            stop = json.loads(frame.payload.decode("utf-8"))
        except (ValueError, RecursionError):
            stop = None
        if stop not in ({"stop": True}, {"stop": False}) or not isinstance(stop["stop"], bool):
            raise RigError('an event of a client is {"stop": true} or {"stop": false}')
        if not stop["stop"] and client.hello.role != "operator":
            raise RigError("a stop is taken back by the operator alone")
        self.stopped = f"{client.hello.role} {client.who}" if stop["stop"] else ""
        told = Frame(Kind.EVENT, json.dumps({"stop": self.stopped or False}).encode()).pack()
        for each in self.clients:
            each.put(told)

    async def _ended(self, client: Seat) -> None:
        await client.end.wait()
        raise RigError(client.gone)

    def _watch(self, client: Seat) -> None:
        """Now and then: does this client read, and is the operator still there."""
        client.watch = self._loop.call_later(SILENCE / 10.0, self._watch, client)
        now = time.monotonic()
        if now - client.heard > SILENCE and client.hello.role == "operator":
            client.let_go(f"the operator sent nothing for {SILENCE:g} s: the seat is free")
        if client.giving and now - client.giving > SILENCE:
            client.let_go(f"it read nothing for {SILENCE:g} s")

    async def _write(self, client: Seat, give: Callable) -> None:
        while True:
            await client.wake.wait()
            client.wake.clear()
            while client.queue:
                client.giving = time.monotonic()
                await give(client.queue.popleft())
                client.giving = 0.0

    def _spread(self) -> None:
        with self._lock:
            state, self._state = self._state, None
        tick, now, values = state or (0, 0.0, {})
        for client in self.clients:
            if not client.state.names or now < client.next_state - 1e-9:
                continue
            client.next_state = now + 1.0 / client.hello.rate
            client.sequence += 1
            try:
                payload = client.state.pack(values)
            except KeyError as error:
                client.let_go(f"signal {error} is not written in this rig")
                continue
            client.put(Frame(Kind.STATE, payload, client.sequence, tick, now).pack())


def values_of(rig: Any) -> dict[str, np.ndarray]:
    """All signals of a rig as they stand, by name, for ``Server.publish``."""
    flat = rig.wiring.values.copy()
    return {name: flat[place] for name, place in rig.wiring.places.items()}
