"""Vehicles in TOML files: parts and data, units in the keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from contact import WheelContact

from .. import checks
from ..files.document import read_text, tables
from ..files.mechanisms import titled
from ..files.objects import located, read_object
from ..files.values import Place, fields_of, read_value
from ..files.vocabulary import table_name
from ..signals import Schedule
from .cab import Cab
from .double_wishbone import DoubleWishbone
from .engine import CombustionEngine
from .final_drive import FinalDrive
from .frame import Frame
from .gearbox import ClutchAndGearbox
from .half_shafts import HalfShafts
from .hitch import Hitch
from .part import Part
from .pitman import PitmanSteering
from .propeller_shaft import PropellerShaft
from .steering import RackSteering
from .vehicle import Vehicle

#: Tables of a file and the parts they make, in the order in which parts are built.
PARTS: dict[str, type[Part]] = {
    table_name(cls.__name__): cls
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
#: Tables of what all wheels share, and the type of object where the table names none.
CONTACT = {"tyre": "tyre", "soil": "cone_index_soil", "lateral": "crolla"}
TOP = {"name", "about", "origin_m", "base", "remove", "controls", "contact", *CONTACT, *PARTS}
POINT = tuple[float, ...]
SHIPPED = Path(__file__).parent


def shipped() -> tuple[str, ...]:
    """Names of the vehicles that come with the package."""
    return tuple(sorted(path.stem for path in SHIPPED.glob("*.toml")))


def path_of(name: str | Path, beside: Path | None = None) -> Path:
    """File of a shipped vehicle's name, or of a path.

    Arguments:
        name: of the vehicle or its file.
        beside: folder from which a relative path starts; default: the working directory.

    Raises:
        UnknownName: neither a shipped vehicle nor a file, with the nearest name.
    """
    path = (beside or Path()) / name
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
    return _vehicle(_merged_with_base(read_text(path), str(path), path.parent, (path,)), str(path))


def from_toml(text: str, source: str = "vehicle") -> Vehicle:
    """The same from text; ``source`` is what messages call it.

    Raises:
        MechanismError: text that is no TOML, an unknown table or key (with the nearest known), a
            missing key, a value out of range.
    """
    return _vehicle(_merged_with_base(text, source, None, ()), source)


def _vehicle(given: dict[str, Any], source: str) -> Vehicle:
    for name in ("name", "tyre", "soil"):
        if name not in given:
            raise checks.MechanismError(f"{source}: the key {name!r} is missing.")
    parts = tuple(
        read_object(titled(source, table, row), cls, row)
        for table, cls in PARTS.items()
        for row in given.get(table, [])
    )
    hints = fields_of(WheelContact)
    made = {}
    for name, kind in CONTACT.items():
        if name in given:
            place = Place(source, f"[{name}]")
            row = _table(source, name, given[name])
            made[name] = read_value(place, hints[name], {"type": kind} | row)
    contact = _table(source, "contact", given.get("contact", {}))
    for name in set(contact) & set(made):
        raise checks.MechanismError(f"{source}: [contact] has a {name} and so has [{name}]; keep one.")
    wheel = read_object(f"{source}: [contact]", WheelContact, contact, made)
    controls = _table(source, "controls", given.get("controls", {}))
    signals = {
        name: read_value(Place(f"{source}: [controls]", name), float | Schedule, value)
        for name, value in controls.items()
    }
    named = {
        name: read_value(Place(source, name, unit), hint, given[name])
        for name, unit, hint in (("name", "", str), ("about", "", str), ("origin_m", "m", POINT))
        if name in given
    }
    try:
        return Vehicle(
            named["name"], parts, signals, wheel,
            named.get("origin_m", (0.0, 0.0, 0.0)), named.get("about", ""),
        )  # fmt: skip
    except checks.MechanismError as error:
        raise located(source, error) from None


def _table(source: str, name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise checks.MechanismError(f"{source}: write [{name}] with one bracket, it is one table.")
    return value


def _merged_with_base(
    text: str, source: str, beside: Path | None, above: tuple[Path, ...]
) -> dict[str, Any]:
    """The tables of a file on top of those of its ``base``, if it names one.

    Arguments:
        text, source: of the file.
        beside: its folder, from which a relative base starts.
        above: the files whose base this is, itself the last.
    """
    given = tables(text, source, TOP, set(PARTS))
    remove = read_value(Place(source, "remove"), tuple[str, ...], given.pop("remove", []))
    if "base" not in given:
        if remove:
            raise checks.MechanismError(f"{source}: remove needs a base to take parts from.")
        return given
    name = read_value(Place(source, "base"), str, given.pop("base"))
    try:
        path = path_of(name, beside)
    except checks.MechanismError as error:
        raise located(f"{source}: base", error) from None
    if any(path.samefile(other) for other in above):
        chain = " -> ".join(str(p) for p in (*above, path))
        raise checks.MechanismError(f"{source}: base leads back to where it came from: {chain}.")
    merged = _merged_with_base(read_text(path), str(path), path.parent, (*above, path))
    known = {f"{t}.{row.get('name')}" for t in PARTS for row in merged.get(t, [])}
    for part in remove:
        if part not in known:
            raise checks.UnknownName(f"{source}: remove", part, known)
        table, _, gone = part.partition(".")
        merged[table] = [row for row in merged[table] if row.get("name") != gone]
    for name, value in given.items():
        merged[name] = _merged(merged[name], value) if name in merged else value
    return merged


def _merged(old: Any, new: Any) -> Any:
    """Tables key by key, parts by their names, everything else replaced."""
    if isinstance(old, dict) and isinstance(new, dict):
        kept = {} if "type" in new and new["type"] != old.get("type") else old
        return kept | {k: _merged(kept[k], v) if k in kept else v for k, v in new.items()}
    if isinstance(new, list) and new and all(isinstance(row, dict) for row in (*old, *new)):
        rows = {_name(row): row for row in old}
        for row in new:
            rows[_name(row)] = _merged(rows[_name(row)], row) if _name(row) in rows else row
        return list(rows.values())
    return new


def _name(row: dict[str, Any]) -> str:
    """What a part is merged by; a name that is no text is refused when the part is made."""
    return repr(row.get("name"))
