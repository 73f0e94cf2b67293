"""The page of every field of a vehicle's file, from the code:  python docs/vehicle_fields.py

Keys and units as the reader has them, types and ranges from the fields' types or from what an object
says of a value beyond its range, defaults from the classes, meanings from their docstrings. A test holds
the page equal to what this writes.
"""

import dataclasses
import inspect
import re
import sys
from pathlib import Path
from typing import Annotated, get_args, get_origin, get_type_hints

import contact
from bodies import Schedule, kinds, units, vehicle
from bodies.files.values import alternatives, kinds_of, said
from bodies.files.vocabulary import KINDS
from bodies.vehicle.rolling import HardGround
from bodies.wheel import Wheel

PAGE = Path(__file__).resolve().parent / "vehicle_files.md"
ROOT = PAGE.parent.parent
FAR = 1e30
UNITS = {
    "": "-", "m": "m", "m_s": "m/s", "m_s2": "m/s²", "m2": "m²", "rad": "rad", "rad_s": "rad/s",
    "s": "s",
    "kg": "kg", "kg_m2": "kg m²", "kg_m3": "kg/m³", "N": "N", "N_m": "N/m", "N_s_m": "N s/m", "Pa": "Pa",
    "N_m3": "N/m³", "m_N": "m, N", "m_s_N": "m/s, N", "N_m_rad": "N m/rad", "N_m_s_rad": "N m s/rad",
    "rpm_N_m": "rpm, N m", "rpm_N_m_g_s": "rpm, N m, g/s", "m_rad": "m/rad", "Pa_m": "Pa/m",
    "N_m_n_1": "N/m^(n+1)", "N_m_n_2": "N/m^(n+2)", "si": "SI",
    "rpm": "rpm", "N_m_s2_rad2": "N m s²/rad²",
}  # fmt: skip
TORQUES = (
    "capacity",
    "brake_capacity",
    "clutch_capacity",
    "lock_capacity",
    "lockup_capacity",
    "preload",
    "max_effort",
)
#: Ranges that depend on other fields, which asking one object would get wrong.
DEPENDS = {
    ("Tyre", "section_height"): "above 0, at most half the diameter",
    ("Tyre", "deflection"): "at least 0, at most the section height",
    ("Pacejka", "p_cx1"): "above 0, below 2",
    ("PacejkaLateral", "p_cy1"): "above 0, below 2",
    ("RigidAxle", "links"): "pairs of points, each pair apart",
}
#: What fields of these names are where nothing else is said of them.
SAME = {
    "name": "of the part, by which a file on top of this one finds it", "gamma": "crossover angle",
    "soil_map": "soils by place", "memory": "whether wheels leave ruts that stay",
    "z_0": "height of the origin", "grade_x": "rise over run along x",
    "grade_y": "rise over run along y",
    "amplitude": "of the wave", "wavelength": "of the wave", "heading": "of the wave from the x-axis",
    "phase": "of the wave at the origin", "x_0": "where the step begins", "rise": "of the step",
    "path": "of the file", "band": "of the raster, from 1", "point": "on the plane",
    "normal": "of the plane, upward", "length": "along x",
}  # fmt: skip
HEAD = """# Every field of a vehicle's file

What may stand in a vehicle's TOML file, made from the code by `python docs/vehicle_fields.py`. A key
ends with its unit. Points are `[x, y, z]`: x forward, y left, z up, from the vehicle's origin; those
of an axle or side are the left one's, mirrored for the right. *needed*: there is no default. How a file
grows from nothing is in [describe your own vehicle](describe_your_own_vehicle.md), how files build on
one another in [vehicles](vehicles.md).

<!-- measured: fields, by `python docs/vehicle_fields.py` -->
No number may be larger than its unit makes sense of, whatever its range below:
"""


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


def unit_of(kind, field):
    """The unit that a key ends with, as a page writes it."""
    suffix = units.key(kind, field)[len(field) + 1 :]
    return "N m" if suffix == "N_m" and field in TORQUES else UNITS[suffix]


def meanings(cls, names):
    """What a class says of its arguments, by name."""
    found = meanings(cls.__base__, names) if inspect.isclass(cls) and cls is not object else dict(SAME)
    text = inspect.getdoc(cls) or ""
    part = re.search(r"^Arguments:\s(.*?)(?=^\S|\Z)", text, re.M | re.S)
    words = " ".join(part[1].split()) if part else ""
    ended = {*names, *getattr(cls, "__dataclass_fields__", ())}  # what may begin after a full stop
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
    """The checks in the annotations of a type, also inside its alternatives."""
    if get_origin(hint) is Annotated:
        return list(hint.__metadata__)
    return [m for part in get_args(hint) for m in metadata(part)]


def limits(low, high):
    """A range in words."""
    least = "" if low == -float("inf") else f"at least {low:g}"
    most = "" if high == float("inf") else f"at most {high:g}"
    return ", ".join(filter(None, (least, most)))


def told(check):
    """What the check of a field's type asks for."""
    if isinstance(check, kinds.Between):
        words = limits(check.low, check.high)
        words = words.replace("at least", "above", 1) if check.open_low else words
        return words if check.zero else f"{words}, not 0"
    if isinstance(check, kinds.Numbers):
        number = "numbers" if check.size is None else f"{check.size} numbers"
        bounds = limits(check.low, check.high)
        return ", ".join(filter(None, (number, bounds, "not 0" if check.size is None else "")))
    if isinstance(check, kinds.Points):
        return f"{check.size} points, neighbours apart"
    if isinstance(check, kinds.Direction):
        return "3 numbers, not all 0"
    if isinstance(check, kinds.Curve):
        second = "the second not falling" if check.rising else "one governor" if check.governed else ""
        return ", ".join(filter(None, ("pairs, the first rising", second)))
    if isinstance(check, kinds.Words):
        return " or ".join(f"`{w}`" for w in check.known) if check.known else "a text"
    name = type(check).__name__
    return {
        "Braking": "pairs, the first rising, none that drives",
        "FuelGrid": "triples on a grid",
        "OverSpeedRatio": "pairs, the first from 0 to 1, the second at least 0",
        "ShiftLine": "pairs, the first in 0 to 1, the second at least 0",
    }[name]


def asked(maker, item, field):
    """What an object says to values beyond its range; a function is asked for what is too little."""
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
        return told(checks[0])
    options = alternatives(hint)
    if vehicle.Piece in options:
        return "a body"
    if float in options and str not in options:
        return asked(cls, item, field)
    types = sorted(n for n in kinds_of(options) if n in KINDS)
    if types:
        texts = "a name, or " if str in options else ""
        return f"{texts}a table of type {', '.join(f'`{t}`' for t in types)}"
    return said(hint)


def default_of(parameter):
    """A default as a file has it."""
    value = parameter.default
    if value is inspect.Parameter.empty:
        return "*needed*"
    if value is None or value == () or type(value).__name__ == "_HAS_DEFAULT_FACTORY_CLASS":
        return "-"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    value = (
        list(value) if isinstance(value, tuple) else f'"{value}"' if isinstance(value, str) else value
    )
    return f"`{value}`"


def rows(maker, item=None, without=()):
    """The table of an object's keys."""
    parameters = {n: p for n, p in inspect.signature(maker).parameters.items() if n not in without}
    hints = get_type_hints(maker, include_extras=True)
    words = meanings(maker, parameters)
    item = made(maker) if item is None else item
    lines = ["| key | unit | type and range | default | what it is |", "|---|---|---|---|---|"]
    for name, parameter in parameters.items():
        cells = (
            f"`{units.key(maker.__name__, name)}`", unit_of(maker.__name__, name),
            range_of(maker, item, name, hints[name]), default_of(parameter), words.get(name, ""),
        )  # fmt: skip
        lines.append("| " + " | ".join(c.replace("|", r"\|").replace("``", "`") for c in cells) + " |")
    return "\n".join(lines) + "\n"


def made(maker):
    """An object of a class that no file here has, or the arguments of a function."""
    needed = {
        n: {"iso_class": "C", "length": 20.0}.get(n, 1.0)
        for n, p in inspect.signature(maker).parameters.items()
        if p.default is inspect.Parameter.empty
    }
    if not inspect.isclass(maker):
        return needed
    try:
        return maker(**needed)
    except ValueError:  # of a height field, or a schedule, no number is asked for
        return None


def first(maker):
    """What a class or function says in its first sentence."""
    text = " ".join((inspect.getdoc(maker) or "").split("\n\n")[0].split())
    return re.sub(r":class:`([^`]+)`", r"`\1`", text.replace("``", "`"))


def choices(title, names, found, without=()):
    """A section of the types that a table may have."""
    parts = [f"## `[{title}]`\n"]
    for name in names:
        maker = KINDS[name]
        parts += [f'### `type = "{name}"`\n', first(maker) + "\n"]
        if any(n not in without for n in inspect.signature(maker).parameters):
            parts.append(rows(maker, found.get(maker), without))
    return parts


def page():
    """The page's text."""
    found = samples()
    sizes = [f"{UNITS[u]} {most:g}" for u, most in units.LARGEST.items()]
    parts = [HEAD + "; ".join(sizes) + f"; others {units.LARGEST_OF_ALL:g}.\n", "## At the top\n"]
    parts.append(TOP)
    parts += ["## `[tyre]`\n", first(contact.Tyre) + "\n", rows(contact.Tyre, found[contact.Tyre])]
    hints = get_type_hints(contact.WheelContact)
    for title, field in (("soil", "soil"), ("lateral", "lateral")):
        parts += choices(title, sorted(kinds_of(alternatives(hints[field]))), found)
    parts += ["## `[contact]`\n", first(contact.WheelContact) + "\n"]
    parts.append(rows(contact.WheelContact, found[contact.WheelContact], ("tyre", "soil", "lateral")))
    parts.append(BEARING)
    laws = sorted(kinds_of(alternatives(hints["law"])))
    parts += choices("contact], law = { ...", [*laws, "lu_gre"], found)
    parts += choices("contact], sinkage = { ...", ["cone_index_sinkage"], found)
    parts += choices("contact], trail = { ...", ["pneumatic_trail"], found)
    parts += ["## `[hard]`\n", first(HardGround) + "\n", rows(HardGround, found[HardGround])]
    ground = sorted(kinds_of(alternatives(get_type_hints(Wheel)["ground"])))
    parts += choices("ground", ground, found)
    parts += choices("ground], soil_map = { ...", ["soil_map", "patch", "soil_memory"], found)
    strength = ["cone_index_field", "cone_index_geotiff", "map_place"]
    parts += choices("ground], soil_map = { strength = { ...", strength, found)
    parts += ["## A schedule\n", "As a control, `throttle = { points = [...] }`.\n", rows(Schedule)]
    parts += ["## A body of a part\n", "`body = { mass_kg = 10.0, ... }`\n"]
    parts.append(rows(vehicle.Piece, found[vehicle.Piece]))
    for name, cls in shipped_parts().items():
        parts += [f"## `[[{name}]]`\n", first(cls) + "\n", rows(cls, found[cls])]
    return "\n".join(parts) + "\n<!-- end -->\n"


def shipped_parts():
    """The tables of parts that come with the package, without what a user registered."""
    return {n: c for n, c in vehicle.PARTS.items() if c.__module__.startswith("bodies.vehicle.")}


TOP = """| key | unit | type and range | default | what it is |
|---|---|---|---|---|
| `name` | - | a text | *needed* | of the vehicle |
| `about` | - | a text | - | what the file says of itself |
| `base` | - | a vehicle's name, or a file beside this one | - | what this file says is on top of it |
| `remove` | - | names `table.part` | - | parts of the base that this vehicle has not got |
| `origin_m` | m | 3 numbers | `[0.0, 0.0, 0.0]` | of the vehicle's axes in the world |
| `heading_rad` | rad | at least -1000, at most 1000 | `0.0` | of its x-axis from the world's |
| `gravity_m_s2` | m/s² | 3 numbers | `[0.0, 0.0, -9.80665]` | world axes |
| `[controls]` | | names, a number or a schedule each | - | a number is an input that starts there |
| `[wheels.NAME]` | | tables below, keys of `[contact]` | - | what differs on an axle, or wheel |

A soil goes by its name too, `[soil]` with `name = "sandy loam"`, of `contact.SOILS`; without a `type` a
soil is a `cone_index_soil`, a lateral law `crolla`.
"""


BEARING = """`bearing_loss_N_m_s_rad`, at least 0, here or under `[wheels.NAME]`: viscous moment
of the hub's bearing over the spin; by default 0, there is none.
"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"written: {PAGE}", file=sys.stderr)
