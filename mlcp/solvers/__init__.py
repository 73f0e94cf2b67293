"""Table of the solvers; the class of each solver is in the file of the solver's name."""

from __future__ import annotations

import functools
import importlib
from typing import Any

from mlcp.checks import nearest, shown
from mlcp.kernels.solver_table import KERNELS
from mlcp.solvers.base import KernelSettings, Solver


@functools.cache
def _default(kind: Any) -> Solver:
    return kind()


class SolverTable(dict[str, Any]):
    """Dictionary of solver classes by name, printed as a table."""

    def __str__(self) -> str:
        lines = [f"{'name':8} {'exact':6} {'bilateral':10} {'warm':6} needs"]
        yes = {True: "yes", False: "no"}
        for name, kind in self.items():
            lines.append(
                f"{name:8} {yes[kind.exact]:6} {yes[kind.handles_bilateral]:10}"
                f" {yes[kind.warm_starts]:6} {kind.needs}"
            )
        return "\n".join(lines)

    def find(self, solver: str | Solver) -> Solver:
        """Solver of that name with its default settings, or the instance itself."""
        if not isinstance(solver, str):
            if isinstance(solver, Solver) and not isinstance(solver, type):
                return solver
            raise TypeError(
                f"solver must be a name or a configured solver, for instance"
                f" {next(iter(self.values())).__name__}(); it is {shown(solver)}."
            )
        if solver not in self:
            raise ValueError(f"unknown solver {solver!r}; {nearest(solver.lower(), self)}")
        return _default(self[solver])

    def number(self, solver: str | Solver) -> int | None:
        """Number of the solver's kernel in ``mlcp.kernels.solver_table``; None without a kernel."""
        if not isinstance(solver, str):
            solver = solver.name if type(solver) is self.get(solver.name) else ""
        return list(KERNELS).index(solver) if solver in KERNELS else None

    def settings(self, solver: str | Solver) -> KernelSettings:
        """Settings in a compiled time step of a configured solver, or of a solver given by its name."""
        return self[solver].in_a_step if isinstance(solver, str) else solver.kernel_settings  # type: ignore[attr-defined]


def _class_of(name: str) -> Any:
    """Class of the solver ``name``, in the file of this name."""
    module = importlib.import_module(f"{__name__}.{name}")
    return next(kind for kind in vars(module).values() if getattr(kind, "name", None) == name)


SOLVERS = SolverTable({name: _class_of(name) for name in (*KERNELS, "osqp", "cvxpy")})
