"""One step of bodies as a block-sparse saddle point (kernels: ``mlcp.kernels.kkt``):

M v = momentum + J' p + C' q,    J v + e p + bias = 0

v: velocities, p: impulses of the bilateral rows, q: impulses of the contact channels.
"""

from mlcp.kkt.plan import Plan, make_plan
from mlcp.kkt.problem import Factorisation, KktProblem
from mlcp.kkt.structure import Structure

__all__ = ["Factorisation", "KktProblem", "Plan", "Structure", "make_plan"]
