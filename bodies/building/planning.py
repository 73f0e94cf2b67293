"""Closing of the initial pose, and choice of the elimination order."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from ..checks import MechanismError
from ..hydraulics.lowering import check_cylinders, fill_oil
from ..joints import Motor
from ..kernels import records as D
from ..memory.workspace import Workspace
from ..model import Model

PROJECTED_ERROR = 1e-3  # [m, rad] largest initial joint error that compile() accepts
ROUNDS = 50  # most Newton steps to close the initial pose


class NotClosed(MechanismError):
    """Joints that do not close in the pose in which the bodies are described.

    Attributes:
        joint: name of the worst joint.
        error: error of this joint [m or rad].
    """

    def __init__(self, who: str, joint: str, error: float, unit: str, advice: str) -> None:
        self.joint: str = joint
        self.error: float = error
        super().__init__(
            f"{who}: {joint!r} does not close in the described pose, it is off by "
            f"{error:.3g} {unit} (allowed: {PROJECTED_ERROR:g}); {advice}"
        )


def finish_model(model: Model, close: bool) -> Model:
    """Complete a model: closed initial pose, and an elimination order for that pose.

    In the pose of the description every position drive is at 0. If the initial target of a drive is
    another value, the bodies are moved to it: a vehicle with an initial steering angle starts with
    its wheels turned.
    """
    work = _described(model)
    _follow(work, close)
    check_wheels(work)
    work.machine.clock.time = 0.0
    fill_oil(work)
    work.replan()
    check_cylinders(work)
    work.machine.clock.parted = size_of(work)
    soft = work.machine.count.soil_wheels
    rolling = work.machine.wheel_state.velocity[:soft]
    # channel velocities of the wheels on soil, for the first record of a run
    work.machine.contact.rows.u[: rolling.size] = rolling.ravel()
    F, N = work.F.copy(), work.N.copy()
    F.setflags(write=False)
    N.setflags(write=False)
    done = dataclasses.replace(model, floats=F, ints=N, plan=work.plan)
    return dataclasses.replace(done, initial=work.state())


class Closing:
    """Closed poses of a mechanism for several targets of its drives, with one elimination order for all.

    ``compile`` finds the same poses, but plans a second elimination order in the closed pose.

    Arguments:
        model: model in the pose of the description, from ``compile.arrays_of``.
    """

    def __init__(self, model: Model) -> None:
        self._work = _described(model)
        self._floats, self._ints = self._work.F.copy(), self._work.N.copy()

    def poses(self, **inputs: float) -> np.ndarray:
        """Centre of mass [m] and orientation of every body, (bodies, 7), at the given inputs.

        Raises NotClosed if the joints do not close.
        """
        work = self._work
        work.F[:], work.N[:] = self._floats, self._ints
        for name, value in inputs.items():
            work.machine.input[work.model.input(name)] = value
        _follow(work, False)
        return work.poses()


def _described(model: Model) -> Workspace:
    """Workspace in the pose of the description, with an elimination order for this pose."""
    work = Workspace(model)
    work.machine.clock.time = -work.machine.clock.step  # inputs are evaluated at the step's end, time 0
    work.replan()
    return work


def _follow(work: Workspace, close: bool) -> None:
    """Close the joints, and move the position drives in increments to their initial targets."""
    start, drives, target = _drives(work)
    described = start[drives]
    # the drives' targets rise by at most 0.02 rad or m between projections
    for fraction in np.linspace(0.0, 1.0, 1 + math.ceil(np.max(np.abs(target), initial=0.0) / 0.02)):
        start[drives] = described - (1.0 - fraction) * target
        before, after = close_joints(work)
        if fraction == 0.0 and not close:
            _check(work, before, "correct it, or let compile(..., close=True) move the bodies.")
        beyond = "and no nearby pose closes it."
        if fraction > 0.0:
            beyond = f"on the way to where the drives start: give smaller targets than {_list(target)}."
        _check(work, after, beyond)


def _drives(work: Workspace) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values of all couplings' coordinates in the described pose (a view), numbers of the position
    drives, and targets of these drives."""
    found = work.machine.couplings
    couplings = enumerate(work.model.coupling_order)
    drives = np.array([k for k, c in couplings if isinstance(c, Motor) and c.mode == "position"], int)
    target = work.machine.input[found.signal[drives, 0]]
    return found.start, drives, target.copy()


def _list(target: np.ndarray) -> str:
    return ", ".join(f"{x:g}" for x in target if x != 0.0)


def size_of(work: Workspace) -> float:
    """Size of the mechanism [m]: its largest distance from a body's centre of mass to a joint on the
    body, or its largest radius of gyration if that is larger; infinite without joints.

    A joint error above this size cannot be projected, since the projection is of first order.
    """
    count = work.machine.count
    if count.rows == 0:
        return np.inf
    inertia = work.machine.inertia.reshape(-1, 9)[:, ::4].sum(axis=1)
    sizes = [float(np.sqrt(np.max(inertia / (2.0 * work.machine.mass))))]
    for joint in work.machine.joints:
        ends = joint.ends
        for body, arm in ((ends.a, ends.point_a), (ends.b, ends.point_b)):
            if body < count.bodies:  # not the ground, whose arms are measured from the world's origin
                sizes.append(float(np.linalg.norm(arm)))
    return max(sizes)


def close_joints(work: Workspace) -> tuple[np.ndarray, np.ndarray]:
    """Project the pose, but not the velocities, onto the joints.

    Returns the errors of all rows before and after the projection, (rows,) [m, rad].
    """
    work.stage("detect", "assemble")
    work.stage("measure")
    before = work.machine.error.copy()
    last = np.inf
    for _ in range(ROUNDS):
        worst = float(np.max(np.abs(work.machine.error), initial=0.0))
        # [m, rad] error at round-off, or no longer decreasing
        if worst <= 1e-13 or (worst < 1e-9 and worst > 0.5 * last):
            break
        last = worst
        work.stage("detect", "factor")
        work.machine.count.status = D.RUNNING
        work.stage("pose")
    return before, work.machine.error.copy()


def check_wheels(work: Workspace) -> None:
    """Check that no wheel is deeper in its ground than its diameter, and that no wheel lies flat.

    Raises:
        MechanismError: naming the wheel and its depth or spin axis.
    """
    work.stage("detect")
    frames = work.machine.wheel_state
    wheels = work.model.mechanism.wheel_order
    for wheel, frame in zip(wheels, frames, strict=True):
        radius = wheel.radius or 0.0  # never None here; on soil it is the radius of the tyre
        who = f"mechanism {work.model.mechanism.name!r}: wheel {wheel.name!r}"
        down, normal, deep = frame.point - frame.centre, frame.normal, -frame.gap
        if not deep <= 2.0 * radius:
            raise MechanismError(
                f"{who}: its lowest point is {deep:.3g} m below its ground, more than its "
                f"diameter of {2.0 * radius:.3g} m; lift it (z up, metres), or lower the ground."
            )
        # the wheel lies flat: its axis is along the ground's normal
        if abs(down @ normal) < 1e-6 * radius:
            raise MechanismError(
                f"{who}: spin_axis = {wheel.spin_axis} is the ground's normal, the wheel lies flat; "
                "turn it to point left."
            )


def _check(work: Workspace, error: np.ndarray, advice: str) -> None:
    """Raise NotClosed for the joint of the largest row error if this error exceeds
    ``PROJECTED_ERROR``."""
    if np.max(np.abs(error), initial=0.0) <= PROJECTED_ERROR:
        return
    row = int(np.argmax(np.abs(error)))
    for name, (first, rows) in work.model.rows.items():
        if first <= row < first + rows:
            unit = "rad" if work.machine.angular[row] else "m"
            raise NotClosed(
                f"mechanism {work.model.mechanism.name!r}", name, float(abs(error[row])), unit, advice
            )
