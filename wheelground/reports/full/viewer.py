"""Viewer of the full-vehicle test in the browser."""

from __future__ import annotations

import importlib.util
import sys

import bodies

from ..cli import refuse_bad_input
from .case import FullVehicleCase

FRAMES = 100  # records per second
NOT_INSTALLED = "the viewer is not installed; install it with\n    pip install 'wheelground[view]'"


def open_viewer(case: FullVehicleCase, scheme: str, solver: str, port: int) -> int:
    """Run the test once and show the run until Ctrl-C; return the exit code."""
    if importlib.util.find_spec("viser") is None:
        print(NOT_INSTALLED, file=sys.stderr)
        return 2
    from bodies import view

    print(f"running {case.duration:g} s with {scheme} / {solver} ...", flush=True)
    with refuse_bad_input(bodies.SimulationError):
        rest = case.at_rest(scheme)
    model = case.model(scheme)
    run = bodies.simulate(
        model,
        case.duration,
        case.step,
        record_every=max(1, round(1.0 / FRAMES / case.step)),
        state=rest,
        solver=solver,
    )
    view.show(run, port=port)
    return 0
