"""Single-wheel test of Peiret et al. (section 4.1, Table 1): every scheme and solver, checked.

Run it with ``wheelground quarter``. The wheel carries a quarter of the vehicle: with 1000 kg on
one wheel Table 1 has no motion (the report has the reason).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from contact import checks
from contact.slip import V_0

from .. import cli
from .case import DURATION, SCHEMES, SOLVERS, QuarterVehicleCase

app = App(name="wheelground quarter", help_format="markdown", version_flags=[])


@app.default
def main(
    *,
    step: float = 1e-3,
    duration: float = DURATION,
    regularisation: Annotated[tuple[str, ...], cli.Schemes] = (),
    solver: Annotated[tuple[str, ...], cli.Several] = (),
    deflection_ratio: float | Literal["model"] = 0.0,
    vehicle_mass: float = 1000.0,
    wheel_share: float = 0.25,
    cone_index: float = 4e5,
    pull: float = 50.0,
    slope: float = 0.0,
    brake: float = 0.0,
    initial_speed: float = 0.0,
    v0: Annotated[float, Parameter(name="--v0")] = V_0,
    quick: bool = False,
    out: Path = Path("out"),
    json: cli.JsonFile = None,
) -> int:
    """Quarter-vehicle test of Peiret et al. (see README): torque 0 to 600 N m over 10 s, then constant.

    The pictures come first, then further solvers and the checks, about a minute.

    Parameters
    ----------
    step
        Step size [s].
    duration
        Simulated time [s].
    regularisation
        Scheme: set-valued, global, local, local-current or implicit; repeat for several. [all]
    solver
        pgs, osqp, direct or any other name in mlcp.SOLVERS; repeat for several. [pgs, osqp, direct]
    deflection_ratio
        Tyre deflection over section height, or "model" for the tyre's own at 2 bar.
    vehicle_mass
        Mass of the vehicle [kg].
    wheel_share
        Fraction of the mass on the wheel.
    cone_index
        Cone index [Pa].
    pull
        Coefficient of the pull against the motion, pull * v |v| [N s^2/m^2].
    slope
        Grade of the ground, rise over run.
    brake
        Brake torque [N m].
    initial_speed
        Initial speed, rolling without slip [m/s].
    v0
        Smallest denominator of the slip ratio [m/s].
    quick
        Only the solver direct, with all schemes and checks: a third of the time.
    out
        Directory for the figures.
    json
        File for the results.
    """
    with cli.refuse_bad_input():
        from mlcp import SOLVERS as KNOWN

        schemes = tuple(checks.known("regularisation", name, SCHEMES) for name in regularisation)
        solvers = tuple(checks.known("solver", name, KNOWN) for name in solver)
        if quick and not solvers:
            solvers = ("direct",)
        ratio = None if deflection_ratio == "model" else float(deflection_ratio)
        cli.in_pascals(cone_index)
        case = QuarterVehicleCase(
            step, duration, ratio, vehicle_mass, wheel_share, cone_index, pull, slope, brake,
            initial_speed, v0,
        )  # fmt: skip
        cli.writable(out, json)
    from .report import report

    return report(case, schemes or SCHEMES, solvers or SOLVERS, out, json)
