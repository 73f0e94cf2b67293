"""Rigid bodies and the ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from mlcp.kinds import Range

from . import checks
from .checks import checked
from .kinds import Vector

GROUND = "ground"
LARGEST_GYRATION = 1e6  # [m] largest radius of gyration; a larger one comes from a wrong unit of inertia


@dataclass(frozen=True)
class Ground:
    """The body that never moves; in joints its name is ``"ground"``."""

    name: str = GROUND


@dataclass(frozen=True)
@checked
class Body:
    """A rigid body in its initial pose.

    Arguments:
        name: unique name other than ``"ground"``.
        mass: mass [kg], positive.
        inertia: inertia about the centre of mass in body axes [kg m^2]: three principal moments or a
            symmetric 3 x 3 matrix. It must be physical: positive definite, and no principal moment
            larger than the sum of the other two.
        position: position of the centre of mass [m], world axes.
        orientation: quaternion, scalar first, body axes to world axes; it is normalised.
        velocity: initial velocity of the centre of mass [m/s], world axes.
        angular_velocity: initial angular velocity [rad/s], world axes.

    Raises:
        MechanismError: naming the field, its value and the allowed range.
    """

    name: str
    mass: Annotated[float, Range(0.0, unit="kg", open_low=True)]
    inertia: tuple[Any, ...]
    position: Vector = (0.0, 0.0, 0.0)
    orientation: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)
    velocity: Vector = (0.0, 0.0, 0.0)
    angular_velocity: Vector = (0.0, 0.0, 0.0)

    @property
    def who(self) -> str:
        """Name of this body in messages."""
        return f"body {self.name!r}"

    def __post_init__(self) -> None:
        who = self.who
        if self.name in ("", GROUND):
            raise checks.MechanismError(f"{who}: name must be a non-empty text other than 'ground'.")
        turned = checks.unit_vector(who, "orientation (a quaternion)", self.orientation, 4)
        object.__setattr__(self, "orientation", turned)
        inertia = inertia_matrix(who, self.inertia)
        if (largest := float(np.max(inertia))) > self.mass * LARGEST_GYRATION**2:
            raise checks.MechanismError(
                f"{who}: inertia [kg m^2] of {largest:g} with a mass of {self.mass:g} kg: the radius of "
                f"gyration must be at most {LARGEST_GYRATION:g} m, got "
                f"{np.sqrt(largest / self.mass):.3g}."
            )
        object.__setattr__(self, "inertia", tuple(tuple(float(x) for x in row) for row in inertia))

    @property
    def inertia_array(self) -> np.ndarray:
        """Inertia about the centre of mass in body axes, (3, 3) [kg m^2]."""
        return np.array(self.inertia)


def inertia_matrix(who: str, inertia: object) -> np.ndarray:
    """Symmetric inertia (3, 3) from three moments or a 3 x 3 matrix; MechanismError if not physical."""
    array = checks.numbers(inertia)
    if array.shape == (3,):
        array = np.diag(array)
    if array.shape != (3, 3) or not np.all(np.isfinite(array)):
        raise checks.MechanismError(
            f"{who}: inertia [kg m^2] must be three principal moments or "
            f"a finite 3 x 3, got {checks.shown(inertia)}."
        )
    scale = float(np.max(np.abs(array)))
    if np.max(np.abs(array - array.T)) > 1e-9 * scale:
        raise checks.MechanismError(
            f"{who}: inertia [kg m^2] must be symmetric, got {checks.shown(inertia)}."
        )
    # for smaller (denormal) moments eigvalsh does not converge, and the inverse inertia is infinite
    least = np.finfo(float).tiny
    moments = np.linalg.eigvalsh(array) if scale >= least else np.diag(array)
    if moments[0] < least:
        raise checks.MechanismError(
            f"{who}: the principal moments of inertia must be positive, got {_text(moments)} kg m^2."
        )
    if moments[2] > (moments[0] + moments[1]) * (1.0 + 1e-9):
        raise checks.MechanismError(
            f"{who}: no body has the principal moments {_text(moments)} kg m^2: the largest may "
            f"not exceed the sum of the other two ({moments[0] + moments[1]:g})."
        )
    return 0.5 * (array + array.T)


def _text(moments: np.ndarray) -> str:
    return "(" + ", ".join(f"{x:g}" for x in moments) + ")"
