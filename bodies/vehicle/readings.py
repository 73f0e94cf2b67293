"""What a vehicle's wheels feel: forces and slips of the last step, as the contact solve saw them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from contact.kernels import layout as at

from .. import checks
from ..kernels import layout as L
from ..simulation import Simulation


@dataclass(frozen=True)
class WheelReading:
    """One wheel on soil in the last step.

    Forces are means over the step, on the wheel [N]: ``load`` F_n, ``traction`` F_t forward at the
    contact, ``lateral`` F_y to the left, ``resistance`` F_c backward at the centre, ``rolling`` T_rr/r
    against forward rolling (eq 12; zero for laws without it). Velocities are those of the end of the
    step [m/s]: ``v_t`` of the contact point, ``v_x`` of the centre along the heading, ``v_y``
    sideways; ``slip`` is i_s of them.
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
        """Power lost by sliding, lengthwise and sideways [W]."""
        return -self.traction * self.v_t - self.lateral * self.v_y

    @property
    def resistance_loss(self) -> float:
        """Power lost to the motion resistance [W]."""
        return self.resistance * self.v_x

    @property
    def rolling_loss(self) -> float:
        """Power lost to the rolling moment [W]."""
        return self.rolling * (self.v_x - self.v_t)


def wheel_readings(simulation: Simulation) -> dict[str, WheelReading]:
    """Readings of every wheel by name, of the last step of ``simulation``.

    Raises:
        MechanismError: the wheels are not on soil, or no step was made.
    """
    work, model = simulation.work, simulation.model
    wheels = [(w, w.soil) for w in model.mechanism.wheels if w.soil is not None]
    if not wheels:
        raise checks.MechanismError(f"model {model.mechanism.name!r}: no wheel is on soil.")
    q, u = work.f(L.SOIL_Q) / simulation.step, work.f(L.SOIL_U)
    moments = work.f(L.WHEEL_STATE).reshape(-1, L.WHEEL_STATE_FLOATS)[:, 20] / simulation.step
    readings = {}
    for wheel, soil in wheels:
        c = model.channels[wheel.name][0]
        v_t, v_x = float(u[c + at.SLIDING]), float(u[c + at.CENTRE])
        fastest = max(abs(v_x - v_t), abs(v_x), soil.v_0)
        load, traction, lateral, resistance = (
            float(q[c + k]) for k in (at.NORMAL, at.SLIDING, at.LATERAL, at.CENTRE)
        )
        rolling = float(moments[c // at.CHANNELS])
        readings[wheel.name] = WheelReading(
            wheel.name,
            load,
            traction + rolling,
            lateral,
            rolling - resistance,
            v_t,
            v_x,
            float(u[c + at.LATERAL]),
            float(np.clip(-v_t / fastest, -1.0, 1.0)),
            -rolling,
        )
    return readings


def off_the_law(reading: WheelReading, wheel: Any) -> float:
    """Distance of a reading from its law's curve, relative to the load [-].

    Thrust, resistance and rolling moment against ``mu(s) F_n``, ``gamma(s) F_n`` and ``rho(s) F_n``; at
    zero slip the thrust may lie anywhere within the law's jump. Away from the friction ellipse's edge.

    Arguments:
        reading: of :func:`wheel_readings`.
        wheel: the ``bodies.Wheel`` with its soil.
    """
    soil, load = wheel.soil, reading.load
    direction = (
        np.sign(
            reading.v_x
            if abs(reading.v_x) > abs(reading.v_x - reading.v_t)
            else reading.v_x - reading.v_t
        )
        or 1.0
    )
    slip = direction * reading.slip
    if abs(slip) < 1e-9:
        jump = float(soil.thrust_ratio(1e-12, load)) * load
        thrust = max(0.0, abs(reading.traction) - jump)
    else:
        thrust = abs(reading.traction - direction * float(soil.thrust_ratio(slip, load)) * load)
    resistance = abs(direction * reading.resistance - float(soil.resistance_ratio(slip, load)) * load)
    rolling = abs(direction * reading.rolling - float(soil.rolling_moment_ratio(slip, load)) * load)
    return max(thrust, resistance, rolling) / max(load, 1.0)
