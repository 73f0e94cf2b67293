"""Rigs from the command line:  python -m rig list | drive | dig | replay | guide | header."""

from __future__ import annotations

import os
import pathlib
import sys
from typing import Any

import numpy as np
from cyclopts import App

from . import Path, Rig, RigError, Run, make
from .catalogue import BLOCKS
from .path import field_work, headland_turn, straight

app: App = App(name="python -m rig", help=__doc__, version_flags=[])
MARGIN = 9.0  # [m] between the outermost of a planned path and its field's boundary
PATHS = {
    "straight": lambda: straight(400.0),
    "headland": lambda: straight(60.0).then(headland_turn(12.0, 6.0)).then(straight(60.0)),
    "field": lambda: field_work(120.0, 12.0, 6.0, tracks=4),
}


@app.command(name="list")
def list_() -> int:
    """List the categories in the order of a tick, their blocks, and the signals that they write."""
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from .bus import core

    bus = core()
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0))
    for heading in ("category", "block", "what it is", "writes"):
        table.add_column(heading)
    for category in bus.order:
        ports = bus.outputs(category).items()
        writes = ", ".join(f"{n} [{p.unit}]" if p.unit else n for n, p in ports)
        for i, (name, kind) in enumerate(BLOCKS[category].items()):
            first = i == 0
            table.add_row(category * first, name, kind.about, escape(writes) if first else "")
    Console().print(table)
    return 0


def _choices(given: tuple[str, ...]) -> dict[str, str]:
    """``category=block`` as a mapping."""
    pairs = [text.partition("=") for text in given]
    for text, (_, sign, block) in zip(given, pairs, strict=True):
        if not sign or not block:
            raise RigError(f"--block {text} must read category=block, such as chassis=kinematic")
    return {category: block for category, _, block in pairs}


def report(run: Run) -> list[str]:
    """What a drive comes to, a line each."""
    if run["cylinder_pressure"].any():
        return _dug(run)
    p, off = run["position"], run["off_track"]
    driven = float(np.hypot(*np.diff(p[:, :2], axis=0).T).sum())
    half, fixed = off[len(off) // 2 :], np.flatnonzero(run["engaged"])
    way = (
        f"{run.time[-1] - run.time[0]:g} s, {driven:.1f} m driven to x {p[-1, 0]:.2f}, y "
        f"{p[-1, 1]:.2f} m"
    )
    if not off.any():  # no guidance within
        return [way]
    return [
        way,
        f"off track as guidance sees it: {off[fixed[0] if len(fixed) else 0]:+.3f} m at first, in "
        f"the second half at most "
        f"{np.abs(half).max():.3f} m, rms {np.sqrt(np.mean(half**2)):.3f} m",
    ]


def _dug(run: Run) -> list[str]:
    tip = run["tip_position"]
    way = float(np.linalg.norm(np.diff(tip, axis=0), axis=1).sum())
    x, y, z = tip[-1]
    return [
        f"{run.time[-1] - run.time[0]:g} s, the bucket's tip came {way:.1f} m to x {x:.2f}, y {y:.2f}, "
        f"z {z:.2f} m",
        f"largest pressure {1e-6 * run['cylinder_pressure'].max():.1f} MPa, of the pump "
        f"{1e-6 * run['pump_pressure'].max():.1f} MPa",
    ]


@app.command
def drive(
    file: pathlib.Path | None = None, /, *, seconds: float = 60.0, speed: float = 4.5, off: float = 1.0,
    path: str = "straight", block: tuple[str, ...] = (), seed: int = 0, csv: pathlib.Path | None = None,
    save: pathlib.Path | None = None, live: bool = False, host: str = "127.0.0.1", port: int = 0,
    web_port: int = 8010, journal: pathlib.Path | None = None, can: str = "", agopen: str = "",
    nmea: str = "", transmit: bool = False, policy: str = "catch-up", latitude: float | None = None,
    longitude: float | None = None, scene: bool = True, elevation: pathlib.Path | None = None,
    boundary: pathlib.Path | None = None,
) -> int:  # fmt: skip
    """Drive a machine along a path and say how it went; with --live by hand, in a browser.

    Parameters
    ----------
    file
        rig as TOML, or a vehicle on soft soil by its name, such as hmmwv; without one: a tractor of two
        wheels in the plane. Both have look-ahead guidance, a valve and an RTK receiver.
    seconds
        how long [s].
    speed
        of the rig without a file [m/s].
    off
        where it starts, left of its path [m].
    path
        of the rig without a file: straight, headland or field.
    block
        category=block, such as chassis=kinematic; may be given several times.
    seed
        of the receiver's noise.
    csv
        file for every signal over time.
    save
        file for the rig itself, as TOML.
    live
        in real time, with a cockpit in the browser and a server for other programs.
    host
        that the server listens on; beyond 127.0.0.1 it makes a token.
    port
        of the server over TCP; 0: a free one.
    web_port
        of the cockpit; 0: a free one.
    journal
        file for everything that came in, to be replayed.
    can
        with --live, a bus that steers the machine: hub, for others on this computer to connect to, or
        INTERFACE:CHANNEL of python-can. Instead of its own guidance.
    agopen
        with --live, AgOpenGPS steers the machine: udp, udp:HOST:PORT or serial:DEVICE. Instead of its
        own guidance.
    nmea
        with --live, sentences of its receiver: udp, udp:HOST:PORT, serial:DEVICE:BAUD, or tcp and
        tcp:HOST:PORT, where programs connect.
    transmit
        a real bus is sent on, too; else it is only listened to.
    policy
        with --live, what a late tick means: catch-up, slip, or strict, which ends the run.
    latitude, longitude
        of the world's origin [deg]; without them the middle of the elevation, or 52.1, 8.3.
    elevation
        GeoTIFF of the ground, for wheels, receiver and scene, without a rig's file.
    scene
        with --live, a scene in the cockpit beside its map.
    boundary
        with --live, corners of the field, a line x,y [m] each; the path "field" has its own.
    """
    try:
        _writable(csv, save)
        lines = {"can": can, "agopen": agopen, "nmea": nmea}
        if any(lines.values()) and not live:
            raise RigError("--can, --agopen and --nmea need --live")
        by_itself = not (can or agopen)
        terrain = _elevation(file, elevation, latitude, longitude)
        rig = _rig(file, speed, off, path, seed, live, by_itself, terrain=terrain)
        for category, name in _choices(block).items():
            rig.swap(category, name)
        if save is not None:
            rig.write(save)
        if live:
            edge = _boundary(boundary, rig.site.path if path == "field" else None)
            run = _live(
                rig, seconds, journal, host=host, port=port, web_port=web_port, transmit=transmit,
                lines={kind: [text] for kind, text in lines.items() if text},
                origin=_origin(rig, latitude, longitude, any(lines.values())),
                scene=scene, boundary=edge, name="tractor" if file is None else file.stem, policy=policy,
            )  # fmt: skip
        else:
            run = _alone(rig, seconds, journal)
        if csv is not None:
            run.to_csv(csv)
    except (RigError, OSError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped" if journal is None else f"stopped; what came in stands in {journal}")
        return 130
    for line in report(run):
        print(line)
    return 0


def _writable(*files: pathlib.Path | None) -> None:
    """Refuse files that could not be written, before anything is driven."""
    for file in filter(None, files):
        folder = file.resolve().parent
        why = "it is a directory" if file.is_dir() else ""
        if not folder.is_dir():
            why = f"the directory {folder} does not exist"
        elif not why and not os.access(file if file.exists() else folder, os.W_OK):
            why = "no permission"
        if why:
            raise RigError(f"{file} cannot be written: {why}")


def _path(name: str) -> Path:
    from mlcp.checks import nearest

    if name not in PATHS:
        raise RigError(f"unknown path {name!r}; {nearest(name, PATHS)}")
    return PATHS[name]()


def _boundary(file: pathlib.Path | None, path: Path | None) -> Any:
    """Corners of a field from a file, or around a path; None: no field."""
    from . import Boundary

    if file is not None:
        try:
            return Boundary(np.loadtxt(file, delimiter=",", ndmin=2)).corners
        except ValueError as error:
            raise RigError(f"{file} is no boundary, a line x,y [m] for each corner: {error}") from None
    if path is None:
        return None
    points = path.points(1.0)[:, :2]
    (x0, y0), (x1, y1) = points.min(axis=0) - MARGIN, points.max(axis=0) + MARGIN
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def _alone(rig: Rig, seconds: float, journal: pathlib.Path | None) -> Run:
    if journal is None:
        return rig.run(seconds)
    from .outside.journal import Journal

    with Journal(journal, rig) as book:
        return rig.run(seconds, outside=book.outside())


def _elevation(
    file: pathlib.Path | None, elevation: pathlib.Path | None, *place: float | None
) -> Any:  # fmt: skip
    if elevation is None:
        return None
    if file is not None and (file.suffix or file.exists()):
        raise RigError("--elevation is for a rig without a file; in a file it is a table [elevation]")
    from .outside.elevation import Elevation

    return Elevation.read(elevation, *place)


def _origin(rig: Rig, latitude: float | None, longitude: float | None, wanted: bool) -> Any:
    """Where the rig's world lies; None: nobody says it and nobody wants it."""
    from .outside.geodesy import Origin

    place = getattr(rig.site.terrain, "place", None)
    if place is not None or not (wanted or latitude is not None or longitude is not None):
        return place
    return Origin(52.1 if latitude is None else latitude, 8.3 if longitude is None else longitude)


def _live(rig: Rig, seconds: float, journal: pathlib.Path | None, **server: Any) -> Run:
    from .outside.live import live
    from .outside.view import missing

    if server["scene"] and (why := missing(server["host"])):
        print(why)
        server["scene"] = False

    fronts = []

    def told(front: Any) -> None:
        fronts.append(front)
        for line in front.lines:
            print(line)
        if front.hub > 0:
            print(f"controller: python -m rig guide {front.hub}")
        token = f"#{front.token}" if front.token else ""
        print(f"cockpit   http://{server['host']}:{front.web_port}/{token}")
        print(
            f"programs  {server['host']}:{front.port}, frames as in `python -m rig header`", flush=True
        )

    def warn(sentence: str) -> None:
        print(f"warning: {sentence}", file=sys.stderr)

    run = live(rig, seconds, journal=journal, told=told, warn=warn, **server)
    for line in fronts[0].lines:
        print(line)
    print(run.deficit)
    return run


@app.command
def dig(
    *, carrier: str = "ground", seconds: float = 60.0, host: str = "127.0.0.1", port: int = 0,
    web_port: int = 8010, journal: pathlib.Path | None = None, scene: bool = True,
    csv: pathlib.Path | None = None,
) -> int:  # fmt: skip
    """Dig with a backhoe by hand, in a browser: levers to valves, oil and links in one solve.

    Parameters
    ----------
    carrier
        ground, or tractor: on wheels and stabilisers that stand on soil.
    seconds
        how long [s].
    host
        that the server listens on; beyond 127.0.0.1 it makes a token.
    port
        of the server over TCP; 0: a free one.
    web_port
        of the cockpit; 0: a free one.
    journal
        file for everything that came in, to be replayed.
    scene
        a scene in the cockpit beside its side view.
    csv
        file for every signal over time.
    """
    try:
        _writable(csv)
        rig = Rig(0.01, linkage=make("linkage", "backhoe", carrier=carrier), begin=False)
        run = _live(
            rig, seconds, journal, host=host, port=port, web_port=web_port, scene=scene, name="backhoe"
        )
        if csv is not None:
            run.to_csv(csv)
    except (RigError, OSError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped" if journal is None else f"stopped; what came in stands in {journal}")
        return 130
    for line in report(run):
        print(line)
    return 0


@app.command
def replay(
    journal: pathlib.Path, /, *, swap: tuple[str, ...] = (), csv: pathlib.Path | None = None
) -> int:  # fmt: skip
    """Run a journal again, as fast as it goes, and compare what comes out byte for byte.

    Parameters
    ----------
    journal
        file that ``drive --journal`` wrote.
    swap
        category=block: what that block would have done with the same outside.
    csv
        file for every signal over time.
    """
    try:
        from .outside import replay as replays

        _writable(csv)
        found = replays.read(journal)
        run, differs = found.replay(**_choices(swap))
        if csv is not None:
            run.to_csv(csv)
    except (RigError, OSError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if found.other_versions:
        print(f"written by other versions: {found.other_versions}")
    if not found.whole:
        print(f"the journal was cut off: replayed up to {run.time[-1]:g} s")
    if differs is None:
        print(f"{len(found.out)} recorded ticks, all the same bytes")
    else:
        print(f"another course from tick {differs} ({differs * found.rig().tick:g} s) on")
    for line in report(run):
        print(line)
    return 0 if differs is None or swap else 1


@app.command
def guide(
    bus: str, /, *, guidance: str = "look-ahead", path: str = "straight", latitude: float = 52.1,
    longitude: float = 8.3, seconds: float = 60.0, transmit: bool = False, allow_steering: bool = False,
) -> int:  # fmt: skip
    """Be a guidance controller on a bus: steer what announces itself there.

    Parameters
    ----------
    bus
        port of a hub on this computer, such as that of ``drive --live --can hub``, or
        INTERFACE:CHANNEL of python-can.
    guidance
        block that steers.
    path
        straight, headland or field.
    latitude, longitude
        of the world's origin [deg].
    seconds
        how long [s].
    transmit
        a real bus is sent on, too; else it is only listened to.
    allow_steering
        commands are sent on a real bus, too: only where nobody can be hurt.
    """
    import logging
    import time

    logging.getLogger("can").setLevel(logging.ERROR)  # half a line of a hub is no news
    try:
        from .outside.can.bus import Bus as Line
        from .outside.can.controller import Controller
        from .outside.geodesy import Origin
        from .outside.lines.opening import number

        unit = Controller(make("guidance", guidance), _path(path), Origin(latitude, longitude))
        end = time.monotonic() + seconds
        kind, _, channel = bus.partition(":")
        options: dict[str, Any] = {"transmit": transmit, "allow_steering": allow_steering}
        if not channel:
            options |= {"host": "127.0.0.1", "port": number(kind, "the port of a bus", 1, 65535)}
            kind, channel = "socketcand", "rig"
        with Line(kind, channel, **options) as line:
            while (now := time.monotonic()) < end:
                for can_id, data in line.receive():
                    for frame in unit.receive(can_id, data, now):
                        line.send(*frame)
                time.sleep(0.001)
    except (RigError, OSError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        pass
    print(f"{unit.commands} commands sent")
    return 0


@app.command
def header() -> int:
    """Print the C header of the server's frames."""
    from .outside.net.frame import header as text

    print(text(), end="")
    return 0


def _rig(file: pathlib.Path | None, *given: Any, terrain: Any = None) -> Rig:
    """The rig of a file, of a vehicle's name, or of neither."""
    if file is None:
        return _machine(*given, terrain=terrain)
    if file.suffix or file.exists():
        return Rig.read(file, begin=False)
    chassis: Any = make("chassis", "four-wheel", vehicle=str(file), ground="soil", front_drive=1.0)
    return _machine(*given, chassis=chassis, wheelbase=chassis.wheelbase, terrain=terrain)


def _machine(
    speed: float, off: float, path: str, seed: int, live: bool = False, by_itself: bool = True, *,
    chassis: Any = "bicycle", wheelbase: float = 2.9, terrain: Any = None,
) -> Rig:  # fmt: skip
    extra: dict[str, Any] = {"drive_train": "first-order"} if live else {}
    if by_itself:
        extra["guidance"] = make("guidance", "look-ahead")
    return Rig(
        0.01, path=_path(path), speed=speed, seed=seed, start={"position": (0.0, off, 0.0)},
        chassis=chassis, steering="third-order valve",
        steering_controller=make("steering_controller", "proportional", wheelbase=wheelbase),
        gnss="rtk", terrain=terrain, begin=False, **extra,
    )  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(app())
