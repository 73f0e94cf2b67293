"""Hydraulics and mechanics in one solve: reference circuits, Exudyn's actuator, a digging backhoe.

Run it with ``python -m benchmarks.hydraulics``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cyclopts import App

from wheelground.reports import cli

app = App(name="python -m benchmarks.hydraulics", help_format="markdown", version_flags=[])
TAIL = ("pressure\nrms [MPa]", "energy\ngap", "missed", "passes\na step", "us a simu-\nlated ms", "")


@app.default
def main(*, out: Path = Path("out"), json: cli.JsonFile = None, only: str = "all") -> int:
    """Run reference circuits, Exudyn's actuator and the dig cycle, with several methods and steps.

    Parameters
    ----------
    out
        Directory for the figures.
    json
        File for the results: one object for each run.
    only
        Name of one part: circuits, exudyn, backhoe or cold. [all]
    """
    with cli.refuse_bad_input():
        if only not in ("all", *PARTS):
            raise ValueError(f"--only {only!r} is none of {', '.join(PARTS)}")
        cli.writable(out, json)
    rows: list[dict[str, Any]] = []
    passed = [part(out, rows) for name, part in PARTS.items() if only in ("all", name)]
    cli.save_results(json, rows)
    return 0 if all(passed) else 1


def show(title: str, error: str, found: Any) -> None:
    """Print a table of runs."""
    table = cli.new_table(title, ("method", "step\n[ms]", f"largest\n{error}", *TAIL), ("method",))
    for row in found:
        table.add_row(*row.cells())
    cli.console().print(table)


def say(good: bool, words: str) -> bool:
    """Print a verdict in colour."""
    cli.console().print(f"[green]{words}" if good else "[red]a limit is missed", soft_wrap=True)
    return good


def reference_circuits(out: Path, rows: list[dict[str, Any]]) -> bool:
    """Compare both circuits of one cylinder with SciPy's Radau."""
    from benchmarks.hydraulic_cases import circuits
    from benchmarks.hydraulic_cases.compare import LIMITS, compare
    from benchmarks.hydraulic_cases.figures import draw

    screen, every = cli.console(), []
    for name in circuits.CASES:
        with screen.status(f"{name}: Radau, then every way"):
            times, exact, found = compare(name)
            picture = draw(name, times, exact, out)
        every += found
        show(f"{name}, {circuits.DURATION:g} s", "error [mm]", found)
        best = min((r for r in found if r.step == 1e-3 and r.stable), key=lambda r: r.error)
        screen.print(f"{name}: at 1 ms take {best.method!r}, {1e3 * best.error:.2g} mm")
        screen.print(f"figure: {picture}", soft_wrap=True)
    rows += [row.as_dict() for row in every]
    words = ", ".join(f"{case} {method} {1e3 * most:g} mm" for (case, method), most in LIMITS.items())
    return say(all(r.passed for r in every), f"errors at 1 ms within {words}; every implicit run stable")


def compare_exudyn(out: Path, rows: list[dict[str, Any]]) -> bool:
    """Compare the arm with Exudyn's hydraulic actuator, run here as well."""
    import numpy as np

    from benchmarks.hydraulic_cases import exudyn_arm

    try:
        theirs, _ = exudyn_arm.exudyns(1e-5, 100)
    except ImportError:
        cli.console().print("exudyn is not installed: pip install 'wheelground[exudyn]'; left out")
        return True
    ours, _ = exudyn_arm.ours(1e-5, 100)
    found = {}
    for column, name in enumerate(("length", "head", "rod"), 1):
        other = np.interp(ours[:, 0], theirs[:, 0], theirs[:, column])
        found[name] = float(np.max(np.abs(ours[:, column] - other)) / np.ptp(other))
    costs = [min(one(1e-3)[1] for _ in range(5)) for one in (exudyn_arm.ours, exudyn_arm.exudyns)]
    rows.append({"case": "exudyn", **found, "us a step": costs})
    shares = ", ".join(f"{name} {share:.1e}" for name, share in found.items())
    cli.console().print(
        f"Exudyn's HydraulicActuatorSimple at 1e-5 s, differences over ranges: {shares}; at 1 ms a step "
        f"costs {costs[0]:.1f} us here, {costs[1]:.1f} us there, its lever moved from Python",
        soft_wrap=True,
    )
    return say(max(found.values()) < 1e-4, "length and pressures within 1e-4 of their ranges")


def dig_cycle(out: Path, rows: list[dict[str, Any]]) -> bool:
    """Compare integration methods and steps for the backhoe's dig cycle."""
    from benchmarks.hydraulic_cases import digs
    from benchmarks.hydraulic_cases.backhoe import DURATION
    from benchmarks.hydraulic_cases.dig_figures import draw

    screen = cli.console()
    with screen.status(f"backhoe: {1e3 * digs.REFERENCE:g} ms, then every way"):
        exact, found, rigid = digs.compare()
        picture = draw(exact, out)
    show(f"backhoe, dig cycle of {DURATION:g} s", "error [mrad]", found)
    rows += [row.as_dict() for row in found]
    at = {row.method: row for row in found if row.step == 1e-3}
    oil = at["auto"].cost - 1e6 * rigid
    screen.print(
        f"a step of 1 ms: {at['auto'].cost:.1f} us, with rigid cylinders {1e6 * rigid:.1f} us, so oil "
        f"{oil:.1f} us; {1e3 / at['auto'].cost:.0f} times faster than real time"
    )
    screen.print(f"figure: {picture}", soft_wrap=True)
    cheap = at["auto"].cost <= digs.MOST_STEP and oil <= digs.MOST_OIL
    words = f"auto and centred within {1e3 * digs.LIMITS['auto'][0]:g} mrad at 1 ms; take 'auto'"
    return say(cheap and all(row.passed for row in found), words)


def cold_start(out: Path, rows: list[dict[str, Any]]) -> bool:
    """Measure the compilation time of the backhoe: of its linkage, and the time added by its oil."""
    from benchmarks.hydraulic_cases import cold

    with cli.console().status("compiling the backhoe with a fresh cache"):
        found = cold.measured()
    rows.append({"case": "cold", **found})
    linkage, oil = found[cold.LINKAGE], found[cold.OIL]
    cli.console().print(
        f"compiled once per installation, CPU time: linkage with stops {linkage:.1f} s, the oil beside "
        f"it {oil:.1f} s (aim: {cold.MOST:g} s)",
        soft_wrap=True,
    )
    return True


PARTS = {
    "circuits": reference_circuits,
    "exudyn": compare_exudyn,
    "backhoe": dig_cycle,
    "cold": cold_start,
}


if __name__ == "__main__":
    cli.run(app)
