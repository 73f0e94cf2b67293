"""Forces in a three-point linkage, and a test bench that computes them for a given load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ... import checks
from ...body import Body
from ...building.compile import compile as compiled
from ...checks import checked
from ...forces import Gravity, PointForce
from ...frames import quaternion_matrix
from ...joints import Fixed
from ...mechanism import Mechanism
from ...rest.equilibrium import equilibrium
from ...running.simulation import Simulation
from ..elements import FORWARD
from ..part import Assembly
from .three_point_linkage import ThreePointLinkage

ORIGIN = (0.0, 0.0, 0.0)
BENCH_MASS = 1e4  # [kg] mass of the bench's clamped block, arbitrary


@dataclass(frozen=True)
class LinkageForces:
    """Forces in a three-point linkage in the last step, axes of the carrier: x forward, y left, z up.

    Attributes:
        left, right: forces of the implement on the balls of the lower links, (3,) [N].
        upper: force of the implement on the upper link, (3,) [N].
        left_rod, right_rod: tensions of the lift rods [N].
        stabiliser: tension of the stabiliser [N]; 0 without one.
        lift_moment: moment of the lift on its arms, positive upward [N m].
    """

    left: np.ndarray
    right: np.ndarray
    upper: np.ndarray
    left_rod: float
    right_rod: float
    stabiliser: float
    lift_moment: float

    @property
    def draft(self) -> float:
        """Backward force of the implement on lower and upper links together [N]."""
        return -float(self.left[0] + self.right[0] + self.upper[0])

    @property
    def vertical(self) -> float:
        """Downward force of the implement on lower and upper links together [N]."""
        return -float(self.left[2] + self.right[2] + self.upper[2])

    @property
    def side(self) -> float:
        """Force of the implement on the links to the left [N], without the force of the stabiliser."""
        return float(self.left[1] + self.right[1] + self.upper[1])


@checked
def linkage_forces(simulation: Simulation, name: str = "linkage") -> LinkageForces:
    """Forces in the three-point linkage ``name`` in the last step.

    Arguments:
        simulation: simulation of a mechanism with a :class:`ThreePointLinkage`.
        name: name of the linkage.

    Raises:
        UnknownName: no linkage of this name.
    """
    joints: dict[str, Any] = {e.name: e for e in simulation.model.mechanism.elements}
    known = {n.removesuffix(" lift hinge") for n in joints if n.endswith(" lift hinge")}
    if name not in known:
        raise checks.UnknownName("linkage_forces: linkage", name, known)
    model, step = simulation.model, simulation.step
    turn = quaternion_matrix(simulation.quaternion(joints[f"{name} lift hinge"].body_a)).T

    def force(joint: str) -> np.ndarray:
        return turn @ simulation.reaction(f"{name} {joint}").force_a

    def row_force(row: str) -> float:
        if f"{name} {row}" not in model.rows:
            return 0.0
        return float(simulation.work.machine.impulse[model.rows[f"{name} {row}"][0]] / step)

    return LinkageForces(
        force("left lower ball"),
        force("right lower ball"),
        force("upper link"),
        -row_force("left lift rod"),
        -row_force("right lift rod"),
        -row_force("stabiliser"),
        row_force("lift"),
    )


@checked
def linkage_bench(
    linkage: ThreePointLinkage,
    force: Sequence[float],
    point: Sequence[float],
    *,
    lift: float = 0.0,
    gravity: Sequence[float] = (0.0, 0.0, 0.0),
) -> LinkageForces:
    """Forces in a linkage at rest on a clamped carrier, under a force on the implement.

    Arguments:
        linkage: the linkage; the bench adds the carrier, a clamped block.
        force: force on the implement, (3,) [N], axes of the vehicle.
        point: point of action in the pose of the description, (3,) [m], axes of the vehicle.
        lift: angle of the lift arms from the pose of the description [rad].
        gravity: gravity, (3,) [m/s^2]; default: zero, for the effect of the force alone.

    Raises:
        MechanismError: an invalid argument. SimulationError: no equilibrium.
    """
    who = "linkage_bench"
    pull = np.array(checks.vector(who, "force [N]", force))
    at = checks.vector(who, "point [m]", point)
    angle = checks.number(who, "lift [rad]", lift, -1.5, 1.5)
    to = Assembly("bench", {linkage.lift: angle}, lambda _: {}, ORIGIN)
    to.bodies.append(Body(linkage.on, BENCH_MASS, (BENCH_MASS, BENCH_MASS, BENCH_MASS)))
    to.add(Fixed(name="bench", body_a="ground", body_b=linkage.on))
    linkage.build(to)
    size = float(np.linalg.norm(pull))
    to.add(
        PointForce(
            name="pull",
            body=f"{linkage.name} implement",
            position=at,
            direction=tuple(pull / size) if size > 0.0 else FORWARD,
            effort=size,
            turns=False,
        )
    )
    model = compiled(
        Mechanism("bench", tuple(to.bodies), tuple(to.elements), gravity=Gravity(tuple(gravity)))
    )
    simulation = Simulation(model, 1e-3, state=equilibrium(model))  # [s] step length of the bench
    simulation.run(1)
    return linkage_forces(simulation, linkage.name)
