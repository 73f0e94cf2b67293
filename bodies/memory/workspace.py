"""Memory of a running model, and the compiled step on it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from mlcp import SOLVERS
from mlcp.compiled.failures import deferred_signals
from mlcp.compiled.lazy import NotCompiled
from mlcp.solvers.base import Solver

from .. import checks
from ..checks import SimulationError, checked
from ..kernels import codes
from ..kernels import records as D
from ..kernels.data import RunData
from ..kernels.slots import FLOATS, INTS
from ..model import Model, view
from ..state import State
from .compiled import STAGES, precompile, run, table
from .elimination import Elimination
from .refusal import refuse
from .snapshot import restore, snapshot
from .turns import Shared, let_others

INTERRUPT_INTERVAL = 0.1  # [s] computing time between two checks for Ctrl-C
SHORT = 64  # number of steps up to which a run is not split
NO_RECORDS = np.zeros(1, np.int64), np.zeros((1, 1))


def kind_of_contacts(model: Model) -> int:
    """Kind of contact problem of a model (see ``kernels.codes``), for the choice of the compiled
    step."""
    from .soil import is_mixed

    cylinders = model.circuit.cylinders if model.circuit else ()
    count = model.machine.count
    if count.soil_wheels > 0:
        return codes.MIXED if is_mixed(model.mechanism) else codes.SOFT
    return codes.HARD if count.channels > len(cylinders) else codes.NO_CONTACTS


def begin_compiling(model: Model) -> None:
    """Start to compile a model's step with the default solver in other processes, if it is not in the
    cache."""
    workspace = Workspace(model)
    precompile(*workspace.kind, lazy=workspace.lazy(workspace.kind[1]))


@checked.explained
class Workspace(Shared):
    """The arrays of one running model; copies and pickles have memory of their own.

    Attributes:
        model: the compiled mechanism.
        plan: the elimination order.
        kind: variant of the compiled step: kind of contact problem, code of the solver, whether the
            ground has soil maps or ruts, whether there is a hydraulic circuit.
        F, N: all floats and all integers, flat (``kernels/data``).
    """

    def __init__(self, model: Model, plan: Any = None) -> None:
        self._share()
        self.model = model
        self._contacts = kind_of_contacts(model)
        self._ground: Any = None
        self._solver: Any = None  # solver of the contact problem
        self._lazy: dict[int, tuple[str, ...]] = {}  # result of ``lazy`` by the solver's number
        self.F, self.N = model.floats.copy(), model.ints.copy()
        self.kind: tuple[int, int, bool, bool] = self._find_kind()
        plan = model.plan if plan is None else plan
        if plan is not None:
            self.install(plan)

    def __getstate__(self) -> dict[str, Any]:
        """Attributes for copies and pickles, with copies of F and N."""
        with self.turn():
            return self._private() | {"F": self.F.copy(), "N": self.N.copy()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._share()

    def another(self, plan: Elimination) -> Workspace:
        """Copy of the workspace with the tables of another elimination order."""
        found = Workspace.__new__(Workspace)
        found.__setstate__(self._private())
        found.install(plan)
        return found

    def _private(self) -> dict[str, Any]:
        """Attributes except the lock and the contact problem, whose arrays are views of the memory."""
        return self._unshared() | {"_ground": None}

    def choose(self, solver: str | Solver) -> bool:
        """Set the solver of the contact problem; returns whether whole steps then run in compiled code.

        For solvers without a kernel and for schemes (regularisations) of users, steps run from Python.
        """
        number = SOLVERS.number(solver)
        if number is None:
            return False
        self.machine.count.solver = number
        self.kind = self._find_kind()
        self.friction().settings.floats[:] = SOLVERS.settings(solver)
        if self._contacts != codes.SOFT:
            return True
        if not isinstance(solver, str):
            self.contact().settings.solver.floats[:] = SOLVERS.settings(solver)
        soft = [wheel.soil for wheel in self.model.mechanism.wheels if wheel.soil is not None]
        return not any(wheel.scheme.line for wheel in soft)

    def _run(self, steps: int, first: int, last: int, keep: Any = None, out: Any = None) -> int:
        """Run the stages first..last of ``steps`` steps by the step compiled for this model and
        solver."""
        if keep is None:
            keep, out = NO_RECORDS
        try:
            return int(run()(self.F, self.N, self.parts(), steps, first, last, keep, out))
        except NotCompiled as error:
            name = self.model.mechanism.name
            raise checks.SimulationError(f"mechanism {name!r}: {error}.") from error.__cause__

    def parts(self) -> np.ndarray:
        """Addresses of the parts of the step compiled for this model and the present solver."""
        return table(*self.kind, lazy=self.lazy(self.kind[1]))

    def _find_kind(self) -> tuple[int, int, bool, bool]:
        count, oil = self.machine.count, self.model.circuit is not None
        return self._contacts, count.solver, bool(count.varies), oil

    def lazy(self, solver: int) -> tuple[str, ...]:
        """Names of the lazily compiled kernels that the first steps of this model call.

        ``solver``: number of the contact solver.
        """
        if solver not in self._lazy:
            self._lazy[solver] = self._find_lazy(solver == SOLVERS.number("direct"))
        return self._lazy[solver]

    def _find_lazy(self, direct: bool) -> tuple[str, ...]:
        from contact.kernels.ground.rigid import PLANE
        from contact.kernels.laws.lateral import SAMPLED
        from contact.kernels.wheel.layout import IMPLICIT

        machine, on_soil = self.machine, self._contacts in (codes.SOFT, codes.MIXED)
        sides = self.contact().wheels.sides if on_soil else ()
        each = self.contact().wheels.each if on_soil else ()
        soft = [wheel.soil for wheel in self.model.mechanism.wheels if wheel.soil is not None]
        needed = {
            "follow_law": on_soil,  # called in the first steps of nearly every run
            "direct": direct and self._contacts in (codes.HARD, codes.MIXED),
            "wong_reece": any(wheel.ground_law.name == "wong-reece" for wheel in soft),
            "other_law": any(wheel.ground_law.name != "brixius" for wheel in soft),
            "digging_load": any(wheel.slip_sinkage for wheel in soft),
            "ploughing_shear": any(wheel.ploughs for wheel in soft),
            "ploughing_pressure": any(wheel.ploughs for wheel in soft),
            "other_side": any(side >= SAMPLED for side in sides),
            "for_other_wheel": any(one.scheme != IMPLICIT or one.relaxes for one in each),
            "force_element": len(machine.forces) > 0,
            "lazy_coupling": any(one.kind >= codes.FIRST_RARE for one in machine.couplings),
            "curved_ground": any(
                machine.surfaces[wheel.surface].kind != PLANE for wheel in machine.wheels
            ),
        }
        return tuple(name for name, is_needed in needed.items() if is_needed)

    def f(self, path: str) -> np.ndarray:
        """Flat view of the floats of the array or records ``path``, such as ``"channels.impulse"``."""
        return view(self.F, self.N, FLOATS[path])

    def i(self, path: str) -> np.ndarray:
        """Flat view of the integers of the array or records ``path``."""
        return view(self.N, self.N, INTS[path])

    @property
    def machine(self) -> Any:
        """The memory as records and arrays with named fields, ``kernels.data.RunData``."""
        return RunData(self.F, self.N)

    def poses(self) -> np.ndarray:
        """Centre of mass [m] and orientation of every body, (bodies, 7)."""
        n = len(self.model.mechanism.bodies)
        x, q = self.machine.position[: 3 * n], self.machine.quaternion[: 4 * n]
        return np.hstack((x.reshape(n, 3), q.reshape(n, 4)))

    def contact(self) -> Any:
        """Contact problem of wheels on soil: records and arrays in this memory."""
        return self.machine.contact

    def friction(self) -> Any:
        """Friction problem of the hard contacts, or of all contacts together: arrays in this memory."""
        return self.machine.mixed if self._contacts == codes.MIXED else self.machine.hard

    def oil(self) -> Any:
        """Hydraulic circuits: records and arrays in this memory."""
        return self.machine.oil

    def set_contact(self, solver: str | Solver, settings: Mapping[str, Any]) -> None:
        """Set tolerances and limits of ``contact.GroundContact`` for the wheels on soil.

        Raises:
            MechanismError: an unknown name, an invalid value, or no wheel on soil.
        """
        from .soil import OF_CONTACT, SETTINGS, ground_of

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
        for name in OF_CONTACT:
            setattr(own, name, getattr(given, name))
        for name in ("most", "relaxation", "symmetric", "time_limit"):
            setattr(own.solver, name, getattr(given.solver, name))

    def ground(self, solver: str | Solver) -> Any:
        """Contact problem of wheels on soil whose arrays are this memory, for a solver in Python."""
        from .soil import ground_of, ground_on

        if self._ground is None or self._solver != solver:
            channels = self.machine.count.channels
            ground = ground_of(self.model.mechanism, channels, solver)
            self._ground, self._solver = ground_on(self, ground), solver
        return self._ground

    # elimination order -----------------------------------------------------------------------
    def install(self, plan: Elimination) -> None:
        """Move all arrays to new memory, with the tables of an elimination order and zeroed factors."""
        self._ground = None  # the arrays of this contact problem are views of the old memory
        tables = {"plan": plan.table, "scale": plan.scale, "panels": np.zeros(plan.panels)}
        made = self.machine.relaid(**tables)
        self.F, self.N = made.F, made.N
        self.machine.clock.pivot_planned = plan.pivot
        self.plan: Any = plan

    def replan(self) -> None:
        """Choose, check and install a new elimination order in the current pose."""
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
            SimulationError: the system matrix in this pose cannot be factorised in any order.
        """
        try:
            with deferred_signals():
                self.replan()
        except (ValueError, np.linalg.LinAlgError) as error:
            raise SimulationError(
                f"mechanism {self.model.mechanism.name!r}: the matrices at "
                f"t = {self.machine.clock.time:.6g} s cannot be factored ({error}); try a shorter step."
            ) from None

    # running ---------------------------------------------------------------------------------
    def stage(self, first: str, last: str | None = None, steps: int = 1) -> int:
        """Run the named stages ``first`` to ``last`` (default: ``first`` alone) of ``steps`` steps."""
        for name in (first, last or first):
            checks.need_known("stage", name, STAGES)
        return self._run(steps, STAGES.index(first), STAGES.index(last or first))

    @checked.bare
    def run(self, steps: int, *records: np.ndarray) -> None:
        """Run ``steps`` whole steps in compiled code, with a new elimination order when a pivot is too
        small.

        ``records``: arguments ``keep`` and ``out`` of ``kernels.step.run``; default: no records.

        Long runs are split into pieces of about ``INTERRUPT_INTERVAL``: between two pieces Python can
        raise KeyboardInterrupt. The split does not change the results.
        """
        piece = SHORT
        while steps > 0:
            take = min(piece, steps)
            if take < steps or take > SHORT:
                start = time.perf_counter()
                with self.turn():
                    self.run_piece(take, *records)
                ratio = INTERRUPT_INTERVAL / max(time.perf_counter() - start, 1e-9)
                piece = max(SHORT, int(take * min(ratio, 4.0)))
                if ratio < 10.0:  # the piece took more than 10 ms: other threads may wait for the lock
                    let_others()
            else:
                with self.turn():
                    self.run_piece(take, *records)
            steps -= take

    def run_piece(self, left: int, *records: np.ndarray) -> None:
        """Run ``left`` steps without a split, see :meth:`run`."""
        renewed_at = -1
        count = self.machine.count
        while left > 0:
            left -= self._run(left, 0, STAGES.index("project"), *records)
            if count.status == D.REORDER:
                if renewed_at == count.steps:
                    # in a singular pose pivots are small in any order: switch off their check
                    self.machine.clock.pivot_planned = 0.0
                else:
                    renewed_at = int(count.steps)
                    self.renew_order()
                count = self.machine.count
                count.status = D.RUNNING
            elif count.status != D.RUNNING:
                refuse(self)

    def kept(self) -> tuple[np.ndarray, np.ndarray, Any]:
        """Copy of all memory, for :meth:`put_back`."""
        return self.F.copy(), self.N.copy(), self.plan

    def put_back(self, kept: tuple[np.ndarray, np.ndarray, Any]) -> None:
        """Restore the memory of :meth:`kept`."""
        self.F, self.N = kept[:2]
        self.plan = kept[2]
        self._ground = None  # the arrays of this contact problem are views of the old memory

    def state(self) -> State:
        """Snapshot of all data that determine the further steps of the run."""
        with self.turn():
            return snapshot(self)

    def restore(self, state: State) -> None:
        """Restore a snapshot, see ``snapshot.restore``."""
        with self.turn(), deferred_signals():
            restore(self, state)
