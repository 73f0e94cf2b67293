"""Signals of recorded drives from CSV, MF4, MCAP and ROS 2 bags, each signal over its own clock.

Packages that read MF4, MCAP and bags are imported on use (extra ``identify``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlcp.checks import nearest
from mlcp.neighbours import need

from .columns import note_on_units, read_columns
from .conversion import unit_of
from .mdf import joined_unit, mdf_channels

#: Signal of a file: times [s] and values, shape (n,).
Series = tuple[NDArray[np.float64], NDArray[np.float64]]

MDF, BAGS = (".mf4", ".mdf", ".mf3"), (".db3", ".bag")
LOGS = (*MDF, ".mcap", *BAGS)  # suffixes of files whose signals have clocks of their own


def read_series(
    path: str | Path,
    names: Iterable[str],
    time: str = "time",
    si: Mapping[str, str] | None = None,
) -> tuple[dict[str, Series], tuple[str, ...]]:
    """Signals of a file by name, and a sentence on columns or channels without a unit, read as SI.

    Signals of MF4, MCAP and bags begin at time 0. Messages of MCAP and bags have no units: ROS has SI.

    Arguments:
        path: ``.csv``, ``.mf4``, ``.mcap``, ``.db3``, ``.bag``, or the folder of a bag.
        names: headers of a CSV; channels of an MF4; in MCAP and bags ``topic:field.field``, as
            ``/odom:twist.twist.linear.x``, with an index for an entry of a list. A name with a unit, as
            ``VehSpd [km/h]``, or else a known unit of the channel in an MF4, converts the values to
            SI.
        time: header of a CSV's clock [s].
        si: required SI units by name, for names and channels that have a unit.

    Raises:
        ValueError: naming the file, and a missing signal, one without numbers, of another unit, or of an
            MF4's unknown unit that the name does not replace.
        ModuleNotFoundError: a package of the extra is not installed; with the command that installs it.
    """
    path, units, si = Path(path), {name: unit_of(name) for name in names}, dict(si or {})
    wanted = list(dict.fromkeys(name for name, _, _ in units.values()))
    kind = path.suffix.lower()
    if not path.exists():
        raise ValueError(f"{path}: the log cannot be read: there is no such file")
    if path.is_dir() or kind in BAGS:
        found = _of_topics(path, wanted, _bag_messages)
    elif kind in MDF:
        try:
            found, own = mdf_channels(path, wanted)
            found = {name: _ordered(path, name, *series) for name, series in found.items()}
            units = {name: joined_unit(*units[name], own[units[name][0]]) for name in units}
        except ModuleNotFoundError:
            raise
        except Exception as error:  # on a damaged file readers raise exceptions of any kind
            raise _unreadable(path, error) from None
    elif kind == ".mcap":
        found = _of_topics(path, wanted, _mcap_messages)
    else:
        columns, notes = read_columns(path, "log", (time, *units), (), si | {time: "s"})
        clock = columns[time]
        return {name: _ordered(path, name, clock, columns[name]) for name in units}, notes
    for name, (_, unit, _) in units.items():
        if unit and si.get(name, unit) != unit:
            raise ValueError(f"{path}: {name!r} must have a unit of {si[name]}, not {unit}")
    first = min(times[0] for times, _ in found.values())
    without = {name: si.get(name, "") for name, (_, unit, _) in units.items() if unit is None}
    return {
        name: (found[bare][0] - first, factor * found[bare][1])
        for name, (bare, _, factor) in units.items()
    }, note_on_units(without) if kind in MDF else ()


def _ordered(path: Path, name: str, times: Any, values: Any) -> Series:
    """The signal (times, values); ValueError if its times do not increase."""
    if not (np.diff(times) > 0.0).all():
        raise ValueError(f"{path}: the times of {name} must increase from row to row")
    return times, values


def on_one_clock(
    series: dict[str, Series],
) -> tuple[NDArray[np.float64], dict[str, NDArray[np.float64]]]:
    """Union of the times of all signals, increasing, and the values of each signal at these times; NaN
    where only other signals have a value."""
    clock = np.unique(np.concatenate([times for times, _ in series.values()]))
    found = {}
    for name, (times, values) in series.items():
        found[name] = np.full(clock.size, np.nan)
        found[name][np.searchsorted(clock, times)] = values
    return clock, found


def _of_topics(path: Path, names: list[str], messages: Any) -> dict[str, Series]:
    """Signals of message fields; ``messages(path, topics)`` yields (topic, time [ns], message)."""
    fields: dict[str, list[tuple[str, str]]] = {}
    for name in names:
        topic, colon, field = name.partition(":")
        if not colon or not field:
            raise ValueError(f"{path}: signal {name!r} must be topic:field, as /odom:twist.linear.x")
        fields.setdefault(topic, []).append((name, field))
    rows: dict[str, list[tuple[int, float]]] = {name: [] for name in names}
    try:
        for topic, stamp, message in messages(path, list(fields)):
            for name, field in fields[topic]:
                rows[name].append((stamp, _number(path, name, message, field)))
    except ModuleNotFoundError:
        raise
    except Exception as error:  # on a damaged file readers raise exceptions of any kind
        raise _unreadable(path, error) from None
    for name, pairs in rows.items():
        if not pairs:
            raise ValueError(f"{path}: topic {name.partition(':')[0]} has no message")
    start = min(min(pairs)[0] for pairs in rows.values())
    last = {name: dict(sorted(pairs, key=lambda pair: pair[0])) for name, pairs in rows.items()}
    return {
        name: (1e-9 * np.array([stamp - start for stamp in kept]), np.array(list(kept.values())))
        for name, kept in last.items()
    }


def _mcap_messages(path: Path, topics: list[str]) -> Iterator[tuple[str, int, Any]]:
    """Messages of an MCAP file, encoded as JSON or by ROS 2."""
    mcap = need("mcap.reader", f"{path}: an MCAP file", "identify")
    with path.open("rb") as file:
        reader = mcap.make_reader(file, validate_crcs=True)
        summary = reader.get_summary()
        channels = list(summary.channels.values()) if summary else []
        encodings = {c.topic: c.message_encoding for c in channels}
        _require(path, topics, encodings)
        if all(encodings[topic] == "json" for topic in topics):
            for _, channel, message in reader.iter_messages(topics=topics):
                yield channel.topic, message.log_time, json.loads(message.data)
            return
    other = next(encodings[topic] for topic in topics if encodings[topic] != "json")
    if other != "cdr":
        raise ValueError(f"{path}: messages are encoded as {other}; JSON and ROS 2's cdr can be read")
    yield from _bag_messages(path, topics)


def _bag_messages(path: Path, topics: list[str]) -> Iterator[tuple[str, int, Any]]:
    """Messages of a ROS 2 bag, or one of ROS 1."""
    anyreader = need("rosbags.highlevel", f"{path}: a ROS bag", "identify")
    typesys = need("rosbags.typesys", "a ROS bag", "identify")
    types = typesys.get_typestore(typesys.Stores.LATEST)
    with anyreader.AnyReader([path], default_typestore=types) as reader:
        _require(path, topics, {c.topic: c.msgtype for c in reader.connections})
        wanted = [c for c in reader.connections if c.topic in topics]
        for connection, stamp, raw in reader.messages(connections=wanted):
            yield connection.topic, stamp, reader.deserialize(raw, connection.msgtype)


def _require(path: Path, topics: list[str], present: dict[str, str]) -> None:
    for topic in topics:
        if topic not in present:
            raise ValueError(f"{path}: topic {topic!r} is missing; {nearest(topic, present)}")


def _number(path: Path, name: str, message: Any, field: str) -> float:
    """Number of a message at ``field``; keys of a JSON object may contain dots."""
    value: Any = message
    rest = field
    while rest:
        part, _, rest = rest.partition(".")
        if isinstance(value, dict):
            if part not in value and f"{part}.{rest}" in value:
                part, rest = f"{part}.{rest}", ""
            value = value.get(part)
        elif part.isdigit() and hasattr(value, "__len__"):
            value = value[int(part)] if int(part) < len(value) else None
        else:
            value = getattr(value, part, None)
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{path}: signal {name} holds no number in some message") from None


def _unreadable(path: Path, error: Exception) -> ValueError:
    """Error for a file that cannot be read: ``error`` itself if it names the file, else with the file's
    name before its first line."""
    first = (str(error).splitlines() or [""])[0]
    if isinstance(error, ValueError) and first.startswith(f"{path}: "):
        return error
    return ValueError(f"{path}: the log cannot be read: {first or type(error).__name__}")
