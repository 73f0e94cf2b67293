"""A cylinder: two chambers, a piston and a rod."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ..checks import MechanismError, checked, flag, number, shown, vector
from ..kinds import Length, Name, NonNegative, Positive


@dataclass(frozen=True, kw_only=True)
@checked
class Cushion:
    """End cushion: a throttle in series with the outlet of the closing chamber, to brake the piston.

    ``1/A^2 = 1/A_o^2 + ((1 - d/l)/A_end)^2`` at a distance d < l from the end. Entering oil bypasses
    the throttle by a check valve; the relief valve is on the port's side of it.

    Arguments:
        length: l [m].
        orifice: A_end, area left open at the end [m^2].

    Raises:
        MechanismError: naming the field, its value and the allowed range.
    """

    length: Length = 0.03
    orifice: Positive = 2e-6

    who: ClassVar[str] = "cushion"


@dataclass(frozen=True, kw_only=True)
@checked
class EndBuffer:
    """Elastic end damper: a spring of ``stiffness`` over the last ``length`` before either end.

    Arguments:
        length: distance of its contact from the end [m].
        stiffness: [N/m].

    Raises:
        MechanismError: naming the field, its value and the allowed range.
    """

    length: Length = 0.01
    stiffness: Positive = 1e7

    who: ClassVar[str] = "end buffer"


@dataclass(frozen=True, kw_only=True)
@checked
class Cylinder:
    """``f = A_h P_h - A_r P_r - b u``, extension positive; double-acting.

    Arguments:
        name: unique name.
        bore: diameter of the piston [m].
        rod: diameter of the rod [m]; 0: none.
        double_rod: whether the rod goes through both ends, which reduces the area of both sides.
        stroke: travel of the piston [m].
        extension: position of the piston at the start, from the head's end [m].
        pressures: of both sides at the start in a mechanism [Pa]; None: zero resultant force.
        joint: coordinate of a mechanism along which it acts, growing as the rod comes out.
        dead_volume: volume of each side outside the swept volume [m^3].
        hose_volume: of the hoses of head and rod side [m^3].
        damping: viscous friction b [N s/m].
        leakage: across the piston [m^3/(s Pa)].
        pressure: of the rod side at the start [Pa]; the head's follows from the load.
        friction: dry friction of the seals in a mechanism [N].
        stops: whether hard stops end the stroke in a mechanism.
        cushion: of both ends; None: none.
        buffer: elastic, of both ends in a mechanism, before its hard stops; None: none.
        rigid: an ideal actuator in a mechanism, without oil: its lever sets its speed at any load,
            between the ends of its stroke; see :func:`bodies.hydraulics.lowering.speeds`.

    Raises:
        MechanismError: naming the cylinder, the field, its value and the allowed range.
    """

    name: Name
    bore: Length
    rod: NonNegative
    stroke: Length
    extension: NonNegative
    dead_volume: Positive = 5e-4
    hose_volume: tuple[float, float] = (0.0, 0.0)
    damping: NonNegative = 0.0
    leakage: NonNegative = 0.0
    pressure: Positive = 2e6
    pressures: tuple[float, float] | None = None
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
        flag(who, "double_rod", self.double_rod)
        flag(who, "stops", self.stops)
        flag(who, "rigid", self.rigid)
        hoses = tuple(self.hose_volume)
        if len(hoses) != 2:
            raise MechanismError(f"{who}: hose_volume must be two volumes [m^3], got {hoses}.")
        made = tuple(number(who, f"hose_volume[{k}]", hoses[k], 0.0) for k in (0, 1))
        object.__setattr__(self, "hose_volume", made)
        if self.pressures is not None:
            given = vector(who, "pressures", self.pressures, 2)
            kept = tuple(number(who, f"pressures[{k}]", given[k], 0.0) for k in (0, 1))
            object.__setattr__(self, "pressures", kept)
        for field, kind in (("cushion", Cushion), ("buffer", EndBuffer)):
            part = getattr(self, field)
            if not isinstance(part, kind | None):
                got = shown(part)
                raise MechanismError(f"{who}: {field} must be a {kind.__name__}, got {got}")
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
        """Names of its rows in a mechanism: piston, stops, seals, buffer."""
        further = {"stops": self.stops, "seals": self.friction > 0.0, "buffer": self.buffer is not None}
        there = (f"{self.name} {part}" for part, given in further.items() if given and not self.rigid)
        return (self.name, *there)

    @property
    def areas(self) -> tuple[float, float]:
        """Piston areas of head and rod side [m^2]."""
        full = 0.25 * math.pi * self.bore**2
        annular = full - 0.25 * math.pi * self.rod**2
        return (annular if self.double_rod else full), annular
