"""Tractor test: slip, speed, tractive efficiency, power and fuel over the pull, soils of ASABE D497.

Run it with ``wheelground pull --vehicle tractor``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
from cyclopts import App

from contact import checks

from . import cli
from .pictures import new_figure, save
from .verdict import Check, all_passed, recorded

MOST = 0.66  # largest pull of the test over the weight: more than the traction on any of these soils
TOOL, TEXTURE, DEPTH = "moldboard plow", "medium", 0.20  # implement, soil texture, depth of work [m]
#: Columns of the table: heading, name in the table of ``vehicle.pull_test``, factor to the unit shown.
COLUMNS = (
    ("pull [kN]", "vehicle.drawbar_pull [N]", 1e-3),
    ("pull / weight [-]", "vehicle.net_traction_ratio [-]", 1.0),
    ("slip [%]", "vehicle.travel_reduction [-]", 1e2),
    ("speed [km/h]", "vehicle.speed [m/s]", 3.6),
    ("efficiency [-]", "vehicle.tractive_efficiency [-]", 1.0),
    ("drawbar power [kW]", "vehicle.drawbar_power [W]", 1e-3),
    ("engine [rpm]", "engine.speed [rpm]", 1.0),
    ("engine power [kW]", "engine.power [W]", 1e-3),
    ("fuel [kg/h]", "engine.fuel [kg/s]", 3600.0),
    ("fuel [g/kWh drawbar]", "specific_fuel_at_drawbar [g/kWh]", 1.0),
)

app = App(name="wheelground pull", help_format="markdown", version_flags=[])


def measured(name: str, soil: str, gear: int, points: int, hitch: tuple[float, ...]) -> dict:
    """Table of ``vehicle.pull_test`` on one soil class, with the fuel per drawbar work [g/kWh]."""
    from bodies import vehicle
    from bodies.vehicle.tools import d497

    car = vehicle.read(name).on(soil=d497.SOIL_CLASSES[soil])
    mechanism = car.mechanism()
    weight = -mechanism.gravity.acceleration[2] * sum(body.mass for body in mechanism.bodies)
    controls = {"gear": gear} if "gear" in car.controls else {}
    pulls = weight * MOST * np.linspace(0.0, 1.0, points + 1)[1:]
    table = vehicle.pull_test(car, pulls, hitch, controls=controls)
    if "engine.fuel [kg/s]" in table:
        power = table["vehicle.drawbar_power [W]"]
        table["specific_fuel_at_drawbar [g/kWh]"] = 3.6e9 * table["engine.fuel [kg/s]"] / power
    return table


def best_of(table: dict) -> int:
    """Index of the row with the largest tractive efficiency."""
    return int(np.argmax(table["vehicle.tractive_efficiency [-]"]))


def checks_of(soil: str, table: dict) -> list[Check]:
    """Checks of a pull test: each wheel's forces follow the law, and the engine's power is balanced."""
    off = float(table["off_the_law [-]"].max())
    engine = table["balance.engine [W]"]
    parts = sum(v for n, v in table.items() if n.startswith("balance.") and "engine" not in n)
    rest = float(np.abs(engine - parts).max() / engine.max())
    return [
        Check(f"{soil}: every wheel on its law's curve", f"{off:.0e} of the load", off < 1e-6),
        Check(f"{soil}: the shares of the engine's power sum to the whole", f"{rest:.0e}", rest < 1e-6),
    ]


def best_point(soil: str, table: dict) -> str:
    """Sentence on the best point, and on the width of an implement with this pull."""
    from bodies.vehicle.tools import d497

    k = best_of(table)
    pull, speed = (table[f"vehicle.{n}"][k] for n in ("drawbar_pull [N]", "speed [m/s]"))
    width = pull / d497.draft(TOOL, TEXTURE, speed, 1.0, DEPTH)
    plow = f": a {TOOL} of {width:.1f} m, {1e2 * DEPTH:.0f} cm deep in {TEXTURE} soil"
    return (
        f"{soil}: best efficiency {table['vehicle.tractive_efficiency [-]'][k]:.3f} at "
        f"{1e-3 * pull:.3g} kN and {1e2 * table['vehicle.travel_reduction [-]'][k]:.1f} % slip, "
        f"{3.6 * speed:.1f} km/h{plow if width > 0.1 else ''}"
    )


def draw(tables: dict, title: str, path: Path) -> Path:
    """Draw slip, efficiency, power and fuel over the pull, one line per soil."""
    figure = new_figure(9.0, 6.4)
    axes = figure.subplots(2, 2, sharex=True).ravel()
    for soil, table in tables.items():
        pull = 1e-3 * table["vehicle.drawbar_pull [N]"]
        axes[0].plot(pull, 1e2 * table["vehicle.travel_reduction [-]"], "o-", ms=3, label=soil)
        (line,) = axes[1].plot(pull, table["vehicle.tractive_efficiency [-]"], "o-", ms=3)
        axes[1].plot(pull[best_of(table)], table["vehicle.tractive_efficiency [-]"].max(), "o",
                     color=line.get_color(), ms=8, fillstyle="none")  # fmt: skip
        axes[2].plot(pull, 1e-3 * table["vehicle.drawbar_power [W]"], "o-", ms=3, label=soil)
        if "engine.power [W]" in table:
            axes[2].plot(pull, 1e-3 * table["engine.power [W]"], "--", lw=0.9, color=line.get_color())
        if "specific_fuel_at_drawbar [g/kWh]" in table:
            axes[3].plot(pull, table["specific_fuel_at_drawbar [g/kWh]"], "o-", ms=3)
    axes[0].set(ylabel="slip (travel reduction) [%]")
    axes[1].set(ylabel="tractive efficiency [-]", ylim=(0.0, 1.0))
    axes[2].set(xlabel="drawbar pull [kN]", ylabel="power [kW] (dashed: engine)")
    axes[3].set(xlabel="drawbar pull [kN]", ylabel="fuel [g/kWh at the drawbar]", ylim=(200.0, 700.0))
    axes[0].legend(title="soil", frameon=False)
    figure.suptitle(title, fontsize=10)
    return save(figure, path)


@app.default
def main(
    *,
    vehicle: str = "tractor",
    soil: Annotated[tuple[str, ...], cli.Several] = (),
    gear: cli.Whole = 3,
    points: cli.Whole = 14,
    hitch_x: float = -0.6,
    hitch_z: float = 0.5,
    out: Path = Path("out"),
    json: cli.JsonFile = None,
    docs: bool = False,
) -> int:
    """Steady pulls of a vehicle at full throttle, up to the largest pull of the soil.

    Parameters
    ----------
    vehicle
        A vehicle's name, or your own TOML file, with an engine called "engine" or with hub drives.
    soil
        Soil class of ASABE D497: hard, firm, tilled or soft; repeat for several. [all]
    gear
        Gear during the pulls.
    points
        Number of pulls, in equal steps up to two thirds of the weight.
    hitch_x
        Position of the hitch along the vehicle's x axis [m].
    hitch_z
        Height of the hitch [m].
    out
        Directory for the picture.
    json
        File for the tables.
    docs
        Write the table and the picture of the page docs/drawbar.md, in a checkout.
    """
    with cli.refuse_bad_input():
        from bodies.vehicle.tools import d497

        soils = tuple(checks.known("soil class", s, d497.SOIL_CLASSES) for s in soil)
        checks.within("drawbar", "points", points, 3, 200)
        cli.writable(out, json)
        from bodies.vehicle import read

        geared = f", gear {gear}" if "gear" in read(vehicle).controls else ""
    from . import pages

    screen, tables, promises = cli.console(), {}, []
    for name in soils or tuple(d497.SOIL_CLASSES):
        with cli.refuse_bad_input(), screen.status(f"pulling on {name} soil"):
            tables[name] = measured(vehicle, name, gear, points, (hitch_x, 0.0, hitch_z))
        promises += checks_of(name, tables[name])
        columns = [c for c in COLUMNS if c[1] in tables[name]]
        printed = cli.new_table(f"{vehicle} on {name} soil{geared}", [c[0] for c in columns])
        for k in range(len(tables[name]["vehicle.speed [m/s]"])):
            printed.add_row(*(f"{factor * tables[name][c][k]:.4g}" for _, c, factor in columns))
        screen.print(printed)
        screen.print(best_point(name, tables[name]))
    for check in promises:
        screen.print(check.line)
    title = f"{vehicle}, full throttle{geared}, on the soil classes of ASABE D497"
    picture = draw(tables, title, (pages.DOCS / "images" if docs else out) / "drawbar_sheet.png")
    screen.print(f"figure: {picture}", soft_wrap=True)
    if docs:
        pages.write_blocks(pages.DOCS / "drawbar.md", {"drawbar": block(tables)})
    soils_found = {s: {n: v.tolist() for n, v in t.items()} for s, t in tables.items()}
    cli.save_results(
        json, {"vehicle": vehicle, "gear": gear, "soils": soils_found, **recorded(promises)}
    )
    return 0 if all_passed(promises) else 1


def block(tables: dict) -> str:
    """Markdown text of every soil's best point, for the page on drawbar pull."""
    rows = [
        "| soil | cone index | best efficiency | pull | slip | speed | fuel at the drawbar |",
        "|---|---|---|---|---|---|---|",
    ]
    from bodies.vehicle.tools import d497

    shown = (
        ("tractive_efficiency [-]", "{:.3f}", 1.0),
        ("drawbar_pull [N]", "{:.0f} kN", 1e-3),
        ("travel_reduction [-]", "{:.1f} %", 1e2),
        ("speed [m/s]", "{:.1f} km/h", 3.6),
    )
    for soil, table in tables.items():
        k = best_of(table)
        cells = [text.format(factor * table[f"vehicle.{name}"][k]) for name, text, factor in shown]
        fuel = table["specific_fuel_at_drawbar [g/kWh]"][k]
        strength = 1e-3 * d497.SOIL_CLASSES[soil].cone_index
        rows.append(f"| {soil} | {strength:.0f} kPa | {' | '.join(cells)} | {fuel:.0f} g/kWh |")
    return "\n".join(rows) + "\n"
