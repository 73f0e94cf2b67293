"""Couplings: constraint rows over joint coordinates, bilateral for gears, drives, springs and engines,
with bounds for brakes, clutches, stops and drives of limited effort.

Each kind has a kernel file, see ``codes.COUPLINGS``: its function ``row`` writes Jacobian, compliance,
bias and bounds, its function ``error`` the position error of a kind that has one.
"""

from mlcp.compiled.choice import choice
from mlcp.compiled.lazy import INT, bundle, lazy, record
from mlcp.jit import kernel

from .codes import COUPLINGS, FIRST_RARE
from .data import RunData
from .records import CouplingRecord

_FILES = ["bodies.{}.kernels.{}".format(*name.split(".")) for name in COUPLINGS]
coupling_row = choice(_FILES, "row", "it, run", among=range(FIRST_RARE))
rare_row = choice(_FILES, "row", "it, run", among=range(FIRST_RARE, len(COUPLINGS)))
coupling_error = choice(_FILES, "error", "it, run")


@lazy(INT(INT, record(CouplingRecord), bundle(RunData)), "mlcp", "contact", "bodies")
def lazy_coupling(kind, it, run):
    """Call ``rare_row``; compiled only for machines with couplings of kinds from ``FIRST_RARE`` on."""
    rare_row(kind, it, run)
    return 0


@kernel
def assemble_couplings(run):
    """Write Jacobian, compliance, bias and bounds of every coupling."""
    J, couplings = run.jacobian, run.couplings
    for m in range(len(couplings)):
        it = couplings[m]
        for k in range(it.jac_size):
            J[it.jac + k] = 0.0
        if it.kind < FIRST_RARE:
            coupling_row(it.kind, it, run)
        else:
            lazy_coupling(it.kind, it, run)


@kernel
def measure_couplings(run):
    """Write the position errors of the bilateral couplings."""
    couplings = run.couplings
    for m in range(len(couplings)):
        it = couplings[m]
        coupling_error(it.kind, it, run)
