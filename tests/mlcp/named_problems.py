"""Named problems with their solutions, for tests, benchmarks and trials of a solver.

Every function of ``NAMED`` returns an ``Example``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlcp.problem import MLCP


@dataclass(frozen=True, eq=False)
class Example:
    """A problem, its solution if known, and its source.

    ``z`` is None when there is no solution (``solvable`` False), or when it is not known or one of many.
    """

    name: str
    problem: MLCP
    z: np.ndarray | None
    solvable: bool
    source: str


def _example(
    name: str, A: Any, b: Any, z: Any, source: str, lower: Any = 0.0, upper: Any = np.inf, solvable=True
) -> Example:
    problem = MLCP(np.array(A, dtype=float), np.array(b, dtype=float), lower, upper)
    return Example(name, problem, None if z is None else np.array(z, float), solvable, source)


def murty_2_8() -> Example:
    """A is positive semidefinite, not symmetric, and no P-matrix (a minor is 0); z = (2, 1, 3, 1)."""
    A = [[1, -1, -1, -1], [-1, 1, -1, -1], [1, 1, 2, 0], [1, 1, 0, 2]]
    return _example("murty_2_8", A, [3, 5, -9, -5], [2, 1, 3, 1], "Murty (1988), example 2.8")


def murty_2_9() -> Example:
    """No solution: Lemke's method ends on a ray. Row 0 reads w = -z0 - 3 z2 - 3 < 0."""
    A = [[-1, 0, -3], [1, -2, -5], [-2, -1, -2]]
    source = "Murty (1988), example 2.9"
    return _example("murty_2_9", A, [-3, -2, -1], None, source, solvable=False)


def murty_cycle() -> Example:
    """A P-matrix on which pivoting without a rule for ties cycles: z = (1/3, 1/3, 1/3)."""
    A = [[1, 2, 0], [0, 1, 2], [2, 0, 1]]
    source = "Kostreva (1979), example 1"
    return _example("kostreva_1", A, [-1, -1, -1], [1 / 3, 1 / 3, 1 / 3], source)


def kostreva_2() -> Example:
    """No solution: row 2 reads w = -z0 - 2 z1 - 1 < 0; pivoting without a rule for ties cycles."""
    A = [[1, -1, 3], [2, -1, 3], [-1, -2, 0]]
    return _example("kostreva_2", A, [-1, -1, -1], None, "Kostreva (1979), example 2", solvable=False)


def fathi(n: int = 6) -> Example:
    """Positive definite A = L L', L unit lower triangular with 2 below the diagonal, b = -1.

    z = (1, 0, ..., 0). Pivoting methods need exponentially many pivots.
    """
    L = np.tril(2.0 * np.ones((n, n)), -1) + np.eye(n)
    z = np.zeros(n)
    z[0] = 1.0
    return _example(f"fathi_{n}", L @ L.T, -np.ones(n), z, "Fathi (1979)")


def relay() -> Example:
    """Problem of a relay circuit: four equations, two complementarity rows; A is indefinite."""
    A = [
        [0, 0, 1, 0, 0, 0], [0, -0.01, 0, 1, 0, 0], [1, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 0, 1], [0, 0, 0, 0, 0, -1], [-1, 0, 0, 0, 1, 0],
    ]  # fmt: skip
    lower = [-np.inf] * 4 + [0.0] * 2
    return _example("relay", A, [0, 0, -10, -1.6, 3, 0.001], [10, -1.4, 0, -0.014, 9.999, 3],
                    "Siconos test collection, relay2", lower)  # fmt: skip


def diode_bridge() -> Example:
    """One step of a four-diode rectifier: three equations, four diodes; A is indefinite."""
    r = 1e-3
    A = [
        [0, -r, r, 0, 1, 0, 1], [0, r, -r, -1, 0, -1, 0], [-1.0025, 0, 0, 0, 0, 10, -10],
        [0, 0, -1, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0], [1, 0, -1, 0, 0, 0, 0],
        [-1, 1, 0, 0, 0, 0, 0],
    ]  # fmt: skip
    b = [0, 0, 0.9975, 0, 0, 0, 0]
    return _example(
        "diode_bridge", A, b, None, "Siconos test collection, diodeBridge", [-np.inf] * 3 + [0.0] * 4
    )


def painleve_rod(mu: float = 2.0, theta: float = 1.0, rate: float = 0.0) -> Example:
    """Normal force [N] of a rod (1 kg, half length 1 m) sliding on one end at angle theta [rad].

    With the friction coefficient mu and the angular velocity ``rate`` [rad/s] the only row has
    A = 1 + 3 cos(theta) (cos(theta) - mu sin(theta)) and b = rate^2 sin(theta) - g. For mu > 4/3 there
    are angles with A < 0: then b < 0 has no solution (Painleve's paradox) and b > 0 has two.
    """
    A = 1.0 + 3.0 * np.cos(theta) * (np.cos(theta) - mu * np.sin(theta))
    b = rate**2 * np.sin(theta) - 9.81
    solvable = bool(A > 0.0 or b >= 0.0)
    z = [max(0.0, -b / A)] if A > 0.0 else None
    source = "Painleve (1895); form of Genot & Brogliato (1999)"
    return _example("painleve_rod", [[A]], [b], z, source, solvable=solvable)


def quarter_vehicle_step() -> Example:
    """One step of a driven, sliding wheel with a load of 250 kg; rows: normal, traction, resistance.

    Step h = 1 ms, spin inertia 2 kg m^2, radius 0.381 m, speed v_x = 1 m/s. The wheel rests on a soil of
    compliance e. The traction has the bound 0.2 N s, the resistance 0.1 N s, too little to stop v_x.
    Impulses [N s]: z_n = 250 g h / (1 + 250 e); traction and resistance at their bounds.
    """
    m, inertia, r, h, g, e = 250.0, 2.0, 0.381, 1e-3, 9.81, 1e-4
    J = np.array([[0, 1, 0], [1, 0, -r], [1, 0, 0]])  # columns: v_x, v_z, spin
    A = J @ np.diag([1 / m, 1 / m, 1 / inertia]) @ J.T + np.diag([e, 0, 0])
    v_free = np.array([1.0, -g * h, 5.0])
    limits = np.array([np.inf, 0.2, 0.1])
    z = [m * g * h / (1 + m * e), 0.2, -0.1]
    return _example("quarter_vehicle_step", A, J @ v_free, z, "this project", [0.0, -0.2, -0.1], limits)


NAMED = {
    example.__name__: example
    for example in (
        murty_2_8, murty_2_9, murty_cycle, kostreva_2, fathi, relay, diode_bridge,
        painleve_rod, quarter_vehicle_step,
    )
}  # fmt: skip
