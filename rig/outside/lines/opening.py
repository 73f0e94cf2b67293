"""Opening of a wire (connection over UDP, TCP or a serial port) from its text."""

from __future__ import annotations

from mlcp.checks import shown

from ...errors import RigError
from .serial_port import Serial
from .tcp import Tcp
from .udp import Udp
from .wire import Wire


def number(text: str, what: str, least: int, most: int) -> int:
    """Whole number from a text, within ``least`` and ``most``, else RigError; ``what``: its name."""
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise RigError(f"{what} = {shown(text)} must be a whole number from {least} to {most}")
    return int(text)


def open_wire(text: str, *, port: int, listen: int = 0, tcp: bool = True) -> Wire:
    """Open a wire from a text.

    Texts: ``udp``, ``udp:HOST``, ``udp:HOST:PORT``, the same with ``tcp``, ``serial:DEVICE`` or
    ``serial:DEVICE:BAUD``. UDP sends to the host; TCP listens on it.

    Arguments:
        text: as above.
        port: default port of UDP and TCP.
        listen: port to listen on, see ``Udp``.
        tcp: whether TCP is permitted.

    Raises:
        RigError: another text, or an error of ``Udp``, ``Tcp`` or ``Serial``.
    """
    kind, _, rest = text.partition(":")
    if kind == "udp" or (kind == "tcp" and tcp):
        host, _, at = rest.partition(":")
        host, port = host or "127.0.0.1", number(at, "port", 1, 65535) if at else port
        return Udp(host, port, listen) if kind == "udp" else Tcp(host, port)
    if kind == "serial" and rest:
        device, sign, baud = rest.rpartition(":")
        if sign and baud.isdigit():
            return Serial(device, number(baud, "baud", 50, 10_000_000))
        return Serial(rest)
    raise RigError(
        f"{text!r} is no wire here; one is udp, udp:HOST:PORT, {'tcp, tcp:HOST:PORT, ' * tcp}"
        "serial:DEVICE or serial:DEVICE:BAUD"
    )
