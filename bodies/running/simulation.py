"""Simulation of a model step by step: ``Simulation``."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np

from mlcp import SOLVERS, renamed
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


@renamed.arguments(book_work="record_work")
class Simulation:
    """A running model with its state, inputs and step length.

    Arguments:
        model: compiled mechanism.
        step: step length h [s].
        solver: solver of the reduced contact problem, a name in ``mlcp.SOLVERS`` or a configured solver
            such as ``Direct(max_pivots=50)``. Steps with direct, pgs and newton run in compiled code,
            steps with other solvers stage by stage from Python.
        tolerance: tolerance on joint errors [m, rad]: larger errors are projected in the step, smaller
            errors corrected by the next step. With 0 a step makes three projections, or more if errors
            above 1e-6 remain.
        projections: largest number of projections of a step. An ordinary step needs one or two; a jump
            of a target (a steering wheel turned by radians in one step) needs more, since all
            projections of a step use the Jacobian of its start.
        record_work: whether to account for the work of every element (:meth:`work_done`), which takes
            about a tenth of the computing time.
        contact: tolerances and limits of ``contact.GroundContact`` for wheels on soil, by name.
        state: initial state; default: that of the model. Step length, gravity, tolerance and solver are
            not part of a state.

    Raises:
        UnknownName: an unknown solver. MechanismError: a step or tolerance out of range; a state of
            another model, or a damaged one.
    """

    def __init__(
        self,
        model: Model,
        step: float,
        *,
        solver: str | Solver = "direct",
        tolerance: float = 5e-7,
        projections: int = 20,
        record_work: bool = False,
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
            raise checks.UnknownName(f"{who}: solver", solver, SOLVERS) from None
        self.solver: str | Solver = solver
        #: Whether whole steps run in compiled code; otherwise they run stage by stage from Python.
        self.compiled: bool = self.work.choose(solver)
        if model.circuit is not None and not self.compiled:
            raise checks.MechanismError(
                f"{who}: solver = {shown(solver)} runs from Python, but a hydraulic circuit is solved "
                "inside the compiled step; take 'direct', 'pgs' or 'newton'"
            )
        clock = self.work.machine.clock
        clock.step = checks.number(who, "step [s]", step, 0.0, 1.0, open_low=True)
        clock.tolerance = checks.number(who, "tolerance [m, rad]", tolerance, 0.0)
        self.work.machine.count.recording = int(checks.flag(who, "record_work", record_work))
        clock.projections = checks.whole(who, "projections", projections, 0, 20)
        if contact is not None:
            self.work.set_contact(solver, contact)
        if state is not None:
            self.work.restore(state)

    def __copy__(self) -> Simulation:
        """Copy of the simulation with memory of its own."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, work=copy.copy(self.work))
        return other

    # running ---------------------------------------------------------------------------------
    def run(self, steps: int) -> None:
        """Take ``steps`` steps; Ctrl-C interrupts at the end of a step, within some 0.1 s.

        Arguments:
            steps: number of steps; a float such as 0.7 / 1e-3 must be whole to a relative 1e-9.

        Raises:
            MechanismError: a number that is negative or not whole. SimulationError: velocities that are
                not finite, a joint error above the mechanism's size, or a piston outside its stroke.
        """
        steps = checks.whole("simulation", "steps", steps)
        if self.compiled:
            self.work.run(steps)
        else:
            run_outside(self.work, steps, self.solver)

    @property
    def time(self) -> float:
        """Time of the present state [s]."""
        return self.work.machine.clock.time

    @property
    def step(self) -> float:
        """Step length h [s]."""
        return self.work.machine.clock.step

    # reading ---------------------------------------------------------------------------------
    def position(self, body: str) -> np.ndarray:
        """Centre of mass of a body, (3,) [m], world axes."""
        k = self.model.body(body)
        return self.work.machine.position[3 * k : 3 * k + 3].copy()

    def quaternion(self, body: str) -> np.ndarray:
        """Orientation of a body, unit quaternion (4,), scalar first."""
        k = self.model.body(body)
        return self.work.machine.quaternion[4 * k : 4 * k + 4].copy()

    def poses(self) -> np.ndarray:
        """Centre of mass [m] and orientation of every body, (bodies, 7)."""
        return self.work.poses()

    def velocity(self, body: str) -> np.ndarray:
        """Velocity of a body's centre of mass, (3,) [m/s], world axes."""
        k = self.model.body(body)
        return self.work.machine.velocity[6 * k : 6 * k + 3].copy()

    def angular_velocity(self, body: str) -> np.ndarray:
        """Angular velocity of a body, (3,) [rad/s], world axes."""
        k = self.model.body(body)
        return self.work.machine.velocity[6 * k + 3 : 6 * k + 6].copy()

    def coordinate(self, name: str) -> float:
        """Value of a joint coordinate [rad or m]; angles include full turns."""
        return float(self.work.machine.coordinate[self.model.coordinate(name)])

    def reaction(self, joint: str) -> Reaction:
        """Reaction of a joint in the last step."""
        return reaction(self.work, joint)

    def energy(self) -> Energy:
        """Kinetic, gravitational and spring energies [J]; the energy of oil is among the springs."""
        return energy_of(self.work)

    @property
    def hydraulics(self) -> Hydraulics:
        """Pressures, flows and work of the hydraulic circuit; a view of the present state.

        Raises:
            MechanismError: the mechanism has no hydraulic circuit.
        """
        return Hydraulics.of(self.work)

    def work_done(self) -> dict[str, float]:
        """Work of every element since the start, by name [J]; needs ``record_work``.

        The sum of all entries is the change of the kinetic energy. The entry ``"turning"`` is the
        discretisation error of the gyroscopic terms.
        """
        if not self.work.machine.count.recording:
            raise checks.MechanismError("simulation: work_done needs record_work=True.")
        done = self.model.by_element(self.work.machine.work_done)
        return {name: float(value) for name, value in done.items()}

    def joint_error(self) -> tuple[float, float]:
        """Largest joint errors since the start: of lengths [m], of angles [rad]."""
        clock = self.work.machine.clock
        return clock.error_m_max, clock.error_rad_max

    def residual(self) -> float:
        """Largest natural residual of the reduced contact problem since the start [-]."""
        return self.work.machine.clock.residual_max

    @property
    def missed(self) -> int:
        """Number of steps whose contact solve did not reach its tolerance."""
        return self.work.machine.count.missed

    # inputs, forces and states ---------------------------------------------------------------
    def set_input(self, name: str, value: float) -> None:
        """Set a named input, until the next call.

        Arguments:
            name: name in :attr:`Mechanism.inputs`.
            value: finite value [unit of the signal]; of a gear input, the number of an existing gear.

        Raises:
            UnknownName: no such input. MechanismError: a value that is not allowed.
        """
        mechanism = self.model.mechanism
        checks.need_known(f"model {mechanism.name!r}: input", name, mechanism.inputs)
        self.work.machine.input[self.model.input(name)] = mechanism.check_input(name, value)

    def apply(self, body: str, force: Any = (0, 0, 0), torque: Any = (0, 0, 0), at: Any = None) -> None:
        """Set the external force [N] and torque [N m] on a body, world axes, in every step until the
        next call.

        ``at``: point of action of the force, world axes [m]; default: the centre of mass.

        Raises:
            UnknownName: no such body. MechanismError: a vector that is not three finite numbers.
        """
        k, who = self.model.body(body), f"simulation: body {body!r}"
        force_on_body = np.array(checks.vector(who, "force", force))
        torque_on_body = np.array(checks.vector(who, "torque", torque))
        if at is not None:
            torque_on_body = torque_on_body + np.cross(
                np.array(checks.vector(who, "at", at)) - self.position(body), force_on_body
            )
        self.work.machine.applied[6 * k : 6 * k + 3] = force_on_body
        self.work.machine.applied[6 * k + 3 : 6 * k + 6] = torque_on_body

    def state(self) -> State:
        """Snapshot from which a run continues bit for bit."""
        return self.work.state()

    def restore(self, state: State) -> None:
        """Restore a snapshot; step length, gravity, tolerance and solver are unchanged.

        Raises:
            MechanismError: a state of another model, or a damaged one; the simulation is unchanged.
        """
        self.work.restore(state)
