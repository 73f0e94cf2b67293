"""The page of every field of a vehicle's file, from the code:  python docs/vehicle_fields.py

Keys come from the reader, types and ranges from the fields' types or from an object's refusal of a value
beyond its range, defaults from the classes, meanings from their docstrings. Keys of several tables, and
neighbours of one meaning, stand once. A test compares the page with the output of this program.
"""

import dataclasses
import inspect
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated, get_args, get_origin, get_type_hints

import contact
from bodies import Schedule, kinds, units, vehicle
from bodies.files.hints import alternatives, kinds_of, said
from bodies.files.vocabulary import KINDS
from bodies.vehicle.rolling import HardGround
from bodies.wheel import Wheel
from mlcp.kinds import Range

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
    ("Tyre", "pressure"): "at least 1000",
    ("Tyre", "section_height"): "above 0, at most half the diameter",
    ("Tyre", "deflection"): "at least 0, at most the section height",
    ("Pacejka", "p_cx1"): "above 0, below 2",
    ("PacejkaLateral", "p_cy1"): "above 0, below 2",
    ("RigidAxle", "links"): "pairs of points, each pair apart",
}
#: What fields of these names are where nothing else is said of them.
SAME = {
    "name": "of the part; a file that extends this one refers to it", "gamma": "crossover angle",
    "soil_map": "soils by place", "memory": "ruts of repeated passes",
    "z_0": "height of the origin", "grade_x": "rise over run along x",
    "grade_y": "rise over run along y",
    "amplitude": "of the wave", "wavelength": "of the wave", "heading": "of the wave from the x-axis",
    "phase": "of the wave at the origin", "x_0": "beginning of the step", "rise": "of the step",
    "path": "of the file", "band": "of the raster, from 1", "point": "on the plane",
    "normal": "of the plane, upward", "length": "along x",
}  # fmt: skip
#: Meanings that another page has at length, or whose docstrings speak of Python.
BRIEF = {
    ("WongReece", "exit_share"): "instead of the angle: 1 - cos theta_2 = share (1 - cos theta_1)",
    (
        "ConeIndexField",
        "cone_index",
    ): "rows by columns, row k at y = origin[1] + k spacing[1]; NaN: no data, the ground's",
    ("Schedule", "hold"): ("steps (gears) instead of linear interpolation; end values hold"),
    **{
        (
            "PitmanSteering",
            name,
        ): "bodies; the centre of the idler arm is that of the Pitman arm, mirrored"
        for name in ("column", "pitman_arm", "idler_arm", "centre_link")
    },
    ("RockerBogie", "steering"): (
        "controls of the knuckles [rad, left positive]: front left, front right, rear left, "
        "rear right; empty: no wheel steers"
    ),
    ("SwivelWheel", "control"): (
        "of the fork's angle [rad, left positive], by a position motor; "
        "empty: a free caster, which `equilibrium` keeps"
    ),
    ("HubDrives", "full_load"): (
        "(speed, torque) of a wheel at the command 1; the rotors' inertia is part of the wheels'"
    ),
    (
        "FinalDrive",
        "differential",
    ): '"open", "locked", "torque-sensing", or the control of a lock, 0 to 1',
    (
        "CentreDifferential",
        "differential",
    ): '"open", "locked", "torque-sensing", or the control of a lock, 0 to 1',
    ("FinalDrive", "output"): (
        "one output shaft, centre of the left one; left out: the wheels of the axle of this name"
    ),
    (
        "HalfShafts",
        "inner",
    ): "joints of the left side, the outer one on the steering axis",
    ("HalfShafts", "outer"): "joints of the left side, the outer one on the steering axis",
    ("LoadCar", "load"): (
        '"pull": the control "pull" is its force [N]; "speed": the control "load_speed" is '
        "its speed [m/s]"
    ),
    ("WheelContact", "base"): (
        "pressure-sinkage of the normal row, and of stress laws on a cone index; left out: the soil's "
        "own, else sandy loam"
    ),
    ("WheelContact", "law"): ("ground law, a name in `contact.LAWS` or a table"),
    ("WheelContact", "regularisation"): ("a name in `contact.REGULARISATIONS`"),
    ("WheelContact", "damping_time"): ("normal damping over stiffness, eta_n of eq 22"),
    ("WheelContact", "ellipse"): ("thrust and lateral force share one friction ellipse, also at rest"),
    ("WheelContact", "combined"): (
        '"sliding" or "demand", [how they share it](laws/lateral.md); left out: "sliding", beside'
        ' a relaxation length "demand"'
    ),
    ("WheelContact", "sinkage"): (
        '"bekker", "maclaurin" or "none"; left out: [by the soil](laws/sinkage.md)'
    ),
    ("WheelContact", "rolling_share"): (
        "decrease of the effective rolling radius over the tyre's deflection; 1: the loaded radius"
    ),
    ("WheelContact", "trail"): ("aligning moment of the lateral force; left out: none"),
    ("WheelContact", "slip_sinkage"): (
        'shear stress in the normal row (eq 9): a spinning wheel digs in; law "wong-reece" only'
    ),
    ("WheelContact", "relaxation_length"): (
        'of the lateral force; 0: none. For "implicit" and "demand" only'
    ),
    ("Clay", "variant"): ('"calibrated", "original" or "run-time", [compared here](laws/clay.md)'),
    ("Tyre", "deflection_ratio"): ("a fixed delta/H for the laws, instead of the model's"),
    ("Tyre", "deflection"): ("a fixed delta, the same in metres"),
    ("Tyre", "section_height"): ("section height H"),
    ("Piece", "inertia"): (
        "about the centre of mass, axes of the vehicle; of rods and shafts in their own axes, the"
        " third along the rod"
    ),
    ("AutomaticTransmission", "converter_capacity"): (
        "(speed ratio, torque of the pump over its speed squared), the last 0: 1/K^2 of the "
        "capacity factor K"
    ),
    ("AutomaticTransmission", "upshift"): (
        "(throttle, speed of the input); it shifts up above this line"
    ),
    ("AutomaticTransmission", "downshift"): (
        "(throttle, speed of the input); it shifts down if the lower gear stays below this line"
    ),
    ("TillageTool", "tool"): ("its row in the table of D497"),
    ("SoilMemory", "x"): ("area with ruts, from and to"),
    ("ConeIndexSinkage", "coefficient"): ("of `z = coefficient D / N_CI^exponent`"),
    ("ConeIndexSinkage", "exponent"): ("of `z = coefficient D / N_CI^exponent`"),
}
HEAD = """# Every field of a vehicle's file

The reference for authors of vehicle files. [Describe your own vehicle](describe_your_own_vehicle.md)
builds a file step by step; [vehicles](vehicles.md) explains how one file extends another.
`python docs/vehicle_fields.py` writes this page from the code.

<!-- measured: fields, by `python docs/vehicle_fields.py` -->

- `key = value` is a key with its default; *optional*: without a default; all other keys are needed.
  The range of the value follows, then the meaning.
- A key ends with its unit in SI: `_m_s2` is m/s², `_N_s_m` N s/m, `_N_m_rad` N m/rad, `_m_rad` m/rad.
  `_N_m` is N m for torques (capacity, preload, torque over rpm), else N/m.
- *point*: `[x, y, z]`, x forward, y left, z up from the vehicle's origin, each within 100 m. Points of
  an axle or a side are those of the left side, mirrored for the right.
- *pairs*: `[[x, y], ...]` with rising x. *body*: [a table](#a-body-of-a-part), its centre in the axes
  of the vehicle. `(a, b]` excludes a.

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
        contact.terrain.MapPlace("", 0.0, 0.0),
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
    if isinstance(check, Range):
        words = limits(check.low, check.high)
        return (words.replace("at least", "above", 1) if check.open_low else words) or "any number"
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
        return " or ".join(f'"{w}"' for w in check.known) if check.known else "a text"
    name = type(check).__name__
    return {
        "Acute": "above 0, at most 1.5708",
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
        return "needed"
    if value is None or value == () or type(value).__name__ == "_HAS_DEFAULT_FACTORY_CLASS":
        return "optional"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(f'{v:.6g}' for v in value)}]"
    return f'"{value}"' if isinstance(value, str) else f"{value:.6g}"


#: Ranges as the page has them, in order.
SHORTER = (
    (r"^3 numbers, at least -100, at most 100$", "point"), (r", neighbours apart$", ""),
    (r"^pairs of points, each pair apart$", "pairs of points"),
    (r"pairs, the first rising, the second not falling", "pairs, y not falling"),
    (r"pairs, the first rising", "pairs"), (r"the first (?:from|in) 0 to 1", "x in [0, 1]"),
    (r"the second at least", "y at least"),
    (r"at least (-?[\d.e+]+),? (?:and )?at most (-?[\d.e+]+)", r"[\1, \2]"),
    (r"above (-?[\d.e+]+),? (?:and )?at most (-?[\d.e+]+)", r"(\1, \2]"),
    (r"above (-?[\d.e+]+), below (-?[\d.e+]+)", r"(\1, \2)"),
    (r"numbers, (\[\S+ \S+\])", r"numbers in \1"), (r"numbers, at least 0", "numbers ≥ 0"),
    (r"^at least (?=-?\d)|(?<=y )at least (?=0)", "≥ "), (r"^above (?=-?\d)", "> "),
    (r"^at most (?=-?\d)", "≤ "),
    (r"a table of type ", "a table "), (r"a list of a text", "list of texts"), (r"\ba text\b", "text"),
    (r"^a list of numbers or a list of lists of numbers$", "3 numbers, or 3 x 3"),
    (r"^a list of pairs of numbers$", "pairs"), (r"^a body$", "body"), (r"^a (?=whole number)", ""),
    (r"a table `bekker_soil`, `cone_index_soil`, .*`reece_soil`$", "a [soil](#soil)"),
    (r"a table `bekker_soil`, `pressure.*`reece_soil`$", "a [soil](#soil) but `cone_index_soil`"),
    (r"a table `brixius`, .*`wong_reece`$", "a [law](#law-of-contact)"),
    (r"a table `brixius_lateral`, .*`wong_reece_lateral`$", "a [lateral law](#lateral)"),
    (r"^(\"subsoiler, narrow point\") or .*", r"a tool of `vehicle.d497.TOOLS`, as \1"),
)  # fmt: skip
#: Kinds of value that a default shows.
SHOWN = ("any number", "text", "true or false")


#: Said once at the head of the page.
ABOVE = (
    ", centres in the axes of the vehicle", "; centres in the axes of the vehicle",
    "; centre in the axes of the vehicle", ", centre in the axes of the vehicle",
    "; all points in the axes of the vehicle", ", in the axes of the vehicle",
    ", axes of the vehicle", "; all points mirrored for the right", "; mirrored for the right",
    ", mirrored for the right", "; mirrored", "; may be left out", "; may be empty",
    "of the left side, ",
)  # fmt: skip


def shorter(words):
    """A range in the page's notation."""
    for pattern, by in SHORTER:
        words = re.sub(pattern, by, words)
    return words


def plain(words, unit, limits):
    """A meaning without the unit and the range, which have their columns."""

    def left(found):
        parts = [p.replace("^2", "²").replace("^3", "³") for p in found[1].split(", ")]
        mine = unit in parts or set(parts) <= set(unit.split(", ")) or parts[0].startswith("N/m^")
        return "" if mine else found[0]

    words = re.sub(r"\s*\[([^\[\]]+)\]", left, words)
    for bound in re.findall(r"(?:at least|at most|above|below) -?[\d.]+", words):
        if bound in limits:
            words = words.replace(f", {bound}", "")
    if "not 0" in limits:
        words = words.replace(", not 0", "").replace(", none of them 0", "")
    words = re.sub(r", in [\[(][-\d., ]+[\])]", "", words) if "at most" in limits else words
    words = re.sub(r":class:(`[^`]+`)", r"\1", words.replace("``", "`"))
    words = re.sub(r"\bNone: ", "left out: ", words)
    for said_above in ABOVE:
        words = words.replace(said_above, "")
    return words.strip(" ;,") or "as named"


def keys_of(maker, item=None, without=()):
    """The rows of an object's keys: key, range, default, meaning."""
    parameters = {n: p for n, p in inspect.signature(maker).parameters.items() if n not in without}
    hints = get_type_hints(maker, include_extras=True)
    words = meanings(maker, parameters)
    item = made(maker) if item is None else item
    found = []
    for name, parameter in parameters.items():
        unit, limits = unit_of(maker.__name__, name), range_of(maker, item, name, hints[name])
        cells = (
            units.key(maker.__name__, name), shorter(limits), default_of(parameter),
            BRIEF.get((maker.__name__, name)) or plain(words.get(name, ""), unit, limits),
        )  # fmt: skip
        found.append(cells)
    return found


def listed(found):
    """A list of keys; neighbours that differ in their names and defaults only share an item."""
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
    """The list of an object's keys."""
    return listed(keys_of(maker, item, without))


def shared(tables, least=3):
    """The rows that so many tables have; those of one key become one."""
    counted = Counter(row for found in tables for row in found)
    common: dict = {}
    for (*cells, meaning), number in counted.items():
        if number >= least:
            common.setdefault(tuple(cells), []).append(meaning)
    return {
        (*cells, meaning): (
            *cells,
            "; ".join(said).replace("; of the axle; wheels", "; wheels of an axle"),
        )
        for cells, said in common.items()
        for meaning in said
    }


def besides(found, common, where):
    """A list without the keys that several tables share, which it names."""
    also = [f"`{row[0]}`" for row in found if row in common and row[0] != "name"]
    own = [row for row in found if row not in common]
    named = f"[Also]({where}) {', '.join(also)}.\n" if also else ""
    return "\n".join(filter(None, (named, listed(own) if own else "")))


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


def choices(title, names, found, without=(), least=3):
    """A section of the types that a table may have; keys of several of them stand first."""
    makers = {name: KINDS[name] for name in names}
    tables = {name: keys_of(maker, found.get(maker), without) for name, maker in makers.items()}
    common = shared(tables.values(), least)
    parts = [f"## {title}\n"]
    if common:
        parts += [f"### Keys of several types of {title}\n", listed(unique(common))]
    where = "#" + slug(f"Keys of several types of {title}")
    for name, maker in makers.items():
        parts += [f'### `type = "{name}"`\n', first(maker) + "\n"]
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
    parts = [HEAD + "Largest values of each unit are in `bodies/units.py`.\n", "## At the top\n", TOP]
    parts += ["## `[tyre]`\n", first(contact.Tyre) + "\n", rows(contact.Tyre, found[contact.Tyre])]
    hints = get_type_hints(contact.WheelContact)
    for title, field in (("soil", "soil"), ("lateral", "lateral")):
        parts += choices(f"`[{title}]`", sorted(kinds_of(alternatives(hints[field]))), found)
    parts += ["## `[contact]`\n", first(contact.WheelContact) + "\n"]
    parts.append(rows(contact.WheelContact, found[contact.WheelContact], ("tyre", "soil", "lateral")))
    parts.append(BEARING)
    laws = sorted(kinds_of(alternatives(hints["law"])))
    parts += choices("`law` of `[contact]`", laws, found)
    parts += choices("`lugre` of `[contact]`", ["lu_gre"], found)
    parts += choices("`sinkage` of `[contact]`", ["cone_index_sinkage"], found)
    parts += choices("`trail` of `[contact]`", ["pneumatic_trail"], found)
    parts += ["## `[hard]`\n", first(HardGround) + "\n", rows(HardGround, found[HardGround])]
    ground = sorted(kinds_of(alternatives(get_type_hints(Wheel)["ground"])))
    parts += choices("`[ground]`", ground, found)
    parts += choices(
        "`soil_map` and `memory` of `[ground]`", ["soil_map", "patch", "soil_memory"], found
    )
    strength = ["cone_index_field", "cone_index_geotiff", "map_place"]
    parts += choices("`strength` of a `soil_map`", strength, found)
    parts += ["## A schedule\n", "As a control, `throttle = { points = [...] }`.\n", rows(Schedule)]
    parts += ["## A body of a part\n", "`body = { mass_kg = 10.0, ... }`\n"]
    parts.append(rows(vehicle.Piece, found[vehicle.Piece]))
    tables = {name: keys_of(cls, found[cls]) for name, cls in shipped_parts().items()}
    common = shared(tables.values())
    parts += ["## Keys of several parts\n", "Every part below has a `name`.\n", listed(unique(common))]
    for name, cls in shipped_parts().items():
        parts += [f"## `[[{name}]]`\n", first(cls) + "\n"]
        parts.append(besides(tables[name], common, "#keys-of-several-parts"))
    return "\n".join(parts) + "\n<!-- end -->\n"


def shipped_parts():
    """The tables of parts that come with the package, without what a user registered."""
    return {n: c for n, c in vehicle.PARTS.items() if c.__module__.startswith("bodies.vehicle.")}


TOP = """- `name`, text: of the vehicle
- `about`, *optional*, text: description of the file
- `base`, *optional*, a vehicle's name, or a file beside this one: vehicle that this file changes
- `remove`, *optional*, names `table.part`: parts of the base that this vehicle lacks
- `origin_m = [0, 0, 0]`, point: origin of the vehicle in the world
- `heading_rad = 0`, [-1000, 1000]: angle of its x-axis in the world
- `gravity_m_s2 = [0, 0, -9.80665]`, 3 numbers: world axes
- `[controls]`, *optional*, numbers or schedules by name: a number is the initial value of an input
- `[wheels.NAME]`, *optional*, tables below, keys of `[contact]`: differences of an axle or a wheel

A soil of `contact.SOILS` needs only its name: `[soil]` with `name = "sandy loam"`. The default `type` of
a soil is `cone_index_soil`, that of a lateral law `crolla`.
"""


BEARING = """`bearing_loss_N_m_s_rad` (≥ 0, default 0), here or under `[wheels.NAME]`: viscous friction
of the wheel bearing.
"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"written: {PAGE}", file=sys.stderr)
