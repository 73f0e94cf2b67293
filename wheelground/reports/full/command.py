"""Full-vehicle test of Peiret et al. (section 4.2): 45 rigid bodies on soft soil, checked and drawn.

Run it with ``wheelground full``. Full throttle for 10 s, the next gear at 5 s, with
global regularisation as in the paper, and with the other schemes and solvers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from contact import checks

from .. import cli
from .case import DURATION, SCHEMES, SOLVERS, FullVehicleCase

app = App(name="wheelground full", help_format="markdown", version_flags=[])


@app.default
def main(
    *,
    step: float = 1e-3,
    duration: float = DURATION,
    regularisation: Annotated[tuple[str, ...], cli.Schemes] = (),
    solver: Annotated[tuple[str, ...], cli.Several] = (),
    vehicle: str = "hmmwv",
    cone_index: float | None = None,
    bodies: Annotated[bool, Parameter(negative=())] = False,
    out: Path = Path("out"),
    json: cli.JsonFile = None,
    view: Annotated[bool, Parameter(negative=())] = False,
    port: cli.Whole = 8080,
) -> int:
    """Full-vehicle test of Peiret et al.: 45 bodies, rear-wheel drive, full throttle on soft ground.

    Parameters
    ----------
    step
        Step size [s].
    duration
        Simulated time [s].
    regularisation
        Scheme: set-valued, global, local, local-current or implicit; repeat for several. [all]
    solver
        direct, osqp, pgs or any other name in mlcp.SOLVERS; repeat for several. [direct, osqp, pgs]
    vehicle
        A vehicle's name, or your own TOML file.
    cone_index
        Cone index [Pa] instead of the vehicle file's.
    bodies
        List every body with its mass, inertia and reason.
    out
        Directory for the figures.
    json
        File for the results.
    view
        Instead of the report, show one run (the first scheme and solver given) in the browser.
    port
        Port of the viewer's server; 0: a free one.
    """
    with cli.refuse_bad_input():
        from mlcp import SOLVERS as KNOWN

        schemes = tuple(checks.known("regularisation", name, SCHEMES) for name in regularisation)
        solvers = tuple(checks.known("solver", name, KNOWN) for name in solver)
        cli.in_pascals(cone_index)
        case = FullVehicleCase(step, duration, cone_index, vehicle)
        cli.writable(out, json)
    if view:
        from .viewer import open_viewer

        return open_viewer(case, (schemes or ("global",))[0], (solvers or ("direct",))[0], port)
    from .report import report

    first = [s for s in ("global", *SCHEMES) if s in (schemes or SCHEMES)]
    return report(case, tuple(dict.fromkeys(first)), solvers or SOLVERS, out, json, bodies)
