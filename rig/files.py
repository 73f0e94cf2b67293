"""Rigs as TOML files with units in the keys; a rig read back gives the same bytes in a run."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
import tomllib
from typing import Any

from mlcp.writing import write_text

from . import catalogue
from .block import Block
from .errors import RigError, checked, known
from .panels.panel import Panel
from .path import Path

_TOP = {"tick_s": "tick", "order": "order", "seed": "seed", "speed_m_s": "speed"}
_ELEVATION = {
    "file": "path",
    "latitude_deg": "latitude",
    "longitude_deg": "longitude",
    "reach_m": "reach",
}
FILES = ("file", "vehicle", "towed")  # keys of blocks whose values may be names of files
_PATH = {"pieces": "pieces", "start_m": "start", "heading_rad": "heading"}


def key(name: str, unit: str) -> str:
    """Key of a field in the file, with its unit: ("mass", "kg") gives "mass_kg"."""
    suffix = re.sub(r"[ /]", "_", unit).replace("^", "")
    return f"{name}_{suffix}" if suffix else name


def _keys(kind: type[Block]) -> dict[str, str]:
    """Fields of a class of blocks by their keys in the file."""
    fields = dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ()
    units = {f.name: f.metadata["port"].unit if "port" in f.metadata else "" for f in fields}
    units |= {"period": "s"} if "period" in units else {}
    return {key(name, unit): name for name, unit in units.items()}


@checked
def arguments_of(path: str | pathlib.Path) -> dict[str, Any]:
    """Arguments of ``Rig`` from a file.

    Raises:
        RigError: a missing file or one that is not TOML, a bad value, an unknown key (the message has
            the nearest known one).
    """
    return _arguments(_table(path), str(path))


@checked
def is_rig(path: str | pathlib.Path) -> bool:
    """Whether a file describes a rig; those of mechanisms and vehicles have a name, bodies or tyres."""
    return not {"name", "body", "tyre", "base"} & set(_table(path))


def _table(path: str | pathlib.Path) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise RigError(f"{path} cannot be read as a rig or machine: {why}") from None


def _arguments(table: dict[str, Any], where: str) -> dict[str, Any]:
    catalogue.load()
    given: dict[str, Any] = {}
    keys = {*_TOP, "path", "start", "elevation", "panel", *catalogue.BLOCKS}
    for name, value in table.items():
        known(f"{where}: unknown key", name, keys)
        if name in _TOP:
            given[_TOP[name]] = value
        elif not isinstance(value, dict):
            raise RigError(f"{where}: {name} must be a table")
        elif name == "path":
            for part in value:
                known(f"{where}: path: unknown key", part, _PATH)
            path = {_PATH[part]: v for part, v in value.items()}
            given["path"] = Path(**{"start": (0.0, 0.0), **path, "pieces": path.get("pieces", ())})
        elif name == "elevation":
            given["terrain"] = _elevation(value, where)
        elif name == "panel":
            given["panel"] = Panel.of(value, f"{where}: panel")
        elif name == "start":
            given["start"] = value
        else:
            given[name] = _block(name, dict(value), where)
    return given


def _elevation(value: dict[str, Any], where: str) -> Any:
    for part in value:
        known(f"{where}: elevation: unknown key", part, _ELEVATION)
    if not isinstance(value.get("file"), str):
        raise RigError(f"{where}: elevation needs a file")
    from .outside.elevation import Elevation

    value |= {"file": _neighbour(where, value["file"])}
    return Elevation.read(**{_ELEVATION[part]: v for part, v in value.items()})


def _block(category: str, value: dict[str, Any], where: str) -> Block:
    name = value.pop("block", "")
    kind = type(catalogue.make(category, name))
    fields = _keys(kind)
    for part in value:
        known(f"{where}: {category} {name!r}: unknown key", part, fields)
    value |= {k: _neighbour(where, value[k]) for k in FILES if k in value}
    try:
        return kind(**{fields[part]: v for part, v in value.items()})
    except (TypeError, ValueError) as error:
        raise RigError(f"{where}: {error}") from None


def _neighbour(where: str, given: Any) -> Any:
    """Path of a file in the folder of the rig's file; without such a file ``given`` itself."""
    path = pathlib.Path(where).parent / given if isinstance(given, str) else None
    return str(path) if path is not None and path.is_file() else given


def _placed(given: Any, folder: str) -> Any:
    """Name of an existing file for a rig's file in ``folder``: relative if it lies there, else absolute;
    anything else unchanged."""
    if not isinstance(given, str) or not os.path.isfile(given):
        return given
    found = pathlib.Path(os.path.abspath(given))
    return found.relative_to(folder).as_posix() if found.is_relative_to(folder) else str(found)


@checked
def write(rig: Any, path: str | pathlib.Path) -> None:
    """Write a ``Rig``; RigError for a terrain but an ``Elevation``, or a block not in the catalogue."""
    terrain: Any = rig.site.terrain
    place: Any = getattr(terrain, "place", None)
    if terrain is not None and place is None:
        raise RigError(
            "a rig with a terrain cannot be written: terrain has no place in the file, but elevation"
        )
    folder = os.path.dirname(os.path.abspath(path))
    lines = [f"tick_s = {rig.tick!r}", f'order = "{rig.order}"', f"seed = {rig.site.seed}"]
    if rig.speed is not None:
        lines.append(f"speed_m_s = {float(rig.speed)!r}")
    p = rig.site.path
    lines += ["", "[path]", f"start_m = {_text(p.start)}", f"heading_rad = {float(p.heading)!r}"]
    lines += ["pieces = [  # length, curvature at its beginning, at its end, turn before it"]
    lines += [f"    {_text(piece)}," for piece in p.pieces] + ["]"]
    if terrain is not None:
        lines += ["", "[elevation]", f"file = {_text(_placed(terrain.file, folder))}"]
        lines += [f"latitude_deg = {place.latitude!r}", f"longitude_deg = {place.longitude!r}"]
        lines += [f"reach_m = {float(terrain.reach)!r}"]
    for category in rig.bus.order:
        if category in rig.blocks:
            lines += ["", f"[{category}]", *_lines(rig.blocks[category], folder)]
    if rig.start_values:
        lines += ["", "[start]", *(f"{k} = {_text(v)}" for k, v in sorted(rig.start_values.items()))]
    if rig.own_panel is not None:
        lines += _tables("panel", rig.own_panel.table())
    write_text(path, "\n".join(lines) + "\n")


def _tables(name: str, table: dict[str, Any]) -> list[str]:
    """TOML lines of a table, its subtables and lists of tables."""
    flat = {k: v for k, v in table.items() if not isinstance(v, dict) and not _are_tables(v)}
    lines = ["", f"[{name}]", *(f"{_key(k)} = {_text(v)}" for k, v in flat.items())]
    for k, v in table.items():
        if isinstance(v, dict):
            lines += _tables(f"{name}.{_key(k)}", v)
        elif _are_tables(v):
            for row in v:
                lines += ["", f"[[{name}.{_key(k)}]]", *(f"{a} = {_text(b)}" for a, b in row.items())]
    return lines


def _are_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _lines(block: Block, folder: str) -> list[str]:
    if catalogue.BLOCKS.get(block.category, {}).get(block.name) is not type(block):
        raise RigError(f"{block.title} cannot be written: no name of the catalogue stands for it")
    given = {k: getattr(block, name) for k, name in _keys(type(block)).items()}
    given |= {k: _placed(given[k], folder) for k in FILES if k in given}
    return [f'block = "{block.name}"', *(f"{k} = {_text(v)}" for k, v in given.items() if v is not None)]


def _text(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool | int):
        return json.dumps(value)
    if hasattr(value, "__len__"):
        return "[" + ", ".join(_text(v) for v in value) + "]"
    return repr(float(value))
