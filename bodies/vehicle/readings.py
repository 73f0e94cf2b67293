"""Forces, velocities and slips of a vehicle's wheels on soil in the last step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from contact.kernels.wheel import layout as at
from contact.reading import read

from .. import checks
from ..checks import checked
from ..running.simulation import Simulation
from ..wheel import Wheel


@dataclass(frozen=True)
class WheelReading:
    """Forces, velocities and slip of one wheel on soil in the last step.

    Forces on the wheel, means over the step [N]: ``load`` F_n; ``traction`` F_t, forward at the contact;
    ``lateral`` F_y, to the left; ``resistance`` F_c, backward at the centre; ``rolling`` T_rr/r, rolling
    moment over radius, against forward rolling (Peiret et al., eq 12; zero for laws without it).
    Velocities at the end of the step [m/s]: ``v_t``, sliding velocity of the contact point, forward;
    ``v_x``, of the centre along the heading; ``v_y``, of the contact point to the left. ``slip``: slip
    ratio i_s (Peiret et al., eqs 5 and 6).
    """

    name: str
    load: float
    traction: float
    lateral: float
    resistance: float
    v_t: float
    v_x: float
    v_y: float
    slip: float
    rolling: float

    @property
    def slip_loss(self) -> float:
        """Power lost by longitudinal and lateral sliding [W]."""
        return -self.traction * self.v_t - self.lateral * self.v_y

    @property
    def resistance_loss(self) -> float:
        """Power lost to the motion resistance [W]."""
        return self.resistance * self.v_x

    @property
    def rolling_loss(self) -> float:
        """Power lost to the rolling moment [W]."""
        return self.rolling * (self.v_x - self.v_t)


@checked
def wheel_readings(simulation: Simulation) -> dict[str, WheelReading]:
    """Readings of every wheel on soil by name, from the last step of ``simulation``.

    Raises:
        MechanismError: no wheel on soil.
    """
    work, model = simulation.work, simulation.model
    wheels = [(w, w.soil) for w in model.mechanism.wheels if w.soil is not None]
    if not wheels:
        raise checks.MechanismError(f"model {model.mechanism.name!r}: no wheel is on soil.")
    rows = work.contact().rows
    q, u = (x[: at.CHANNELS * len(wheels)].reshape(-1, at.CHANNELS) for x in (rows.q, rows.u))
    frames = work.machine.wheel_state
    readings = {}
    for wheel, soil in wheels:
        c = model.channels[wheel.name][0] // at.CHANNELS
        one = slice(c, c + 1)
        end = frames.gap[one] + simulation.step * u[one, at.NORMAL]
        rolling = frames.rolling[one] / simulation.step
        reading = read(soil, q[one] / simulation.step, u[one], rolling, end)
        readings[wheel.name] = WheelReading(
            name=wheel.name,
            load=float(reading.load[0]),
            traction=float(reading.traction[0]),
            lateral=float(reading.lateral[0]),
            resistance=-float(reading.resistance[0]),
            v_t=float(reading.v_t[0]),
            v_x=float(reading.v_x[0]),
            v_y=float(reading.v_y[0]),
            slip=float(reading.slip[0]),
            rolling=-float(rolling[0]),
        )
    return readings


@checked
def off_the_law(reading: WheelReading, wheel: Wheel) -> float:
    """Largest deviation of a wheel's forces from its ground law, over the load [-].

    Compares thrust, resistance and rolling moment with ``mu(s) F_n``, ``gamma(s) F_n`` and
    ``rho(s) F_n`` (s: slip, F_n: load); at zero slip the thrust may have any value within the law's
    Coulomb friction. If rim (speed omega r) and centre (v_x) move in opposite directions, the law's
    value is, as in the step, the mean of forward and backward motion with the weights ``(1 + d)/2`` and
    ``(1 - d)/2``, ``d = (omega r + v_x) / (|omega r| + |v_x|)``. Not valid if the friction ellipse
    limits the force.

    Arguments:
        reading: a reading of :func:`wheel_readings`.
        wheel: the ``bodies.Wheel`` with its soil.

    Raises:
        MechanismError: a wheel on hard ground, which has no law.
    """
    soil, load = wheel.soil, reading.load
    if soil is None:
        raise checks.MechanismError(f"wheel {wheel.name!r} has no law: it is on hard ground")
    rim = reading.v_x - reading.v_t
    both = abs(rim) + abs(reading.v_x)
    direction = (rim + reading.v_x) / both if both > 0.0 else 1.0
    thrust = resistance = rolling = 0.0
    for sign in (1.0, -1.0):
        weight = 0.5 * (1.0 + sign * direction)
        if weight > 0.0:
            slip = sign * reading.slip
            thrust += sign * weight * float(soil.thrust_ratio(slip, load)) * load
            resistance += weight * float(soil.resistance_ratio(slip, load)) * load
            rolling += weight * float(soil.rolling_moment_ratio(slip, load)) * load
    if abs(reading.slip) < 1e-9:
        coulomb = float(soil.thrust_ratio(1e-12, load)) * load
        off = max(0.0, abs(reading.traction) - coulomb)
    else:
        off = abs(reading.traction - thrust)
    off = max(off, abs((np.sign(reading.v_x) or 1.0) * reading.resistance - resistance))
    off = max(off, abs((np.sign(rim) or 1.0) * reading.rolling - rolling))
    return off / max(load, 1.0)
