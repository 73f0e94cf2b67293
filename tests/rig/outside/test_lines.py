"""Options that open data lines (CAN, NMEA, AgOpenGPS) refuse unknown words and unavailable lines."""

import os
import sys
import time

import pytest

from rig import RigError
from rig.outside.lines import open_lines
from rig.outside.lines.opening import open_wire

from .driven import ALL, PLACE


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({"can": ["hub"], "agopen": ["udp:127.0.0.1:1"]}, "hub and AgOpenGPS .* both steer"),
        ({"can": ["hub", "hub"]}, "ISO 11783 on hub and ISO 11783 on hub would both steer"),
        ({"can": ["hub:70000"]}, "port = '70000' must be a whole number from 0 to 65535"),
        ({"can": ["socketcand:0"]}, "port = '0' must be a whole number from 1"),
        ({"can": ["socketcand:1"]}, "bus 'socketcand'"),
        ({"can": ["no such:bus"]}, "bus 'no such'"),
        ({"can": [""]}, "bus ''"),
        ({"nmea": ["udp:127.0.0.1:0"]}, "port = '0' must be a whole number from 1 to 65535"),
        ({"nmea": ["udp:127.0.0.1:1e3"]}, "port = '1e3' must be"),
        ({"nmea": ["udp:no.such.host.invalid:7"]}, "no host 'no.such.host.invalid'"),
        ({"nmea": ["tpc:127.0.0.1:7"]}, "'tpc:127.0.0.1:7' is no wire here; one is udp, .*, tcp, tcp:"),
        ({"agopen": ["tcp:127.0.0.1:7"]}, "'tcp:127.0.0.1:7' is no wire here; .*PORT, serial:DEVICE or"),
        ({"nmea": ["tcp:203.0.113.1:7"]}, "TCP port 7 of 203.0.113.1 cannot be listened on"),
        ({"nmea": ["serial:"]}, "'serial:' is no wire"),
        ({"agopen": ["serial:/dev/null/x"]}, "cannot be opened as a serial line"),
    ],
)
def test_a_line_that_is_none_is_a_sentence_and_nothing_stays_open(wanted, told):
    before = len(os.listdir("/proc/self/fd")) if os.path.exists("/proc/self/fd") else 0
    with pytest.raises(RigError, match=told):
        open_lines(wanted, PLACE, ALL)
    time.sleep(0.05)
    if before:
        assert len(os.listdir("/proc/self/fd")) <= before


def test_a_rig_that_steers_itself_takes_no_second_guidance():
    with pytest.raises(RigError, match="has a guidance block that does: leave that out"):
        open_lines({"can": ["hub"]}, PLACE, ALL - {"curvature_command"})


def test_what_a_line_needs_is_missed_before_anything_runs(monkeypatch):
    monkeypatch.setitem(sys.modules, "pynmeagps", None)
    with pytest.raises(ImportError, match="NMEA 0183 needs pynmeagps: pip install"):
        open_lines({"nmea": ["udp"]}, PLACE, ALL)


def test_udp_of_this_computer_is_bound_to_it_alone():
    found = open_wire("udp", port=10110)
    assert found._socket.getsockname()[0] == "127.0.0.1"
    found.close()
