"""Result codes of the solvers' kernels; ``solvers.base.STATUS`` has the status of each code."""

SOLVED = 0
ITERATION_LIMIT = 1
INFEASIBLE = 2  # a direction proves that there is no solution (``certificate``)
FAILED = 3
OUT_OF_TIME = 5  # the deadline has passed
SPARSE = 6  # Newton steps failed on a sparse matrix: ``solvers.direct`` tries other methods next
