"""Reader of mechanisms in TOML files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .. import checks
from ..checks import checked
from ..forces import Gravity
from ..mechanism import ELEMENTS, Mechanism
from .document import read_text, tables, unique
from .values import ValueLocation, located, read_object, read_value
from .vocabulary import TABLES


@checked
def read_mechanism(path: str | Path) -> Mechanism:
    """Read a mechanism from a TOML file.

    Arguments:
        path: file to read.

    Raises:
        MechanismError: an unknown table or key (with the nearest known), a missing key, a value that is
            not allowed, or text that is not TOML.
    """
    return mechanism_from_toml(read_text(path), str(path))


@checked
def mechanism_from_toml(text: str, source: str = "mechanism") -> Mechanism:
    """Read a mechanism from TOML text; ``source``: name of the text in messages."""
    top = {"name", "gravity_m_s2", "inputs", "order", *TABLES}
    data = tables(text, source, top, set(TABLES))
    if "name" not in data:
        raise checks.MechanismError(f"{source}: the key 'name' (a text) is missing.")
    name = read_value(ValueLocation(source, "name"), str, data["name"])
    objects = {
        table: [read_object(titled(source, table, row), cls, row) for row in data.get(table, [])]
        for table, cls in TABLES.items()
    }
    unsorted = [x for table, cls in TABLES.items() if cls in ELEMENTS.values() for x in objects[table]]
    elements = ordered(source, unsorted, data.get("order", []))
    inputs = named_numbers(source, "inputs", data.get("inputs", {}))
    more = {}
    if "gravity_m_s2" in data:
        more["gravity"] = gravity_of(source, data["gravity_m_s2"])
    try:
        return Mechanism(
            name,
            tuple(objects["body"]),
            tuple(elements),
            tuple(objects["rigid_contact"]),
            tuple(objects["wheel"]),
            inputs=inputs,
            **more,
        )
    except checks.MechanismError as error:
        raise located(source, error) from None


def gravity_of(source: str, value: Any) -> Gravity:
    """Gravity from the key ``gravity_m_s2`` of a mechanism's or vehicle's file."""
    place = ValueLocation(source, "gravity_m_s2", "m_s2")
    acceleration = checks.vector(source, place.key, read_value(place, tuple[float, ...], value))
    try:
        return Gravity(acceleration)
    except checks.MechanismError as error:
        raise located(source, error) from None


def titled(source: str, table: str, row: dict[str, Any]) -> str:
    """File, table and name of an object, for messages."""
    return f"{source}: [[{table}]] {checks.shown(row.get('name', ''))}"


def named_numbers(source: str, table: str, value: Any) -> dict[str, float]:
    """Numbers by name from a table whose keys are not prescribed, such as the inputs."""
    if not isinstance(value, dict):
        raise checks.MechanismError(f"{source}: write [{table}] with one bracket, a number per name.")
    return {k: read_value(ValueLocation(f"{source}: [{table}]", k), float, v) for k, v in value.items()}


def ordered(source: str, elements: list[Any], order: Any) -> list[Any]:
    """Elements in the order of the names in ``order``; elements that it does not name come last."""
    names = read_value(ValueLocation(source, "order"), tuple[str, ...], order)
    unique(f"{source}: order", list(names))
    rank = {name: k for k, name in enumerate(names)}
    known = {element.name for element in elements}
    for name in names:
        checks.need_known(f"{source}: order", name, known)
    return sorted(elements, key=lambda element: rank.get(element.name, len(rank)))
