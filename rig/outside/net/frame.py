"""Frame: common layout on a TCP stream and as a binary WebSocket message, little-endian.

     0  magic "WGR1"    4  version u16    6  kind u16    8  length u32   12  sequence u32
    16  tick u64       24  time f64      32  payload (length bytes)     then CRC-32 of all before it

Kinds: see ``docs/frames_and_messages.md``. The layout as a C header: ``header()``.
"""

from __future__ import annotations

import math
import struct
import zlib
from dataclasses import dataclass
from enum import IntEnum

from ...errors import RigError

MAGIC, VERSION = b"WGR1", 1
HEAD = struct.Struct("<4sHHIIQd")
TAIL = struct.Struct("<I")
#: Largest frame, and largest payload of a hello [bytes].
LARGEST, LARGEST_HELLO = 1 << 16, 1 << 12


class Kind(IntEnum):
    """Kind of a frame."""

    HELLO = 1
    WELCOME = 2
    STATE = 3
    INPUT = 4
    EVENT = 5
    PING = 6
    BYE = 7


@dataclass(frozen=True)
class NetworkFrame:
    """Frame of the protocol.

    Arguments:
        kind: kind of the payload.
        payload: JSON for hello, welcome, event; float64 numbers by the schema for state and input.
        sequence: running number of the sender.
        tick: tick of the rig.
        time: time of the rig [s].
    """

    kind: Kind
    payload: bytes = b""
    sequence: int = 0
    tick: int = 0
    time: float = 0.0

    def pack(self) -> bytes:
        """Bytes of the frame; RigError if it is too long."""
        if HEAD.size + len(self.payload) + TAIL.size > LARGEST:
            raise RigError(f"a frame has at most {LARGEST} bytes; this payload has {len(self.payload)}")
        numbers = (len(self.payload), self.sequence & 0xFFFFFFFF, self.tick, self.time)
        try:
            head = HEAD.pack(MAGIC, VERSION, self.kind, *numbers)
        except struct.error:
            raise RigError(f"tick {self.tick} or time {self.time} does not fit into a frame") from None
        body = head + self.payload
        return body + TAIL.pack(zlib.crc32(body))


def size(head: bytes) -> int:
    """Size [bytes] of a frame from its first 32 bytes; RigError for an invalid header."""
    magic, version, kind, length, _, _, time = HEAD.unpack(head)
    if magic != MAGIC:
        raise RigError("this is no frame: it does not begin with WGR1")
    if version != VERSION:
        raise RigError(f"frame of version {version}; this is version {VERSION}")
    if kind not in Kind.__members__.values():
        raise RigError(f"unknown kind {kind} of frame")
    most = LARGEST - HEAD.size - TAIL.size
    if length > (LARGEST_HELLO if kind == Kind.HELLO else most):
        raise RigError(f"a frame of {length} bytes is too long")
    if not math.isfinite(time):
        raise RigError("the time of a frame must be finite")
    return HEAD.size + length + TAIL.size


def unpack(received: bytes) -> NetworkFrame:
    """Frame from its bytes; RigError unless they are exactly one valid frame."""
    if len(received) < HEAD.size + TAIL.size:
        raise RigError(f"{len(received)} bytes are too few for a frame")
    if len(received) != size(received[: HEAD.size]):
        raise RigError("a frame of another length than it says")
    if TAIL.unpack(received[-TAIL.size :])[0] != zlib.crc32(received[: -TAIL.size]):
        raise RigError("a frame with a wrong CRC")
    _, _, kind, _, sequence, tick, time = HEAD.unpack(received[: HEAD.size])
    return NetworkFrame(Kind(kind), received[HEAD.size : -TAIL.size], sequence, tick, time)


class FrameReader:
    """Parser of frames in a stream; it stores less than one frame between two calls."""

    def __init__(self) -> None:
        self._have = bytearray()

    def feed(self, received: bytes) -> list[NetworkFrame]:
        """Append received bytes; return the completed frames. RigError if the bytes are no frames."""
        self._have += received
        found = []
        while len(self._have) >= HEAD.size:
            whole = size(bytes(self._have[: HEAD.size]))
            if len(self._have) < whole:
                break
            found.append(unpack(bytes(self._have[:whole])))
            del self._have[:whole]
        return found


def header() -> str:
    """C header of the frame, generated from the layout in this file."""
    kinds = "\n".join(f"#define WGR_{k.name} {int(k)}" for k in Kind)
    return f"""/* Frame of a wheelground rig, little-endian; made by `python -m rig header`. */
#ifndef WHEELGROUND_RIG_H
#define WHEELGROUND_RIG_H
#include <stddef.h>
#include <stdint.h>

#define WGR_VERSION {VERSION}
#define WGR_LARGEST {LARGEST}
{kinds}

#pragma pack(push, 1)
typedef struct {{
    char magic[4];      /* "{MAGIC.decode()}" */
    uint16_t version;
    uint16_t kind;
    uint32_t length;    /* of the payload that follows, bytes */
    uint32_t sequence;
    uint64_t tick;
    double time;        /* s */
}} wgr_head;            /* then the payload, then the CRC-32 of all before it as uint32_t */
#pragma pack(pop)

static inline uint32_t wgr_crc(const uint8_t *bytes, size_t count) {{
    uint32_t crc = 0xFFFFFFFFu;
    while (count--) {{
        crc ^= *bytes++;
        for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1u)));
    }}
    return ~crc;
}}
#endif
"""
