"""Forces, velocities, slip and sinkage of a wheel over a run."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from contact import driving_slip, grounds
from contact.kernels.wheel import layout as at
from contact.reading import read

from ..kernels.records import WheelFrame


@dataclass(frozen=True, eq=False)
class WheelRecord:
    """One wheel over time, arrays (n,) unless noted. The forces are those of the ground on the wheel.

    omega: spin of the wheel, positive in forward rolling; r: radius of the tyre, in ``omega r`` the
    effective rolling radius.

    Attributes:
        load: F_n along the ground's normal [N].
        traction: F_t at the contact point, forward positive [N].
        lateral: lateral force at the contact point, left positive [N].
        resistance: F_c at the wheel centre, forward positive, and thus negative in forward motion [N].
        rolling_moment: torque of the ground about the axle in excess of r F_t (minus the rolling
            moment T_rr of Peiret et al., eq 12), positive in the sense of forward rolling [N m];
            zero for laws without it.
        slip: slip ratio ``(omega r - v_x) / v_max`` in [-1, 1], see :func:`contact.slip_ratio`; v_max:
            the largest of |omega r|, |v_x| and v_0 of the wheel's contact [-].
        v_x: velocity of the wheel centre, forward [m/s].
        rim_speed: omega r at the effective radius [m/s].
        v_y: lateral velocity of the contact point, left positive [m/s].
        sinkage: depth of the wheel's lowest point below the undisturbed ground, less the tyre's
            deflection under the load [m]: the rut depth, including the ruts of other wheels; zero in
            the air and on hard ground.
        centre, contact_point: (n, 3) [m]; normal, forward, left: (n, 3) unit vectors; world axes.
    """

    load: np.ndarray
    traction: np.ndarray
    lateral: np.ndarray
    resistance: np.ndarray
    rolling_moment: np.ndarray
    slip: np.ndarray
    v_x: np.ndarray
    rim_speed: np.ndarray
    v_y: np.ndarray
    sinkage: np.ndarray
    centre: np.ndarray
    contact_point: np.ndarray
    normal: np.ndarray
    forward: np.ndarray
    left: np.ndarray

    def __repr__(self) -> str:
        shape = " x ".join(map(str, self.load.shape))
        names = ", ".join(f.name for f in fields(self))
        return f"WheelRecord(arrays of {shape} numbers or vectors: {names})"

    def columns(self, wheel: str) -> dict[str, np.ndarray]:
        """Scalar attributes as columns {"WHEEL.attribute [unit]": array}; ``wheel``: WHEEL."""
        return {
            f"{wheel}.{f.name} [{UNITS[f.name]}]": getattr(self, f.name)
            for f in fields(self)
            if f.name in UNITS
        }


UNITS = {
    "load": "N",
    "traction": "N",
    "lateral": "N",
    "resistance": "N",
    "rolling_moment": "N m",
    "slip": "-",
    "v_x": "m/s",
    "rim_speed": "m/s",
    "v_y": "m/s",
    "sinkage": "m",
}


def wheel_record(trajectory: Any, name: str) -> WheelRecord:
    """Record of the wheel ``name`` of a :class:`bodies.Trajectory`.

    Raises:
        UnknownName: no wheel of that name; with the nearest names.
    """
    k, wheel = trajectory.model.wheel(name)
    force = trajectory.channel_force(name)
    force = np.pad(force, ((0, 0), (0, at.CHANNELS - force.shape[1])))
    u, frame = trajectory.wheel_velocities[:, k], trajectory.wheel_frames[:, k]
    rolling = trajectory.rolling_impulses[:, k] / trajectory.step
    return record_of(wheel, force, u, rolling, frame, trajectory.step)


def record_of(
    wheel: Any, force: np.ndarray, u: np.ndarray, rolling: np.ndarray, frame: np.ndarray, step: float
) -> WheelRecord:
    """Record of a wheel from the results of n steps of a vehicle, or of a step of n vehicles.

    Arguments:
        wheel: the wheel of the mechanism.
        force, u: forces [N] and velocities at the end of the step [m/s] of the wheel's four contact
            coordinates (channels): normal, longitudinal, lateral, longitudinal at the centre, (n, 4).
        rolling: torque of the ground about the axle in excess of r F_t, over the radius r: -T_rr / r in
            forward rolling, (n,) [N].
        frame: contact frame (numbers of a ``WheelFrame``) at the start of the step, (n, 16 or more).
        step: step length h [s].
    """
    normal = WheelFrame.normal.of(frame)
    length = np.linalg.norm(normal, axis=1)
    length = np.where(length > 0.0, length, 1.0)  # |normal| = 1 / cos(inclination along the axle)
    end = WheelFrame.gap.of(frame) + step * u[:, at.NORMAL]  # gap at the end of the step
    reading = read(wheel.soil, force, u, rolling, end, length)
    return WheelRecord(
        load=reading.load,
        traction=reading.traction,
        lateral=reading.lateral,
        resistance=reading.resistance,
        rolling_moment=rolling * (wheel.soil.tyre.radius if wheel.soil else 0.0),
        slip=reading.slip,
        v_x=reading.v_x,
        rim_speed=reading.v_x - reading.v_t,
        v_y=reading.v_y,
        sinkage=reading.sinkage,
        centre=WheelFrame.centre.of(frame),
        contact_point=WheelFrame.point.of(frame),
        normal=normal / length[:, None],
        forward=WheelFrame.forward.of(frame),
        left=WheelFrame.left.of(frame),
    )


def check_validity(trajectory: Any) -> None:
    """Warn (``contact.OutsideValidity``) of wheels on soil outside their law's range of validity."""
    for wheel in trajectory.model.mechanism.wheels:
        if wheel.soil is None:
            continue
        record = wheel_record(trajectory, wheel.name)
        slip = np.asarray(driving_slip(record.v_x, record.rim_speed, 1.0, wheel.soil.v_0))
        place = record.contact_point
        grounds.check_validity(wheel.soil, wheel.ground, slip, record.load, place[:, 0], place[:, 1])
