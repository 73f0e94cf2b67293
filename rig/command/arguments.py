"""Arguments of the command line: paths, files, origin of the world, and the rig."""

from __future__ import annotations

import os
import pathlib
from typing import Any

import numpy as np

from ..catalogue import BLOCKS, make
from ..chassis.hub_driven import sides_of
from ..errors import RigError, known
from ..files import is_rig
from ..path import Path, field_work, headland_turn, straight
from ..rig import Rig

STEERED = {"gear", "steering"}  # a vehicle with these inputs can be guided
MARGIN = 9.0  # distance of the field's boundary around a planned path [m]
PREVIEW_TIME = 1.5  # [s] factor of the speed in the look-ahead distance of hub-driven vehicles
SPEED = 4.5  # default speed of a machine without an operator [m/s]
PATHS = {
    "straight": lambda: straight(400.0),
    "headland": lambda: straight(60.0).then(headland_turn(12.0, 6.0)).then(straight(60.0)),
    "field": lambda: field_work(120.0, 12.0, 6.0, tracks=4),
}


def choices(given: tuple[str, ...], option: str = "--block") -> dict[str, str]:
    """Arguments ``category=block`` of an option as a mapping; ``option``: its name, for errors."""
    pairs = [text.partition("=") for text in given]
    for text, (_, sign, block) in zip(given, pairs, strict=True):
        if not sign or not block:
            raise RigError(f"{option} {text} must read category=block, such as chassis=kinematic")
    return {category: block for category, _, block in pairs}


def writable(*files: pathlib.Path | None) -> None:
    """Check before a run that files can be written; RigError otherwise."""
    for file in filter(None, files):
        folder = file.resolve().parent
        why = "it is a directory" if file.is_dir() else ""
        if not folder.is_dir():
            why = f"the directory {folder} does not exist"
        elif not why and not os.access(file if file.exists() else folder, os.W_OK):
            why = "no permission"
        if why:
            raise RigError(f"{file} cannot be written: {why}")


def only_live(**given: Any) -> None:
    """Raise RigError for the first set option of ``given``, options with an effect only with --live."""
    idle = [name for name, value in given.items() if value]
    if idle:
        raise RigError(f"--{idle[0]} needs --live")


def path_of(name: str) -> Path:
    """Path by its name: straight, headland or field."""
    known("unknown path", name, PATHS)
    return PATHS[name]()


def boundary_of(file: pathlib.Path | None, path: Path | None) -> Any:
    """Corners of a field from a file, or from a rectangle around a path; None: no field."""
    from .. import Boundary

    if file is not None:
        try:
            return Boundary(np.loadtxt(file, delimiter=",", ndmin=2, encoding="utf-8-sig")).corners
        except ValueError as error:
            raise RigError(f"{file} is no boundary, a line x,y [m] for each corner: {error}") from None
    if path is None:
        return None
    points = path.points(1.0)[:, :2]
    (x0, y0), (x1, y1) = points.min(axis=0) - MARGIN, points.max(axis=0) + MARGIN
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def elevation_of(file: pathlib.Path | None, elevation: pathlib.Path | None, *place: float | None) -> Any:
    """Ground from the GeoTIFF ``elevation`` around ``place`` (latitude, longitude [deg]); None: a plane.

    ``file``: file of the machine, with which an elevation is an error, or a shipped vehicle's name.
    """
    if elevation is None:
        return None
    if file is not None and (file.suffix or file.exists()):
        raise RigError("--elevation is for a rig without a file; in a file it is a table [elevation]")
    from ..outside.elevation import Elevation

    return Elevation.read(elevation, *place)


def origin_of(rig: Rig, latitude: float | None, longitude: float | None, wanted: bool) -> Any:
    """Geographic origin of the rig's world: that of its terrain, else the given or default place [deg].

    ``wanted``: False: None without an origin of the terrain and without a given place.
    """
    from ..outside.geodesy import Origin

    place = getattr(rig.site.terrain, "place", None)
    if place is not None or not (wanted or latitude is not None or longitude is not None):
        return place
    return Origin(52.1 if latitude is None else latitude, 8.3 if longitude is None else longitude)


def rig_of(file: pathlib.Path | None, *given: Any, terrain: Any = None) -> Rig:
    """Rig from its file, from a machine's file or name, or without a file the tractor of ``machine``.

    A vehicle with gearbox and steering, but no cylinders, gets a speed and guidance, and so does one
    with hub drives left and right, unless it is driven live. Another machine gets a lever for each
    input.
    ``given``: arguments of ``machine`` from ``speed`` on.
    """
    if file is None:
        return machine(*given, terrain=terrain)
    if (file.suffix or file.exists()) and is_rig(file):
        rig = Rig.read(file, begin=False)
        if not rig.blocks:
            raise RigError(f"{file} describes no machine: it has no name and no block, as [machine]")
        return rig
    own = str(file).replace("_", " ")  # the backhoe loader has a block of this name
    block: Any = (
        make("machine", own)
        if own in BLOCKS["machine"]
        else make("machine", "described", file=str(file))
    )
    if STEERED <= set(block.inputs) and not block.cylinders:
        chassis: Any = make("chassis", "four-wheel", vehicle=str(file), ground="soil", front_drive=1.0)
        return machine(*given, chassis=chassis, wheelbase=chassis.wheelbase, terrain=terrain)
    if given and not given[4] and sides_of(block.found):
        return hub_driven(str(file), *given[:4], terrain=terrain)
    return Rig(0.01, machine=block, terrain=terrain, begin=False)


def hub_driven(
    file: str, speed: float | None, off: float, path: str, seed: int, terrain: Any = None
) -> Rig:
    """Rig of a vehicle with hub drives on both sides, look-ahead guidance and an RTK receiver.

    Without a given speed the vehicle drives at half its top speed.
    """
    block: Any = make("machine", "hub-driven", file=file)
    wanted: float = 0.5 * block.top_speed if speed is None else speed
    distance = 4.0 * block.half_track + PREVIEW_TIME * abs(wanted)
    return Rig(
        0.01, path=path_of(path), seed=seed, machine=block, terrain=terrain, begin=False,
        start={"position": (0.0, off, 0.0), "wanted_speed": wanted},
        guidance=make("guidance", "look-ahead", distance=distance),
        gnss=make("gnss", "rtk", arm_x=0.0, arm_z=1.0),
    )  # fmt: skip


def machine(
    speed: float | None, off: float, path: str, seed: int, live: bool = False, by_itself: bool = True, *,
    chassis: Any = "bicycle", wheelbase: float = 2.9, terrain: Any = None,
) -> Rig:  # fmt: skip
    """Rig of a chassis with look-ahead guidance, a steering valve and an RTK receiver.

    Without a given speed the machine drives at ``SPEED``; with ``live`` it then stands until an operator
    drives it, with disengaged guidance. ``off``: initial distance to the left of the path [m].
    ``by_itself``: False: no guidance block, so that an external controller may steer.
    """
    start: dict[str, Any] = {"position": (0.0, off, 0.0)}
    if speed is None:
        speed = 0.0 if live else SPEED
        if live and by_itself:
            start["engage"] = 0.0
    extra: dict[str, Any] = {"drive_train": "first-order"} if live else {}
    if by_itself:
        extra["guidance"] = make("guidance", "look-ahead")
    return Rig(
        0.01, path=path_of(path), speed=speed, seed=seed, start=start,
        chassis=chassis, steering="third-order valve",
        steering_controller=make("steering_controller", "proportional", wheelbase=wheelbase),
        gnss="rtk", terrain=terrain, begin=False, **extra,
    )  # fmt: skip
