"""Channels of MDF files (measurement data format of ASAM), such as MF4, read by asammdf."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlcp.checks import nearest
from mlcp.neighbours import need

from .conversion import UNITS, unit_of

MAGIC = (b"MDF ", b"UnFinMF ")  # first bytes of an MDF file, finalised and not
VIRTUAL = (3, 6)  # types of an MDF 4's channels without bytes in a record

Channels = dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]


def mdf_channels(path: Path, names: list[str]) -> tuple[Channels, dict[str, str]]:
    """Times [s] and values of channels by name, shape (n,) each, and their units as in the file.

    Raises:
        ModuleNotFoundError: asammdf is not installed.
        Exception: a missing channel, one without numbers; of any kind for a damaged file.
    """
    asammdf = need("asammdf", f"{path}: an MF4 file", "identify")
    with path.open("rb") as file:  # asammdf prints a traceback for another kind of file
        if not file.read(8).startswith(MAGIC):
            raise ValueError("it does not begin as an MDF file")
    found, units, log = {}, {}, logging.getLogger("asammdf")
    silent, log.disabled = log.disabled, True  # on a damaged file it prints besides raising
    try:
        with asammdf.MDF(path) as file:
            for name in names:
                times, values, units[name] = _channel(file, name)
                found[name] = times, values
    except Exception as error:
        for frame, _ in traceback.walk_tb(error.__traceback__):
            broken = frame.f_locals.get("self")
            if isinstance(broken, asammdf.blocks.mdf_v4.MDF4):
                for name in ("_file", "_from_filelike", "header", "identification"):
                    vars(broken).setdefault(name, None)  # without them its destructor prints a traceback
        raise
    finally:
        log.disabled = silent
    return found, units


def _channel(file: Any, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64], str]:
    """Times [s], values, and unit of one channel of an open file."""
    places = file.channels_db.get(name, ())
    if not places:
        raise ValueError(f"channel {name!r} is missing; {nearest(name, file.channels_db)}")
    number, index = places[0]
    group = file.groups[number]
    for one in (index, file.masters_db.get(number)):
        if one is not None:
            _require_inside(group.channels[one], group.channel_group.samples_byte_nr)
    signal = file.get(name, number, index)
    if signal.samples.ndim != 1 or signal.samples.dtype.kind not in "bfiu":
        raise ValueError(f"channel {name} holds no numbers")
    if not signal.samples.size:
        raise ValueError(f"channel {name} is empty")
    return signal.timestamps.astype(float), signal.samples.astype(float), signal.unit.strip()


def _require_inside(channel: Any, record: int) -> None:
    """Refuse a channel of an MDF 4 that ends beyond its ``record`` [bytes]: asammdf's C code crashes."""
    end = getattr(channel, "byte_offset", 0) + channel.bit_count / 8
    if end > record and getattr(channel, "channel_type", 0) not in VIRTUAL:
        raise ValueError(f"a channel ends at byte {end:g} of a record of {record}")


def joined_unit(name: str, si: str | None, factor: float, own: str) -> tuple[str, str | None, float]:
    """Name of a channel, its SI unit and factor to SI: by the unit in the requested name or, without
    one, by ``own``, the unit of the channel in the file.

    Raises:
        ValueError: ``own`` differs from the requested unit, or is unknown and none is requested.
    """
    if own and not si and own not in UNITS:
        known = nearest(own, UNITS)
        raise ValueError(
            f"unit {own!r} of channel {name!r} is unknown; {known}; ask for '{name} [unit]'"
        )
    _, own_si, own_factor = unit_of(f"{name} [{own}]") if own in UNITS else (name, None, 1.0)
    if si and own_si and (si, factor) != (own_si, own_factor):
        raise ValueError(f"channel {name!r} has the unit {own}, not that of its name")
    return (name, si, factor) if si else (name, own_si, own_factor)
