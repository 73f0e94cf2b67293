"""The slip ratio of a wheel and its smooth form, eqs 5 to 7 of Peiret et al.

Sliding velocity of the contact point ``v_t = v_x - omega r`` [m/s] (ISO 8855: x forward, y left,
z up; omega > 0 rolls forward).
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.kinds import above, checked

from . import checks

#: Floor of v_max [m/s]; raise it against chatter near rest, lower it against creep at the start.
V_0 = 1e-3


@checked
def slip_ratio(
    v_x: ArrayLike, omega: ArrayLike, radius: ArrayLike, v_0: ArrayLike = V_0
) -> NDArray[np.float64] | np.float64:
    """Slip ratio ``i_s = (omega r - v_x) / v_max``, ``v_max = max(|omega r|, |v_x|, v_0)``.

    Arguments (broadcast together):
        v_x: longitudinal velocity of the wheel centre [m/s].
        omega: spin about the wheel axis, positive rolling forward [rad/s].
        radius: effective rolling radius [m], positive.
        v_0: floor of v_max [m/s], positive.

    Returns:
        i_s in [-1, 1], with the sign of the thrust: positive when the rim is faster than the
        vehicle. In reverse, i_s < 0 is driving; ``driving_slip`` is the slip of the laws, positive when
        driving in both directions.

    Raises:
        ValueError: a radius or v_0 that is not positive.

    Source: Peiret et al., eqs 5 and 6.
    Differs from the source: v_max carries no sign (the printed one flips the thrust in reverse), is
    floored at v_0, and the result is clamped: opposite signs of omega r and v_x would give up to 2.
    """
    v_x, rim, v_0 = _velocities(v_x, omega, radius, v_0)
    v_max = np.maximum(np.maximum(np.abs(rim), np.abs(v_x)), v_0)
    return np.clip((rim - v_x) / v_max, -1.0, 1.0)[()]


@checked
def smooth_slip_ratio(
    v_x: ArrayLike,
    omega: ArrayLike,
    radius: ArrayLike,
    v_min: Annotated[float, above(0.0, "m/s")] = 0.1,
    v_0: float = V_0,
) -> NDArray[np.float64] | np.float64:
    """Smooth slip ratio ``i_s (1 - exp(-v_max^2 / v_min^2))`` of eq 7, v_max without its floor v_0.

    Arguments:
        v_x, omega, radius, v_0: as in ``slip_ratio`` [m/s, rad/s, m, m/s].
        v_min: a speed small against the working speed [m/s].

    Raises:
        ValueError: naming the argument, its value and the allowed range.

    The smooth slip has zero slope at rest: traction vanishes at standstill, and a wheel on a slope
    creeps.

    Source: Peiret et al., eq 7.
    """
    slip = slip_ratio(v_x, omega, radius, v_0)
    v_x, rim, _ = _velocities(v_x, omega, radius, v_0)
    v_max = np.maximum(np.abs(rim), np.abs(v_x))
    return slip * -np.expm1(-((v_max / v_min) ** 2))


@checked
def driving_slip(
    v_x: ArrayLike, omega: ArrayLike, radius: ArrayLike, v_0: float = V_0
) -> NDArray[np.float64] | np.float64:
    """Driving slip ``s = d i_s`` for the laws, d the sign of omega r or v_x, of the larger in size.

    s is positive driving and negative braking in both directions of travel; the thrust on the wheel is
    ``d mu(s) F_n``. In a run ``d = (omega r + v_x) / (|omega r| + |v_x|)`` where omega r and v_x have
    opposite signs, and the results for both directions of travel are averaged with weights (1 +- d) / 2:
    with a jump of d the even part of a law would be discontinuous.

    Arguments:
        v_x, omega, radius, v_0: as in ``slip_ratio`` [m/s, rad/s, m, m/s].

    Raises:
        ValueError: as in ``slip_ratio``.

    Source: ours, so that reverse works; i_s is Peiret et al., eq 5.
    """
    slip = slip_ratio(v_x, omega, radius, v_0)
    v_x, rim, _ = _velocities(v_x, omega, radius, v_0)
    larger = np.where(np.abs(rim) >= np.abs(v_x), rim, v_x)
    return np.where(larger < 0.0, -1.0, 1.0)[()] * slip


def _velocities(v_x, omega, radius, v_0):
    least = np.min(v_0) if np.ndim(v_0) else v_0
    checks.positive("slip_ratio", "v_0", least, unit="m/s")
    radius = np.asarray(radius, dtype=float)
    if not np.all(radius > 0.0):
        raise ValueError(f"slip_ratio: radius = {radius} m must be above 0")
    v_x = np.asarray(v_x, dtype=float)
    return v_x, np.asarray(omega, dtype=float) * radius, v_0
