"""Messages on an ISO 11783 bus, encoded and decoded by the table ``isobus.dbc``.

The GNSS position is longer than a frame and is encoded here directly. Signs: on the bus curvature, rate
of turn and bearing are positive to the right, pitch is positive with the bow up; in a rig they are
positive to the left, heading counts from east, pitch is positive with the bow down (ISO 8855). Functions
use the rig's signs, unless stated otherwise.
"""

from __future__ import annotations

import datetime as dt
import functools
import math
import pathlib
import struct
from collections.abc import Mapping
from typing import Any

from mlcp.neighbours import need

from ...errors import RigError
from ..geodesy import bearing
from ..nmea import Fix
from .address import identifier, parts

TABLE = pathlib.Path(__file__).with_name("isobus.dbc")
GNSS_POSITION = 129029
#: Largest curvature representable in the messages [1/m].
SHARPEST = 8.03175


@functools.cache
def table() -> Any:
    """Database of messages, loaded by cantools."""
    return need("cantools", "the CAN bus", "can").database.load_file(TABLE)


def encode(name: str, values: Mapping[str, float], source: int) -> tuple[int, bytes]:
    """Identifier and data of a message; values are clipped to their range, unused bits are 1.

    Arguments:
        name: name of the message in the table.
        values: values of its signals, in the table's units and signs; a missing one is sent as "not
            available".
        source: address of this unit.
    """
    message = table().get_message_by_name(name)
    full = {}
    for signal in message.signals:
        if signal.name in values:
            least, most = float(signal.minimum), float(signal.maximum)
            full[signal.name] = min(most, max(least, float(values[signal.name])))
        else:
            ones = (1 << (signal.length - signal.is_signed)) - 1
            full[signal.name] = signal.conversion.raw_to_scaled(ones)
    number, _, destination, priority = parts(message.frame_id)
    data = message.encode(full, padding=True, strict=False)
    return identifier(number, source, destination, priority), bytes(data)


@functools.cache
def _by_number() -> dict[int, Any]:
    return {parts(message.frame_id)[0]: message for message in table().messages}


def name_of(number: int) -> str:
    """Name of a parameter group in the table; "": none."""
    found = _by_number().get(number)
    return "GnssPosition" if number == GNSS_POSITION else "" if found is None else str(found.name)


def decode(can_id: int, data: bytes) -> tuple[str, dict[str, float]] | None:
    """Name and signals of a frame, in the table's units and signs; None: not in the table.

    A signal beyond its range in the table is left out: "not available", or an error of its sender.

    Raises:
        RigError: a frame of another length than eight bytes.
    """
    message = _by_number().get(parts(can_id)[0])
    if message is None:
        return None
    if len(data) != 8:
        raise RigError(f"{message.name} has 8 bytes, not {len(data)}")
    values: Mapping[str, Any] = message.decode(data, decode_choices=False)
    return message.name, {
        signal.name: float(values[signal.name])
        for signal in message.signals
        if 2.0 * signal.minimum - signal.scale
        < 2.0 * values[signal.name]
        < 2.0 * signal.maximum + signal.scale
    }


def machine_info(
    curvature: float, source: int, *, ready: bool = True, lockout: bool = False, limit: int = 0,
    exit_reason: int = 0, engage: bool = False, reset: bool = False,
) -> tuple[int, bytes]:  # fmt: skip
    """Message "guidance machine info", PGN 44032.

    Arguments:
        curvature: present curvature of the machine's track, left positive [1/m].
        source: address of this unit.
        ready: True: the steering accepts commands.
        lockout: True: the operator has locked the steering.
        limit: limit of the steering: 0 none, 1 operator, 2 right stop (only lower curvatures have an
            effect), 3 left stop (only higher ones); curvature with the bus's sign.
        exit_reason: reason for the end of guidance, 6 bits.
        engage: True: the operator's switch is on.
        reset: True: the command must be withdrawn before a new one is accepted.
    """
    values = {
        "EstimatedCurvature": -1e3 * curvature, "MechanicalLockout": lockout, "SteeringReadiness": ready,
        "SteeringInputPosition": 0, "RequestReset": reset, "LimitStatus": limit,
        "ExitReason": exit_reason, "EngageSwitch": engage,
    }  # fmt: skip
    return encode("GuidanceMachineInfo", values, source)


def system_command(curvature: float, steer: bool, source: int) -> tuple[int, bytes]:
    """Message "guidance system command", PGN 44288.

    Arguments: curvature: left positive [1/m]. steer: True: the sender intends to steer. source: address
    of this unit.
    """
    return encode("GuidanceSystemCommand", {"Curvature": -1e3 * curvature, "Status": steer}, source)


def motion(
    fix: Fix, attitude: tuple[float, float, float], yaw_rate: float, speed: float, distance: float,
    source: int,
) -> dict[str, tuple[int, bytes]]:  # fmt: skip
    """Messages of the motion by name: position, course, heading, turn rate, attitude, two speeds.

    Arguments:
        fix: position, course and speed over ground.
        attitude: roll, pitch, yaw [rad], ISO 8855.
        yaw_rate: left positive [rad/s].
        speed: wheel-based speed, negative in reverse [m/s].
        distance: driven distance since the start [m].
        source: address of this unit.
    """
    roll, pitch, yaw = attitude
    north = math.radians(bearing(yaw))
    forward = {"Distance": distance % 4211081.0, "Direction": float(speed >= 0.0)}
    frames = {
        "PositionRapid": {"Latitude": fix.latitude, "Longitude": fix.longitude},
        "CourseSpeed": {
            "Sequence": 0, "Reference": 0, "Course": math.radians(fix.course) % (2.0 * math.pi),
            "Speed": fix.speed,
        },
        "Heading": {"Sequence": 0, "Heading": north, "Reference": 0},
        "RateOfTurn": {"Sequence": 0, "Rate": -yaw_rate},
        "Attitude": {
            "Sequence": 0, "Yaw": math.remainder(north, 2.0 * math.pi), "Pitch": -pitch, "Roll": roll
        },
        "WheelSpeed": {"Speed": abs(speed), **forward},
        "GroundSpeed": {"Speed": fix.speed, **forward},
    }  # fmt: skip
    return {name: encode(name, values, source) for name, values in frames.items()}


def gnss_position(fix: Fix, sequence: int = 0) -> bytes:
    """Message "GNSS position data", PGN 129029: 43 bytes for a fast packet, angles to 1e-16 deg.

    Source: NMEA 2000 as the canboat project documents it.
    """
    utc = fix.time.astimezone(dt.UTC)
    midnight = utc.replace(hour=0, minute=0, second=0, microsecond=0)
    days = (midnight - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)).days
    second = (utc - midnight).total_seconds()
    return struct.pack(
        "<BHIqqqBBBhhiB", sequence & 0xFF, days, round(second * 1e4), round(fix.latitude * 1e16),
        round(fix.longitude * 1e16), round(fix.height * 1e6), fix.quality << 4, 0xFC,
        12 if fix.quality else 0, 80, 120, 0, 0,
    )  # fmt: skip
