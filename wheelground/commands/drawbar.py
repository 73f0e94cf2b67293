"""``wheelground drawbar``: pull and tractive efficiency of a driven wheel on a soil."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..reports.cli import console, in_pascals, new_table, refuse_bad_input, writable_directory

SLIPS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5)


def drawbar(
    *,
    law: str = "brixius",
    cone_index: float = 4e5,
    soil: str | None = None,
    load: float = 6500.0,
    diameter: float = 0.94,
    width: float = 0.32,
    section_height: float = 0.24,
    pressure: float = 2e5,
    out: Path = Path("out"),
) -> int:
    """Pull and tractive efficiency of a driven wheel over its slip by a ground law, without simulation.

    Parameters
    ----------
    law
        Ground law: a name in contact.LAWS.
    cone_index
        Cone index [Pa], without a soil's name.
    soil
        A soil of the catalogue, contact.SOILS, instead of a cone index.
    load
        Load on the wheel [N].
    diameter
        Diameter of the tyre [m].
    width
        Width of the tyre [m].
    section_height
        Section height of the tyre [m].
    pressure
        Pressure in the tyre [Pa].
    out
        Directory for the figure.
    """
    with refuse_bad_input(TypeError):
        writable_directory(out)
        in_pascals(None if soil else cone_index)
        import numpy as np

        from contact import LAWS, SOILS, ConeIndexSoil, Tyre, checks

        chosen = LAWS[checks.known("ground law", law, LAWS)]
        checks.positive("drawbar", "load", load, unit="N")
        tyre = Tyre(diameter, width, section_height, pressure)
        if soil is None:
            ground, where = ConeIndexSoil(cone_index), f"cone index {1e-3 * cone_index:g} kPa"
        else:
            named, where = SOILS[checks.known("soil", soil, SOILS)], soil
            ground = named.cone if _takes(chosen, named.cone) else named.bekker
        chosen.need(ground)
        slip = np.unique(np.concatenate([np.linspace(0.005, 0.6, 120), SLIPS]))
        thrust = np.asarray(chosen.thrust_ratio(slip, load, tyre, ground)) * load
        resistance = np.asarray(chosen.resistance_ratio(slip, load, tyre, ground)) * load
        moment = np.asarray(chosen.rolling_moment_ratio(slip, load, tyre, ground)) * load
    pull = thrust - np.broadcast_to(resistance, slip.shape)
    effort = thrust + np.broadcast_to(moment, slip.shape)  # axle torque / radius [N]
    efficiency = np.where(effort > 0.0, pull / np.maximum(effort, 1e-9) * (1.0 - slip), 0.0)
    title = f"{law} on {where}, load {load:g} N"
    headings = "slip [-]", "thrust [N]", "pull [N]", "pull / load [-]", "tractive efficiency [-]"
    table = new_table(title, headings)
    for wanted in SLIPS:
        k = int(np.argmin(np.abs(slip - wanted)))
        cells = f"{slip[k]:.2f}", f"{thrust[k]:.0f}", f"{pull[k]:.0f}", f"{pull[k] / load:.3f}"
        table.add_row(*cells, f"{efficiency[k]:.3f}")
    screen = console()
    screen.print(table)
    best = int(np.argmax(efficiency))
    if efficiency[best] > 0.0:
        screen.print(
            f"best efficiency {efficiency[best]:.3f} at slip {slip[best]:.3f}, where the wheel pulls "
            f"{pull[best]:.0f} N; the most it pulls up to slip {slip[-1]:.1f} is {pull.max():.0f} N"
        )
    else:
        screen.print("the wheel does not pull: its resistance is more than its thrust at every slip")
    screen.print(f"figure: {_draw(out / 'drawbar.png', title, slip, pull, efficiency)}", soft_wrap=True)
    return 0


def _takes(law: Any, soil: Any) -> bool:
    """Whether a ground law accepts this kind of soil."""
    try:
        law.need(soil)
    except ValueError:
        return False
    return True


def _draw(path: Path, title: str, slip: Any, pull: Any, efficiency: Any) -> Path:
    """Draw pull and efficiency over slip."""
    from ..reports.pictures import new_figure, save

    figure = new_figure(6.4, 4.0)
    left = figure.subplots()
    right = left.twinx()
    (one,) = left.plot(slip, pull, label="pull")
    (two,) = right.plot(slip, efficiency, color="C1", linestyle="--", label="tractive efficiency")
    left.axhline(0.0, color="grey", linewidth=0.6)
    left.set(xlabel="slip ratio [-]", ylabel="pull [N]", title=title)
    right.set(ylabel="tractive efficiency [-]", ylim=(0.0, 1.0))
    left.legend(handles=[one, two], loc="lower right")
    return save(figure, path, dpi=150)
