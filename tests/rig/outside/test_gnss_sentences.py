"""Geodesy agrees with pyproj, NMEA with two readers, AgOpenGPS frames with their published layout."""

import datetime as dt
import math
import struct

import pynmea2
import pynmeagps
import pyproj
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig import RigError
from rig.outside import agopen
from rig.outside.geodesy import Origin, bearing
from rig.outside.nmea import Fix, sentences
from tests.refusals import refusals

WHEN = dt.datetime(2026, 5, 1, 12, 0, 1, 250000, tzinfo=dt.UTC)
PLACES = [Origin(0.0, 0.0), Origin(60.0, 10.0, 100.0), Origin(-41.5, -93.6, 300.0), Origin(52.1, 179.95)]


@pytest.mark.parametrize("origin", PLACES, ids=str)
def test_twenty_kilometres_are_pyproj_to_a_millimetre(origin):
    plane = (
        f"+proj=pipeline +step +proj=cart +ellps=WGS84 +step +proj=topocentric +ellps=WGS84 "
        f"+lat_0={origin.latitude} +lon_0={origin.longitude} +h_0={origin.height}"
    )
    topocentric = pyproj.Transformer.from_pipeline(plane)
    for x, y, z in ((20e3, 0.0, 0.0), (-14e3, 14e3, 30.0), (3.0, -20e3, -5.0)):
        lat, lon, height = origin.geodetic(x, y, z)
        assert -180.0 <= lon < 180.0
        assert topocentric.transform(lon, lat, height) == pytest.approx((x, y, z), abs=1e-3)
        assert origin.local(lat, lon, height) == pytest.approx((x, y, z), abs=1e-6)


def test_a_heading_is_a_bearing():
    assert [bearing(a) for a in (0.0, math.pi / 2, math.pi)] == [90.0, 0.0, 270.0]
    assert bearing(math.pi / 2 + 1e-17) == 0.0


@given(st.floats(-85, 85), st.floats(-180, 179.9999), st.floats(-math.pi, math.pi), st.floats(-20, 20))
def test_two_readers_find_the_fix_again(latitude, longitude, heading, speed):
    fix = Fix.of(Origin(latitude, longitude), WHEN, (0.0, 0.0, 0.0), heading, speed)
    gga, vtg, rmc, hdt = sentences(fix)
    for line in (gga, rmc):
        theirs = pynmea2.parse(line)
        assert theirs.latitude == pytest.approx(fix.latitude, abs=1e-8)
        assert theirs.longitude == pytest.approx(fix.longitude, abs=1e-8)
        other = pynmeagps.NMEAReader.parse(line)
        assert (other.lat, other.lon) == pytest.approx((fix.latitude, fix.longitude), abs=1e-8)
    assert pynmea2.parse(rmc).datetime == WHEN
    assert float(pynmea2.parse(vtg).spd_over_grnd_kmph) == pytest.approx(3.6 * abs(speed), abs=1e-3)
    assert (
        pynmeagps.NMEAReader.parse(hdt).headingT % 360.0
        == pytest.approx(bearing(heading) % 360.0, abs=1e-3)
        or bearing(heading) > 359.999
    )
    broken = gga[:20] + ("1" if gga[20] != "1" else "2") + gga[21:]
    with pytest.raises(pynmea2.ChecksumError):
        pynmea2.parse(broken, check=True)
    with pytest.raises(pynmeagps.NMEAParseError):
        pynmeagps.NMEAReader.parse(broken, validate=pynmeagps.VALCKSUM)


test_what_is_no_fix_is_a_sentence = refusals(
    (lambda: sentences(Fix(WHEN.replace(tzinfo=None), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)), "time zone"),
    (
        lambda: sentences(Fix(WHEN, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), ("GLL",)),
        "unknown NMEA sentence 'GLL'",
    ),
    (lambda: Origin(91.0, 0.0), r"latitude = 91\.0 must be within -90 to 90"),
    (lambda: Origin(0.0, math.nan), "longitude = nan"),
    error=RigError,
)


def test_steer_data_is_the_published_layout():
    # speed 10.8 km/h, autosteer on, 5.25 deg to the right, light bar 127, sections 1 and 9
    data = struct.pack("<hBhBBB", 108, 1, 525, 127, 1, 1)
    body = bytes((0x7F, 0xFE, 8)) + data
    theirs = b"\x80\x81" + body + bytes((sum(body) % 256,))
    assert len(theirs) == 14
    source, number, found = agopen.parse(theirs)
    assert (source, number) == (agopen.AGIO, agopen.STEER_DATA)
    steer = agopen.SteerData.read(found)
    assert steer.speed == pytest.approx(3.0)
    assert steer.steer
    assert steer.sections == 0x0101
    assert math.degrees(steer.angle) == pytest.approx(-5.25)
    assert steer.frame() == theirs


def test_the_answer_of_the_steer_module():
    found = agopen.from_steer(math.radians(3.0), roll=math.radians(1.5), work=True, steer=False, pwm=300)
    assert found[:5] == b"\x80\x81\x7e\xfd\x08"
    assert struct.unpack("<hhhBB", found[5:-1]) == (-300, 9999, 15, 0b10, 255)
    assert found[-1] == sum(found[2:-1]) % 256
    assert struct.unpack("<hhh", agopen.from_steer(0.0, heading=-10.0)[5:11]) == (0, 3500, 8888)


@given(st.binary(max_size=40))
def test_no_bytes_are_more_than_a_sentence(received):
    for bytes_ in (received, b"\x80\x81" + received):
        try:
            source, number, data = agopen.parse(bytes_)
        except RigError:
            continue
        assert agopen.frame(source, number, data) == bytes_


def test_panda_is_read_by_its_own_rules():
    """AgIO reads heading, roll, pitch and yaw rate as 16 bit integers: a fraction would become 0."""
    fix = Fix(WHEN, -41.5, 93.99999999999, 300.0, 0.0, 359.97, 2.0)
    line = agopen.panda(fix, roll=math.radians(2.03), pitch=math.radians(-1.0), yaw_rate=0.1)
    text, _, crc = line[1:].partition("*")
    assert len(crc) == 4
    assert crc.endswith("\r\n")
    check = 0
    for letter in text:
        check ^= ord(letter)
    assert int(crc, 16) == check
    words = text.split(",")
    assert words[:7] == ["PANDA", "120001.25", "4130.0000000", "S", "09400.0000000", "E", "4"]
    assert words[11:] == ["3.888", "0", "20", "-10", "-6"]


def test_frames_that_agio_and_its_simulator_of_modules_send():
    """Bytes as in the sources of AgOpenGPS: AgIO's hello, scan and subnet, ModSim's answers."""
    hello, scan = bytes.fromhex("80817fc80338000047"), bytes.fromhex("80817fca03caca0547")
    subnet = bytes.fromhex("80817fc905c9c9c0a80547")
    assert agopen.parse(hello) == (agopen.AGIO, agopen.HELLO, bytes((56, 0, 0)))
    assert agopen.parse(scan) == (agopen.AGIO, agopen.SCAN, bytes((202, 202, 5)))
    assert agopen.parse(subnet)[1] == agopen.SUBNET
    wrong = bytes.fromhex("80817ffe080000000000ff000047")  # steer data need a checksum
    with pytest.raises(RigError, match="wrong crc"):
        agopen.parse(wrong)
    # ModSim, 12.34 degrees to the right, both switches off, valve at 44
    simulated = bytes((128, 129, 126, 253, 8, 0xD2, 0x04, 0x0F, 0x27, 0xB8, 0x22, 3, 44))
    simulated += bytes((sum(simulated[2:]) & 255,))
    assert agopen.from_steer(math.radians(-12.34), steer=False, pwm=44) == simulated
    assert agopen.hello(math.radians(-12.34), switches=3)[:-1] == bytes(
        (128, 129, 126, 126, 5, 0xD2, 0x04, 0, 0, 3)
    )
    reply = bytes((128, 129, 126, 203, 7, 192, 168, 5, 126, 192, 168, 5))
    assert agopen.scan_reply("192.168.5.126") == reply + bytes((sum(reply[2:]) & 255,))
