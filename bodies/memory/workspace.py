"""A model's own memory while it runs, and the compiled step on it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from mlcp import SOLVERS
from mlcp.compiled.late import NotCompiled
from mlcp.compiled.signals import held_back
from mlcp.solvers.base import Solver

from .. import checks
from ..checks import SimulationError, checked
from ..kernels import codes
from ..kernels import records as D
from ..kernels.data import Run
from ..kernels.slots import FLOATS, INTS
from ..model import Model, view
from ..state import State
from .compiled import STAGES, compile_ahead, run, table
from .elimination import Elimination
from .refusal import refuse
from .snapshot import restore, snapshot
from .turns import Shared, let_others

PIECE = 0.1  # [s] of computing after which Python may answer Ctrl-C
SHORT = 64  # steps that need no watch
SOME = 10.0  # pieces that one of the full length could have been
NO_RECORDS = np.zeros(1, np.int64), np.zeros((1, 1))


def kind_of_contacts(model: Model) -> int:
    """Which of the compiled runs a model needs."""
    from .soil import is_mixed

    cylinders = model.circuit.cylinders if model.circuit else ()
    count = model.machine.count
    if count.soil_wheels > 0:
        return codes.MIXED if is_mixed(model.mechanism) else codes.SOFT
    return codes.HARD if count.channels > len(cylinders) else codes.NO_CONTACTS


def begin_compiling(model: Model) -> None:
    """Let other processes begin with a model's step and the usual solver, where it is not kept yet."""
    workspace = Workspace(model)
    kind = workspace.kind()
    compile_ahead(*kind, apart=workspace.apart(kind[1]))


@checked.explained
class Workspace(Shared):
    """Arrays of one running model.

    Copies and pickles have memory of their own.

    Attributes:
        model: what it was made from.
        plan: the elimination order.
        F, N: the two flat workspaces (``kernels/data``).
    """

    def __init__(self, model: Model, plan: Any = None) -> None:
        self._share()
        self.model = model
        self._contacts = kind_of_contacts(model)
        self._ground: Any = None
        self._solver: Any = None  # of that
        self._apart: dict[int, tuple[str, ...]] = {}  # by the solver's number
        self.F, self.N = model.floats.copy(), model.ints.copy()
        self._kind = self._find_kind()
        plan = model.plan if plan is None else plan
        if plan is not None:
            self.install(plan)

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles: views of the memory are made again, on the copy's own."""
        with self.turn():
            return self._private() | {"F": self.F.copy(), "N": self.N.copy()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._share()

    def another(self, plan: Elimination) -> Workspace:
        """Another one with the same numbers and the tables of an elimination order."""
        found = Workspace.__new__(Workspace)
        found.__setstate__(self._private())
        found.install(plan)
        return found

    def _private(self) -> dict[str, Any]:
        """Its attributes but those that look at its memory."""
        return self._unshared() | {"_ground": None}

    def choose(self, solver: str | Solver) -> bool:
        """Take over a solver of ``mlcp.SOLVERS``; whether a step with it is compiled whole.

        It is not for solvers without a kernel and for wheels on soil with a scheme of one's own.
        """
        number = SOLVERS.number(solver)
        if number is None:
            return False
        self.machine.count.solver = number
        self._kind = self._find_kind()
        self.friction().settings.floats[:] = SOLVERS.settings(solver)
        if self._contacts != codes.SOFT:
            return True
        if not isinstance(solver, str):
            self.contact().settings.solver.floats[:] = SOLVERS.settings(solver)
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
        kind = self.kind()
        return table(*kind, apart=self.apart(kind[1]))

    def kind(self) -> tuple[int, int, bool, bool]:
        """Contacts, solver, varies and oil of the compiled step for this model."""
        return self._kind

    def _find_kind(self) -> tuple[int, int, bool, bool]:
        count, oil = self.machine.count, self.model.circuit is not None
        return self._contacts, count.solver, bool(count.varies), oil

    def apart(self, solver: int) -> tuple[str, ...]:
        """Kernels compiled apart that every step of this model calls, with the solver of that number."""
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

    def f(self, path: str) -> np.ndarray:
        """View of the floats of an array or of records, flat: ``"channels.impulse"``."""
        return view(self.F, self.N, FLOATS[path])

    def i(self, path: str) -> np.ndarray:
        """View of integers, likewise."""
        return view(self.N, self.N, INTS[path])

    @property
    def machine(self) -> Any:
        """Everything by name."""
        return Run(self.F, self.N)

    def poses(self) -> np.ndarray:
        """Centre of mass [m] and orientation of every body, (bodies, 7)."""
        n = len(self.model.mechanism.bodies)
        x, q = self.machine.position[: 3 * n], self.machine.quaternion[: 4 * n]
        return np.hstack((x.reshape(n, 3), q.reshape(n, 4)))

    def contact(self) -> Any:
        """The contact problem of wheels on soil, on this memory."""
        return self.machine.contact

    def friction(self) -> Any:
        """The problem with friction on this memory."""
        return self.machine.mixed if self._contacts == codes.MIXED else self.machine.hard

    def oil(self) -> Any:
        """The circuit on this memory."""
        return self.machine.oil

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
        ground = ground_of(self.model.mechanism, self.machine.count.channels, solver, **settings)
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
            channels = self.machine.count.channels
            ground = ground_of(self.model.mechanism, channels, solver)
            self._ground, self._solver = ground_on(self, ground), solver
        return self._ground

    # elimination order -----------------------------------------------------------------------
    def install(self, plan: Elimination) -> None:
        """Make room for the tables and panels of an elimination order."""
        self._ground = None  # its views would look at the old memory
        tables = {"plan": plan.table, "scale": plan.scale, "panels": np.zeros(plan.panels)}
        made = self.machine.relaid(**tables)
        self.F, self.N = made.F, made.N
        self.machine.clock.pivot_planned = plan.pivot
        self.plan: Any = plan

    def replan(self) -> None:
        """Choose and check a new elimination order in the current pose."""
        from mlcp.kkt import make_plan

        self.stage("detect", "assemble")
        structure = self.model.structure
        plan = make_plan(
            structure,
            self.machine.mass_block.copy(),
            self.machine.jacobian[: structure.jac_size].copy(),
            self.machine.compliance.copy(),
        )
        self.install(Elimination.of(plan))

    def renew_order(self) -> None:
        """:meth:`replan` within a run.

        Raises:
            SimulationError: the matrices of this pose cannot be factored in any order.
        """
        try:
            with held_back():
                self.replan()
        except (ValueError, np.linalg.LinAlgError) as error:
            raise SimulationError(
                f"mechanism {self.model.mechanism.name!r}: the matrices at "
                f"t = {self.machine.clock.time:.6g} s cannot be factored ({error}); try a shorter step."
            ) from None

    # running ---------------------------------------------------------------------------------
    def stage(self, first: str, last: str | None = None, steps: int = 1) -> int:
        """Do the named stages, first to last, of ``steps`` steps."""
        for name in (first, last or first):
            if name not in STAGES:
                raise checks.UnknownName("stage", name, STAGES)
        return self._run(steps, STAGES.index(first), STAGES.index(last or first))

    @checked.bare
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
                with self.turn():
                    self.run_piece(take, *records)
                share = PIECE / max(time.perf_counter() - start, 1e-9)
                piece = max(SHORT, int(take * min(share, 4.0)))
                if share < SOME:  # long enough that others wait
                    let_others()
            else:
                with self.turn():
                    self.run_piece(take, *records)
            steps -= take

    def run_piece(self, left: int, *records: np.ndarray) -> None:
        """Do ``left`` steps."""
        renewed_at = -1
        count = self.machine.count
        while left > 0:
            left -= self._run(left, 0, STAGES.index("project"), *records)
            if count.status == D.REORDER:
                if renewed_at == count.steps:
                    # a new order did not help: the pose itself is singular; go on with it
                    self.machine.clock.pivot_planned = 0.0
                else:
                    renewed_at = int(count.steps)
                    self.renew_order()
                count = self.machine.count
                count.status = D.RUNNING
            elif count.status != D.RUNNING:
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
        with self.turn():
            return snapshot(self)

    def restore(self, state: State) -> None:
        """Go back to a snapshot, see ``snapshot.restore``."""
        with self.turn(), held_back():
            restore(self, state)
