"""Running a model step by step: ``Simulation``."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np

from mlcp import SOLVERS
from mlcp.checks import shown
from mlcp.solvers.base import Solver

from .. import checks
from ..hydraulics.reading import Hydraulics
from ..memory.workspace import Workspace
from ..model import Model
from ..state import State
from .energy import Energy, energy_of
from .outside import run_outside
from .reactions import Reaction, reaction


class Simulation:
    """A model that runs: its state, its inputs, its step.

    Arguments:
        model: compiled mechanism.
        step: h [s].
        solver: of the reduced contact problem, a name in ``mlcp.SOLVERS`` or a configured solver, as
            ``Direct(max_pivots=50)``: direct, pgs and newton inside the compiled step, others stage by
            stage from Python.
        tolerance: joint errors above it are projected away within the step, once or more; smaller
            ones are taken out by the next step [m, rad]. At 0 every step does all its projections.
        projections: projections a step at most. One or two in an ordinary step; a target that jumps (a
            steering wheel turned by radians in one step) takes more, since they keep their direction.
        book_work: sum up the work of every element (:meth:`work_done`); costs about a tenth.
        contact: tolerances and limits of ``contact.GroundContact`` for wheels on soil, by name.
        state: where to start; default: the model's initial state. Step, gravity, tolerance and solver
            are never the state's.

    Raises:
        UnknownName: an unknown solver. MechanismError: a step or tolerance out of range, naming it; a
            state of another model, or a damaged one.
    """

    def __init__(
        self,
        model: Model,
        step: float,
        *,
        solver: str | Solver = "direct",
        tolerance: float = 5e-7,
        projections: int = 20,
        book_work: bool = False,
        contact: Mapping[str, float] | None = None,
        state: State | None = None,
    ) -> None:
        who = "simulation"
        if not isinstance(model, Model):
            raise checks.MechanismError(
                f"{who}: model = {shown(model)} is no bodies.Model; bodies.compile(mechanism) makes one"
            )
        self.model = model
        self.work: Workspace = Workspace(model)
        try:
            SOLVERS.find(solver)
        except (TypeError, ValueError):
            name: Any = solver
            raise checks.UnknownName(f"{who}: solver", name, SOLVERS) from None
        self.solver: str | Solver = solver
        self._compiled: bool = self.work.choose(solver)
        if model.circuit is not None and not self._compiled:
            raise checks.MechanismError(
                f"{who}: solver = {shown(solver)} runs from Python, but a hydraulic circuit is solved "
                "inside the compiled step; take 'direct', 'pgs' or 'newton'"
            )
        clock = self.work.machine.clock
        clock.step = checks.number(who, "step [s]", step, 0.0, 1.0, open_low=True)
        clock.tolerance = checks.number(who, "tolerance [m, rad]", tolerance, 0.0)
        self.work.machine.count.booking = int(checks.flag(who, "book_work", book_work))
        clock.projections = checks.whole(who, "projections", projections, 0, 20)
        if contact is not None:
            self.work.set_contact(solver, contact)
        if state is not None:
            self.work.restore(state)

    def __copy__(self) -> Simulation:
        """Another one with memory of its own."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, work=copy.copy(self.work))
        return other

    # running ---------------------------------------------------------------------------------
    def run(self, steps: int) -> None:
        """Do ``steps`` steps; Ctrl-C is answered at the end of one, within some 0.1 s.

        Arguments:
            steps: a whole number; a float counts as one if it is within 1e-9 of itself (0.7 / 1e-3).

        Raises:
            MechanismError: no whole number, or a negative one. SimulationError: velocities stop being
                finite, or a joint comes apart by more than the mechanism's size.
        """
        steps = checks.whole("simulation", "steps", steps)
        if self.compiled:
            self.work.run(steps)
        else:
            run_outside(self.work, steps, self.solver)

    @property
    def compiled(self) -> bool:
        """Whether whole steps run inside compiled code, or stage by stage from Python."""
        return self._compiled

    @property
    def time(self) -> float:
        """Time [s]."""
        return self.work.machine.clock.time

    @property
    def step(self) -> float:
        """Step h [s]."""
        return self.work.machine.clock.step

    # reading ---------------------------------------------------------------------------------
    def position(self, body: str) -> np.ndarray:
        """Centre of mass (3,) [m]."""
        k = self.model.body(body)
        return self.work.machine.position[3 * k : 3 * k + 3].copy()

    def quaternion(self, body: str) -> np.ndarray:
        """Orientation (4,), scalar first."""
        k = self.model.body(body)
        return self.work.machine.quaternion[4 * k : 4 * k + 4].copy()

    def poses(self) -> np.ndarray:
        """Centre of mass [m] and orientation of every body, (bodies, 7)."""
        return self.work.poses()

    def velocity(self, body: str) -> np.ndarray:
        """Velocity of the centre of mass (3,) [m/s]."""
        k = self.model.body(body)
        return self.work.machine.velocity[6 * k : 6 * k + 3].copy()

    def angular_velocity(self, body: str) -> np.ndarray:
        """Angular velocity (3,) [rad/s], world axes."""
        k = self.model.body(body)
        return self.work.machine.velocity[6 * k + 3 : 6 * k + 6].copy()

    def coordinate(self, name: str) -> float:
        """Joint coordinate [rad or m], turns counted."""
        return float(self.work.machine.coordinate[self.model.coordinate(name)])

    def reaction(self, joint: str) -> Reaction:
        """Reaction of a joint in the last step."""
        return reaction(self.work, joint)

    def energy(self) -> Energy:
        """Kinetic, gravitational and spring energy, that of oil among the springs [J]."""
        return energy_of(self.work)

    @property
    def hydraulics(self) -> Hydraulics:
        """Pressures, flows and work of the hydraulic circuit, now; a view that goes with the state.

        Raises:
            MechanismError: the mechanism has none.
        """
        return Hydraulics.of(self.work)

    def work_done(self) -> dict[str, float]:
        """Work of every element since the start [J]; needs ``book_work``.

        With ``"gravity and applied"``, and with ``"turning"``, what bodies that turn gain by the length
        of the step, it sums up to the change of the kinetic energy.
        """
        if not self.work.machine.count.booking:
            raise checks.MechanismError("simulation: work_done needs book_work=True.")
        done = self.model.by_element(self.work.machine.work_done)
        return {name: float(value) for name, value in done.items()}

    def joint_error(self) -> tuple[float, float]:
        """Largest joint error since the start, in m and in rad."""
        clock = self.work.machine.clock
        return clock.error_m_max, clock.error_rad_max

    def residual(self) -> float:
        """Largest natural residual of the reduced contact problem since the start [-]."""
        return self.work.machine.clock.residual_max

    @property
    def missed(self) -> int:
        """Steps whose contact problem missed its tolerance."""
        return self.work.machine.count.missed

    # acting ----------------------------------------------------------------------------------
    def set_input(self, name: str, value: float) -> None:
        """Set a named input until it is set again.

        Arguments:
            name: of :attr:`Mechanism.inputs`; value: finite [unit of the signal], and where the input
            chooses a gear, one of the gears there are.

        Raises:
            UnknownName: no such input. MechanismError: another value.
        """
        mechanism = self.model.mechanism
        if not isinstance(name, str) or name not in mechanism.inputs:
            raise checks.UnknownName(f"model {mechanism.name!r}: input", name, mechanism.inputs)
        self.work.machine.input[self.model.input(name)] = mechanism.check_input(name, value)

    def apply(self, body: str, force: Any = (0, 0, 0), torque: Any = (0, 0, 0), at: Any = None) -> None:
        """Set the applied force [N] (at a world point, or the centre of mass) and torque [N m].

        They act in every step until they are set again.

        Raises:
            UnknownName: no such body. MechanismError: not three finite numbers.
        """
        k, who = self.model.body(body), f"simulation: body {body!r}"
        push = np.array(checks.vector(who, "force", force))
        turn = np.array(checks.vector(who, "torque", torque))
        if at is not None:
            turn = turn + np.cross(np.array(checks.vector(who, "at", at)) - self.position(body), push)
        self.work.machine.applied[6 * k : 6 * k + 3] = push
        self.work.machine.applied[6 * k + 3 : 6 * k + 6] = turn

    def state(self) -> State:
        """Snapshot from which a run goes on bit for bit."""
        return self.work.state()

    def restore(self, state: State) -> None:
        """Go back to a snapshot; step, gravity, tolerance and solver stay this simulation's.

        Raises:
            MechanismError: a state of another model, or a damaged one; nothing has changed then.
        """
        self.work.restore(state)
