"""Session of one client with the server, from its hello to its end."""

from __future__ import annotations

import asyncio
import hmac
import json
import time
from typing import Any

from ...errors import RigError
from . import door
from .frame import Kind, NetworkFrame
from .schema import FASTEST, Hello, Schema
from .seat import Seat

#: Time limits [s]: for the hello; for an operator without inputs, and a client that does not read.
PATIENCE, SILENCE = 5.0, 30.0


class Session:
    """Session of one client in the server's event loop.

    Arguments:
        server: the ``Server``.
        take, give: functions that receive and send a frame, see ``door``.

    Attributes:
        seat: record of the client after its hello.
    """

    def __init__(self, server: Any, take: door.Take, give: door.Give) -> None:
        self._server, self._take, self._give = server, take, give
        self.seat: Seat | None = None

    async def serve(self, address: Any) -> None:
        """Serve the client from its hello to its end; RigError: reason of a refusal or disconnection."""
        first = await asyncio.wait_for(self._take(), PATIENCE)
        self.seat = seat = self._welcome(first, door.named(address))
        server = self._server
        welcome = {
            "state": seat.state.description(),
            "input": seat.inputs.description(),
            "machine": server.machine,
        }
        await self._give(NetworkFrame(Kind.WELCOME, json.dumps(welcome).encode()).pack())
        server.clients.append(seat)
        server.seated()
        for frame in server.lasting(seat.hello.role):
            seat.put(frame)
        await self._talk(seat)

    def _welcome(self, first: NetworkFrame | None, client: str) -> Seat:
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
        return Seat(hello, Schema(server.bus, hello.signals), inputs, client, last=now, last_frame=now)

    async def _talk(self, seat: Seat) -> None:
        """Exchange frames until the client leaves or is disconnected."""
        tasks = [asyncio.ensure_future(do(seat)) for do in (self._read, self._write, self._ended)]
        self._check_silence(seat)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            seat.timer.cancel()
            for task in tasks:
                task.cancel()
            found = await asyncio.gather(*tasks, return_exceptions=True)
        for error in found:
            if isinstance(error, Exception):
                raise error

    async def _read(self, seat: Seat) -> None:
        while (frame := await self._take()) is not None:
            seat.last_frame = time.monotonic()
            if frame.kind == Kind.BYE:
                return
            if frame.kind == Kind.PING:
                seat.put(NetworkFrame(Kind.PING, frame.payload, frame.sequence).pack())
                seat.state_requested = True
            elif frame.kind == Kind.INPUT and seat.inputs.names:
                self._let_in(seat, frame)
            elif frame.kind == Kind.EVENT:
                self._stop_on_request(seat, frame)
            else:
                raise RigError(
                    f"a {seat.hello.role} does not send {frame.kind.name.lower()} frames here"
                )

    def _let_in(self, seat: Seat, frame: NetworkFrame) -> None:
        now = time.monotonic()
        seat.tokens = min(FASTEST, seat.tokens + FASTEST * (now - seat.last))
        seat.last = now
        seat.tokens -= 1.0
        if seat.tokens < 0.0:
            raise RigError(f"more than {FASTEST:g} inputs a second")
        values, operator = seat.inputs.unpack(frame.payload), self._server.operator
        if operator and seat.hello.role != "operator":
            values = self._without_the_operators(seat, values, operator)
        self._server.let_in(values, f"{seat.hello.role} {seat.client}")

    def _without_the_operators(
        self, seat: Seat, values: dict[str, Any], operator: str
    ) -> dict[str, Any]:
        """Inputs of hardware beside an operator: without the operator's signals, with one event."""
        signals = self._server.bus.signals
        refused = sorted(name for name in values if signals[name].by == "operator")
        if refused and seat.warned != operator:
            seat.warned = operator
            what = {"refused": ", ".join(refused), "why": f"the operator {operator} holds the seat"}
            seat.put(NetworkFrame(Kind.EVENT, json.dumps(what).encode()).pack())
        return {name: value for name, value in values.items() if name not in refused}

    def _stop_on_request(self, seat: Seat, frame: NetworkFrame) -> None:
        """Process ``{"stop": true}`` from any client, ``{"stop": false}`` from the operator."""
        try:
            stop = json.loads(frame.payload.decode("utf-8"))
        except (ValueError, RecursionError):
            stop = None
        if stop not in ({"stop": True}, {"stop": False}) or not isinstance(stop["stop"], bool):
            raise RigError('an event of a client is {"stop": true} or {"stop": false}')
        if not stop["stop"] and seat.hello.role != "operator":
            raise RigError("a stop is taken back by the operator alone")
        self._server.stop(f"{seat.hello.role} {seat.client}" if stop["stop"] else "")

    async def _ended(self, seat: Seat) -> None:
        await seat.end.wait()
        raise RigError(seat.gone)

    def _check_silence(self, seat: Seat) -> None:
        """Disconnect a client that does not read and an operator without inputs; repeated by a timer."""
        seat.timer = asyncio.get_running_loop().call_later(SILENCE / 10.0, self._check_silence, seat)
        now = time.monotonic()
        if now - seat.last_frame > SILENCE and seat.hello.role == "operator":
            seat.let_go(f"the operator sent nothing for {SILENCE:g} s: the seat is free")
        if seat.giving and now - seat.giving > SILENCE:
            seat.let_go(f"it read nothing for {SILENCE:g} s")

    async def _write(self, seat: Seat) -> None:
        while True:
            await seat.wake.wait()
            seat.wake.clear()
            while seat.queue:
                seat.giving = time.monotonic()
                await self._give(seat.queue.popleft())
                seat.giving = 0.0
