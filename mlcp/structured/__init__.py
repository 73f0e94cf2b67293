"""Block-sparse problems ``M v = momentum + J' p + C' q``, ``J v + e p + bias = 0``."""

from mlcp.structured.plan import Plan, make_plan
from mlcp.structured.problem import Factorisation, StructuredProblem
from mlcp.structured.structure import Structure

__all__ = ["Factorisation", "Plan", "Structure", "StructuredProblem", "make_plan"]
