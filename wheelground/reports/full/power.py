"""Check of the sign of every thrust's power in each step: energy is supplied or dissipated."""

from __future__ import annotations

import numpy as np

import bodies

from ..verdict import Check
from .case import FullVehicleCase
from .checks import COMPARED

STEPS = (1e-3, 1.0 / 60.0)  # step lengths [s]
_STRETCH = 0.5  # duration of a recorded piece [s]; a longer one needs more memory, 17 kB a step


def largest_gain(case: FullVehicleCase, scheme: str, step: float) -> float:
    """Largest power ``F_t v_t`` of a thrust over all steps and wheels of the drive [W].

    The power is negative if all thrusts dissipate; v_t is the sliding velocity at the end of the step.
    """
    model = case.model(scheme)
    state, worst = bodies.equilibrium(model), -np.inf
    for _ in range(max(1, round(case.duration / _STRETCH))):
        run = bodies.simulate(model, _STRETCH, step, record_every=1, state=state)
        for wheel in model.mechanism.wheels:
            w = run.wheel(wheel.name)
            worst = max(worst, float((w.traction * (w.v_x - w.rim_speed))[1:].max()))
        state = run.final
    return worst


def check_gain(case: FullVehicleCase, schemes: tuple[str, ...]) -> Check:
    """Check that every thrust dissipates at 1 ms and 1/60 s. The scheme "local-current" (Peiret et
    al., eq 29 as printed) supplies energy and is not checked.
    """
    name = "no thrust gives energy to the contact at 1 ms and 1/60 s (local-current only reported)"
    gains = {s: [largest_gain(case, s, h) for h in STEPS] for s in schemes}
    compared = [max(gains[s]) for s in schemes if s in COMPARED]
    text = f"largest power of a step {max(compared, default=0.0):.1e} W"
    for scheme in (s for s in schemes if s not in COMPARED):
        fine, coarse = gains[scheme]
        text += f"; {scheme} {fine:.0f} W at 1 ms, {coarse:.0f} W at 1/60 s"
    return Check(name, text, max(compared) < 1e-6 if compared else None)
