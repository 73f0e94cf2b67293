"""Mechanisms in TOML files: one table per object, units in the key names.

name = "door"
gravity_m_s2 = [0.0, 0.0, -9.80665]

[[body]]
name = "door"
mass_kg = 20.0
...
[[revolute]]
name = "hinge"
body_a = "ground"
...
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from contact import (
    BekkerSoil,
    Brixius,
    BrixiusLateral,
    Clay,
    ConeIndexSoil,
    Crolla,
    LuGre,
    MagicFormula,
    PressureSinkageSoil,
    ReeceSoil,
    Sand,
    Tyre,
    UnifiedSand,
    WheelContact,
    WongReece,
)  # fmt: skip
from contact import terrain as grounds
from contact.rigid import SHAPES, SURFACES, RigidContact

from . import checks
from .body import Body
from .forces import Gravity
from .mechanism import ELEMENTS, Mechanism
from .signals import Schedule
from .units import key
from .wheel import Wheel


def table_name(kind: str) -> str:
    """``RackAndPinion`` is written ``rack_and_pinion``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind).lower()


SOILS: dict[str, type] = {
    table_name(cls.__name__): cls for cls in (ConeIndexSoil, BekkerSoil, ReeceSoil, PressureSinkageSoil)
}
TABLES: dict[str, type] = {
    "body": Body,
    "wheel": Wheel,
    "rigid_contact": RigidContact,
    **{table_name(name): cls for name, cls in ELEMENTS.items()},
}
NESTED: dict[str, dict[str, Any]] = {
    "shape": {table_name(k): v for k, v in SHAPES.items()},
    "surface": {table_name(k): v for k, v in SURFACES.items()},
    # a wheel's ground is a surface or a terrain; that of a soil map is a soil
    "ground": {
        "plane": SURFACES["Plane"],
        "height_field": SURFACES["HeightField"],
        "slope": grounds.Plane,
        "step": grounds.Step,
        "sine": grounds.Sine,
        "smooth_height_field": grounds.HeightField,
        "rough_ground": grounds.rough_ground,
        "geotiff": grounds.HeightField.from_geotiff,
        **SOILS,
    },
    "soil_map": {"soil_map": grounds.SoilMap},
    "patches": {"patch": grounds.Patch},
    "memory": {"soil_memory": grounds.SoilMemory},
    # a wheel's soil holds a tyre, a soil of its own, a `base` and a law
    "soil": {"wheel_contact": WheelContact, **SOILS},
    "tyre": {"tyre": Tyre},
    "base": SOILS,
    "lugre": {"lu_gre": LuGre},
    "law": {
        "brixius": Brixius,
        "magic_formula": MagicFormula,
        "sand": Sand,
        "unified_sand": UnifiedSand,
        "clay": Clay,
        "wong_reece": WongReece,
    },
    "lateral": {"crolla": Crolla, "brixius_lateral": BrixiusLateral},
}
NAMES = {cls: name for kinds in NESTED.values() for name, cls in kinds.items() if isinstance(cls, type)}


# reading -------------------------------------------------------------------------------------
def read_mechanism(path: str | Path) -> Mechanism:
    """Read a mechanism from a TOML file.

    Arguments:
        path: of the file.

    Raises:
        MechanismError: an unknown table or key (with the nearest known), a missing key, a bad
            value, or text that is not TOML.
    """
    return mechanism_from_toml(Path(path).read_text(encoding="utf-8"), str(path))


def mechanism_from_toml(text: str, source: str = "mechanism") -> Mechanism:
    """The same from text; ``source`` is what messages call it."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise checks.MechanismError(f"{source}: not a TOML file: {error}.") from None
    top = {"name", "gravity_m_s2", "inputs", *TABLES}
    for name in data:
        if name not in top:
            raise checks.UnknownName(f"{source}: table", name, top)
    if not isinstance(data.get("name"), str):
        raise checks.MechanismError(f"{source}: the key 'name' (a text) is missing.")
    objects: dict[str, list[Any]] = {}
    order: list[Any] = []
    for name, cls in TABLES.items():
        rows = data.get(name, [])
        if not isinstance(rows, list):
            raise checks.MechanismError(
                f"{source}: write [[{name}]] with two brackets, one table per object."
            )
        objects[name] = [_object(source, name, cls, row) for row in rows]
        if name not in ("body", "wheel", "rigid_contact"):
            order += objects[name]
    more = {}
    if "gravity_m_s2" in data:
        more["gravity"] = Gravity(tuple(data["gravity_m_s2"]))
    return Mechanism(
        data["name"],
        tuple(objects["body"]),
        tuple(order),
        tuple(objects["rigid_contact"]),
        tuple(objects["wheel"]),
        inputs=data.get("inputs", {}),
        **more,
    )


def _object(source: str, table: str, cls: Callable[..., Any], row: dict[str, Any]) -> Any:
    """One described object from its table."""
    where = f"{source}: [[{table}]] {row.get('name', '')!r}"
    fields = {key(cls.__name__, f.name): f for f in inspect.signature(cls).parameters.values()}
    values = {}
    for name, value in row.items():
        if name not in fields:
            raise checks.UnknownName(f"{where}: key", name, fields)
        values[fields[name].name] = _value(where, fields[name].name, value)
    for name, f in fields.items():
        if f.default is f.empty and f.name not in values:
            raise checks.MechanismError(f"{where}: the key {name!r} is missing.")
    return cls(**values)


def _value(where: str, field: str, value: Any) -> Any:
    """Tables become shapes, surfaces or schedules; lists become tuples."""
    if field in NESTED and isinstance(value, dict):
        kinds = NESTED[field]
        rest = dict(value)
        kind = rest.pop("type", "")
        if kind not in kinds:
            raise checks.UnknownName(f"{where}: type of {field}", kind, kinds)
        return _object(where, field, kinds[kind], rest)
    if isinstance(value, dict):
        known = {"points", "hold"}
        for name in value:
            if name not in known:
                raise checks.UnknownName(f"{where}: key of the schedule {field}", name, known)
        if "points" not in value:
            raise checks.MechanismError(f"{where}: the schedule {field} has no key 'points'.")
        return Schedule(_value(where, "points", value["points"]), bool(value.get("hold", False)))
    if isinstance(value, list):
        return tuple(_value(where, field, v) for v in value)
    return value


# writing -------------------------------------------------------------------------------------
def write_mechanism(mechanism: Mechanism, path: str | Path) -> None:
    """Write a mechanism to a TOML file at ``path``; reading it gives an equal mechanism."""
    Path(path).write_text(mechanism_to_toml(mechanism), encoding="utf-8")


def mechanism_to_toml(mechanism: Mechanism) -> str:
    """The same as text. Elements are grouped by kind, as a file lists them."""
    lines = [
        f"name = {_text(mechanism.name)}",
        f"gravity_m_s2 = {_text(mechanism.gravity.acceleration)}",
    ]
    if mechanism.inputs:
        lines += ["", "[inputs]"]
        lines += [f"{_text(k)} = {_text(float(v))}" for k, v in mechanism.inputs.items()]
    groups = [*mechanism.bodies, *mechanism.elements, *mechanism.contacts, *mechanism.wheels]
    for name, cls in TABLES.items():
        for item in groups:
            if type(item) is cls:
                lines += ["", f"[[{name}]]"]
                lines += [f"{k} = {v}" for k, v in _fields(item)]
    return "\n".join(lines) + "\n"


def _fields(item: Any) -> list[tuple[str, str]]:
    """Keys and values of an object that differ from the defaults."""
    pairs = []
    for f in dataclasses.fields(item):
        if not f.init:
            continue
        value = getattr(item, f.name)
        default = f.default
        if f.default_factory is not dataclasses.MISSING:
            default = f.default_factory()
        if value is None or (default is not dataclasses.MISSING and value == default):
            continue
        pairs.append((key(type(item).__name__, f.name), _text(value)))
    return pairs


def _text(value: Any) -> str:
    """A value in TOML; floats with every digit."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ("inf" if value > 0 else "-inf")
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, tuple | list):
        return "[" + ", ".join(_text(v) for v in value) + "]"
    if not isinstance(value, Schedule) and type(value) not in NAMES:
        raise checks.MechanismError(f"a {type(value).__name__} cannot be written to a file.")
    kind = {} if isinstance(value, Schedule) else {"type": NAMES[type(value)]}
    pairs = [*((k, _text(v)) for k, v in kind.items()), *_fields(value)]
    return "{ " + ", ".join(f"{k} = {v}" for k, v in pairs) + " }"
