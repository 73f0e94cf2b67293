"""Springs and dampers, linear or tabulated, between two points or on a joint coordinate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from .. import checks
from ..joints.coupling import Coupling
from ..joints.length import Length
from ..kinds import NonNegative, RisingPairs, Table, Words


@dataclass(frozen=True, kw_only=True)
class _Springy(Coupling):
    """Base class of the springs: the implicit row ``v+ + e p + b = 0`` with the compliance
    ``e = 1/(h (h k + c))`` and the bias ``b = (f - c v)/(h k + c)``.

    x, v: coordinate and its rate at the start of the step; f(x, v): force there; k, c: its slopes by x
    and v; v+: v at the end of the step; p: impulse; h: step length. For constant k and c this is
    backward Euler, ``b = k x/(h k + c)``, stable at any stiffness. With ``"centred"`` the force in the
    step is ``f + (theta h k + c/2) (v+ - v)``, centred about the start of the step; theta: a weight.
    """

    stiffness: NonNegative = 0.0
    damping: NonNegative = 0.0
    spring_table: Table = ()
    damper_table: RisingPairs = ()
    integration: Annotated[str, Words(("backward", "centred"))] = "backward"

    row: ClassVar[str] = "forces.spring"
    compliant: ClassVar[bool] = True
    elastic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.stiffness or self.damping or self.spring_table or self.damper_table):
            raise checks.MechanismError(
                f"{self.who}: one of stiffness, damping, spring_table, "
                "damper_table must be given and not zero."
            )

    def tables(self) -> tuple[Any, ...]:
        return (self.spring_table, self.damper_table)

    def _with_scheme(self, rest: float) -> tuple[float, ...]:
        """Stiffness, damping, rest length and, for ``"centred"``, theta (left out for backward
        Euler)."""
        plain = self.stiffness, self.damping, rest
        # theta = 0.3: stable from 1/4 on, but at 1/4 the fastest modes change sign in every step
        return (*plain, 0.3) if self.integration == "centred" else plain


@dataclass(frozen=True, kw_only=True)
class SpringDamper(_Springy, Length):
    """Spring and damper between a point of ``body_a`` and a point of ``body_b``.

    Arguments:
        body_a, body_b: names of the bodies, or ``"ground"``.
        position, position_b: the two ends [m], world axes, pose of the description.
        stiffness: linear stiffness [N/m].
        damping: linear damping [N s/m].
        free_length: length without tension [m]; default: the length in the pose of the description.
        spring_table: pairs (elongation [m], tension [N]), in addition to the linear stiffness.
        damper_table: pairs (speed of elongation [m/s], tension [N]), in addition to the linear damping;
            the tension must not fall, since a fall is negative damping.
        integration: ``"backward"`` Euler, which damps fast springs numerically, or ``"centred"``,
            without numerical damping at any step length.

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    free_length: NonNegative | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        Length.__post_init__(self)

    def terms(self) -> tuple[tuple[str, float], ...]:
        return ((f"{self.name}.length", 1.0),)

    def numbers(self) -> tuple[float, ...]:
        rest = self.described_length if self.free_length is None else self.free_length
        return self._with_scheme(rest)


@dataclass(frozen=True, kw_only=True)
class JointSpring(_Springy):
    """Spring and damper on a joint coordinate.

    Arguments:
        joint: coordinate, ``"hinge"`` or ``"slider.translation"``.
        stiffness: linear stiffness [N m/rad] or [N/m].
        damping: linear damping [N m s/rad] or [N s/m].
        rest: value of the coordinate without effort of the spring [rad or m].
        spring_table: pairs (deflection [rad or m], effort [N m or N]), in addition to the linear
            stiffness.
        damper_table: pairs (rate [rad/s or m/s], effort [N m or N]), in addition to the linear damping;
            the effort must not fall.
        integration: ``"backward"`` Euler, which damps fast springs numerically, or ``"centred"``,
            without numerical damping at any step length.
    """

    joint: str
    rest: float = 0.0

    def numbers(self) -> tuple[float, ...]:
        return self._with_scheme(self.rest)
