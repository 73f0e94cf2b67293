"""Vehicles in TOML files: parts and data, units in the keys."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from pathlib import Path
from typing import Any

from contact import ConeIndexSoil, Crolla, Tyre, WheelContact

from .. import checks
from ..signals import Schedule
from ..units import key as contact_key
from .cab import Cab
from .double_wishbone import DoubleWishbone
from .engine import CombustionEngine
from .final_drive import FinalDrive
from .frame import Frame
from .gearbox import ClutchAndGearbox
from .half_shafts import HalfShafts
from .hitch import Hitch
from .part import Part, Piece, key
from .pitman import PitmanSteering
from .propeller_shaft import PropellerShaft
from .steering import RackSteering
from .vehicle import Vehicle

#: Tables of a file and the parts they make, in the order in which parts are built.
PARTS: dict[str, type[Part]] = {
    re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower(): cls
    for cls in (
        Frame,
        Cab,
        RackSteering,
        PitmanSteering,
        DoubleWishbone,
        CombustionEngine,
        ClutchAndGearbox,
        PropellerShaft,
        FinalDrive,
        HalfShafts,
        Hitch,
    )
}
CONTACT = {"tyre": Tyre, "soil": ConeIndexSoil, "lateral": Crolla}
SHIPPED = Path(__file__).parent


def shipped() -> tuple[str, ...]:
    """Names of the vehicles that come with the package."""
    return tuple(sorted(path.stem for path in SHIPPED.glob("*.toml")))


def path_of(name: str | Path) -> Path:
    """File of a shipped vehicle's name, or of a path.

    Raises:
        UnknownName: neither a shipped vehicle nor a file, with the nearest name.
    """
    path = Path(name)
    if path.suffix == ".toml" or path.is_file():
        if not path.is_file():
            raise checks.MechanismError(f"vehicle: the file {path} does not exist.")
        return path
    if str(name) not in shipped():
        raise checks.UnknownName("vehicle", str(name), shipped())
    return SHIPPED / f"{name}.toml"


def read(name: str | Path) -> Vehicle:
    """Read a vehicle: a shipped one by its name ("hmmwv"), or your own from its file.

    Raises:
        MechanismError: an unknown vehicle, table or key (with the nearest known), a missing key, a
            bad value, or text that is not TOML.
    """
    path = path_of(name)
    return from_toml(path.read_text(encoding="utf-8"), str(path))


def from_toml(text: str, source: str = "vehicle") -> Vehicle:
    """The same from text; ``source`` is what messages call it.

    Raises:
        MechanismError: text that is no TOML, an unknown table or key (with the nearest known), a
            missing key, a value out of range.
    """
    given = _tables(text, source)
    for name in ("name", "tyre", "soil"):
        if name not in given:
            raise checks.MechanismError(f"{source}: the key {name!r} is missing.")
    parts: list[Part] = []
    for table, cls in PARTS.items():
        rows = given.get(table, [])
        parts += [_part(source, table, cls, row) for row in rows]
    made = {
        name: _plain(source, name, cls, given[name], lambda f, c=cls: contact_key(c.__name__, f))
        for name, cls in CONTACT.items()
        if name in given
    }
    wheel = _plain(
        source,
        "contact",
        WheelContact,
        given.get("contact", {}),
        lambda f: contact_key("WheelContact", f),
        made,
    )
    return Vehicle(
        given["name"],
        tuple(parts),
        _controls(source, given.get("controls", {})),
        wheel,
        _tuple(given.get("origin_m", (0.0, 0.0, 0.0))),
        given.get("about", ""),
    )


def _tables(text: str, source: str) -> dict[str, Any]:
    """The tables of a file on top of those of its ``base``, if it names one."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise checks.MechanismError(f"{source}: not a TOML file: {error}.") from None
    top = {"name", "about", "origin_m", "base", "remove", "controls", "contact", *CONTACT, *PARTS}
    for name, value in given.items():
        if name not in top:
            raise checks.UnknownName(f"{source}: table", name, top)
        if name in PARTS and not isinstance(value, list):
            raise checks.MechanismError(
                f"{source}: write [[{name}]] with two brackets, one table per part."
            )
    if "base" not in given:
        return given
    base = path_of(given.pop("base"))
    merged = _tables(base.read_text(encoding="utf-8"), str(base))
    for table, name in (str(x).split(".", 1) for x in given.pop("remove", [])):
        rows = merged.get(table, [])
        names = {row.get("name") for row in rows}
        if name not in names:
            raise checks.UnknownName(
                f"{source}: remove",
                f"{table}.{name}",
                {f"{t}.{r.get('name')}" for t in PARTS for r in merged.get(t, [])},
            )
        merged[table] = [row for row in rows if row.get("name") != name]
    for name, value in given.items():
        merged[name] = _merged(merged[name], value) if name in merged else value
    return merged


def _merged(old: Any, new: Any) -> Any:
    """Tables key by key, parts by their names, everything else replaced."""
    if isinstance(old, dict) and isinstance(new, dict):
        return old | {k: _merged(old[k], v) if k in old else v for k, v in new.items()}
    if isinstance(new, list) and new and isinstance(new[0], dict):
        rows = {row.get("name"): row for row in old}
        for row in new:
            name = row.get("name")
            rows[name] = _merged(rows[name], row) if name in rows else row
        return list(rows.values())
    return new


def _part(source: str, table: str, cls: type[Part], row: dict[str, Any]) -> Part:
    where = f"{source}: [[{table}]] {row.get('name', '')!r}"
    row = dict(row)
    for field in cls.pieces:
        if isinstance(row.get(field), dict):
            row[field] = _object(f"{where}, {field}", Piece, row[field])
    return _object(where, cls, row)


def _object(where: str, cls: type, row: dict[str, Any]) -> Any:
    fields = {key(f.name): f for f in dataclasses.fields(cls)}
    return cls(**_values(where, row, fields))


def _plain(
    source: str,
    table: str,
    cls: type,
    row: dict[str, Any],
    name: Any,
    made: dict[str, Any] | None = None,
) -> Any:
    """An object of ``contact`` from its table; ``made`` are fields that have tables of their own."""
    fields = {name(f.name): f for f in dataclasses.fields(cls) if f.name not in (made or {})}
    values = _values(f"{source}: [{table}]", row, fields)
    try:
        return cls(**values, **(made or {}))
    except ValueError as error:
        raise checks.MechanismError(f"{source}: [{table}]: {error}") from None


def _values(where: str, row: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    values = {}
    for name, value in row.items():
        if name not in fields:
            raise checks.UnknownName(f"{where}: key", name, fields)
        values[fields[name].name] = _tuple(value)
    for name, f in fields.items():
        required = f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
        if required and f.name not in values:
            raise checks.MechanismError(f"{where}: the key {name!r} is missing.")
    return values


def _tuple(value: Any) -> Any:
    return tuple(_tuple(v) for v in value) if isinstance(value, list | tuple) else value


def _controls(source: str, table: dict[str, Any]) -> dict[str, Any]:
    """Numbers stay numbers (inputs), tables become schedules."""
    controls = {}
    for name, value in table.items():
        where = f"{source}: control {name!r}"
        if isinstance(value, dict):
            for word in value:
                if word not in ("points", "hold"):
                    raise checks.UnknownName(f"{where}: key", word, ("points", "hold"))
            if "points" not in value:
                raise checks.MechanismError(f"{where}: the schedule has no key 'points'.")
            controls[name] = Schedule(_tuple(value["points"]), bool(value.get("hold", False)))
        else:
            controls[name] = checks.number(where, "value", value)
    return controls
