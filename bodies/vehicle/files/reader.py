"""Reader of vehicle files (TOML): parts and data, with units in the keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ... import checks
from ...checks import checked
from ...files.document import read_text, tables
from ...files.hints import fields_of
from ...files.mechanisms import gravity_of, titled
from ...files.values import ValueLocation, located, read_object, read_value
from ...files.vocabulary import TABLES, table_name
from ...signals import Schedule
from ...wheel import Wheel
from ..axles.anti_roll_bar import AntiRollBar
from ..axles.beam_axle import BeamAxle
from ..axles.bogie import Bogie
from ..axles.double_wishbone import DoubleWishbone
from ..axles.rigid_axle import RigidAxle
from ..axles.rocker_bogie import RockerBogie
from ..axles.solid_mounted_axle import SolidMountedAxle
from ..axles.swivel_wheel import SwivelWheel
from ..axles.trailing_arm import TrailingArm
from ..cab import Cab
from ..drive.automatic_transmission import AutomaticTransmission
from ..drive.centre_differential import CentreDifferential
from ..drive.engine import CombustionEngine
from ..drive.final_drive import FinalDrive
from ..drive.gearbox import ClutchAndGearbox
from ..drive.half_shafts import HalfShafts
from ..drive.hub_drives import HubDrives
from ..drive.propeller_shaft import PropellerShaft
from ..frame import Frame
from ..part import Part
from ..steering.articulated import ArticulatedSteering
from ..steering.beam_steering import BeamSteering
from ..steering.drag_link import DragLinkSteering
from ..steering.pitman import PitmanSteering
from ..steering.rack import RackSteering
from ..tools.free_elements import FreeElements
from ..tools.hitch import Hitch
from ..tools.load_car import LoadCar
from ..tools.mounted_tool import MountedTool
from ..tools.stabilisers import Stabilisers
from ..tools.three_point_linkage import ThreePointLinkage
from ..tools.tillage_tool import TillageTool
from ..vehicle import Vehicle
from .merging import merged
from .wheel_tables import CONTACT, common_of, each_wheel, rolling_of, table

#: Classes of parts by their tables in a file, listed in the usual order of building; a part is built
#: after the parts that it needs.
PARTS: dict[str, type[Part]] = {
    table_name(cls.__name__): cls
    for cls in (
        Frame,
        Cab,
        ArticulatedSteering,
        RackSteering,
        PitmanSteering,
        BeamSteering,
        DoubleWishbone,
        BeamAxle,
        RigidAxle,
        TrailingArm,
        SolidMountedAxle,
        RockerBogie,
        Bogie,
        SwivelWheel,
        DragLinkSteering,
        AntiRollBar,
        HubDrives,
        CombustionEngine,
        ClutchAndGearbox,
        AutomaticTransmission,
        CentreDifferential,
        PropellerShaft,
        FinalDrive,
        HalfShafts,
        Hitch,
        LoadCar,
        ThreePointLinkage,
        TillageTool,
        Stabilisers,
        MountedTool,
    )
}
#: Classes of free bodies and elements by their tables, as in a mechanism's file.
FREE = {name: cls for name, cls in TABLES.items() if name not in ("wheel", "rigid_contact")}
#: Keys of a file outside its tables: key, field of ``Vehicle``, unit.
KEYS = (("about", "about", ""), ("origin_m", "origin", "m"), ("heading_rad", "heading", "rad"))
TOP = {"name", "base", "remove", "controls", "contact", "hard", "wheels", "ground", "gravity_m_s2"}
TOP |= {*CONTACT, *(key for key, _, _ in KEYS)}
SHIPPED = Path(__file__).parent


@checked
def register(part: type[Part]) -> type[Part]:
    """Register a part for vehicle files, also as a decorator: a ``MyAxle`` has tables ``[[my_axle]]``.

    Arguments:
        part: class of the part.

    Raises:
        MechanismError: ``part`` is no class of parts, or its table has the name of an existing one.
    """
    name = table_name(part.__name__)
    there = PARTS.get(name, part)
    if (
        name in TOP
        or name in FREE
        or (there.__module__, there.__qualname__) != (part.__module__, part.__qualname__)
    ):
        raise checks.MechanismError(f"register: a vehicle's file has a table [[{name}]] already.")
    PARTS[name] = part
    return part


@checked
def shipped() -> tuple[str, ...]:
    """Names of the shipped vehicles."""
    return tuple(sorted(path.stem for path in SHIPPED.glob("*.toml")))


@checked
def path_of(name: str | Path, folder: Path | None = None) -> Path:
    """Path of a shipped vehicle's file, or of a given file.

    Arguments:
        name: name of the vehicle, or its file.
        folder: base folder of a relative path; default: the working directory.

    Raises:
        UnknownName: ``name`` is neither a shipped vehicle nor a file; with the nearest name.
        MechanismError: a name with ".toml" of a file that does not exist.
    """
    path = (folder or Path()) / name
    if path.suffix == ".toml" or _is_file(path):
        if not _is_file(path):
            raise checks.MechanismError(f"vehicle: the file {path} does not exist.")
        return path
    if str(name) not in shipped():
        raise checks.UnknownName("vehicle", str(name), shipped())
    return SHIPPED / f"{name}.toml"


def _is_file(path: Path) -> bool:
    """Whether ``path`` is an existing file; false also for a path that the system does not allow."""
    try:
        return path.is_file()
    except OSError:  # the name is too long
        return False


@checked
def read(name: str | Path) -> Vehicle:
    """Read a vehicle: a shipped one by its name ("hmmwv"), or your own from its file.

    Raises:
        MechanismError: an unknown vehicle, table or key (with the nearest known), a missing key, a
            bad value, or text that is not TOML.
    """
    path = path_of(name)
    return _vehicle(_merged_with_base(read_text(path), str(path), path.parent, (path,)), str(path))


def _resolved(value: Any, folder: Path) -> Any:
    """Copy of a value of a file, in which each ``path`` or ``file`` that names a file in ``folder``
    begins with ``folder``; nested tables included."""
    if isinstance(value, list):
        return [_resolved(row, folder) if isinstance(row, dict) else row for row in value]
    if not isinstance(value, dict):
        return value
    found = {key: _resolved(inner, folder) for key, inner in value.items()}
    for key in ("path", "file"):
        if isinstance(given := found.get(key), str) and _is_file(folder / given):
            found[key] = str(folder / given)
    return found


@checked
def from_toml(text: str, source: str = "vehicle", folder: Path | None = None) -> Vehicle:
    """Read a vehicle from text.

    Arguments:
        text: contents of a vehicle file.
        source: its name in messages.
        folder: folder of its relative paths and of its base; None: the working directory.

    Raises:
        MechanismError: text that is not TOML, an unknown table or key (with the nearest known), a
            missing key, a value out of range.
    """
    return _vehicle(_merged_with_base(text, source, folder, ()), source)


def _vehicle(given: dict[str, Any], source: str) -> Vehicle:
    for name, words in (("name", "key 'name'"), ("tyre", "table [tyre]"), ("soil", "table [soil]")):
        if name not in given:
            raise checks.MechanismError(f"{source}: the {words} is missing.")
    parts = tuple(
        read_object(titled(source, name, row), cls, row)
        for name, cls in PARTS.items()
        for row in given.get(name, [])
    )
    free = {
        name: [read_object(titled(source, name, row), cls, row) for row in given.get(name, [])]
        for name, cls in FREE.items()
    }
    bodies = tuple(free.pop("body"))
    if elements := tuple(element for each in free.values() for element in each):
        parts += (FreeElements(name="free elements", bodies=bodies, elements=elements),)
    if not parts:
        raise checks.MechanismError(f"{source}: no part has a body; begin with a [[frame]].")
    common = common_of(source, given)
    rolling = rolling_of(source, "", common)
    wheels = each_wheel(source, common, given.get("wheels", {}))
    controls = table(source, "controls", given.get("controls", {}))
    signals = {
        name: read_value(ValueLocation(f"{source}: [controls]", name), float | Schedule, value)
        for name, value in controls.items()
    }
    hints = fields_of(Vehicle)
    more = {
        field: read_value(ValueLocation(source, key, unit), hints[field], given[key])
        for key, field, unit in KEYS
        if key in given
    }
    more |= {"hard": rolling.hard, "bearing_loss": rolling.bearing_loss}
    if "ground" in given:
        row = table(source, "ground", given["ground"])
        more["ground"] = read_value(ValueLocation(source, "[ground]"), fields_of(Wheel)["ground"], row)
    if "gravity_m_s2" in given:
        more["gravity"] = gravity_of(source, given["gravity_m_s2"])
    name = read_value(ValueLocation(source, "name"), str, given["name"])
    try:
        return Vehicle(name, parts, signals, rolling.contact, wheels=wheels, **more)
    except checks.MechanismError as error:
        raise located(source, error) from None


def _merged_with_base(
    text: str, source: str, folder: Path | None, above: tuple[Path, ...]
) -> dict[str, Any]:
    """Tables of a file merged with those of its ``base`` without ``remove``, if it names a base.

    Arguments:
        text, source: contents of the file, and its name in messages.
        folder: folder of the file, for its relative paths; None: the working directory.
        above: files from the first one to this one, each the base of the one before; to detect cycles.
    """
    given = tables(text, source, TOP | set(PARTS) | set(FREE), set(PARTS) | set(FREE))
    if folder is not None:
        given |= {t: _resolved(given[t], folder) for t in ("ground", "mounted_tool") if t in given}
    remove = read_value(ValueLocation(source, "remove"), tuple[str, ...], given.pop("remove", []))
    if "base" not in given:
        if remove:
            raise checks.MechanismError(f"{source}: remove needs a base to take parts from.")
        return given
    name = read_value(ValueLocation(source, "base"), str, given.pop("base"))
    try:
        path = path_of(name, folder)
    except checks.MechanismError as error:
        raise located(f"{source}: base", error) from None
    if any(path.samefile(other) for other in above):
        chain = " -> ".join(str(p) for p in (*above, path))
        raise checks.MechanismError(f"{source}: base leads back to where it came from: {chain}.")
    below = _merged_with_base(read_text(path), str(path), path.parent, (*above, path))
    for gone in remove:
        rows = {
            f"{t}.{row.get('name')}": (below[t], row)
            for t in (*PARTS, *FREE)
            for row in below.get(t, [])
        }
        plain = {t: (below, t) for t in below if isinstance(below[t], dict)}  # tables such as [soil]
        keys = plain | {f"{t}.{key}": (below[t], key) for t in plain for key in below[t]}
        keys |= {f"{part}.{key}": (row, key) for part, (_, row) in rows.items() for key in row}
        if gone in rows:
            part_table, row = rows[gone]
            part_table.remove(row)
        elif gone in keys:
            row, key = keys[gone]
            del row[key]
        else:
            raise checks.UnknownName(f"{source}: remove", gone, rows | keys)
    for name, value in given.items():
        below[name] = merged(below[name], value) if name in below else value
    return below
