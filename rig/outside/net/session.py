"""Session of one client with the server, from its hello to its end."""

from __future__ import annotations

import asyncio
import hmac
import json
import time
from typing import Any

from ...errors import RigError
from . import transport
from .client_record import ClientRecord
from .frame import Kind, NetworkFrame
from .schema import FASTEST, Hello, Schema

#: Time limits [s]: for the hello; for an operator that sends nothing, and a client that does not read.
PATIENCE, SILENCE = 5.0, 30.0


class Session:
    """Session of one client in the server's event loop.

    Arguments:
        server: the ``Server``.
        receive, send: functions that receive and send a frame, see ``transport``.

    Attributes:
        record: record of the client after its hello.
    """

    def __init__(self, server: Any, receive: transport.ReceiveFrame, send: transport.SendFrame) -> None:
        self._server, self._receive, self._send = server, receive, send
        self.record: ClientRecord | None = None

    async def serve(self, address: Any) -> None:
        """Serve the client from its hello to its end; RigError: reason of a refusal or disconnection."""
        first = await asyncio.wait_for(self._receive(), PATIENCE)
        self.record = record = self._welcome(first, transport.named(address))
        server = self._server
        welcome = {
            "state": record.state.description(),
            "input": record.inputs.description(),
            "machine": server.machine,
        }
        await self._send(NetworkFrame(Kind.WELCOME, json.dumps(welcome).encode()).pack())
        server.clients.append(record)
        server.announce_operator()
        for frame in server.lasting(record.hello.role):
            record.put(frame)
        await self._talk(record)

    def _welcome(self, first: NetworkFrame | None, client: str) -> ClientRecord:
        if first is None:
            raise RigError("it left without a hello")
        if first.kind != Kind.HELLO:
            raise RigError("the first frame must be a hello")
        hello, server = Hello.read(first.payload), self._server
        given = hello.token.encode("utf-8", "surrogatepass")
        if server.token and not given:
            raise RigError("a token is needed: it stands in the address that the rig printed")
        if server.token and not hmac.compare_digest(given, server.token.encode()):
            raise RigError("wrong token")
        if hello.role == "operator" and server.operator:
            raise RigError(f"another operator holds the seat: {server.operator}")
        if hello.inputs and hello.role not in ("hardware", "operator"):
            raise RigError(f"the role {hello.role!r} only looks: it has no inputs")
        inputs = Schema(server.bus, hello.inputs)
        for name in hello.inputs:
            if name not in server.takes:
                by = server.bus.signals[name].by
                raise RigError(f"signal {name!r} cannot come from outside: a {by} block writes it")
        now = time.monotonic()
        return ClientRecord(
            hello, Schema(server.bus, hello.signals), inputs, client, last=now, last_frame=now
        )

    async def _talk(self, record: ClientRecord) -> None:
        """Exchange frames until the client leaves or is disconnected."""
        tasks = [asyncio.ensure_future(do(record)) for do in (self._read, self._write, self._ended)]
        self._check_silence(record)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            record.timer.cancel()
            for task in tasks:
                task.cancel()
            found = await asyncio.gather(*tasks, return_exceptions=True)
        for error in found:
            if isinstance(error, Exception):
                raise error

    async def _read(self, record: ClientRecord) -> None:
        while (frame := await self._receive()) is not None:
            record.last_frame = time.monotonic()
            if frame.kind == Kind.BYE:
                return
            if frame.kind == Kind.PING:
                record.put(NetworkFrame(Kind.PING, frame.payload, frame.sequence).pack())
                record.state_requested = True
            elif frame.kind == Kind.INPUT and record.inputs.names:
                self._let_in(record, frame)
            elif frame.kind == Kind.EVENT:
                self._stop_on_request(record, frame)
            else:
                raise RigError(
                    f"a {record.hello.role} does not send {frame.kind.name.lower()} frames here"
                )

    def _let_in(self, record: ClientRecord, frame: NetworkFrame) -> None:
        now = time.monotonic()
        record.tokens = min(FASTEST, record.tokens + FASTEST * (now - record.last))
        record.last = now
        record.tokens -= 1.0
        if record.tokens < 0.0:
            raise RigError(f"more than {FASTEST:g} inputs a second")
        values, operator = record.inputs.unpack(frame.payload), self._server.operator
        if operator and record.hello.role != "operator":
            values = self._without_the_operators(record, values, operator)
        self._server.let_in(values, f"{record.hello.role} {record.client}")

    def _without_the_operators(
        self, record: ClientRecord, values: dict[str, Any], operator: str
    ) -> dict[str, Any]:
        """Inputs of a client without those of the operator; at the first refusal it gets an event."""
        signals = self._server.bus.signals
        refused = sorted(name for name in values if signals[name].by == "operator")
        if refused and record.warned != operator:
            record.warned = operator
            what = {"refused": ", ".join(refused), "why": f"the operator {operator} holds the seat"}
            record.put(NetworkFrame(Kind.EVENT, json.dumps(what).encode()).pack())
        return {name: value for name, value in values.items() if name not in refused}

    def _stop_on_request(self, record: ClientRecord, frame: NetworkFrame) -> None:
        """Process ``{"stop": true}`` from any client, ``{"stop": false}`` from the operator."""
        try:
            stop = json.loads(frame.payload.decode("utf-8"))
        except (ValueError, RecursionError):
            stop = None
        if stop not in ({"stop": True}, {"stop": False}) or not isinstance(stop["stop"], bool):
            raise RigError('an event of a client is {"stop": true} or {"stop": false}')
        if not stop["stop"] and record.hello.role != "operator":
            raise RigError("a stop is taken back by the operator alone")
        self._server.stop(f"{record.hello.role} {record.client}" if stop["stop"] else "")

    async def _ended(self, record: ClientRecord) -> None:
        await record.end.wait()
        raise RigError(record.reason)

    def _check_silence(self, record: ClientRecord) -> None:
        """Disconnect a client that does not read and a silent operator; repeated by a timer."""
        record.timer = asyncio.get_running_loop().call_later(SILENCE / 10.0, self._check_silence, record)
        now = time.monotonic()
        if now - record.last_frame > SILENCE and record.hello.role == "operator":
            record.disconnect(f"the operator sent nothing for {SILENCE:g} s: the seat is free")
        if record.sending_since and now - record.sending_since > SILENCE:
            record.disconnect(f"it read nothing for {SILENCE:g} s")

    async def _write(self, record: ClientRecord) -> None:
        while True:
            await record.wake.wait()
            record.wake.clear()
            while record.queue:
                record.sending_since = time.monotonic()
                await self._send(record.queue.popleft())
                record.sending_since = 0.0
