"""Unit, range, default and meaning of a field, from its type, its class and its errors out of range."""

import dataclasses
import inspect
import re
from typing import Annotated, get_args, get_origin

from vehicle_field_words import DEPENDS, SAME, TORQUES, UNITS

from bodies import kinds, units, vehicle
from bodies.files.hints import alternatives, kinds_of, type_name
from bodies.files.vocabulary import KINDS
from mlcp.kinds import Range

FAR = 1e30  # a number beyond every range


def unit_of(kind, field):
    """Unit at the end of a key such as ``mass_kg``, in the page's notation."""
    suffix = units.key(kind, field)[len(field) + 1 :]
    return "N m" if suffix == "N_m" and field in TORQUES else UNITS[suffix]


def meanings(cls, names):
    """Meanings of a class's arguments from its docstring, by name."""
    found = meanings(cls.__base__, names) if inspect.isclass(cls) and cls is not object else dict(SAME)
    text = inspect.getdoc(cls) or ""
    part = re.search(r"^Arguments:\s(.*?)(?=^\S|\Z)", text, re.M | re.S)
    words = " ".join(part[1].split()) if part else ""
    ended = {*names, *getattr(cls, "__dataclass_fields__", ())}  # names allowed after a full stop
    places = [
        m
        for m in re.finditer(r"(?:(?<=^)|(?<=[.;] )|(?<=\] )|(?<= ))(\w+(?:, \w+)*): ", words)
        if set(m[1].split(", ")) <= (ended if words[: m.start()].endswith(". ") else set(names))
    ]
    for k, place in enumerate(places):
        end = places[k + 1].start() if k + 1 < len(places) else len(words)
        for name in place[1].split(", "):
            found[name] = words[place.end() : end].strip().rstrip(";.")
    return found


def metadata(hint):
    """Checks in the ``Annotated`` parts of a type, also inside its alternatives."""
    if get_origin(hint) is Annotated:
        return list(hint.__metadata__)
    return [m for part in get_args(hint) for m in metadata(part)]


def limits(low, high):
    """A range in words."""
    least = "" if low == -float("inf") else f"at least {low:g}"
    most = "" if high == float("inf") else f"at most {high:g}"
    return ", ".join(filter(None, (least, most)))


def range_in_words(check):
    """Range of a field by the check in its type."""
    if isinstance(check, Range):
        words = limits(check.low, check.high)
        words = words.replace("at least", "above", 1) if check.open_low else words
        return (words if check.zero else f"{words}, not 0") or "any number"
    if isinstance(check, kinds.Numbers):
        number = "numbers" if check.size is None else f"{check.size} numbers"
        bounds = limits(check.low, check.high)
        return ", ".join(filter(None, (number, bounds, "not 0" if check.size is None else "")))
    if isinstance(check, kinds.Points):
        return f"{check.size} points, neighbours apart"
    if isinstance(check, kinds.Direction):
        return "3 numbers, not all 0"
    if isinstance(check, kinds.Curve):
        second = (
            "the second not falling"
            if check.rising
            else "below 0 only at the end"
            if check.governed
            else ""
        )
        return ", ".join(filter(None, ("pairs, the first rising", second)))
    if isinstance(check, kinds.Words):
        return " or ".join(f'"{w}"' for w in check.known) if check.known else "a text"
    name = type(check).__name__
    return {
        "Acute": "above 0, at most 1.5708",
        "Braking": "pairs, the first rising, of braking torques",
        "FuelGrid": "triples on a grid",
        "OverSpeedRatio": "pairs, the first from 0 to 1, the second at least 0",
        "ShiftLine": "pairs, the first in 0 to 1, the second at least 0",
    }[name]


def range_by_refusal(maker, item, field):
    """Range from the error messages for -1e30 and 1e30; for a function's argument for -1e30 only."""
    for value in (-FAR, FAR) if inspect.isclass(maker) else (-FAR,):
        try:
            if inspect.isclass(maker):
                dataclasses.replace(item, **{field: value})
            else:
                maker(**item | {field: value})
        except ValueError as error:
            words = re.search(r" must (be .*?|lie .*?|not be zero)(?:, got.*)?\.?$", str(error))
            if words and "1e+30" not in words[1]:
                return re.sub(
                    r"^be |^lie | (?:m|Pa|s|rad|m/s|N/m\S*|N s/m|N/m\^\(n\+[12]\))(?= and|$)",
                    "",
                    words[1],
                )
    return "any number"


def range_of(cls, item, field, hint):
    """Type and range of a field."""
    if (cls.__name__, field) in DEPENDS:
        return DEPENDS[cls.__name__, field]
    checks = metadata(hint)
    if checks:
        words = range_in_words(checks[0])
        return "list of texts" if words == "a text" and get_origin(hint) is tuple else words
    options = alternatives(hint)
    if vehicle.Piece in options:
        return "a body"
    if vehicle.AirSpring in options:
        return "an [air spring](#an-air-spring)"
    if float in options and str not in options:
        return range_by_refusal(cls, item, field)
    types = sorted(n for n in kinds_of(options) if n in KINDS)
    if types:
        texts = "a name, or " if str in options else ""
        return f"{texts}a table of type {', '.join(f'`{t}`' for t in types)}"
    return type_name(hint)


def default_of(parameter):
    """Default value as text of a file, or "needed", "optional"."""
    value = parameter.default
    if value is inspect.Parameter.empty:
        return "needed"
    if value is None or value == () or type(value).__name__ == "_HAS_DEFAULT_FACTORY_CLASS":
        return "optional"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(f'{v:.6g}' for v in value)}]"
    return f'"{value}"' if isinstance(value, str) else f"{value:.6g}"
