"""A model's own memory while it runs, and the compiled step on it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from mlcp import SOLVERS
from mlcp.compiled.late import NotCompiled
from mlcp.solvers.base import Solver

from . import checks
from .checks import SimulationError
from .compiled import STAGES, compile_ahead, run, table
from .elimination import Elimination
from .kernels import codes
from .kernels import layout as L
from .kernels import records as D
from .kernels.data import Run
from .model import Model, float_view, int_view, pack
from .refusal import refuse
from .snapshot import restore, snapshot
from .state import State

PIECE = 0.1  # [s] of computing after which Python may answer Ctrl-C
SHORT = 64  # steps that need no watch
NO_RECORDS = np.zeros(1, np.int64), np.zeros((1, 1))


def kind_of_contacts(model: Model) -> int:
    """Which of the compiled runs a model needs."""
    from .soil import is_mixed

    cylinders = model.circuit.cylinders if model.circuit else ()
    count = model.integers(L.COUNT_I)
    if count[L.SOIL_WHEELS] > 0:
        return codes.MIXED if is_mixed(model.mechanism) else codes.SOFT
    return codes.HARD if count[L.CHANNELS] > len(cylinders) else codes.NO_CONTACTS


def begin_compiling(model: Model) -> None:
    """Let other processes begin with a model's step and the usual solver, where it is not kept yet."""
    workspace = Workspace(model)
    compile_ahead(*workspace.kind(), apart=workspace.apart())


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
        self._solver: Any = None  # of that
        self._apart: dict[int, tuple[str, ...]] = {}  # by the solver's number
        self.F, self.N = model.floats.copy(), model.ints.copy()
        plan = model.plan if plan is None else plan
        if plan is not None:
            self.install(plan)

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles: views of the memory are made again, on the copy's own."""
        return {**self.__dict__, "_ground": None}

    def choose(self, solver: str | Solver) -> bool:
        """Take over a solver of ``mlcp.SOLVERS``; whether a step with it is compiled whole.

        It is not for solvers without a kernel and for wheels on soil with a scheme of one's own.
        """
        from contact.kernels.data import Settings

        number = SOLVERS.number(solver)
        if number is None:
            return False
        self.i(L.COUNT_I)[L.SOLVER] = number
        if self.f(L.SOLVER_SETTINGS).size:
            self.f(L.SOLVER_SETTINGS)[:] = SOLVERS.settings(solver)
        if self._contacts != codes.SOFT:
            return True
        if not isinstance(solver, str):
            self.f(L.SOIL_SETTINGS)[Settings.fields["solver"].floats :] = SOLVERS.settings(solver)
        soft = [wheel.soil for wheel in self.model.mechanism.wheels if wheel.soil is not None]
        return not any(wheel.scheme.line for wheel in soft)

    def _run(self, steps: int, first: int, last: int, keep: Any = None, out: Any = None) -> int:
        """Run the step compiled for this model's contacts and the solver chosen now."""
        if keep is None:
            keep, out = NO_RECORDS
        try:
            return int(run()(self.F, self.N, self.parts(), steps, first, last, keep, out))
        except NotCompiled as error:
            name = self.model.mechanism.name
            raise checks.SimulationError(f"mechanism {name!r}: {error}.") from error.__cause__

    def parts(self) -> np.ndarray:
        """Addresses of the compiled step's parts for this model and the solver chosen now."""
        return table(*self.kind(), apart=self.apart())

    def kind(self) -> tuple[int, int, bool, bool]:
        """Contacts, solver, varies and oil of the compiled step for this model."""
        count, oil = self.i(L.COUNT_I), self.model.circuit is not None
        return self._contacts, int(count[L.SOLVER]), bool(count[L.VARIES]), oil

    def apart(self) -> tuple[str, ...]:
        """Kernels compiled apart that every step of this model calls, with the solver chosen now."""
        solver = int(self.i(L.COUNT_I)[L.SOLVER])
        if solver not in self._apart:
            self._apart[solver] = self._find_apart(solver == SOLVERS.number("direct"))
        return self._apart[solver]

    def _find_apart(self, direct: bool) -> tuple[str, ...]:
        from contact.kernels.lateral import SAMPLED
        from contact.kernels.rigid import PLANE

        machine, on_soil = self.machine, self._contacts in (codes.SOFT, codes.MIXED)
        sides = self.contact().wheels.sides if on_soil else ()
        soft = [wheel.soil for wheel in self.model.mechanism.wheels if wheel.soil is not None]
        needed = {
            "pivoting": direct and self._contacts in (codes.HARD, codes.MIXED),
            "wong_reece": any(wheel.ground_law.name == "wong-reece" for wheel in soft),
            "other_law": any(wheel.ground_law.name != "brixius" for wheel in soft),
            "digging_load": any(wheel.slip_sinkage for wheel in soft),
            "other_side": any(side >= SAMPLED for side in sides),
            "force_element": len(machine.forces) > 0,
            "seldom_coupling": any(one.kind >= codes.SELDOM for one in machine.couplings),
            "curved_ground": any(
                machine.surfaces[wheel.surface].kind != PLANE for wheel in machine.wheels
            ),
        }
        return tuple(name for name, is_needed in needed.items() if is_needed)

    def f(self, number: int) -> np.ndarray:
        """View of a float array."""
        return float_view(self.F, self.N, number)

    def i(self, number: int) -> np.ndarray:
        """View of an int array."""
        return int_view(self.N, number)

    @property
    def machine(self) -> Any:
        """Everything by name."""
        return Run(self.F, self.N)

    def poses(self) -> np.ndarray:
        """Centre of mass [m] and orientation of every body, (bodies, 7)."""
        n = len(self.model.mechanism.bodies)
        x, q = self.f(L.POSITION)[: 3 * n], self.f(L.QUATERNION)[: 4 * n]
        return np.hstack((x.reshape(n, 3), q.reshape(n, 4)))

    def contact(self) -> Any:
        """The contact problem of wheels on soil, on this memory."""
        from contact.kernels.data import Contact

        return Contact(self.F, self.N, int(self.N[L.CONTACT_PLACE]))

    def friction(self) -> Any:
        """The problem with friction on this memory."""
        from contact.kernels.data import Friction

        return Friction(self.F, self.N, int(self.N[L.FRICTION_PLACE]))

    def oil(self) -> Any:
        """The circuit on this memory."""
        from .hydraulics.kernels.data import Circuit

        return Circuit(self.F, self.N, int(self.N[L.OIL_PLACE]))

    def set_contact(self, solver: str | Solver, settings: Mapping[str, Any]) -> None:
        """Tolerances and limits of ``contact.GroundContact`` for the soft wheels.

        Raises:
            MechanismError: a name or a value that it does not have, or no wheel on soil.
        """
        from .soil import SETTINGS, ground_of

        if not isinstance(settings, Mapping):
            raise checks.MechanismError(
                f"simulation: contact = {checks.shown(settings)} must be a dict of names and values"
            )
        for name in settings:
            checks.one_of("simulation", "contact", name, SETTINGS)
        ground = ground_of(self.model.mechanism, int(self.i(L.COUNT_I)[L.CHANNELS]), solver, **settings)
        if ground is None:
            raise checks.MechanismError("simulation: contact is given, but no wheel is on soil")
        given, own = ground.data.settings, self.contact().settings
        for name in ("law_tolerance", "solver_tolerance", "max_passes"):
            setattr(own, name, getattr(given, name))
        for name in ("most", "relaxation", "symmetric", "time_limit"):
            setattr(own.solver, name, getattr(given.solver, name))

    def ground(self, solver: str | Solver) -> Any:
        """The soft wheels' contact problem on this memory, for a solver that runs from Python."""
        from .soil import ground_of, ground_on

        if self._ground is None or self._solver != solver:
            channels = int(self.i(L.COUNT_I)[L.CHANNELS])
            ground = ground_of(self.model.mechanism, channels, solver)
            self._ground, self._solver = ground_on(self, ground), solver
        return self._ground

    # elimination order -----------------------------------------------------------------------
    def install(self, plan: Elimination) -> None:
        """Make room for the tables and panels of an elimination order."""
        floats = [self.f(k).copy() for k in range(L.N_FLOATS)]
        ints = [self.i(k).copy() for k in range(L.N_INTS)]
        self._ground = None  # its views would look at the old memory
        floats[L.SCALE], floats[L.PANELS] = plan.scale, np.zeros(plan.panels)
        ints[L.PLAN_I] = plan.table
        self.F, self.N = pack(floats, ints)
        self.f(L.SCALAR)[L.PIVOT_PLANNED] = plan.pivot
        self.plan: Any = plan

    def replan(self) -> None:
        """Choose and check a new elimination order in the current pose."""
        from mlcp.kkt import make_plan

        self.stage("detect", "assemble")
        structure = self.model.structure
        plan = make_plan(
            structure,
            self.f(L.MASS_BLOCK).copy(),
            self.f(L.JACOBIAN)[: structure.jac_size].copy(),
            self.f(L.COMPLIANCE).copy(),
        )
        self.install(Elimination.of(plan))

    def renew_order(self) -> None:
        """:meth:`replan` within a run.

        Raises:
            SimulationError: the matrices of this pose cannot be factored in any order.
        """
        try:
            self.replan()
        except (ValueError, np.linalg.LinAlgError) as error:
            raise SimulationError(
                f"mechanism {self.model.mechanism.name!r}: the matrices at "
                f"t = {self.f(L.SCALAR)[L.TIME]:.6g} s cannot be factored ({error}); try a shorter step."
            ) from None

    # running ---------------------------------------------------------------------------------
    def stage(self, first: str, last: str | None = None, steps: int = 1) -> int:
        """Do the named stages, first to last, of ``steps`` steps."""
        for name in (first, last or first):
            if name not in STAGES:
                raise checks.UnknownName("stage", name, STAGES)
        return self._run(steps, STAGES.index(first), STAGES.index(last or first))

    def run(self, steps: int, *records: np.ndarray) -> None:
        """Do whole steps inside compiled code; renews the elimination order when it must.

        ``records``: what to keep and where, as ``kernels.step.run`` has it; none by default.

        Long runs go in pieces of a tenth of a second, so that Ctrl-C is answered: in between, at the end
        of a step, Python raises its KeyboardInterrupt. The pieces change no number.
        """
        piece = SHORT
        while steps > 0:
            take = min(piece, steps)
            if take < steps or take > SHORT:
                start = time.perf_counter()
                self._run_piece(take, *records)
                share = PIECE / max(time.perf_counter() - start, 1e-9)
                piece = max(SHORT, int(take * min(share, 4.0)))
            else:
                self._run_piece(take, *records)
            steps -= take

    def _run_piece(self, left: int, *records: np.ndarray) -> None:
        """Do ``left`` steps."""
        renewed_at = -1
        count = self.i(L.COUNT_I)
        while left > 0:
            left -= self._run(left, 0, STAGES.index("project"), *records)
            if count[L.STATUS] == D.REORDER:
                if renewed_at == count[L.STEPS]:
                    # a new order did not help: the pose itself is singular; go on with it
                    self.f(L.SCALAR)[L.PIVOT_PLANNED] = 0.0
                else:
                    renewed_at = int(count[L.STEPS])
                    self.renew_order()
                count = self.i(L.COUNT_I)
                count[L.STATUS] = D.RUNNING
            elif count[L.STATUS] != D.RUNNING:
                refuse(self)

    def kept(self) -> tuple[np.ndarray, np.ndarray, Any]:
        """A copy of all memory, for :meth:`put_back`."""
        return self.F.copy(), self.N.copy(), self.plan

    def put_back(self, kept: tuple[np.ndarray, np.ndarray, Any]) -> None:
        """Go back to where :meth:`kept` was called."""
        self.F, self.N = kept[:2]
        self.plan = kept[2]
        self._ground = None  # its views look at the other memory

    def state(self) -> State:
        """A snapshot of everything that decides the future."""
        return snapshot(self)

    def restore(self, state: State) -> None:
        """Go back to a snapshot, see ``snapshot.restore``."""
        restore(self, state)
