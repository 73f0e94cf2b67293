"""Rigs from the command line:  python -m rig list | drive | dig | replay | guide | header."""

from __future__ import annotations

import functools
import pathlib
import sys
from collections.abc import Callable
from typing import Any

from cyclopts import App

from bodies.checks import MechanismError, SimulationError

from .catalogue import BLOCKS, make
from .command.arguments import (
    boundary_of,
    choices,
    elevation_of,
    only_live,
    origin_of,
    path_of,
    rig_of,
    writable,
)
from .command.driving import drive_paced, drive_unpaced
from .command.report import report
from .errors import RigError, known
from .rig import Rig
from .run import Run

CARRIERS: dict[str, dict[str, Any]] = {
    "ground": {"linkage": "backhoe"},
    "tractor": {"machine": "backhoe loader"},
}
app: App = App(name="python -m rig", help=__doc__, version_flags=[])


def _in_sentences(command: Callable[..., int]) -> Callable[..., int]:
    """Wrapper of a command: an error or Ctrl-C prints one sentence instead of a traceback."""

    @functools.wraps(command)
    def guarded(*given: Any, **named: Any) -> int:
        try:
            return command(*given, **named)
        except (RigError, MechanismError, SimulationError, OSError, ImportError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            journal = named.get("journal")
            print("stopped" if journal is None else f"stopped; the received inputs are in {journal}")
            return 130

    return guarded


def _show(run: Run, csv: pathlib.Path | None) -> None:
    """Print the summary of a run, and write its signals to the file ``csv``, if given."""
    if csv is not None:
        run.to_csv(csv)
    for line in report(run):
        print(line)


@app.command(name="list")
def list_() -> int:
    """List categories of blocks in their order of execution in a tick, with the signals they write."""
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


@app.command
@_in_sentences
def drive(
    file: pathlib.Path | None = None, /, *, seconds: float = 60.0, speed: float | None = None,
    off: float = 1.0, path: str = "straight", block: tuple[str, ...] = (), seed: int = 0,
    csv: pathlib.Path | None = None, save: pathlib.Path | None = None, live: bool = False,
    host: str = "127.0.0.1", port: int = 0, web_port: int = 8010, journal: pathlib.Path | None = None,
    can: str = "", agopen: str = "", nmea: str = "", transmit: bool = False,
    policy: str = "catch-up", latitude: float | None = None,
    longitude: float | None = None, scene: bool = True, elevation: pathlib.Path | None = None,
    boundary: pathlib.Path | None = None,
) -> int:  # fmt: skip
    """Drive a machine along a path and print a summary; with --live by hand, in a browser.

    Parameters
    ----------
    file
        rig, mechanism or vehicle as TOML, or a shipped vehicle by its name, such as hmmwv; without a
        file: a tractor as a planar bicycle model. The tractor and vehicles with gearbox and steering
        have look-ahead guidance, a valve and an RTK receiver. Vehicles steered by hub
        drives have guidance and receiver only without --live. Other machines have a lever for each
        input. --speed, --off, --path and --seed are for machines with guidance other than rigs' files.
    seconds
        simulated time [s].
    speed
        speed [m/s]; default 4.5, with hub drives half the top speed, with --live 0: the machine stands
        until an operator drives it.
    off
        initial distance of the machine to the left of its path [m].
    path
        path to follow: straight, headland or field.
    block
        replacement of one of the rig's blocks, as category=block, such as chassis=kinematic; may be
        given several times.
    seed
        seed of the noise of the GNSS receiver.
    csv
        file for every signal over time.
    save
        file for the rig itself, as TOML.
    live
        in real time, with a cockpit in the browser and a server for other programs.
    host
        address of the server; other than 127.0.0.1, clients need the printed token.
    port
        TCP port of the server; 0: a free one.
    web_port
        port of the cockpit's page; 0: a free one.
    journal
        file for all received inputs, to be replayed.
    can
        with --live, a CAN bus with a controller that steers the machine instead of the rig's guidance:
        hub, to which programs of this computer connect, or INTERFACE:CHANNEL of python-can.
    agopen
        with --live, connection to AgOpenGPS, which steers the machine instead of the rig's guidance:
        udp, udp:HOST:PORT or serial:DEVICE.
    nmea
        with --live, connection over which NMEA sentences of the machine's receiver are sent: udp,
        udp:HOST:PORT, serial:DEVICE:BAUD, or tcp or tcp:HOST:PORT, to which other programs connect.
    transmit
        send messages on a real CAN bus, too; without it messages are only received there.
    policy
        with --live, the policy for ticks that end late: catch-up (the next ticks begin without waiting),
        slip (all later ticks are postponed), or strict (the run ends).
    latitude, longitude
        place of the world's origin [deg]; default: the middle of the elevation file, else 52.1 and 8.3.
    elevation
        GeoTIFF of the ground, for wheels, receiver and scene; without a file or for a shipped vehicle.
    scene
        with --live, a scene in the cockpit beside its map.
    boundary
        with --live, file with a line x,y [m] for each corner of the field; default for the path "field":
        a rectangle around it.
    """
    writable(csv, save)
    lines = {"can": can, "agopen": agopen, "nmea": nmea}
    if not live:
        only_live(**lines, transmit=transmit, boundary=boundary, port=port, policy=policy != "catch-up")
    by_itself = not (can or agopen)
    terrain = elevation_of(file, elevation, latitude, longitude)
    rig = rig_of(file, speed, off, path, seed, live, by_itself, terrain=terrain)
    for category, name in choices(block).items():
        rig.swap(category, name)
    if save is not None:
        rig.write(save)
    if live:
        edge = boundary_of(boundary, rig.site.path if path == "field" else None)
        run = drive_paced(
            rig, seconds, journal, host=host, port=port, web_port=web_port, transmit=transmit,
            lines={kind: [text] for kind, text in lines.items() if text},
            origin=origin_of(rig, latitude, longitude, any(lines.values())),
            scene=scene, boundary=edge, name="tractor" if file is None else file.stem, policy=policy,
        )  # fmt: skip
    else:
        run = drive_unpaced(rig, seconds, journal)
    _show(run, csv)
    return 0


@app.command
@_in_sentences
def dig(
    *,
    carrier: str = "ground",
    seconds: float = 60.0,
    host: str = "127.0.0.1",
    port: int = 0,
    web_port: int = 8010,
    journal: pathlib.Path | None = None,
    scene: bool = True,
    csv: pathlib.Path | None = None,
) -> int:
    """Dig with a backhoe by hand, in a browser: the levers command the valves of its cylinders.

    Parameters
    ----------
    carrier
        ground, or tractor: the backhoe loader, which drives and stands on stabilisers on soil.
    seconds
        simulated time [s].
    host
        address of the server; other than 127.0.0.1, clients need the printed token.
    port
        TCP port of the server; 0: a free one.
    web_port
        port of the cockpit's page; 0: a free one.
    journal
        file for all received inputs, to be replayed.
    scene
        a scene in the cockpit beside its side view.
    csv
        file for every signal over time.
    """
    writable(csv)
    known("unknown carrier", carrier, CARRIERS)
    rig = Rig(0.01, begin=False, **CARRIERS[carrier])
    run = drive_paced(
        rig, seconds, journal, host=host, port=port, web_port=web_port, scene=scene, name="backhoe"
    )
    _show(run, csv)
    return 0


@app.command
@_in_sentences
def replay(
    journal: pathlib.Path, /, *, swap: tuple[str, ...] = (), csv: pathlib.Path | None = None
) -> int:
    """Run a journal again, as fast as possible, and compare the results byte for byte.

    Parameters
    ----------
    journal
        file that ``drive --journal`` wrote.
    swap
        category=block: replacement of a block, with the same signals from outside.
    csv
        file for every signal over time.
    """
    from .outside import replay as replays

    writable(csv)
    found = replays.read(journal)
    run, differs = found.replay(**choices(swap, "--swap"))
    if found.other_versions:
        print(f"written by other versions: {found.other_versions}")
    if not found.whole:
        print(f"the journal was cut off: replayed up to {run.time[-1]:g} s")
    if differs is None:
        print(f"{len(found.out)} recorded ticks, all the same bytes")
    else:
        print(f"another course from tick {differs} ({differs * found.rig().tick:g} s) on")
    _show(run, csv)
    return 0 if differs is None or swap else 1


@app.command
@_in_sentences
def guide(
    bus: str, /, *, guidance: str = "look-ahead", path: str = "straight", latitude: float = 52.1,
    longitude: float = 8.3, seconds: float = 60.0, transmit: bool = False, allow_steering: bool = False,
) -> int:  # fmt: skip
    """Act as a guidance controller on a bus: steer the machine that announces itself on it.

    Parameters
    ----------
    bus
        port of a hub on this computer, such as that of ``drive --live --can hub``, or
        INTERFACE:CHANNEL of python-can.
    guidance
        name of the guidance block that computes the commands.
    path
        path to follow: straight, headland or field.
    latitude, longitude
        place of the world's origin [deg].
    seconds
        duration in real time [s].
    transmit
        send messages on a real CAN bus, too; without it messages are only received there.
    allow_steering
        send steering commands on a real CAN bus, too: only where nobody can be hurt.
    """
    import time

    from .outside.can.bus import CanBus as Line
    from .outside.can.controller import Controller
    from .outside.geodesy import Origin
    from .outside.lines.opening import number

    if not seconds > 0.0:
        raise RigError(f"--seconds {seconds:g} must be above 0")
    unit = Controller(make("guidance", guidance), path_of(path), Origin(latitude, longitude))
    try:
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


if __name__ == "__main__":
    raise SystemExit(app())
