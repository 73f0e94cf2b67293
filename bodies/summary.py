"""Short texts about runs, models and mechanisms, and the page of a run in a notebook."""

from __future__ import annotations

import base64
import io
from collections import Counter
from html import escape
from typing import Any

import numpy as np

from contact import ConeIndexSinkage, ConeIndexSoil


def count(number: int, what: str) -> str:
    """Number with its noun: 1 wheel, 4 wheels, 3 bodies."""
    many = what[:-1] + "ies" if what.endswith("y") else what + "s"
    return f"{number} {what if number == 1 else many}"


def short(name: str, most: int = 60) -> str:
    """Name in quotes, truncated to ``most`` characters."""
    return repr(name if len(name) <= most else name[: most - 3] + "...")


def of_mechanism(mechanism: Any) -> str:
    """Name of a mechanism with the numbers of its parts."""
    kinds = Counter(type(element).__name__ for element in mechanism.elements)
    elements = ", ".join(f"{n} {kind}" for kind, n in kinds.most_common(5))
    more = f" and {count(len(kinds) - 5, 'other kind')}" if len(kinds) > 5 else ""
    return (
        f"Mechanism {short(mechanism.name)}: {count(len(mechanism.bodies), 'body')}, "
        f"{count(len(mechanism.wheels), 'wheel')}, {count(len(mechanism.contacts), 'contact')}, "
        f"{count(len(mechanism.elements), 'element')}" + (f" ({elements}{more})" if elements else "")
    )


def of_model(model: Any) -> str:
    """Name of a model with the numbers of its bodies, wheels, joint rows, channels and inputs."""
    m = model.mechanism
    return (
        f"Model of {short(m.name)}: {count(len(m.bodies), 'body')}, {count(len(m.wheels), 'wheel')}, "
        f"{model.structure.rows} joint rows and {model.structure.channel_rows} contact channels, "
        f"{count(len(model.input_index), 'input')}"
    )


def facts(run: Any) -> list[tuple[str, str]]:
    """Pairs (quantity, value) of a run: motion, wheels, engines, missed steps."""
    m, first, last = run.model.mechanism, run.time[0], run.time[-1]
    found = [
        (
            "time",
            f"{first:g} to {last:.6g} s in {count(len(run.time), 'record')}, step {1e3 * run.step:g} ms",
        )
    ]
    leader = m.heaviest.name
    x, v = run.position(leader), run.velocity(leader)[-1]
    distance = float(np.linalg.norm(np.diff(x, axis=0), axis=1).sum())
    speed = float(np.linalg.norm(v))
    found.append(
        (
            short(leader, 40),
            f"went {distance:.3g} m, at the end {speed:.3g} m/s ({3.6 * speed:.3g} km/h)",
        )
    )
    if m.wheels:
        records = [run.wheel(wheel.name) for wheel in m.wheels]
        slip = np.array([r.slip for r in records])[:, 1:] if len(run.time) > 1 else np.zeros((1, 1))
        least = round(float(slip.min()), 2) + 0.0  # avoids -0.00
        load = sum(float(r.load[-1]) for r in records)
        sunk = 1e3 * max(float(r.sinkage.max()) for r in records)
        found.append(
            (
                count(len(m.wheels), "wheel"),
                f"slip {least:.2f} to {slip.max():.2f}, load at the end {load:.0f} N "
                f"together, sinkage up to {sunk:.3g} mm{sinkage_note(m)}",
            )
        )
    engines = [e.name for e in m.elements if type(e).__name__ == "Engine"]
    report = run.tractive_performance() if engines else {}
    for name in engines:
        rpm = round(float(report[f"{name}.speed [rpm]"][-1]))
        stalled = "" if rpm else "; stalled: more load than torque at this gear and throttle"
        found.append((short(name, 40), f"{rpm} rpm at the end{stalled}"))
    found.append(("missed steps", f"{run.missed}, worst residual {run.residuals.max():.2g}"))
    return found


def sinkage_note(mechanism: Any) -> str:
    """Remark in brackets if the law of a wheel's sinkage neglects the slip or the cone index; "" if no
    law does."""
    found = set()
    for there in (there for wheel in mechanism.wheels for there in _soils_of(wheel)):
        if there.slip_sinkage:
            continue
        if isinstance(there.bearing, ConeIndexSinkage):
            found.add("from the cone index, without slip")
        elif there.bearing is not None and isinstance(there.soil, ConeIndexSoil):
            found.add("by the pressure-sinkage of `base`, not by the cone index")
    return f" ({'; '.join(sorted(found))})" if found else ""


def _soils_of(wheel: Any) -> list[Any]:
    """Wheel contacts, one for each soil under the wheel: those of the ground's soil map, and the wheel's
    own soil unless the map covers the whole ground."""
    soil_map = getattr(wheel.ground, "soil_map", None)
    if wheel.soil is None or soil_map is None:
        return [] if wheel.soil is None else [wheel.soil]
    return soil_map.wheels(wheel.soil)[int(soil_map.covered) :]


def of_run(run: Any) -> str:
    """Summary of a run in three lines."""
    m, rows = run.model.mechanism, dict(facts(run))
    time = rows.pop("time")
    missed = rows.pop("missed steps")
    middle = "; ".join(f"{what}: {value}" for what, value in rows.items())
    return (
        f"Trajectory of {short(m.name)}, {count(len(m.bodies), 'body')}: {time}\n"
        f"  {middle}\n"
        f"  steps that missed their tolerance: {missed}; see run.plot(), run.columns(), run.wheel(name)"
    )


def picture(run: Any, dots: int = 72) -> str:
    """Figure of the run's main results (:func:`~bodies.figures.main_panels`), a PNG in base64."""
    from matplotlib.figure import Figure

    from .figures import draw, main_panels

    figure = draw(main_panels(run), run.time, Figure(layout="constrained"))
    file = io.BytesIO()
    figure.savefig(file, dpi=dots)
    return base64.b64encode(file.getvalue()).decode()


def page(run: Any) -> str:
    """HTML page of a run for a notebook: table of :func:`facts`, and the figure."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(what)}</th>"
        f"<td style='text-align:left'>{escape(value)}</td></tr>"
        for what, value in facts(run)
    )
    return (
        f"<div><b>{escape(short(run.model.mechanism.name))}</b><table>{rows}</table>"
        f"<img style='max-width:100%' alt='speed, slip, loads and traction over time' "
        f"src='data:image/png;base64,{picture(run)}'></div>"
    )
