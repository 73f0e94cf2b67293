"""Codes of a solver's kernel; ``solvers.base.STATUS`` has their statuses."""

SOLVED = 0
ITERATION_LIMIT = 1
INFEASIBLE = 2  # a direction proves that there is no solution (``certificate``)
FAILED = 3
OUT_OF_TIME = 5  # the deadline has passed
SPARSE = 6  # only to ``solvers.direct``: a sparse matrix, for which it tries other methods first
