"""Wheels on soil together with hard contacts: passes on the ground law around a solve with friction.

The rows of the wheels' reduced problem are the channels of the problem with friction. Each pass
linearises the ground law in the wheels' rows, solves all rows with the friction bounds and cones
iterated to tolerance, and compares the result with the ground law. If passes or friction do not
converge, the next pass starts at a solution of all laws at once, including friction.
"""

from mlcp.jit import kernel, part
from mlcp.kernels.numbered import DIRECT

from ..rows.dense_rows import assemble
from . import rigid_reduced as hard
from .agreement import MAX_PLAIN_PASSES, follow_law, linearise_there
from .other_friction import OtherFriction
from .reduced import begin, check_wheels, end_velocities, remember, report, set_rows

MAX_UNSETTLED_PASSES = 5  # the step ends once friction has not converged in so many passes


@kernel
def carries_nothing(given, i):
    """Whether row i has no impulse in this step: it does not take part, or it is a friction row with
    coefficient 0. given: ``Bounded``."""
    return given.live[i] == 0 or (given.parent[i] >= 0 and given.coefficient[i] == 0.0)


@kernel
def bound_idle_rows(given, rows):
    """Give rows without impulse a diagonal of 1 and zero bounds: their own diagonal may be 0."""
    for i in range(given.parent.shape[0]):
        if carries_nothing(given, i):
            rows.A[i, i] = 1.0
            given.lower[i], given.upper[i] = 0.0, 0.0


@part
def solve_mixed(h, contact, friction, B, u_free, solver, friction_tolerance, tolerance):
    """Solve the step's contacts of wheels on soil and its hard contacts at once.

    Arguments: h, contact, B, u_free as of ``reduced.solve_reduced``; the others as of
    ``rigid_reduced.solve_reduced``, with the rows of ``contact`` as the channels of ``friction``.
    """
    wheels, rows, settings = contact.wheels, contact.rows, contact.settings
    given = friction.given
    other_friction = OtherFriction(given.parent, given.partner, given.coefficient, given.live)
    begin(h, contact, B, u_free)
    agreed, passes = False, 0
    residual, converged, lost = 0.0, 1, 0
    while not agreed and lost < MAX_UNSETTLED_PASSES and passes < settings.max_passes:
        passes += 1
        set_rows(h, B, u_free, solver == DIRECT, wheels, rows)
        bound_idle_rows(given, rows)
        if passes == 1:
            assemble(B, rows)
        residual, _rounds, converged = hard.solve_with_friction(
            friction, solver, friction_tolerance, tolerance
        )
        end_velocities(B, u_free, rows)
        agreed = check_wheels(h, settings.law_tolerance, True, wheels, rows) and converged == 1
        lost += 1 - converged
        due = not agreed and (passes > MAX_PLAIN_PASSES or converged == 0)
        if due and follow_law(h, wheels, rows, other_friction):
            end_velocities(B, u_free, rows)
            linearise_there(h, True, wheels, rows)
    report(agreed, passes, residual, tolerance, wheels, rows)
    remember(h, wheels, rows)
