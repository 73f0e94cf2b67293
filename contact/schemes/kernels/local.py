"""Tangent at the start of the step, bounds at the peak force: smooth, but creeps at rest."""

from mlcp.jit import kernel

from .line import LEAST_SPEED, tangent_line

EQUATIONS = "27-30"


@kernel
def line(at):
    """Tangent ``F - c_t (v_t+ - v_t)``, eq 27 (symbols: ``Sliding``), no steeper than the secant.

    A steeper tangent (a law that is convex from zero sliding on) crosses zero force before zero sliding;
    at velocities between the two crossings its force would have the direction of the sliding.
    """
    dissipates = (at.force * at.v_t < 0.0) and abs(at.v_t) > LEAST_SPEED
    damping = min(at.tangent, abs(at.force / at.v_t)) if dissipates else at.tangent
    return tangent_line(at, damping, at.peak)
