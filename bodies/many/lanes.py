"""Whether a model's vehicles can be computed in lanes: several side by side in one SIMD register."""

from __future__ import annotations

import numpy as np

from mlcp.jit import SWITCHED_OFF

from ..memory.workspace import Workspace

#: Largest size of a workspace for which lanes are used [floats]; a thread has two workspaces per lane.
MOST = 250_000


def tables_are_alike(work: Workspace, places: np.ndarray) -> bool:
    """Whether the tables of the ground laws have the same lengths in all vehicles, as lanes require.

    ``places``: indices in F of the numbers in which vehicles differ."""
    from contact.kernels.laws import curve, sampled
    from contact.kernels.laws.lateral import SAMPLED
    from contact.kernels.laws.law import LAWS

    from ..kernels.codes import SOFT

    if work.kind[0] != SOFT:
        return True
    wheels, laws = work.contact().wheels, list(LAWS)
    long = np.isin(wheels.laws, [laws.index("tabulated"), laws.index("user")])
    for table, kept in ((wheels.law, long), (wheels.lateral, np.asarray(wheels.sides) == SAMPLED)):
        first = (table.ctypes.data - work.F.ctypes.data) // table.itemsize
        for row in np.flatnonzero(kept):
            head = (
                first
                + row * table.shape[1]
                + np.array([curve.LOADS, curve.SLIPS, sampled.LOADS, sampled.SLIPS])
            )
            if np.isin(places, head).any():
                return False
    return True


def why_no_lanes(work: Workspace) -> str:
    """Reason why a model's vehicles cannot run in lanes; "" if they can."""
    if SWITCHED_OFF:
        return "lanes exist in compiled code only, and compilation is switched off (NUMBA_DISABLE_JIT)"
    if work.model.circuit is not None:
        return "models with a hydraulic circuit cannot be computed in lanes"
    if work.F.size > MOST:
        return f"its ground and tables take {work.F.size} numbers a lane, more than {MOST}"
    return ""


def finds_in_lanes(work: Workspace) -> bool:
    """Whether contacts are detected for all lanes at once: all are wheels on plane soil."""
    from contact.kernels.ground.rigid import PLANE

    from ..kernels.codes import SOFT

    machine = work.machine
    return work.kind[0] == SOFT and bool(np.all(machine.surfaces.kind[machine.wheels.surface] == PLANE))


def rolls_in_lanes(work: Workspace) -> bool:
    """Whether the contact problem of rolling wheels on soil is solved for all lanes at once."""
    from contact.kernels.lanes.rolling import LaneWork
    from contact.kernels.laws.law import IN_LANES, LAWS
    from contact.kernels.wheel import layout as at
    from contact.schemes.kernels.table import SCHEMES
    from mlcp import SOLVERS

    from ..kernels.codes import SOFT

    if work.kind[0] != SOFT:
        return False
    contact, count = work.contact(), work.machine.count
    each, laws = contact.wheels.each, list(LAWS)
    return bool(
        count.solver == SOLVERS.number("direct")
        and not count.varies
        and len(contact.rows.work) >= LaneWork.length(len(contact.rows.z))
        and np.all(each.scheme == at.IMPLICIT)
        and np.all(each.line == list(SCHEMES).index("implicit"))
        and np.all(each.digs == 0)
        and np.all(each.relaxes == 0)
        and np.isin(contact.wheels.laws, [laws.index(name) for name in IN_LANES]).all()
    )
