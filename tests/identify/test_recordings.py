"""Logs of drives in MF4, MCAP and ROS 2 bags: written by the formats' own libraries, read back."""

import gc
import json
import struct
import sys

import numpy as np
import pytest

from identify import Log, WheelTest
from identify.recordings import read_series

TIMES, SPEED = 3.0 + 0.1 * np.arange(6), np.array([0.0, 1.0, 2.5, 3.0, 2.0, 1.5])
PEDAL = 3.05 + 0.2 * np.arange(3), np.array([0.2, 0.4, 0.4])


def write_mf4(folder):
    asammdf = pytest.importorskip("asammdf", reason="asammdf is not installed: no MF4 file to read")
    file = folder / "drive.mf4"
    with asammdf.MDF(version="4.10") as mdf:
        mdf.append([asammdf.Signal(SPEED, TIMES, name="VehSpd", unit="m/s")])
        mdf.append([asammdf.Signal(PEDAL[1], PEDAL[0], name="Pedal")])
        mdf.save(file)
    return file, "VehSpd", "Pedal"


def write_mcap(folder):
    mcap = pytest.importorskip("mcap.writer", reason="mcap is not installed: no MCAP file to read")
    file = folder / "drive.mcap"
    with file.open("wb") as stream:
        writer = mcap.Writer(stream)
        writer.start()
        schema = writer.register_schema("values", "jsonschema", b"{}")
        for topic, times, values, name in (
            ("/out", TIMES, SPEED, "frame.speed"),
            ("/in", *PEDAL, "pedal"),
        ):
            channel = writer.register_channel(topic, "json", schema)
            for time, value in zip(times, values, strict=True):
                data = json.dumps({"values": {name: value}}).encode()
                stamp = 1_700_000_000_000_000_000 + round(1e9 * time)
                writer.add_message(channel, log_time=stamp, publish_time=0, data=data)
        writer.finish()
    return file, "/out:values.frame.speed", "/in:values.pedal"


def write_bag(folder, plugin):
    rosbag2 = pytest.importorskip("rosbags.rosbag2", reason="rosbags is not installed: no bag to read")
    from rosbags.typesys import Stores, get_typestore

    types = get_typestore(Stores.ROS2_HUMBLE)
    twist, vector = types.types["geometry_msgs/msg/Twist"], types.types["geometry_msgs/msg/Vector3"]
    array, layout = (types.types[f"std_msgs/msg/{n}"] for n in ("Float64MultiArray", "MultiArrayLayout"))
    file = folder / f"bag_{plugin}"
    storage = getattr(rosbag2.StoragePlugin, plugin)
    with rosbag2.Writer(file, version=9, storage_plugin=storage) as writer:
        speed = writer.add_connection("/odom", twist.__msgtype__, typestore=types)
        pedal = writer.add_connection("/pedals", array.__msgtype__, typestore=types)
        for time, value in zip(TIMES, SPEED, strict=True):
            message = twist(vector(value, 0.0, 0.0), vector(0.0, 0.0, 0.0))
            writer.write(speed, round(1e9 * time), types.serialize_cdr(message, twist.__msgtype__))
        for time, value in zip(*PEDAL, strict=True):
            message = array(layout([], 0), np.array([0.0, value]))
            writer.write(pedal, round(1e9 * time), types.serialize_cdr(message, array.__msgtype__))
    return file, "/odom:linear.x", "/pedals:data.1"


WRITERS = {
    "MF4": write_mf4,
    "MCAP": write_mcap,
    "bag in SQLite": lambda folder: write_bag(folder, "SQLITE3"),
    "bag in MCAP": lambda folder: write_bag(folder, "MCAP"),
}


@pytest.mark.parametrize("kind", WRITERS)
def test_signals_are_read_over_their_own_clocks(kind, tmp_path):
    file, speed, pedal = WRITERS[kind](tmp_path)
    found, _ = read_series(file, (speed, pedal))
    assert found[speed][0] == pytest.approx(TIMES - 3.0, abs=1e-9)
    assert found[speed][1].tolist() == SPEED.tolist()
    assert found[pedal][0] == pytest.approx(PEDAL[0] - 3.0, abs=1e-9)
    assert found[pedal][1].tolist() == PEDAL[1].tolist()


@pytest.mark.parametrize("kind", WRITERS)
def test_a_log_has_all_signals_on_one_clock(kind, tmp_path):
    """The run of a model is compared with each signal at the times of that signal's own measurements."""
    file, speed, pedal = WRITERS[kind](tmp_path)
    log = Log.from_file(file, {"speed": speed, "pedal": pedal}, {"speed": 0.1, "pedal": 0.1})
    assert np.isfinite(log.measured["speed"]).sum() == 6
    run = {"speed": np.zeros(2), "pedal": np.full(2, 0.3)}
    errors = log.errors(lambda _: ([0.0, 1.0], run), {})
    assert errors == pytest.approx([*(-SPEED / 0.1), 1.0, -1.0, -1.0])


@pytest.mark.parametrize("kind", WRITERS)
def test_what_a_file_does_not_have_is_a_sentence(kind, tmp_path):
    file, speed, _ = WRITERS[kind](tmp_path)
    with pytest.raises(ValueError, match="is missing; "):
        read_series(file, ["/none:x" if ":" in speed else "none"])
    if ":" in speed:
        with pytest.raises(ValueError, match="holds no number"):
            read_series(file, [speed.partition(":")[0] + ":none"])
        with pytest.raises(ValueError, match="must be topic:field"):
            read_series(file, ["speed"])


@pytest.mark.parametrize("suffix", [".mf4", ".mcap", ".db3"])
@pytest.mark.parametrize("content", [b"", b"neither this nor that" * 20])
def test_a_broken_file_is_a_sentence(suffix, content, tmp_path):
    pytest.importorskip({".mf4": "asammdf", ".mcap": "mcap", ".db3": "rosbags"}[suffix])
    file = tmp_path / f"drive{suffix}"
    file.write_bytes(content)
    why = "it does not begin as an MDF file" if suffix == ".mf4" else ""
    with pytest.raises(ValueError, match=f"the log cannot be read: {why}"):
        read_series(file, ["/a:b"])


@pytest.mark.parametrize(
    ("suffix", "package"), [(".mf4", "asammdf"), (".mcap", "mcap"), (".db3", "rosbags")]
)
def test_a_missing_package_is_a_sentence_with_its_installation(suffix, package, tmp_path, monkeypatch):
    file = tmp_path / f"drive{suffix}"
    file.write_bytes(b"")
    for name in [one for one in sys.modules if one.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'wheelground\[identify\]'"):
        read_series(file, ["/a:b"])


def test_a_csv_whose_times_fall_is_a_sentence(tmp_path):
    file = tmp_path / "drive.csv"
    file.write_text("time,v\n0,1\n0.2,2\n0.1,3\n", encoding="utf-8")
    with pytest.raises(ValueError, match="times of v must increase"):
        Log.from_file(file, {"v": "v"}, {"v": 1.0})


def test_a_wheel_test_has_the_rows_of_its_slip(tmp_path):
    """Signals are interpolated to the times of the slip; the rows of a CSV are kept."""
    file, slip, load = write_mcap(tmp_path)
    noise = {"pull": 1.0}
    with pytest.raises(ValueError, match=r"slip must lie in \[-1, 1\]"):
        WheelTest.from_file(file, 0.15, 0.16, noise, {"slip": slip, "load": load, "pull": slip})
    test = WheelTest.from_file(file, 0.15, 0.16, noise, {"slip": load, "load": load, "pull": slip})
    assert test.slip.tolist() == PEDAL[1].tolist()
    assert test.measured["pull"] == pytest.approx([0.5, 2.75, 1.75])
    file = tmp_path / "rig.csv"
    file.write_text("s,F_z,F_x\n0.1,80,11\n0.2,82,14\n", encoding="utf-8")
    columns = {"slip": "s", "load": "F_z", "pull": "F_x"}
    test = WheelTest.from_file(file, 0.15, 0.16, noise, columns)
    assert test.load.tolist() == [80.0, 82.0]
    for bad, sentence in (
        ({"speed": "s"}, "column 'speed' is unknown"),
        ({"slip": "s"}, "columns of slip and load"),
    ):
        with pytest.raises(ValueError, match=sentence):
            WheelTest.from_file(file, 0.15, 0.16, noise, bad)


def test_an_mf4_has_units_of_its_own(tmp_path):
    asammdf = pytest.importorskip("asammdf", reason="asammdf is not installed: no MF4 file to read")
    file = tmp_path / "drive.mf4"
    with asammdf.MDF(version="4.10") as mdf:
        mdf.append([asammdf.Signal(SPEED, TIMES, name="VehSpd", unit="km/h")])
        mdf.save(file)
    for name in ("VehSpd", "VehSpd [km/h]"):
        found, notes = read_series(file, [name])
        assert found[name][1] == pytest.approx(SPEED / 3.6)
        assert notes == ()
    with pytest.raises(ValueError, match="channel 'VehSpd' has the unit km/h"):
        read_series(file, ["VehSpd [m/s]"])
    with pytest.raises(ValueError, match="must have a unit of rad/s, not m/s"):
        Log.from_file(file, {"frame.yaw_rate": "VehSpd"}, {"frame.yaw_rate": 0.1})


def test_channels_without_a_unit_are_named_and_unknown_units_refused(tmp_path):
    """An unknown unit of a channel is refused if the requested name has none."""
    file, speed, pedal = write_mf4(tmp_path)
    log = Log.from_file(
        file, {"frame.speed": speed, "rear.spin": pedal}, {"frame.speed": 1, "rear.spin": 1}
    )
    assert log.notes[0] == "no unit in the file, read as SI: Pedal [rad/s]"
    file, *names = write_mcap(tmp_path)
    assert read_series(file, names)[1] == ()
    asammdf = pytest.importorskip("asammdf")
    file = tmp_path / "drive.mf4"
    with asammdf.MDF(version="4.10") as mdf:
        mdf.append([asammdf.Signal(SPEED, TIMES, name="Torque", unit="Nm")])
        mdf.save(file, overwrite=True)
    with pytest.raises(ValueError, match="unit 'Nm' of channel 'Torque' is unknown; did you mean 'N m'"):
        read_series(file, ["Torque"])
    assert read_series(file, ["Torque [N m]"])[0]["Torque [N m]"][1].tolist() == SPEED.tolist()


def test_a_channel_beyond_its_record_is_a_sentence(tmp_path):
    """asammdf's own code would read memory beyond the record, and end the process."""
    file, speed, _ = write_mf4(tmp_path)
    raw = bytearray(file.read_bytes())
    block = raw.index(b"##CN")
    (links,) = struct.unpack_from("<Q", raw, block + 16)
    struct.pack_into("<I", raw, block + 24 + 8 * links + 4, 10**7)  # the channel's first byte
    file.write_bytes(bytes(raw))
    with pytest.raises(ValueError, match=r"a channel ends at byte 1e\+07 of a record of 16"):
        read_series(file, [speed])


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("kind", ["MF4", "MCAP"])
def test_a_file_damaged_anywhere_is_read_or_a_sentence(kind, tmp_path, capfd):
    """A file that is cut off, or has changed bytes or an overwritten block, is read or refused.

    Nothing else is printed, also not when the reader's objects are deleted.
    """
    file, *names = WRITERS[kind](tmp_path)
    whole, rng, sentences = file.read_bytes(), np.random.default_rng(0), []
    for k in range(40):
        raw, at = bytearray(whole), rng.integers(0, len(whole) - 32)
        if k % 3 == 0:
            raw = raw[:at]
        else:
            places = rng.integers(0, len(raw), 8) if k % 3 == 1 else at + np.arange(32)
            for place in places:
                raw[place] = rng.integers(0, 256)
        file.write_bytes(bytes(raw))
        try:
            read_series(file, names)
        except ValueError as error:
            sentences.append(str(error))
        gc.collect(0)  # the reader's objects of this file; a whole collection takes a second
    gc.collect()
    assert len(sentences) >= 10
    assert capfd.readouterr() == ("", "")
    assert all(text.startswith(f"{file}: ") and "\n" not in text for text in sentences)


def test_a_changed_digit_in_an_mcap_file_is_noticed_by_its_checksum(tmp_path):
    writer = pytest.importorskip("mcap.writer", reason="mcap is not installed: no MCAP file to read")
    file = tmp_path / "drive.mcap"
    with file.open("wb") as stream:
        plain = writer.Writer(stream, compression=writer.CompressionType.NONE)
        plain.start()
        channel = plain.register_channel("/out", "json", plain.register_schema("a", "jsonschema", b"{}"))
        for k in range(3):
            data = json.dumps({"speed": 1.25 + k}).encode()
            plain.add_message(channel, log_time=k, publish_time=k, data=data)
        plain.finish()
    assert read_series(file, ["/out:speed"])[0]["/out:speed"][1].tolist() == [1.25, 2.25, 3.25]
    file.write_bytes(file.read_bytes().replace(b"2.25", b"2.95"))
    with pytest.raises(ValueError, match="cannot be read"):
        read_series(file, ["/out:speed"])
