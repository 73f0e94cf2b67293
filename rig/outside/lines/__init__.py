"""Data lines: connections of a rig with other programs over CAN, NMEA 0183 or AgOpenGPS, each opened
from a text.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from mlcp.neighbours import need

from ...errors import RigError
from .isobus import Isobus
from .line import DataLine, Place
from .opening import open_wire
from .receiver import PORT, NmeaSender
from .steer_module import FROM, TO, SteerModule

#: Kinds of data lines, as named in options.
KINDS = ("can", "nmea", "agopen")
#: Required modules of each kind and their purpose, checked before the first tick.
NEEDS = {
    "can": (("cantools", "the CAN bus", "can"), ("pymap3d", "geodesy", "gnss")),
    "nmea": (("pynmeagps", "NMEA 0183", "gnss"), ("pymap3d", "geodesy", "gnss")),
    "agopen": (("pymap3d", "geodesy", "gnss"),),
}


def open_lines(
    wanted: Mapping[str, Sequence[str]], place: Place, takes: Collection[str], transmit: bool = False
) -> list[DataLine]:
    """Open all data lines, or none.

    Arguments:
        wanted: texts by kind: "can" as for ``Isobus``, "nmea" and "agopen" as for ``open_wire``.
        place: data of the rig.
        takes: names of the signals that may be received from outside.
        transmit: permission to send on a real bus.

    Raises:
        RigError: a data line that cannot be opened; two lines that steer; one that steers a rig with
            its own guidance. ImportError: a required module is missing.
    """
    for each in (each for kind in wanted if wanted[kind] for each in NEEDS[kind]):
        need(*each)
    found: list[DataLine] = []
    try:
        for text in wanted.get("can", ()):
            found.append(_checked(Isobus(text, place, transmit=transmit), found, takes))
        for text in wanted.get("nmea", ()):
            found.append(NmeaSender(open_wire(text, port=PORT), place))
        for text in wanted.get("agopen", ()):
            module = SteerModule(open_wire(text, port=TO, listen=FROM, tcp=False), place)
            found.append(_checked(module, found, takes))
    except (RigError, ImportError):
        for line in found:
            line.close()
        raise
    return found


def _checked(line: DataLine, others: Sequence[DataLine], takes: Collection[str]) -> DataLine:
    why = ""
    second = next((other for other in others if set(other.gives) & set(line.gives)), None)
    if second is not None:
        why = f"{second.name} and {line.name} would both steer"
    elif "curvature_command" not in takes:
        why = f"{line.name} steers, but this rig has a guidance block that does: leave that out"
    if why:
        line.close()
        raise RigError(why)
    return line
