"""``wheelground drive``: a vehicle from standstill, full throttle, one change of gear."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from ..reports import cli
from ..reports.early import compile_early

FRAMES = 100  # records per second
RELEASE = (0.0, 1.0), (0.2, 1.0), (0.4, 0.0)  # (time [s], brake) at a start on a slope
WRITERS = {".csv": "to_csv", ".parquet": "to_parquet", ".nc": "to_netcdf"}
FILMS = (".gif", ".mp4")
Flag = Parameter(negative=())


def drive(
    vehicle: str = "hmmwv",
    *,
    cone_index: float | None = None,
    duration: float = 10.0,
    step: float = 1e-3,
    regularisation: Annotated[str, cli.Scheme] = "implicit",
    out: Path = Path("out"),
    table: Path | None = None,
    html: Path | None = None,
    video: Path | None = None,
    view: Annotated[bool, Flag] = False,
    port: cli.Whole = 8080,
) -> int:
    """Drive a vehicle on soft ground from standstill, and show speed, slip, sinkage and forces.

    Parameters
    ----------
    vehicle
        A shipped vehicle's name, or your own TOML file.
    cone_index
        Cone index of the soil [Pa]. [the vehicle file's]
    duration
        Simulated time [s].
    step
        Step size [s].
    regularisation
        Scheme: set-valued, global, local, local-current or implicit.
    out
        Directory for the figure.
    table
        File for every recorded column: .csv, .parquet or .nc.
    html
        File for a page that plays the run, offline.
    video
        File for a film of the run: .mp4 or .gif.
    view
        Show the run in the browser until Ctrl-C.
    port
        Port of the viewer's server; 0: a free one.
    """
    with cli.refuse_bad_input(ImportError, RuntimeError):
        cli.writable_directory(out)
        compile_early()
        from contact import REGULARISATIONS, checks
        from mlcp.writing import written

        from ..reports.full.case import CONTROLS, FullVehicleCase

        scheme = checks.known("regularisation", regularisation, REGULARISATIONS)
        cli.in_pascals(cone_index)
        if view or html is not None:
            _need("viser", "view")
        if video is not None and checks.known("ending of --video", video.suffix, FILMS) == ".mp4":
            _need("imageio_ffmpeg", "video")
        if table is not None:
            checks.known("ending of --table", table.suffix, WRITERS)
            if table.suffix != ".csv":
                _need("pandas" if table.suffix == ".parquet" else "xarray", "data")
        case = FullVehicleCase(step, duration, cone_index, vehicle)
        for option, path in {"--table": table, "--html": html, "--video": video}.items():
            if path is not None:
                cli.writable_directory(path.parent, option).mkdir(parents=True, exist_ok=True)
        import bodies

        screen = cli.console()
        screen.print(f"driving {vehicle} for {duration:g} s under {scheme} ...")
        described = case.vehicle(scheme)
        sloping = described.ground is not None or any(described.gravity.acceleration[:2])
        brake = {"brake": bodies.Schedule(RELEASE)} if sloping else {}  # holds the vehicle at rest
        mechanism = described.mechanism(described.launched(CONTROLS | brake))
        names = (wheel.name for wheel in mechanism.wheels)
        loads = (f"{x:.0f} N on {name}" for name, x in zip(names, static_loads(mechanism), strict=True))
        screen.print("loads of the rigid vehicle: " + ", ".join(loads), highlight=False)
        model = bodies.compile(mechanism)
        start = bodies.equilibrium(model)
        run = bodies.simulate(
            model, duration, step, record_every=max(1, round(1.0 / FRAMES / step)), state=start
        )
        _report(screen, run)
        out.mkdir(parents=True, exist_ok=True)
        with written(out / "drive.png") as place:
            run.plot().savefig(place, dpi=150)
        if table is not None:
            getattr(run, WRITERS[table.suffix])(table)
        if html is not None:
            run.save_html(html)
        if video is not None:
            run.save_video(video)
        for path in (out / "drive.png", table, html, video):
            if path is not None:
                screen.print(f"written: {path}", soft_wrap=True)
    if view:
        from bodies.view import show

        show(run, port=port)
    return 0


def _need(module: str, extra: str) -> None:
    """Raise ImportError, before the computation, if the package that an option needs is missing."""
    if importlib.util.find_spec(module) is None:
        raise ImportError(f"this needs {module}: pip install 'wheelground[{extra}]'")


def static_loads(mechanism: Any) -> Any:
    """Load on each wheel [N] of the rigid vehicle on equal springs, without compiling the model."""
    import numpy as np

    placed = np.array([(1.0, *wheel.centre[:2]) for wheel in mechanism.wheels]).reshape(-1, 3)
    moments = sum(body.mass * np.array((1.0, *body.position[:2])) for body in mechanism.bodies)
    return -mechanism.gravity.acceleration[2] * np.linalg.pinv(placed.T) @ moments


def _report(screen: Any, run: Any) -> None:
    """Print the summary of the run and the state of every wheel at the end."""

    from bodies.summary import facts

    for what, value in facts(run):
        screen.print(f"[bold]{what}[/]  {value}", highlight=False)
    headings = "wheel", "load [N]", "traction [N]", "resistance [N]", "slip [-]", "sinkage [mm]"
    table = cli.new_table("wheels at the end", headings, ("wheel",))
    for wheel in run.model.mechanism.wheels:
        w = run.wheel(wheel.name)
        cells = (f"{round(x[-1]) + 0.0:.0f}" for x in (w.load, w.traction, w.resistance))
        table.add_row(wheel.name, *cells, f"{w.slip[-1]:.3f}", f"{1e3 * w.sinkage[-1]:.1f}")
    screen.print(table)
