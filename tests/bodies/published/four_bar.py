"""Two-loop four-bar linkage: five rods, through singular poses with all rods in line.

Reference: IFToMM multibody benchmark library, A02 with N = 2.
"""

from __future__ import annotations

from bodies import Body, Gravity, Mechanism, Model, Revolute, Simulation, compile

STEPS = (2e-4, 1e-4)
DURATION = 2.0
REFERENCE = {"x(2 s) [m]": 0.0578157958, "y(2 s) [m]": 0.9983272679}
TOLERANCE = 1e-3


def build() -> Model:
    """Rods of 1 m and 1 kg; three stand upright on the ground, two couplers join their tips.

    The tips start at 1 m/s along x. All hinge axes are parallel, so that 6 of the 35 constraint
    rows are redundant.
    """
    thin = (1.0 / 12.0, 1e-3, 1.0 / 12.0)
    flat = (1e-3, 1.0 / 12.0, 1.0 / 12.0)
    bodies, joints = [], []
    for k in range(3):
        bodies.append(
            Body(
                f"leg {k}",
                1.0,
                thin,
                position=(k, 0.5, 0.0),
                velocity=(0.5, 0, 0),
                angular_velocity=(0.0, 0.0, -1.0),
            )
        )
        joints.append(Revolute(name=f"foot {k}", body_a="ground", body_b=f"leg {k}", position=(k, 0, 0)))
    for k in range(2):
        bodies.append(
            Body(f"bar {k}", 1.0, flat, position=(k + 0.5, 1.0, 0.0), velocity=(1.0, 0.0, 0.0))
        )
        joints.append(
            Revolute(name=f"left {k}", body_a=f"leg {k}", body_b=f"bar {k}", position=(k, 1, 0))
        )
        joints.append(
            Revolute(name=f"right {k}", body_a=f"leg {k + 1}", body_b=f"bar {k}", position=(k + 1, 1, 0))
        )
    return compile(Mechanism("four-bar", tuple(bodies), tuple(joints), gravity=Gravity((0, -9.81, 0))))


def measure(simulation: Simulation) -> dict[str, float]:
    """Position of the tip of the first upright rod: twice that of the rod's centre."""
    x, y, _ = 2.0 * simulation.position("leg 0")
    return {"x(2 s) [m]": x, "y(2 s) [m]": y}
