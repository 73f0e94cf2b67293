"""A rigid contact: shape, surface, friction and restitution."""

from __future__ import annotations

from dataclasses import dataclass

from mlcp.checks import number
from mlcp.kinds import checked

from .shapes import Shape, Sphere
from .surfaces import Ball, HeightField, Surface


@dataclass(frozen=True, kw_only=True)
@checked
class RigidContact:
    """Unilateral contact with Coulomb friction between a shape and a surface.

    Normal: impulse ``p_n >= 0`` complementary to ``v_n + gap/h``, with the normal velocity v_n and the
    step length h (an open gap may just close within the step); a fifth of a penetration is removed per
    step. Friction: ``|p_t| <= friction p_n``, either as a ``"cone"`` (the two tangents are turned until
    the impulse is along the first, to tolerance) or as a ``"box"`` with one side along the sliding
    direction at the start of the step, exact for straight sliding and up to sqrt(2) too strong
    diagonally.

    Restitution is Newton's: if a point approaches faster than the bounce speed (10 mm/s) and
    would penetrate within the step, ``v_n+ >= -restitution v_n-``. Several impacts in one step are
    solved simultaneously; in a chain of touching balls all of them share the impulse.

    Arguments:
        name: unique name.
        body: body of the shape.
        shape: :class:`Sphere`, :class:`Box` or :class:`Cylinder`.
        surface: :class:`Plane`, :class:`HeightField` or :class:`Ball`.
        body_b: owner of the surface; default the ground.
        position: centre of the shape [m], world axes, pose of the description; default: the body's
            centre of mass.
        friction: Coulomb coefficient [-].
        restitution: coefficient [-], 0 (plastic) to 1 (elastic).
        friction_model: ``"cone"`` or ``"box"``.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    name: str
    body: str
    shape: Shape
    surface: Surface
    body_b: str = "ground"
    position: tuple[float, float, float] | None = None
    friction: float = 0.5
    restitution: float = 0.0
    friction_model: str = "cone"

    def __post_init__(self) -> None:
        who = f"contact {self.name!r}"
        number(f"{who}: friction", self.friction, 0.0)
        number(f"{who}: restitution", self.restitution, 0.0, 1.0)
        if self.friction_model not in ("cone", "box"):
            raise ValueError(
                f"{who}: friction_model must be 'cone' or 'box', got {self.friction_model!r}."
            )
        if self.body == self.body_b:
            raise ValueError(f"{who}: body and body_b are both {self.body!r}.")
        if isinstance(self.surface, Ball) and not isinstance(self.shape, Sphere):
            raise ValueError(f"{who}: only a Sphere can touch a Ball, got {type(self.shape).__name__}.")
        if isinstance(self.surface, HeightField) and self.body_b != "ground":
            raise ValueError(f"{who}: a HeightField belongs to the ground, got body_b {self.body_b!r}.")
