"""A body on a hinge, from horizontal at rest: motion and the force on the ground.

Reference: the revolute-joint verification case of Project Chrono, from an ODE solution.
"""

from __future__ import annotations

from bodies import Body, Gravity, Mechanism, Model, Revolute, Simulation, compile

STEPS = (4e-3, 2e-3, 1e-4)  # [s]; at the first two the error exceeds the rounding of the digits
DURATION = 1.0
REFERENCE = {
    "x(1 s) [m]": -0.892381,
    "z(1 s) [m]": -1.78988,
    "rate(1 s) [rad/s]": 2.92614,
    "force on ground, x [N]": -11.4612,
    "force on ground, z [N]": -23.2273,
}
TOLERANCE = {
    "x(1 s) [m]": 1e-3,
    "z(1 s) [m]": 1e-3,
    "rate(1 s) [rad/s]": 1e-5,
    "force on ground, x [N]": 1e-2,
    "force on ground, z [N]": 1e-2,
}


def build() -> Model:
    """A bar of 1 kg whose centre of mass is 2 m from a hinge along y."""
    body = Body("bar", 1.0, (0.04, 0.1, 0.1), position=(2.0, 0.0, 0.0))
    hinge = Revolute(name="hinge", body_a="ground", body_b="bar", axis=(0.0, 1.0, 0.0))
    return compile(Mechanism("revolute pendulum", (body,), (hinge,), gravity=Gravity((0, 0, -9.80665))))


def measure(simulation: Simulation) -> dict[str, float]:
    """Published quantities at the end of the run; the force is the mean over the last step."""
    x, _, z = simulation.position("bar")
    force = simulation.reaction("hinge").force_a
    return {
        "x(1 s) [m]": x,
        "z(1 s) [m]": z,
        "rate(1 s) [rad/s]": simulation.angular_velocity("bar")[1],
        "force on ground, x [N]": force[0],
        "force on ground, z [N]": force[2],
    }
