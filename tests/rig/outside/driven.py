"""A rig with a data line (CAN, NMEA, AgOpenGPS) in one process, without the front process."""

import datetime as dt
import socket

import rig
from rig.outside.geodesy import Origin
from rig.outside.lines import Place
from tests.rig.guided import STEERED

BEGUN = dt.datetime(2026, 5, 1, 12, 0, tzinfo=dt.UTC)
HERE = Origin(52.1, 8.3, 50.0)
PLACE = Place(HERE, BEGUN)
ALL = frozenset({"curvature_command", "engaged", "off_track", "heading_error"})


def machine(**more):
    return rig.Rig(0.01, speed=3.0, **STEERED, **more)


def drive(r, line, seconds, meanwhile=lambda: None, engage=True):
    """Run a rig with a data line in the same process, with the calls that the front process makes."""

    def outside(now):
        meanwhile()
        line.take(now)
        given = line.signals(now, engage)
        line.send(now, r.__getitem__, engage)
        return given

    return r.run(seconds, outside=outside)


def ear():
    """A UDP socket on the loopback and its port."""
    found = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    found.bind(("127.0.0.1", 0))
    found.settimeout(5.0)
    return found, found.getsockname()[1]
