"""The contact rows in a time loop of your own: a chassis and a wheel in plain NumPy, without ``bodies``.

Velocities are v = (v_x, v_z, omega), with mass matrix M. Each row of J gives one contact velocity of
u = J v. A step computes
    B = J M^-1 J',   u_free = J v_free,   v+ = v_free + M^-1 J' q
around the ground's solve: v_free are the velocities at the end of the step without ground, q the
impulses of the ground.
"""

import numpy as np

from contact import ConeIndexSoil, GroundContact, Tyre, WheelContact

MASS, INERTIA, TORQUE, STEP = 250.0, 6.0, 400.0, 1e-3  # kg, kg m^2, N m, s


def main() -> float:
    """Drive for 12 s against a force of 50 v^2 [N], speed v [m/s]; return the final slip ratio."""
    tyre = Tyre(diameter=0.762, width=0.2, section_height=0.14, deflection_ratio=0.2)
    wheel = WheelContact(tyre, ConeIndexSoil(4e5), regularisation="implicit")
    ground = GroundContact([wheel])
    r = tyre.radius
    #              v_x  v_z  omega
    J = np.array([[0.0, 1.0, 0.0],  # normal
                  [1.0, 0.0, -r],   # sliding velocity of the contact point
                  [0.0, 0.0, 0.0],  # lateral: no motion in this plane model
                  [1.0, 0.0, 0.0]])  # wheel centre  # fmt: skip
    inverse = 1.0 / np.array([MASS, MASS, INERTIA])
    B = J @ (inverse[:, None] * J.T)
    v = np.zeros(3)
    height = r - wheel.static_compression(MASS * 9.81)
    for _ in range(round(12.0 / STEP)):
        force = np.array([-50.0 * v[0] * abs(v[0]), -MASS * 9.81, TORQUE])
        v_free = v + STEP * inverse * force
        q = ground.solve(STEP, gap=[height - r], B=B, u=J @ v, u_free=J @ v_free)
        v = v_free + inverse * (J.T @ q)
        height += STEP * v[1]
    return float(1.0 - v[0] / (v[2] * r))


if __name__ == "__main__":
    print(f"slip ratio {main():.6f}")
