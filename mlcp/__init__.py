"""Mixed linear complementarity problems and their solvers, independent of wheels, bodies and units.

w = A z + b,   lower <= z <= upper,   and per row
z = lower -> w >= 0,   lower < z < upper -> w = 0,   z = upper -> w <= 0

>>> from mlcp import MLCP, solve
>>> solution = solve(MLCP(A=[[2.0, 1.0], [1.0, 2.0]], b=[-5.0, -6.0]))
>>> solution.z.round(12).tolist()
[1.333333333333, 2.333333333333]
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - pip refuses an old Python; a copied folder cannot
    raise ImportError(
        f"wheelground needs Python 3.11 or later; this is {sys.version.split()[0]} in {sys.executable}."
    )

from mlcp.coupled import TREATMENTS, CoupledMLCP, solve_coupled
from mlcp.delassus import StructuredMLCP
from mlcp.dump import dump, load
from mlcp.many import Solutions, solve_many
from mlcp.prepared import Prepared, Result, prepare, solve_dense
from mlcp.problem import MLCP, BadProblem
from mlcp.solution import MlcpNotSolved, Solution
from mlcp.solve import solve
from mlcp.solvers import SOLVERS
from mlcp.solvers.cvxpy import Cvxpy
from mlcp.solvers.direct import Direct
from mlcp.solvers.newton import SemismoothNewton
from mlcp.solvers.osqp import Osqp
from mlcp.solvers.pgs import ProjectedGaussSeidel
from mlcp.status import Status

__all__ = [
    "MLCP",
    "SOLVERS",
    "TREATMENTS",
    "BadProblem",
    "CoupledMLCP",
    "Cvxpy",
    "Direct",
    "MlcpNotSolved",
    "Osqp",
    "Prepared",
    "ProjectedGaussSeidel",
    "Result",
    "SemismoothNewton",
    "Solution",
    "Solutions",
    "Status",
    "StructuredMLCP",
    "dump",
    "load",
    "prepare",
    "solve",
    "solve_coupled",
    "solve_dense",
    "solve_many",
]
