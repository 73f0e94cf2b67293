"""A model's own memory while it runs, and the compiled step on it."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import checks
from .compiled import STAGES, run, table
from .kernels import layout as L
from .model import Model, float_view, int_view, pack
from .state import State

SOLVERS = ("direct", "pgs", "newton")  # compiled into the run; osqp goes stage by stage


class SimulationError(RuntimeError):
    """A run that cannot go on; the message says when and why."""


def kind_of_contacts(model: Model) -> int:
    """Which of the compiled runs a model needs."""
    from .kernels.step import HARD, MIXED, NO_CONTACTS, SOFT
    from .soil import is_mixed

    count = model.integers(L.COUNT_I)
    if count[L.SOIL_WHEELS] > 0:
        return MIXED if is_mixed(model.mechanism) else SOFT
    return HARD if count[L.CHANNELS] > 0 else NO_CONTACTS


class Workspace:
    """Arrays of one running model.

    Attributes:
        model: what it was made from.
        plan: the elimination order.
        F, N: the two flat workspaces (``kernels/layout``).
    """

    def __init__(self, model: Model, plan: Any = None) -> None:
        self.model = model
        self._contacts = kind_of_contacts(model)
        self._ground: Any = None
        self.F, self.N = model.floats.copy(), model.ints.copy()
        plan = model.plan if plan is None else plan
        if plan is not None:
            self._install(plan)

    def compiles(self, solver: str) -> bool:
        """Whether a step is compiled whole: wheels on soil lack newton's kernel and own schemes'."""
        from contact.ground_contact import COMPILED_SOLVERS

        from .kernels.step import SOFT

        if self._contacts != SOFT:
            return solver in SOLVERS
        own = any(wheel.soil.scheme.line for wheel in self.model.mechanism.wheels)
        return solver in COMPILED_SOLVERS and not own

    def _run(self, steps: int, first: int, last: int) -> int:
        """Run the step compiled for this model's contacts and the solver chosen now."""
        count = self.i(L.COUNT_I)
        parts = table(self._contacts, int(count[L.SOLVER]), bool(count[L.VARIES]))
        return int(run()(self.F, self.N, parts, steps, first, last))

    def f(self, number: int) -> np.ndarray:
        """View of a float array."""
        return float_view(self.F, self.N, number)

    def i(self, number: int) -> np.ndarray:
        """View of an int array."""
        return int_view(self.N, number)

    def ground(self, solver: str) -> Any:
        """The soft wheels' contact problem on this memory, for a solver that runs from Python."""
        from .soil import ground_of, ground_on

        if self._ground is None or self._ground.solver != solver:
            ground = ground_of(self.model.mechanism, int(self.i(L.COUNT_I)[L.CHANNELS]), solver)
            self._ground = ground_on(self, ground)
        return self._ground

    # elimination order -----------------------------------------------------------------------
    def _install(self, plan: tuple[np.ndarray, np.ndarray, int, float]) -> None:
        """Make room for the tables and panels of an elimination order."""
        table, scale, panels, pivot = plan
        floats = [self.f(k).copy() for k in range(L.N_FLOATS)]
        ints = [self.i(k).copy() for k in range(L.N_INTS)]
        self._ground = None  # its views would look at the old memory
        floats[L.SCALE], floats[L.PANELS], ints[L.PLAN_I] = scale, np.zeros(panels), table
        self.F, self.N = pack(floats, ints)
        self.f(L.SCALAR)[L.PIVOT_PLANNED] = pivot
        self.plan = plan

    def replan(self) -> None:
        """Choose and check a new elimination order in the current pose."""
        from mlcp.structured import make_plan

        self.stage("detect", "assemble")
        structure = self.model.structure
        plan = make_plan(
            structure,
            self.f(L.MASS_BLOCK).copy(),
            self.f(L.JACOBIAN)[: structure.jac_size].copy(),
            self.f(L.COMPLIANCE).copy(),
        )
        self._install((plan.table, plan.scale, plan.panel_size, plan.smallest_pivot))

    # running ---------------------------------------------------------------------------------
    def stage(self, first: str, last: str | None = None, steps: int = 1) -> int:
        """Do the named stages, first to last, of ``steps`` steps."""
        for name in (first, last or first):
            if name not in STAGES:
                raise checks.UnknownName("stage", name, STAGES)
        return self._run(steps, STAGES.index(first), STAGES.index(last or first))

    def run(self, steps: int) -> None:
        """Do whole steps inside compiled code; renews the elimination order when it must."""
        left, renewed_at = steps, -1
        count = self.i(L.COUNT_I)
        while left > 0:
            left -= self._run(left, 0, STAGES.index("project"))
            status = count[L.STATUS]
            if status == 1:
                if renewed_at == count[L.STEPS]:
                    # a new order did not help: the pose itself is singular; go on with it
                    self.f(L.SCALAR)[L.PIVOT_PLANNED] = 0.0
                else:
                    renewed_at = int(count[L.STEPS])
                    self.replan()
                count = self.i(L.COUNT_I)
                count[L.STATUS] = 0
            elif status == 2:
                raise SimulationError(
                    f"mechanism {self.model.mechanism.name!r}: velocities stopped being finite "
                    f"at t = {self.f(L.SCALAR)[L.TIME]:.6g} s; try a shorter step."
                )

    # state -----------------------------------------------------------------------------------
    def state(self) -> State:
        """A snapshot of everything that decides the future."""
        floats = np.concatenate([self.f(k) for k in range(L.STATE_FLOATS)])
        ints = np.concatenate([self.i(k) for k in range(L.STATE_INTS)])
        return State(floats, ints, self.plan)

    def restore(self, state: State) -> None:
        """Go back to a snapshot."""
        sizes = [self.f(k).size for k in range(L.STATE_FLOATS)]
        if state.floats.size != sum(sizes):
            raise checks.MechanismError(
                f"state: it holds {state.floats.size} numbers, but this model's state has "
                f"{sum(sizes)}; it belongs to another model."
            )
        if state.plan is not self.plan:
            self._install(state.plan)
        at = 0
        for k, size in enumerate(sizes):
            self.f(k)[:] = state.floats[at : at + size]
            at += size
        at = 0
        for k in range(L.STATE_INTS):
            view = self.i(k)
            view[:] = state.ints[at : at + view.size]
            at += view.size
