"""The page on all fields of a vehicle's file, from the code:  python docs/vehicle_fields.py

Keys come from the reader of files, types and ranges from the fields' types or from an object's errors
for values out of range, defaults from the classes, meanings from their docstrings. A key of several
tables is listed once; successive keys with one meaning share an item. A test compares the page with the
output of this program.
"""

import inspect
import re
import sys
from collections import Counter
from pathlib import Path
from typing import get_type_hints

import contact
from bodies import Schedule, units, vehicle
from bodies.files.hints import alternatives, kinds_of
from bodies.files.vocabulary import KINDS
from bodies.vehicle.rolling import HardGround
from bodies.wheel import Wheel

sys.path.insert(0, str(Path(__file__).parent))  # for the imports below, if a test runs this file

from vehicle_field_ranges import default_of, meanings, range_of, unit_of
from vehicle_field_words import (
    ABOVE,
    BEARING,
    BRIEF,
    HEAD,
    SHORTER,
    TOP,
)

PAGE = Path(__file__).resolve().parent / "vehicle_files.md"
ROOT = PAGE.parent.parent


def samples():
    """An object of every class that a file may describe, from the shipped files and the examples."""
    found = {}
    own = (ROOT / "examples" / f"{name}.toml" for name in ("leaf_springs", "utility_vehicle"))
    files = [*vehicle.shipped(), *own]
    cars = [vehicle.read(name) for name in files]
    piece = vehicle.Piece(mass=1.0, inertia=(1.0, 1.0, 1.0))
    tyre = contact.Tyre(2.0, 0.5, 0.4)
    more = [
        vehicle.TillageTool(
            name="x", point=(0.0, 0.0, 0.0), tool="moldboard plow", texture="fine", width=1.0, depth=0.1
        ),
        vehicle.CentreDifferential(name="x", front=piece, rear=piece),
        vehicle.SwivelWheel(
            name="x", pivot=(1, 0, 1), wheel_centre=(0, 0, 0), fork=piece, wheel_body=piece
        ),
        vehicle.LoadCar(name="x", hitch=(0.0, 0.0, 0.0), body=piece), piece, HardGround(), tyre,
        contact.ReeceSoil(1.0, 1.0, 1.0, 1.0, 0.1, 0.1), contact.LuGre(), contact.BrixiusLateral(),
        contact.ConeIndexSinkage(), contact.PneumaticTrail(),
        contact.terrain.SoilMemory((0.0, 1.0), (0.0, 1.0)),
        contact.terrain.ConeIndexField(((1.0, 2.0), (1.0, 2.0))),
        contact.terrain.SoilMap(contact.ConeIndexSoil(1.0)), contact.terrain.Patch(),
        contact.BekkerSoil.sandy_loam(), contact.Crolla(),
        vehicle.AntiRollBar(
            name="x", left="a", right="b", pivot=(0, 0, 0), arm_end=(1, 0, 0), link_end=(1, 0, 1),
            stiffness=1.0, half=piece,
        ),
    ]  # fmt: skip
    for car in cars:
        more += [*car.parts, car.wheel, car.wheel.soil]
    for item in more:
        found.setdefault(type(item), item)
    return found


#: Ranges that are left out if a default shows the kind of value.
SHOWN = ("any number", "text", "true or false")


def shorter(words):
    """A range in the page's notation."""
    for pattern, by in SHORTER:
        words = re.sub(pattern, by, words)
    return words


def plain(words, unit, limits):
    """A field's meaning without unit and range, which the page states before the meaning."""

    def left(found):
        parts = [p.replace("^2", "²").replace("^3", "³") for p in found[1].split(", ")]
        mine = unit in parts or set(parts) <= set(unit.split(", ")) or parts[0].startswith("N/m^")
        return "" if mine else found[0]

    words = re.sub(r"\s*\[([^\[\]]+)\]", left, words)
    for bound in re.findall(r"(?:at least|at most|above|below) -?[\d.]+", words):
        if bound in limits:
            words = words.replace(f", {bound}", "")
    if limits.startswith("pairs"):
        words = words.replace(", both not falling", "").removeprefix("pairs ")
    if "not 0" in limits:
        words = words.replace(", not 0", "").replace(", none of them 0", "")
    words = re.sub(r"; (default|left out): (none|no \w+)$", "", words)
    words = re.sub(r", in [\[(][-\d., ]+[\])]", "", words) if "at most" in limits else words
    words = re.sub(r":class:(`[^`]+`)", r"\1", words.replace("``", "`"))
    words = re.sub(r"\bNone: ", "left out: ", words)
    for said_above in ABOVE:
        words = words.replace(said_above, "")
    return words.strip(" ;,") or "as named"


def keys_of(maker, item=None, without=()):
    """The rows of an object's keys: key, range, default, meaning."""
    left_out = (*without, "map_place")  # no key of a file: it is read from a GeoTIFF
    parameters = {n: p for n, p in inspect.signature(maker).parameters.items() if n not in left_out}
    hints = get_type_hints(maker, include_extras=True)
    words = meanings(maker, parameters)
    item = made(maker) if item is None else item
    found = []
    for name, parameter in parameters.items():
        unit, limits = unit_of(maker.__name__, name), range_of(maker, item, name, hints[name])
        cells = (
            units.key(maker.__name__, name),
            shorter(limits),
            default_of(parameter),
            BRIEF.get((maker.__name__, name)) or plain(words.get(name, ""), unit, limits),
        )
        found.append(cells)
    return found


def listed(found):
    """Markdown list of keys; successive keys that differ only in name and default share an item."""
    groups: list = []
    for key, limits, default, meaning in found:
        bare = default in ("needed", "optional")
        cell = f"`{key}`" if bare else f"`{key} = {default}`"
        limits = "" if limits in SHOWN and not bare else limits
        item = (", *optional*" * (default == "optional"), f", {limits}" if limits else "", meaning)
        if groups and groups[-1][1] == item:
            groups[-1][0].append(cell)
        else:
            groups.append(([cell], item))
    return "\n".join(f"- {', '.join(keys)}{a}{b}: {c}" for keys, (a, b, c) in groups) + "\n"


def rows(maker, item=None, without=()):
    """Markdown list of the keys of a class."""
    return listed(keys_of(maker, item, without))


def shared(tables, least=2):
    """Rows that at least ``least`` tables have, with one merged row for each key."""
    counted = Counter(row for found in tables for row in found)
    common: dict = {}
    for (*cells, meaning), number in counted.items():
        if number >= least:
            common.setdefault(tuple(cells), []).append(meaning)
    return {
        (*cells, meaning): (
            *cells,
            "; ".join(said).replace("; name of the axle; wheels", "; wheels of an axle"),
        )
        for cells, said in common.items()
        for meaning in said
    }


def besides(found, common, where):
    """Markdown list of a table's own keys, after its shared keys with the link ``where``."""
    also = [f"`{row[0]}`" for row in found if row in common and row[0] != "name"]
    own = [row for row in found if row not in common]
    named = f"[Also]({where}) {', '.join(also)}.\n" if also else ""
    return "\n".join(filter(None, (named, listed(own) if own else "")))


def made(maker):
    """Sample object of a class that occurs in no shipped file, or sample arguments of a function."""
    needed = {
        n: {"iso_class": "C", "length": 20.0}.get(n, 1.0)
        for n, p in inspect.signature(maker).parameters.items()
        if p.default is inspect.Parameter.empty
    }
    if not inspect.isclass(maker):
        return needed
    try:
        return maker(**needed)
    except ValueError:  # a height field or a schedule: no example value exists
        return None


def first_sentence(maker):
    """First sentence of a class's or function's docstring."""
    text = " ".join((inspect.getdoc(maker) or "").split("\n\n")[0].split())
    return re.sub(r":class:`([^`]+)`", r"`\1`", text.replace("``", "`"))


def choices(title, names, found, without=(), least=2):
    """Section of the page on the types of a table; it begins with the keys of several types."""
    makers = {name: KINDS[name] for name in names}
    tables = {name: keys_of(maker, found.get(maker), without) for name, maker in makers.items()}
    common = shared(tables.values(), least)
    parts = [f"## {title}\n"]
    if common:
        parts += [f"### Keys of several types of {title}\n", listed(unique(common))]
    where = "#" + slug(f"Keys of several types of {title}")
    for name, maker in makers.items():
        parts += [f'### `type = "{name}"`\n', first_sentence(maker) + "\n"]
        if tables[name]:
            parts.append(besides(tables[name], common, where))
    return parts


def unique(common):
    """The shared rows, each once."""
    return list(dict.fromkeys(common.values()))


def slug(title):
    """The anchor of a heading, as MyST makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")


def page():
    """The page's text."""
    found = samples()
    parts = [HEAD, "## At the top\n", TOP]
    parts += [
        "## `[tyre]`\n",
        first_sentence(contact.Tyre) + "\n",
        rows(contact.Tyre, found[contact.Tyre]),
    ]
    hints = get_type_hints(contact.WheelContact)
    for title, field in (("soil", "soil"), ("lateral", "lateral")):
        parts += choices(f"`[{title}]`", sorted(kinds_of(alternatives(hints[field]))), found)
    parts += ["## `[contact]`\n", first_sentence(contact.WheelContact) + "\n"]
    parts.append(rows(contact.WheelContact, found[contact.WheelContact], ("tyre", "soil", "lateral")))
    parts.append(BEARING)
    laws = sorted(kinds_of(alternatives(hints["law"])))
    parts += choices("`law` of `[contact]`", laws, found)
    parts += choices("`lugre` of `[contact]`", ["lu_gre"], found)
    parts += choices("`sinkage` of `[contact]`", ["cone_index_sinkage"], found)
    parts += choices("`trail` of `[contact]`", ["pneumatic_trail"], found)
    parts += ["## `[hard]`\n", first_sentence(HardGround) + "\n", rows(HardGround, found[HardGround])]
    ground = sorted(kinds_of(alternatives(get_type_hints(Wheel)["ground"])))
    parts += choices("`[ground]`", ground, found)
    parts += choices(
        "`soil_map` and `memory` of `[ground]`", ["soil_map", "patch", "soil_memory"], found
    )
    strength = ["cone_index_field", "cone_index_geotiff"]
    parts += choices("`strength` of a `soil_map`", strength, found)
    parts += ["## A schedule\n", "As a control, `throttle = { points = [...] }`.\n", rows(Schedule)]
    parts += ["## A body of a part\n", "`body = { mass_kg = 10.0, ... }`\n"]
    parts.append(rows(vehicle.Piece, found[vehicle.Piece]))
    spring = vehicle.AirSpring(load=1.0, volume=1.0)
    parts += ["## An air spring\n", "`air_spring = { load_N = 25000.0, ... }`\n"]
    parts.append(rows(vehicle.AirSpring, spring))
    tables = {name: keys_of(cls, found[cls]) for name, cls in shipped_parts().items()}
    common = shared(tables.values())
    parts += ["## Keys of several parts\n", "Every part below has a `name`.\n", listed(unique(common))]
    for name, cls in shipped_parts().items():
        parts += [f"## `[[{name}]]`\n", first_sentence(cls) + "\n"]
        parts.append(besides(tables[name], common, "#keys-of-several-parts"))
    return "\n".join(parts) + "\n<!-- end -->\n"


def shipped_parts():
    """The tables of parts that come with the package, without what a user registered."""
    return {n: c for n, c in vehicle.PARTS.items() if c.__module__.startswith("bodies.vehicle.")}


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"written: {PAGE}", file=sys.stderr)
