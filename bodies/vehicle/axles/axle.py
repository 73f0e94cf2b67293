"""Base classes of axles: wheels with hubs and brakes, springs and dampers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ... import checks
from ...driveline import Brake
from ...forces import SpringDamper
from ...kinds import Length, Name, NonNegative, Point, RisingPairs
from ..part import Assembly, Ends, Part, Piece
from .air_spring import AirSpring

LARGEST_LENGTH_RATIO = 10.0  # largest ratio of a spring's length to its free length, and vice versa


@dataclass(frozen=True, kw_only=True)
class Axle(Part):
    """Part with wheels on hubs.

    Arguments:
        carrier: body that carries the part.
        wheel_body: the wheel with all parts that turn at its speed.
        brake_capacity: torque of one wheel's brake at full pressure [N m], at least 0; 0: no brake.
    """

    carrier: Name = "frame"
    wheel_body: Piece
    brake_capacity: NonNegative = 0.0

    def add_wheel(self, to: Assembly, name: str, holder: str, hub: Point) -> None:
        """Add a wheel on a hinge "NAME hub" of the body ``holder``, with its brake."""
        wheel = to.placed(f"{name} wheel", self.wheel_body, hub)
        to.hinge(f"{name} hub", holder, wheel, hub)
        self.add_brake(to, name)
        to.wheel(name, wheel, hub)

    def add_brake(self, to: Assembly, wheel: str) -> None:
        """Add the brake of a wheel, with the control "brake"."""
        if self.brake_capacity > 0.0:
            brake = {"capacity": self.brake_capacity, "pressure": to.control("brake")}
            to.add(Brake(name=f"{wheel} brake", joint=f"{wheel} hub", **brake))


@dataclass(frozen=True, kw_only=True)
class SprungAxle(Axle):
    """Axle with a spring and a damper for each wheel, between the carrier and a body of the axle.

    Arguments:
        origin: origin of the axle's axes, in the axes of the vehicle [m]; the axle's points are in the
            axle's axes [m], mirrored for the right.
        spring, damper: upper end on the carrier, lower end.
        spring_table: pairs (elongation from the free length [m], tension [N]), both not falling.
        free_length: length of the spring without tension [m], above 0.
        air_spring: bellows instead of table and free length.
        damper_table: pairs (speed of elongation [m/s], tension [N]), both not falling.

    Raises:
        MechanismError: a spring with neither a table with a free length nor an air spring, or with both;
            a spring compressed or stretched more than tenfold in the pose of the description.
    """

    origin: Point
    damper: Ends
    spring: Ends
    spring_table: RisingPairs | None = None
    free_length: Length | None = None
    air_spring: AirSpring | None = None
    damper_table: RisingPairs

    def __post_init__(self) -> None:
        super().__post_init__()
        steel = (self.spring_table is not None, self.free_length is not None)
        if any(steel) if self.air_spring else not all(steel):
            raise checks.MechanismError(
                f"{self.who}: its spring must be spring_table and free_length, or an air_spring instead."
            )

    @property
    def spring_law(self) -> tuple[Any, Any]:
        """Table of the spring (elongation [m], tension [N]), and its length at elongation 0 [m]."""
        if self.air_spring is None:
            return self.spring_table, self.free_length
        return self.air_spring.table, math.dist(*self.spring)

    def add_spring(self, to: Assembly, name: str, body: str, at: Callable[[Any], Any]) -> None:
        """Add "NAME spring" and "NAME damper" between the carrier and a body of the axle.

        ``at``: function from a point of the axle to world coordinates.
        """
        table, free = self.spring_law

        def between(kind: str, ends: Ends, **law: Any) -> SpringDamper:
            upper, lower = map(at, ends)
            bodies = {"body_a": self.carrier, "body_b": body}
            return SpringDamper(name=f"{name} {kind}", **bodies, position=upper, position_b=lower, **law)

        spring = between("spring", self.spring, free_length=free, spring_table=table)
        length = spring.described_length
        if not free / LARGEST_LENGTH_RATIO <= length <= LARGEST_LENGTH_RATIO * free:
            raise checks.MechanismError(
                f"{self.who}: free_length [m] = {free:g} beside {length:.3g} m between the spring's ends"
                f" in the described pose; at most {LARGEST_LENGTH_RATIO:g} times more or less can be "
                "meant."
            )
        to.add(spring, between("damper", self.damper, damper_table=self.damper_table))
