"""Andrews' squeezer mechanism: seven rigid bodies in space, three loops, time scales of ratio 1:10 000.

Source: Schiehlen (ed.), Multibody Systems Handbook, 1990; data as in Hairer & Wanner, Solving
Ordinary Differential Equations II, section VII.7, and in the test sets for stiff ODEs.
"""

from __future__ import annotations

from math import cos, sin

from bodies import Body, Gravity, Mechanism, Model, Revolute, Simulation, SpringDamper, Torque
from bodies import compile as compile_model

STEPS = (1e-6, 5e-7)
DURATION = 0.03
REFERENCE = {
    "gamma [rad]": 0.04082224013,
    "phi [rad]": -0.5347301163,
    "delta [rad]": 0.5244099659,
    "omega [rad]": 0.5347301163,
    "epsilon [rad]": 1.0480807410,
}
TOLERANCE = 5e-4  # [rad] at the shorter step; twice as much at the longer one

START = {
    "beta": -0.0617138900142764496,
    "theta": 0.0,
    "gamma": 0.4552798191630703802,
    "phi": 0.2226683901658858847,
    "delta": 0.4873649795438425502,
    "omega": -0.2226683901658858847,
    "epsilon": 1.2305474445498211925,
}
MASS = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)  # of the bodies [kg]
INERTIA = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)  # moments [kg m^2]
A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)  # fixed points [m]
D, DA, E, EA, RR, RA = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092
SA, SB, SC, SD, TA, TB = 0.01874, 0.01043, 0.018, 0.02, 0.02308, 0.00916
U, UA, UB, ZF, ZT, FA = 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
STIFFNESS, FREE_LENGTH, DRIVE = 4530.0, 0.07785, 0.033  # spring [N/m, m], drive's torque [N m]


def _along(point: tuple[float, float], angle: float, x: float, y: float) -> tuple[float, float]:
    """Position of the point (x, y) of a frame with its origin at ``point``, turned by ``angle``."""
    c, s = cos(angle), sin(angle)
    return point[0] + c * x - s * y, point[1] + s * x + c * y


def build() -> Model:
    """Ten hinges (50 constraint rows, 41 of them independent), one spring, one torque, no gravity."""
    g = START
    angle = (
        g["beta"],
        g["beta"] + g["theta"],
        g["gamma"],
        g["phi"] + g["delta"],
        g["delta"],
        g["omega"] + g["epsilon"],
        g["epsilon"],
    )
    crank = _along((0.0, 0.0), angle[0], RR, 0.0)
    knot = _along(crank, angle[1], -D, 0.0)
    upper = _along(A, angle[4], ZT, 0.0)
    lower = _along(A, angle[6], 0.0, -U)
    centre = (
        _along((0.0, 0.0), angle[0], RA, 0.0),
        _along(crank, angle[1], -DA, 0.0),
        _along(B, angle[2], SB, -SA),
        _along(upper, angle[3], 0.0, -(E - EA)),
        _along(A, angle[4], TA, TB),
        _along(lower, angle[5], ZF - FA, 0.0),
        _along(A, angle[6], -UB, -UA),
    )
    # planar data: only the moment about z matters; with the others the inertia is physically possible
    bodies = tuple(
        Body(f"K{k + 1}", MASS[k], (INERTIA[k], INERTIA[k], INERTIA[k]), position=(*centre[k], 0.0))
        for k in range(7)
    )

    def hinge(name: str, a: str, b: str, point: tuple[float, float]) -> Revolute:
        return Revolute(name=name, body_a=a, body_b=b, position=(*point, 0.0))

    elements = (
        hinge("beta", "ground", "K1", (0.0, 0.0)),
        hinge("theta", "K1", "K2", crank),
        hinge("gamma", "ground", "K3", B),
        hinge("delta", "ground", "K5", A),
        hinge("epsilon", "ground", "K7", A),
        hinge("phi", "K5", "K4", upper),
        hinge("omega", "K7", "K6", lower),
        hinge("knot 3", "K2", "K3", knot),
        hinge("knot 4", "K2", "K4", knot),
        hinge("knot 6", "K2", "K6", knot),
        SpringDamper(
            name="spring",
            body_a="ground",
            body_b="K3",
            position=(*C, 0.0),
            position_b=(*_along(B, angle[2], SD, -SC), 0.0),
            stiffness=STIFFNESS,
            free_length=FREE_LENGTH,
        ),
        Torque(name="drive", joint="beta", effort=DRIVE),
    )
    return compile_model(
        Mechanism("Andrews' squeezer", bodies, elements, gravity=Gravity((0.0, 0.0, 0.0)))
    )


def measure(simulation: Simulation) -> dict[str, float]:
    """The five published angles at the end of the run."""
    return {
        f"{name} [rad]": START[name] + simulation.coordinate(name)
        for name in ("gamma", "phi", "delta", "omega", "epsilon")
    }
