"""``wheelground solve``: a dumped problem, solved and checked."""

from __future__ import annotations

import time
from pathlib import Path

from ..reports.cli import refuse_bad_input, writable_file


def solve(
    problem: Path, *, solver: str = "direct", tol: float | None = None, out: Path | None = None
) -> int:
    """Solve a mixed complementarity problem from a file, and check the answer.

    Ends with code 0 if it is solved.

    Parameters
    ----------
    problem
        A file that mlcp.dump wrote; a step that missed its tolerance can be dumped into one.
    solver
        A name in mlcp.SOLVERS.
    tol
        Tolerance on the natural residual. [the solver's own]
    out
        File (.npz) for z and w.
    """
    with refuse_bad_input(TypeError):
        if not problem.is_file():
            raise ValueError(f"{problem} is no file; mlcp.dump(problem, 'problem.npz') writes one")
        writable_file(out, "--out")
        import numpy as np

        import mlcp
        from mlcp.writing import written

        loaded = mlcp.load(problem)
        begin = time.perf_counter()
        solution = mlcp.solve(loaded, solver, tol, raise_on_failure=False)
        elapsed = time.perf_counter() - begin
    n = len(solution.z)
    print(f"{problem.name}: {n} rows, solver {solution.solver}")
    print(f"{solution.status.name.lower().replace('_', ' ')} after {solution.iterations} iterations")
    print(f"natural residual {solution.residual:.2g}, allowed {solution.tol:.2g}")
    if n:
        row, worst = solution.worst_row()
        print(f"worst row {row!r}: {worst:.2g}")
    print(f"{1e3 * elapsed:.3g} ms, the first time with compiling")
    if out is not None:
        with refuse_bad_input(), written(out) as place, open(place, "wb") as file:
            np.savez(file, z=solution.z, w=solution.w)
        print(f"written: {out}")
    return 0 if solution.solved else 1
