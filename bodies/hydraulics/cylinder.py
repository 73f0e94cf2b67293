"""A cylinder: two chambers, a piston and a rod."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

from ..checks import MechanismError, checked
from ..kinds import Length, Name, NonNegative, Numbers, Positive

Pair = Annotated[tuple[float, float], Numbers(2, 0.0)]  # numbers of head and rod side, at least 0


@dataclass(frozen=True, kw_only=True)
@checked
class Cushion:
    """End cushion: a throttle in series with the outlet of the closing chamber, to brake the piston.

    ``1/A^2 = 1/A_o^2 + ((1 - d/l)/A_end)^2`` at a distance d < l from the end; A: area of throttle and
    outlet in series, A_o: area of the valve's outlet. Oil that enters the chamber bypasses the throttle
    through a check valve; the port's relief valve is between throttle and port.

    Arguments:
        length: length l of the cushion [m].
        orifice: area A_end of the throttle at the end of the stroke [m^2].

    Raises:
        MechanismError: naming the field, its value and the allowed range.
    """

    length: Length = 0.03
    orifice: Positive = 2e-6

    who: ClassVar[str] = "cushion"


@dataclass(frozen=True, kw_only=True)
@checked
class EndBuffer:
    """Elastic end stop: a spring over the last ``length`` of the stroke, at both ends.

    Arguments:
        length: distance from the end at which the piston meets the spring [m].
        stiffness: stiffness of the spring [N/m].

    Raises:
        MechanismError: naming the field, its value and the allowed range.
    """

    length: Length = 0.01
    stiffness: Positive = 1e7

    who: ClassVar[str] = "end buffer"


@dataclass(frozen=True, kw_only=True)
@checked
class HydraulicCylinder:
    """Double-acting cylinder with the force ``f = A_h P_h - A_r P_r - b u`` on its rod, extension
    positive.

    A: piston areas, P: pressures, h: head side, r: rod side, u: speed of the piston, b: damping.

    Arguments:
        name: unique name.
        bore: diameter of the piston [m].
        rod: diameter of the rod [m]; 0: none.
        double_rod: whether the rod goes through both ends, which reduces the area of both sides.
        stroke: travel of the piston [m].
        extension: position of the piston at the start, from the head's end [m].
        pressures: pressures of head and rod side at the start in a mechanism [Pa]; None: pressures whose
            resultant force is zero.
        joint: coordinate of the mechanism along which the cylinder acts; it grows with the extension.
        dead_volume: volume of each side outside the swept volume [m^3].
        hose_volume: volumes of the hoses of head and rod side [m^3].
        damping: viscous friction b [N s/m].
        leakage: leakage across the piston [m^3/(s Pa)].
        pressure: pressure of the rod side at the start [Pa]; the head's pressure follows from the load.
        friction: dry friction of the seals in a mechanism [N].
        stops: whether hard stops end the stroke in a mechanism.
        cushion: hydraulic cushion at both ends; None: no cushions.
        buffer: elastic stop at both ends in a mechanism, before the hard stops; None: no buffers.
        rigid: whether the cylinder is an ideal actuator in a mechanism, without oil: its lever sets its
            speed at any load, between the ends of its stroke; see
            :func:`bodies.hydraulics.rigid.speeds`.

    Raises:
        MechanismError: naming the cylinder, the field, its value and the allowed range.
    """

    name: Name
    bore: Length
    rod: NonNegative
    stroke: Length
    extension: NonNegative
    dead_volume: Positive = 5e-4
    hose_volume: Pair = (0.0, 0.0)
    damping: NonNegative = 0.0
    leakage: NonNegative = 0.0
    pressure: Positive = 2e6
    pressures: Pair | None = None
    joint: Name | None = None
    friction: NonNegative = 0.0
    double_rod: bool = False
    stops: bool = True
    cushion: Cushion | None = None
    buffer: EndBuffer | None = None
    rigid: bool = False

    @property
    def who(self) -> str:
        """Name of the cylinder in messages."""
        return f"cylinder {self.name!r}"

    def __post_init__(self) -> None:
        who = self.who
        for field, part in (("cushion", self.cushion), ("buffer", self.buffer)):
            if part and 2.0 * part.length > self.stroke:
                raise MechanismError(
                    f"{who}: a {field} of {part.length:g} m at both ends does not fit into the stroke, "
                    f"{self.stroke:g} m"
                )
        if self.rod >= self.bore:
            raise MechanismError(
                f"{who}: rod = {self.rod:g} m must be thinner than the bore, {self.bore:g} m"
            )
        if self.extension > self.stroke:
            raise MechanismError(
                f"{who}: extension = {self.extension:g} m must lie within the stroke, "
                f"0 to {self.stroke:g} m"
            )

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the cylinder's constraint rows in a mechanism: piston, stops, seals, buffer."""
        further = {"stops": self.stops, "seals": self.friction > 0.0, "buffer": self.buffer is not None}
        there = (f"{self.name} {part}" for part, given in further.items() if given and not self.rigid)
        return (self.name, *there)

    @property
    def areas(self) -> tuple[float, float]:
        """Piston areas of head and rod side [m^2]."""
        full = 0.25 * math.pi * self.bore**2
        annular = full - 0.25 * math.pi * self.rod**2
        return (annular if self.double_rod else full), annular
