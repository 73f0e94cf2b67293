"""Lateral force of a wheel on hard ground by its slip angle, as the compliance of its lateral row.

    F_y = -mu F_n (1 - exp(-|alpha| / gamma)) sgn(v_y),   tan |alpha| = |v_y / v_x|

(mu: coefficient of friction, F_n: load, alpha: slip angle, gamma: crossover angle, v_x, v_y: velocity of
the wheel) is the row ``v_y+ + e p = 0`` (v_y+: v_y at the end of the step) with the secant
``e = |v_y| / (h |F_y|)`` at the start of the step, and ``|p| <= mu p_n`` (p, p_n: lateral and normal
impulse, h: step length): exact in steady motion, stable at any step length. As the wheel stops, e tends
to 0 with its speed: a standing wheel has Coulomb's static friction and does not creep. If the wheel has
one friction cone for both directions, ``w = (v_t, v_y + e p)`` is normal to the cone (v_t: longitudinal
sliding velocity), and e also tends to 0 for a locked wheel (:func:`rolling_share`).
"""

from mlcp.jit import kernel
from mlcp.kernels.elementary import atan2, expm1

LEAST_RELATIVE_LOAD = 1e-6  # [-] least load F_n in the law over (tyre stiffness times radius)


@kernel
def lateral_compliance(v_x, v_y, bound, gamma):
    """Lateral compliance times step length, ``e h = |v_y| / |F_y|`` [m/(N s)], at the velocities v_x,
    v_y of the wheel [m/s].

    h: step length; bound: mu F_n [N]; gamma: crossover slip angle [rad].
    """
    forward, aside = abs(v_x), abs(v_y)
    angle = atan2(aside, forward)
    if angle < 1e-8:  # [rad] below this slip angle the secant is the tangent at angle 0
        return gamma * forward / bound
    return aside / (-expm1(-angle / gamma) * bound)


@kernel
def forward_speed(v, i, X, frame):
    """Velocity of the centre of the wheel on body i along the wheel's heading [m/s]."""
    c, f = frame.centre, frame.forward
    x, y, z = c[0] - X[3 * i], c[1] - X[3 * i + 1], c[2] - X[3 * i + 2]
    p, q, r = v[6 * i + 3], v[6 * i + 4], v[6 * i + 5]
    return (
        f[0] * (v[6 * i] + q * z - r * y)
        + f[1] * (v[6 * i + 1] + r * x - p * z)
        + f[2] * (v[6 * i + 2] + p * y - q * x)
    )


@kernel
def rolling_share(v_x, sliding):
    """``1 - |v_t| / max(|v_x|, |omega r|)``, at least 0: 1 for pure rolling, 0 for a locked wheel.

    v_x: velocity of the wheel's centre; v_t = ``sliding``: that of the contact point, both along the
    heading [m/s]; omega r = v_x - v_t: spin times radius.
    """
    fastest = max(abs(v_x), abs(v_x - sliding))
    return 1.0 - abs(sliding) / fastest if abs(sliding) < fastest else 0.0
