"""Messages of AgOpenGPS for a rig that acts as its steer module and receiver.

Frame: ``80 81 source number length data crc``. number: group (kind of message); length: of the
data; crc: low byte of the sum from source to the last data byte; numbers are little-endian.

Source: AgOpenGPS 2026, docs/pgn-protocol.md; source code of AgIO and ModSim for PANDA, hello and scan.
"""

from __future__ import annotations

import datetime as dt
import math
import struct
from dataclasses import dataclass

from ..errors import RigError
from .nmea import KNOTS, Fix

STEER_DATA, FROM_STEER, STEER_SETTINGS, STEER_CONFIG, HELLO, HELLO_STEER = 254, 253, 252, 251, 200, 126
SUBNET, SCAN, SCANNED = 201, 202, 203
#: Source bytes of AgOpenGPS and of the steer module.
AGIO, STEER = 0x7F, 0x7E
#: Values sent in place of an unknown heading and roll.
NO_HEADING, NO_ROLL = 9999, 8888
#: Lengths of the data of all groups that are read.
LENGTHS = {STEER_DATA: 8, FROM_STEER: 8, STEER_SETTINGS: 8, STEER_CONFIG: 8, HELLO: 3, HELLO_STEER: 5,
           SUBNET: 5, SCAN: 3, SCANNED: 7}  # fmt: skip
#: Groups sent by AgIO and old modules with a fixed last byte instead of a crc.
FIXED, UNCHECKED = (HELLO, HELLO_STEER, SUBNET, SCAN), 0x47
#: Bit of the switches that is set while the steer switch is off.
STEER_OFF = 0b10


def frame(source: int, number: int, data: bytes) -> bytes:
    """Frame of a group's data; RigError for a number beyond one byte."""
    if not (0 <= source < 256 and 0 <= number < 256 and len(data) < 256):
        raise RigError("a frame has a source and a number below 256 and less than 256 bytes of data")
    body = bytes((source, number, len(data))) + data
    return b"\x80\x81" + body + bytes((sum(body) & 0xFF,))


def parse(received: bytes) -> tuple[int, int, bytes]:
    """Source, number and data of a frame.

    Raises:
        RigError: too short, a wrong start, length or crc.

    Differs from the source: the crc is checked, except in hello and scan, where AgIO writes none.
    """
    if len(received) < 6 or received[:2] != b"\x80\x81":
        raise RigError("no AgOpenGPS frame: it begins with 80 81 and has 6 bytes or more")
    source, number, length = received[2:5]
    if len(received) != length + 6 or LENGTHS.get(number, length) != length:
        raise RigError(
            f"frame {number} of AgOpenGPS has {len(received)} bytes and says {length} of data"
        )
    fixed = number in FIXED and received[-1] == UNCHECKED
    if sum(received[2:-1]) & 0xFF != received[-1] and not fixed:
        raise RigError(f"frame {number} of AgOpenGPS has a wrong crc")
    return source, number, received[5:-1]


class Reader:
    """Parser of frames in datagrams or a stream; ``refused`` counts bad frames and other skipped pieces.

    Arguments:
        stream: True: a frame may continue in the next piece of bytes, as on a serial line.
    """

    def __init__(self, stream: bool) -> None:
        self.refused: int = 0
        self._stream, self._have = stream, b""

    def feed(self, received: bytes) -> list[tuple[int, int, bytes]]:
        """Source, number and data of all frames completed by these bytes."""
        have, found = self._have + received, []
        while True:
            start = have.find(b"\x80\x81")
            end = len(have) - have.endswith(b"\x80") if start < 0 else start
            self.refused += end > 0
            have = have[end:]
            if len(have) < 5 or len(have) < have[4] + 6:
                break
            whole, have = have[: have[4] + 6], have[have[4] + 6 :]
            try:
                found.append(parse(whole))
            except RigError:
                self.refused += 1
                have = whole[2:] + have  # drop a false start alone: a frame may begin just after it
        self.refused += not self._stream and bool(have)
        self._have = have if self._stream else b""
        return found


@dataclass(frozen=True)
class SteerData:
    """Command of AgOpenGPS to a steer module, group 254.

    Arguments:
        speed: speed of the machine [m/s].
        steer: True: autosteer is on.
        angle: wanted steer angle [rad], left positive (in AgOpenGPS right positive).
        off_track: cross-track error on the light bar, one byte: 127 plus steps of 20 mm; 255: none.
        sections: bits of the implement's active sections.
    """

    speed: float
    steer: bool
    angle: float
    off_track: int = 255
    sections: int = 0

    @staticmethod
    def read(data: bytes) -> SteerData:
        """Parse a group's data; RigError unless they are eight bytes."""
        if len(data) != 8:
            raise RigError(f"group 254 has 8 bytes of data, not {len(data)}")
        speed, status, angle, track, sections = struct.unpack("<hBhBH", data)
        return SteerData(
            speed / 36.0, bool(status & 1), -math.radians(angle / 100.0), track, sections
        )  # units in the data: 0.1 km/h, 0.01 deg

    def frame(self) -> bytes:
        """Frame of this command, as AgOpenGPS sends it."""
        speed, angle = round(36.0 * self.speed), round(-100.0 * math.degrees(self.angle))
        data = struct.pack(
            "<hBhBH", _word(speed), int(self.steer), _word(angle), self.off_track, self.sections
        )
        return frame(AGIO, STEER_DATA, data)


def from_steer(
    angle: float, heading: float | None = None, roll: float | None = None, *, work: bool = False,
    steer: bool = True, pwm: int = 0,
) -> bytes:  # fmt: skip
    """Status of the steer module, group 253, in answer to a command.

    Arguments:
        angle: actual steer angle [rad], left positive.
        heading: bearing, clockwise from north [deg]; None: "9999", no compass.
        roll: roll angle [rad], right side down positive; None: "8888", no roll sensor.
        work, steer: states of the work switch and the steer switch; True: on.
        pwm: duty of the valve, 0 to 255.
    """
    switches = (not work) | STEER_OFF * (not steer)  # active low: the bit of a switch is 0 if it is on
    data = struct.pack(
        "<hhhBB",
        _word(round(-100.0 * math.degrees(angle))),
        NO_HEADING if heading is None else round(10.0 * (heading % 360.0)),
        NO_ROLL if roll is None else _word(round(10.0 * math.degrees(roll))),
        switches,
        min(255, max(0, pwm)),
    )
    return frame(STEER, FROM_STEER, data)


def hello(angle: float = 0.0, counts: int = 0, switches: int = 0) -> bytes:
    """Answer of the steer module to a hello: angle [rad, left positive], sensor counts, switches."""
    data = struct.pack(
        "<hhB", _word(round(-100.0 * math.degrees(angle))), _word(counts), switches & 0xFF
    )
    return frame(HELLO_STEER, HELLO_STEER, data)


def scan_reply(address: str) -> bytes:
    """Answer of the steer module to a scan: its address, such as "10.0.0.3", and subnet."""
    parts = bytes(int(part) for part in address.split("."))
    return frame(STEER, SCANNED, parts + parts[:3])


def panda(fix: Fix, roll: float = 0.0, pitch: float = 0.0, yaw_rate: float = 0.0) -> str:
    """Sentence ``$PANDA`` of a receiver with an inertial unit.

    Arguments:
        fix: position, speed and heading.
        roll, pitch: angles [rad]; sent in tenths of a degree.
        yaw_rate: about z, left positive [rad/s]; sent in whole degrees a second, right positive, since
            AgIO does not parse a fraction.
    """
    utc = fix.time.astimezone(dt.UTC)
    when = f"{utc:%H%M%S}.{utc.microsecond // 10_000:02d}"
    fields = [
        "PANDA", when,
        _angle(fix.latitude, 2), "N" if fix.latitude >= 0.0 else "S",
        _angle(fix.longitude, 3), "E" if fix.longitude >= 0.0 else "W",
        str(fix.quality), "12", "0.8", f"{fix.height:.3f}", "0.0", f"{fix.speed * KNOTS:.3f}",
        str(round(10.0 * fix.heading) % 3600), str(round(10.0 * math.degrees(roll))),
        str(round(10.0 * math.degrees(pitch))), str(round(-math.degrees(yaw_rate))),
    ]  # fmt: skip
    text = ",".join(fields)
    crc = 0
    for byte in text.encode("ascii"):
        crc ^= byte
    return f"${text}*{crc:02X}\r\n"


def _angle(degrees: float, digits: int) -> str:
    """Absolute value of an angle [deg] as text: ``digits`` digits of degrees, then minutes to 1e-7."""
    whole, part = divmod(round(abs(degrees) * 60e7), 60 * 10**7)
    return f"{whole:0{digits}d}{part / 1e7:010.7f}"


def _word(number: int) -> int:
    """Number clipped to a signed 16-bit integer."""
    return min(32767, max(-32768, number))
