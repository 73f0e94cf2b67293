"""Compile a quarter vehicle to flat arrays and run it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from contact import GroundContact, checks, driving_slip
from contact.ground_contact import COMPILED_SOLVERS
from contact.kernels import layout as at
from mlcp.checks import shown

from ..checks import SimulationError, SimulationWarning, whole
from ..state import BROKEN
from . import kernels
from .trajectory import Trajectory
from .vehicle import GRAVITY, QuarterVehicle

UNITS: dict[str, str] = dict(
    zip(
        kernels.COLUMNS,
        ("s", "m", "m", "m/s", "m/s", "rad/s", "m/s", "-", "N", "N", "N", "N m", "N m", "N",
         "-", "-", "-", "-", "N m"),
        strict=True,
    )
)  # fmt: skip
_MOST = 1e12  # steps of a run
_MOST_RECORDS = 4e9 / (8 * len(UNITS))  # 4 GB
_CHUNK = 2_000  # steps between two reports of progress, and between two looks at Ctrl-C


@dataclass(frozen=True)
class QuarterState:
    """Everything the future of a run depends on. Restored, the run goes on bit for bit the same.

    time [s]; position (3,) x, z [m], wheel angle [rad]; velocity (3,) v_x, v_z [m/s], omega
    [rad/s]; impulses (rows,) [N s] and active (rows,) of the last step, the solver's warm start;
    bristle (1, 2) LuGre's deflections [m], 0 without it.
    """

    time: float
    position: NDArray[np.float64]
    velocity: NDArray[np.float64]
    impulses: NDArray[np.float64]
    active: NDArray[np.int64]
    bristle: NDArray[np.float64] = field(default_factory=lambda: np.zeros((1, at.BRISTLES)))

    def save(self, path: str | Path) -> None:
        """Write the state to a ``.npz`` file of just this name."""
        with open(path, "wb") as file:  # given a name, NumPy appends ".npz" to others
            np.savez(file, **vars(self))

    @classmethod
    def load(cls, path: str | Path) -> QuarterState:
        """Read what ``save`` wrote.

        Raises:
            ValueError: the file is torn, or no saved state. FileNotFoundError: there is none.
        """
        with open(path, "rb") as file:
            try:
                data = np.load(file, allow_pickle=False)
                arrays = {name: np.array(data[name]) for name in cls.__dataclass_fields__}
                return cls(**{**arrays, "time": float(arrays["time"])})
            except BROKEN:
                raise ValueError(
                    f"{str(path)!r}: not a file that QuarterState.save wrote, or a torn one"
                ) from None


class QuarterModel:
    """A compiled quarter vehicle: flat arrays, its contact problem, and the stages of a step.

    Arguments:
        vehicle: the description.
        solver: a name in ``mlcp.SOLVERS``; "direct" and "pgs" run compiled, others pass by pass.
        contact_settings: further settings of ``contact.GroundContact``.
    """

    def __init__(self, vehicle: QuarterVehicle, solver: str = "direct", **contact_settings: Any) -> None:
        self.vehicle = vehicle
        self.contact: GroundContact = GroundContact([vehicle.wheel], 1, solver, **contact_settings)
        weight = vehicle.mass * GRAVITY
        self.arrays: kernels.Model = kernels.Model(
            mass=np.array([vehicle.mass, vehicle.mass, vehicle.wheel_inertia]),
            weight=np.array([-weight * np.sin(vehicle.angle), -weight * np.cos(vehicle.angle)]),
            radius=np.array([vehicle.wheel.tyre.radius]),
            pull=np.array([vehicle.pull]),
            brake=np.array([vehicle.brake]),
            v_0=np.array([vehicle.wheel.v_0]),
            torque_time=np.array([time for time, _ in vehicle.torque.points]),
            torque=np.array([value for _, value in vehicle.torque.points]),
            torque_hold=np.array([int(vehicle.torque.hold)]),
        )
        n = kernels.CHANNELS
        self.motion: kernels.Motion = kernels.Motion(
            time=np.zeros(1), position=np.zeros(3), velocity=np.zeros(3), free=np.zeros(3),
            inverse=np.zeros(3), applied=np.zeros(2), gap=np.zeros(1),
            B=np.zeros((n, n)), u=np.zeros(n), u_free=np.zeros(n),
        )  # fmt: skip

    def at_rest(self, step: float, speed: float = 0.0) -> QuarterState:
        """Static equilibrium on tyre and soil, rolling without slip at ``speed`` [m/s]."""
        load = self.vehicle.static_load
        radius = self.vehicle.wheel.tyre.radius
        impulses = np.zeros_like(self.contact.row_arrays.z)
        impulses[at.ROW_NORMAL] = load * step
        height = radius - self.vehicle.wheel.static_compression(load)
        return QuarterState(
            0.0,
            np.array([0.0, height, 0.0]),
            np.array([speed, 0.0, speed / radius]),
            impulses,
            np.zeros_like(self.contact.row_arrays.active),
        )

    def restore(self, state: QuarterState) -> None:
        """Set the model's working arrays to a state.

        Raises:
            ValueError: it is of another kind of wheel, or damaged; nothing has changed then.
        """
        if not isinstance(state, QuarterState):
            raise ValueError(f"quarter vehicle: state = {shown(state)} is no QuarterState")
        motion, rows = self.motion, self.contact.row_arrays
        places = {
            "time": motion.time, "position": motion.position, "velocity": motion.velocity,
            "impulses": rows.z, "active": rows.active, "bristle": self.contact.wheel_arrays.bristle,
        }  # fmt: skip
        found = {name: np.asarray(getattr(state, name)) for name in places}
        found["time"] = found["time"].reshape(-1)
        for name, place in places.items():
            array = found[name]
            if array.dtype.kind not in "fi" or array.shape != place.shape:
                raise ValueError(
                    f"quarter vehicle: {name} of the state has shape {array.shape}, this vehicle needs "
                    f"{place.shape}; it belongs to a wheel of another law, or is damaged"
                )
            if not np.isfinite(array).all():
                raise ValueError(f"quarter vehicle: {name} of the state is not finite")
        if np.any(np.abs(found["active"]) > 1):
            raise ValueError("quarter vehicle: active of the state holds more than -1, 0 and 1")
        for name, place in places.items():
            place[:] = found[name]

    def state(self) -> QuarterState:
        """A copy of the state as it is now."""
        rows = self.contact.row_arrays
        return QuarterState(
            float(self.motion.time[0]),
            self.motion.position.copy(),
            self.motion.velocity.copy(),
            rows.z.copy(),
            rows.active.copy(),
            self.contact.wheel_arrays.bristle.copy(),
        )

    def run(self, step: float, steps: int, every: int, out: NDArray[np.float64]) -> tuple[int, float]:
        """Take steps from the present state; returns (missed steps, largest residual)."""
        contact = self.contact
        if contact.compiled:
            return kernels.run(
                step, steps, every, COMPILED_SOLVERS[contact.solver], self.arrays, self.motion,
                contact.data.F, contact.data.N, out,
            )  # fmt: skip
        missed, worst, motion = 0, 0.0, self.motion
        spare, report = np.empty(out.shape[1]), contact.row_arrays.report
        F, N = contact.data.F, contact.data.N
        for k in range(steps):
            kernels.before_contacts(step, self.arrays, motion, F, N)
            contact.solve_by_passes(step, motion.gap, motion.B, motion.u, motion.u_free)
            kept = (k + 1) % every == 0
            record = out[(k + 1) // every - 1] if kept else spare
            kernels.after_contacts(step, self.arrays, motion, F, N, record)
            missed += int(report[at.MISSED])
            worst = max(worst, float(report[at.RESIDUAL]))
        return missed, worst


def simulate(
    vehicle: QuarterVehicle,
    duration: float,
    step: float = 1e-3,
    solver: str = "direct",
    *,
    every: int = 1,
    speed: float = 0.0,
    state: QuarterState | None = None,
    progress: Callable[[float], None] | None = None,
    **contact_settings: Any,
) -> tuple[Trajectory, QuarterState]:
    """Run a quarter vehicle.

    Arguments:
        vehicle: the description.
        duration: simulated time [s].
        step: h [s].
        solver: a name in ``mlcp.SOLVERS``.
        every: keep a record every so many steps, and one of the end of the run.
        speed: initial speed [m/s], rolling without slip; only without ``state``.
        state: go on from here instead of from static equilibrium.
        progress: called with the share done, in [0, 1].
        contact_settings: tolerances and limits of ``contact.GroundContact``.

    Returns:
        the trajectory (a record is the end of a step) and the final state.

    Raises:
        ValueError: a step or duration that is not positive, an unknown solver, a state of another kind
            of wheel. SimulationError: velocities stop being finite. This, Ctrl-C's KeyboardInterrupt and
            what ``progress`` raises carry what was recorded as their attribute ``trajectory``.

    Warns:
        SimulationWarning: steps missed their tolerance; once, at the end.
    """
    step = checks.positive("simulate", "step", step, unit="s")
    duration = checks.positive("simulate", "duration", duration, unit="s")
    speed = checks.finite("simulate", "speed", speed)
    every = whole("simulate", "every", every, 1)
    if not isinstance(vehicle, QuarterVehicle):
        raise ValueError(f"simulate: vehicle = {shown(vehicle)} is no QuarterVehicle")
    checks.within("simulate", "duration", duration, high=_MOST * step, unit="s")
    steps = round(duration / step)
    if steps < 1:
        raise ValueError(f"simulate.duration = {duration:g} s is shorter than one step of {step:g} s")
    records = -(-steps // every)
    if records > _MOST_RECORDS:
        raise ValueError(
            f"simulate: {records:.3g} records take {8e-9 * records * len(UNITS):.3g} GB; record less "
            f"often (every), {_MOST_RECORDS:.3g} at most"
        )
    model = QuarterModel(vehicle, solver, **contact_settings)
    model.restore(state if state is not None else model.at_rest(step, speed))
    notes = {
        "step_s": step, "solver": solver, "regularisation": vehicle.wheel.scheme.name,
        "v_0_m_s": vehicle.wheel.v_0, "steps": steps,
    }  # fmt: skip
    data = np.zeros((records, len(UNITS)))
    missed, worst, done, row = 0, 0.0, 0, 0

    def recorded() -> Trajectory:
        return Trajectory(data[:row], UNITS, missed, worst, notes)

    try:
        for take, stride in _pieces(steps, every):
            late, residual = model.run(step, take, stride, data[row:])
            missed, worst, done, row = (
                missed + late,
                max(worst, residual),
                done + take,
                row + take // stride,
            )
            if not np.isfinite(model.motion.velocity).all():
                raise SimulationError(
                    "quarter vehicle: velocities stopped being finite before "
                    f"t = {model.motion.time[0]:.6g} s; try a shorter step."
                )
            if progress is not None:
                progress(done / steps)
    except BaseException as error:
        error.trajectory = recorded()  # type: ignore[attr-defined]
        raise
    run = recorded()
    slip = driving_slip(run["v_x"], run["omega"], vehicle.wheel.tyre.radius, vehicle.wheel.v_0)
    vehicle.wheel.check(slip, run["load"])
    if missed:
        warnings.warn(
            f"quarter vehicle: {missed} of {steps} steps missed their tolerance (largest natural "
            f"residual {worst:.2g}); a shorter step or another scheme may help.",
            SimulationWarning,
            stacklevel=2,
        )
    return run, model.state()


def _pieces(steps: int, every: int) -> Iterator[tuple[int, int]]:
    """Pieces of a run, (steps, steps a record): each record is the end of its piece or between."""
    most = max(_CHUNK // every * every, every)
    while steps > 0:
        stretch = min(most, steps)
        if stretch > every:
            stretch -= stretch % every
        steps -= stretch
        if stretch > _CHUNK:  # one record, at its end
            for _ in range((stretch - 1) // _CHUNK):
                yield _CHUNK, _CHUNK + 1
                stretch -= _CHUNK
        yield stretch, min(every, stretch)
