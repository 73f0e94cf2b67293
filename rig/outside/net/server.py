"""Server for clients over TCP and WebSocket, in a thread or process apart from the simulation.

A client with an error gets one sentence and is disconnected; others continue. Every client may request a
stop; only the operator may cancel it.
"""

from __future__ import annotations

import asyncio
import errno
import json
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from mlcp.checks import shown
from mlcp.neighbours import need

from ...bus import Bus, core
from ...errors import RigError
from . import transport
from .client_record import ClientRecord
from .frame import Kind, NetworkFrame
from .session import Session

CLIENTS = 8
LOOPBACK = ("127.0.0.1", "::1", "localhost")
#: Hosts that stand for all addresses of this computer, with the loopback's address among them.
EVERY: dict[str, str] = {"0.0.0.0": "127.0.0.1", "::": "::1"}


def new_token(host: str) -> str | None:
    """Random token for a server on this host; None on the loopback, which needs none."""
    return None if host in LOOPBACK else secrets.token_urlsafe(16)


class Server:
    """Server of the signals of one rig; a context manager.

    Arguments:
        host: address to listen on; other than the loopback it requires a token.
        port: TCP port; 0: a free one, stored in ``port`` when open. -1: none.
        web_port: port of WebSocket and of the cockpit's page; 0: a free one. -1: none.
        token: required token of a hello; None: none on the loopback, else a random one.
        bus: table of signals; None: the shipped one.
        machine: description of the machine for the welcome message, such as name, levers and gauges.
        origins: further web pages that may open a WebSocket, beside the cockpit's page.
        takes: names of signals that may be received; None: all that need no block as producer.
        reads: those of ``takes`` that blocks read; a stop sets them to their safe values; None: all.
        ring: function that the server's thread calls after it has received values.

    Raises:
        RigError: a port in use or out of range, or an empty token beyond the loopback.
    """

    def __init__(
        self, host: str = "127.0.0.1", port: int = 0, web_port: int = -1, *, token: str | None = None,
        bus: Bus | None = None, machine: dict[str, Any] | None = None, origins: tuple[str, ...] = (),
        takes: Iterable[str] | None = None, reads: Iterable[str] | None = None,
        ring: Callable[[], object] = lambda: None,
    ) -> None:  # fmt: skip
        if token is None:
            token = new_token(host)
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
        self._ring = ring
        alone = (name for name, signal in self.bus.signals.items() if signal.alone)
        self.takes: frozenset[str] = frozenset(alone if takes is None else takes)
        self.reads: frozenset[str] = self.takes if reads is None else self.takes & frozenset(reads)
        self.faults: Counter[str] = Counter()
        self.clients: list[ClientRecord] = []
        self.stopped: str = ""
        self.sources: dict[str, str] = {}
        self._inputs: dict[str, Any] = {}
        self._state: tuple[int, float, dict[str, Any]] | None = None
        self._lock = threading.Lock()
        self._lasting: dict[str, bytes] = {}
        self._open = 0
        self._announced = ""

    # --- for the simulation's thread --------------------------------------------------------

    def publish(self, tick: int, now: float, values: dict[str, Any]) -> None:
        """Publish the signals of a tick to the clients; returns at once.

        Arguments:
            tick: index of the tick.
            now: the rig's time [s].
            values: all signals by name; only those requested by clients are sent.
        """
        if self.clients:
            with self._lock:
                waiting, self._state = self._state, (tick, now, values)
            if waiting is None:  # otherwise a pending call of _spread sends this newer state
                self._loop.call_soon_threadsafe(self._spread)

    def event(self, tick: int, now: float, *, keep: bool = False, **what: Any) -> None:
        """Send an event to all clients, such as ``event(12, 0.12, late=3)``.

        ``keep``: later clients get it too, until an event with the same first key and an empty or false
        value.
        """
        self._loop.call_soon_threadsafe(self._broadcast, what, tick, now, keep)

    def _broadcast(self, what: dict[str, Any], tick: int, now: float, keep: bool) -> None:
        frame = NetworkFrame(Kind.EVENT, json.dumps(what).encode(), 0, tick, now).pack()
        for client in self.clients:
            if client.hello.role != "operator" or "seat" not in what:
                client.put(frame)
        if keep:
            name, value = next(iter(what.items()))
            self._lasting.pop(name, None)
            if value:
                self._lasting[name] = frame

    def lasting(self, role: str) -> list[bytes]:
        """Frames of the events with ``keep``, for a new client."""
        return [f for name, f in self._lasting.items() if role != "operator" or name != "seat"]

    def inputs(self) -> dict[str, Any]:
        """Newest values of the signals received since the last call; after a stop, safe values.

        ``sources``: sender of each signal. ``stopped``: client that requested a stop; "": none.
        """
        with self._lock:
            found, self._inputs = self._inputs, {}
        return self.safe() if self.stopped else found

    def safe(self) -> dict[str, float]:
        """Safe values of the signals in ``reads`` that have a timeout."""
        signals = ((name, self.bus.signals[name]) for name in sorted(self.reads))
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

    # --- in the event loop ------------------------------------------------------------------------

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._loop.set_exception_handler(self._unexpected)
        tcp = web = None
        try:
            if self.port >= 0:
                tcp = await asyncio.start_server(self._tcp, self.host, self.port, limit=1 << 16)
                self.port = tcp.sockets[0].getsockname()[1]
            if self.web_port >= 0:
                serve = need("websockets.asyncio.server", "a WebSocket", "live").serve
                web = await serve(
                    self._web, self.host, self.web_port, process_request=self._page, max_size=1 << 16,
                    max_queue=4, compression=None, logger=transport.counting(self.faults),
                )  # fmt: skip
                self.web_port = next(iter(web.sockets)).getsockname()[1]
        except (OSError, ImportError) as error:
            self._failed = f"the server cannot listen on {self.host}: {error}"
            if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
                port = self.web_port if tcp is not None or self.port < 0 else self.port
                self._failed = (
                    f"the server cannot listen on {self.host}: another program has port {port}; 0 takes "
                    "a free one"
                )
            self._ready.set()
            return
        self._ready.set()
        await self._stop.wait()
        bye = NetworkFrame(Kind.BYE, b'{"why": "the rig has ended"}').pack()
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
            await self._guard(
                *transport.tcp_functions(stream, writer), writer.get_extra_info("peername")
            )
        finally:
            if writer.transport.get_write_buffer_size():
                writer.transport.abort()
            writer.close()

    async def _web(self, web: Any) -> None:
        await self._guard(*transport.websocket_functions(web), web.remote_address)

    def _page(self, connection: Any, request: Any) -> Any:
        hosts = (*LOOPBACK, "[::1]", self.host)
        refused = transport.page(
            connection, request, hosts, self.origins, bool(self.token), self.machine
        )
        self.faults["another page"] += refused is not None and refused.status_code == 403
        return refused

    async def _guard(
        self, receive: transport.ReceiveFrame, send: transport.SendFrame, address: Any
    ) -> None:
        """Serve a client from its hello to its end, with all of its errors handled."""
        self._open += 1
        session = Session(self, receive, send)
        try:
            if self._open > CLIENTS:
                raise RigError(f"there are {CLIENTS} clients already")
            await session.serve(address)
        except (RigError, TimeoutError) as error:
            why = str(error) or "no word for too long"
            self.faults[why.partition(";")[0][:80]] += 1
            bye = NetworkFrame(Kind.BYE, json.dumps({"why": why}).encode()).pack()
            try:
                await asyncio.wait_for(send(bye), 0.5)
            except (ConnectionError, TimeoutError):
                pass
        except OSError:
            self.faults["connection lost"] += 1
        except Exception as error:  # an internal fault ends this client only
            self.faults[f"fault of the server: {type(error).__name__}"] += 1
        finally:
            self._open -= 1
            if session.record in self.clients:
                self.clients.remove(session.record)
                self.announce_operator()

    # --- for the sessions of clients ------------------------------------------------------------------

    @property
    def operator(self) -> str:
        """Address of the client with the role "operator"; "": none."""
        return next((c.client for c in self.clients if c.hello.role == "operator"), "")

    def announce_operator(self) -> None:
        """Send an event to all other clients if another client, or none, is now the operator."""
        if self._announced != self.operator:
            self._announced = self.operator
            seat = f"operator {self._announced}" if self._announced else ""
            self._broadcast({"seat": seat}, 0, 0.0, keep=True)

    def let_in(self, values: dict[str, Any], source: str) -> None:
        """Store the inputs of a client, and its address as their source."""
        with self._lock:
            self._inputs.update(values)
            self.sources.update(dict.fromkeys(values, source))
        self._ring()

    def stop(self, source: str) -> None:
        """Set the stop requested by a client ``source``; "": cancel it."""
        self.stopped = source
        self._ring()
        self._broadcast({"stop": source or False}, 0, 0.0, keep=True)

    def _spread(self) -> None:
        with self._lock:
            state, self._state = self._state, None
        tick, now, values = state or (0, 0.0, {})
        for client in self.clients:
            client.show(tick, now, values)


def values_of(rig: Any) -> dict[str, np.ndarray]:
    """Present values of all signals of a rig by name, for ``Server.publish``."""
    return rig.bus.split(rig.wiring.values.copy())
