"""Tables of a vehicle's file for its wheels: for all wheels, for an axle, for one wheel.

[tyre], [soil], [lateral], [hard] and [contact] are for all wheels; [wheels.front] and
[wheels.front_left] have the same keys, with the values that differ for this axle or wheel.
"""

from __future__ import annotations

from typing import Any

from contact import WheelContact
from contact.catalogue import named_soil

from ... import checks
from ...files.hints import fields_of
from ...files.values import ValueLocation, read_object, read_value
from ..rolling import HardGround, Rolling, axle_of
from .merging import merged

LOSS = "bearing_loss_N_m_s_rad"
#: Tables for all wheels, with the default type of their object.
CONTACT = {"tyre": "tyre", "soil": "cone_index_soil", "lateral": "crolla"}


def table(source: str, name: str, value: Any) -> dict[str, Any]:
    """The table ``value``; MechanismError if it is no table, or a list of tables (two brackets)."""
    if not isinstance(value, dict):
        raise checks.MechanismError(f"{source}: write [{name}] with one bracket, it is one table.")
    return value


def common_of(source: str, given: dict[str, Any]) -> dict[str, Any]:
    """Settings for all wheels in a file: the tables of ``CONTACT``, ``hard``, and the keys of
    [contact]."""
    found = {name: table(source, name, given[name]) for name in (*CONTACT, "hard") if name in given}
    contact = table(source, "contact", given.get("contact", {}))
    for name in set(contact) & set(found):
        raise checks.MechanismError(f"{source}: [contact] has a {name} and so has [{name}]; keep one.")
    return found | contact


def rolling_of(source: str, wheels: str, rows: dict[str, Any]) -> Rolling:
    """Tyre and ground of all wheels, of an axle or of a wheel.

    Arguments:
        source: name of the file in messages.
        wheels: "" for all wheels, or the name of the axle or wheel.
        rows: the settings of these wheels.
    """
    hints, made, rest = fields_of(WheelContact), {}, dict(rows)
    where = f"{source}: [wheels.{wheels}]" if wheels else f"{source}: [contact]"
    hard = rest.pop("hard", None)
    loss = 0.0
    if LOSS in rest:
        place = ValueLocation(where, LOSS, "N_m_s_rad")
        loss = read_value(place, float, rest.pop(LOSS))
        if loss < 0.0:
            raise place.refuse("at least 0", loss)
    for name, kind in CONTACT.items():
        if name in rest:
            place = ValueLocation(where, name) if wheels else ValueLocation(source, f"[{name}]")
            row = table(where, name, rest.pop(name))
            if name == "soil" and "name" in row and "type" not in row:
                soil = read_object(f"{place.where}: {place.key}", named_soil, row)
                made["soil"] = soil.cone
                if "base" not in rest:
                    made["base"] = soil.bekker
            else:
                made[name] = read_value(place, hints[name], {"type": kind} | row)
    contact = read_object(where, WheelContact, rest, made)
    if hard is None or hard is False:
        return Rolling(contact, None, loss)
    row = {} if hard is True else table(where, "hard", hard)
    ground = read_object(f"{where}, hard" if wheels else f"{source}: [hard]", HardGround, row)
    return Rolling(contact, ground, loss)


def each_wheel(source: str, common: dict[str, Any], given: Any) -> dict[str, Rolling]:
    """Tyre and ground by axle or wheel: keys of a wheel's table [wheels.NAME] override those of its
    axle's table, and these override the common ones."""
    rows = table(source, "wheels", given)
    found = {}
    for name in rows:
        settings = common
        for owner in dict.fromkeys((axle_of(name), name)):
            if owner in rows:
                settings = merged(settings, table(source, f"wheels.{owner}", rows[owner]))
        found[name] = rolling_of(source, name, settings)
    return found
