"""A hydraulic circuit: pump, and branches of valve, compensator and cylinder."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated

from mlcp import renamed

from ..checks import MechanismError, checked
from ..kinds import Name, Range, Words
from .compensator import Compensator
from .cylinder import HydraulicCylinder
from .fluid import Fluid
from .pump import ConstantPressure, LoadSensingPump
from .relief import MakeUp, Relief
from .spool_valve import SpoolValve

#: Integration methods of the oil: fraction of the centred force, the rest is backward Euler; -1: the
#: fraction is computed in every step.
INTEGRATIONS = {"auto": -1.0, "backward": 0.0, "centred": 1.0}


@dataclass(frozen=True, kw_only=True)
@checked
class Branch:
    """One cylinder with its valves.

    Arguments:
        valve: spool valve.
        cylinder: cylinder.
        compensator: pressure compensator before the valve's inlet; None: the inlet is at pump pressure.
        relief: relief valve of each port; None: no reliefs.
        make_up: make-up valve of each port; None: no make-ups.

    Raises:
        MechanismError: naming the field and its allowed type.
    """

    valve: SpoolValve
    cylinder: HydraulicCylinder
    compensator: Compensator | None = None
    relief: Relief | None = None
    make_up: MakeUp | None = None


@renamed.attributes(share="centred")
@dataclass(frozen=True, kw_only=True)
@checked
class Circuit:
    """A pump that feeds branches (cylinders with valves). The state is the oil W of every chamber and
    line, with ``dW/dt`` the sum of all flows into it.

    Arguments:
        name: unique name.
        branches: the cylinders with their valves, at least one.
        pump: load-sensing pump or constant supply.
        fluid: the oil.
        pumps: ``"one"``: one pump, which senses the largest load of all branches; ``"each"``: every
            branch has a pump of its own.
        integration: method for the oil in a mechanism: ``"backward"`` Euler, ``"centred"`` (no
            numerical damping of oil springs), or ``"auto"``, a blend of the two by step length times
            natural frequency.
        theta: weight theta in the pressure ``P_0 + theta (P - 2 P_0 + P_-1)`` of the centred force [-],
            1/4 to 1/2; P, P_0, P_-1: pressures at the step's end, its start, one step earlier.

    Raises:
        MechanismError: naming the circuit, the field, its value and the allowed ones.
    """

    name: Name
    branches: tuple[Branch, ...]
    pump: LoadSensingPump | ConstantPressure
    fluid: Fluid = field(default_factory=Fluid)
    pumps: Annotated[str, Words(("one", "each"))] = "one"
    integration: Annotated[str, Words(tuple(INTEGRATIONS))] = "auto"
    theta: Annotated[float, Range(0.25, 0.5)] = 0.3

    @property
    def who(self) -> str:
        """Name of the circuit in messages."""
        return f"circuit {self.name!r}"

    def __post_init__(self) -> None:
        who = self.who
        if not self.branches:
            raise MechanismError(f"{who}: branches must be one Branch or more, got ()")
        for name in self.cylinders:
            if self.cylinders.count(name) > 1:
                raise MechanismError(f"{who}: two cylinders are called {name!r}")
        self._check_pump(who)
        for branch in self.branches:
            self._check(who, branch)

    def _check_pump(self, who: str) -> None:
        """Raise MechanismError for a pump or supply that cannot exceed the pressure of the tank."""
        pump, tank = self.pump, self.fluid.tank
        if not isinstance(pump, LoadSensingPump):
            if pump.pressure <= tank:
                raise MechanismError(
                    f"{who}: its supply at {pump.pressure:g} Pa must be above the tank, {tank:g} Pa"
                )
        elif pump.relief.pressure <= tank + pump.margin:
            raise MechanismError(
                f"{who}: the pump's relief at {pump.relief.pressure:g} Pa must be above what the pump "
                f"keeps without a load, tank and margin, {tank + pump.margin:g} Pa"
            )

    def _check(self, who: str, branch: Branch) -> None:
        """Check the pressures of a branch: cavitation <= make-up <= tank < relief, and the compensator's
        drop below the pump's margin."""
        fluid, pump, name = self.fluid, self.pump, branch.cylinder.name
        if branch.make_up and not fluid.cavitation <= branch.make_up.pressure <= fluid.tank:
            raise MechanismError(
                f"{who}, {name!r}: make-up at {branch.make_up.pressure:g} Pa must lie between "
                f"cavitation, {fluid.cavitation:g} Pa, and the tank, {fluid.tank:g} Pa"
            )
        if branch.relief and branch.relief.pressure <= fluid.tank:
            raise MechanismError(
                f"{who}, {name!r}: relief at {branch.relief.pressure:g} Pa must be above the tank, "
                f"{fluid.tank:g} Pa"
            )
        sensing = isinstance(pump, LoadSensingPump)
        if branch.compensator and sensing and branch.compensator.drop >= pump.margin:
            raise MechanismError(
                f"{who}, {name!r}: the compensator keeps {branch.compensator.drop:g} Pa, which must be "
                f"below the pump's margin, {pump.margin:g} Pa"
            )

    @property
    def cylinders(self) -> tuple[str, ...]:
        """Names of the cylinders."""
        return tuple(branch.cylinder.name for branch in self.branches)

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the constraint rows of all cylinders of the circuit in a mechanism."""
        return tuple(name for branch in self.branches for name in branch.cylinder.parts)

    @property
    def with_oil(self) -> Circuit | None:
        """Circuit of the cylinders with oil (not rigid); None if there is no such cylinder."""
        return self._kept(rigid=False)

    @property
    def without_oil(self) -> Circuit | None:
        """Circuit of the rigid cylinders; None if there is no such cylinder."""
        return self._kept(rigid=True)

    def _kept(self, rigid: bool) -> Circuit | None:
        kept = tuple(branch for branch in self.branches if branch.cylinder.rigid == rigid)
        if len(kept) == len(self.branches):
            return self
        return replace(self, branches=kept) if kept else None

    @property
    def centred(self) -> float:
        """Centred fraction of the oil's force [-]; -1: computed in every step."""
        return INTEGRATIONS[self.integration]

    @property
    def states(self) -> int:
        """Number of the oil's states: two chambers of each cylinder, the opening of each compensator,
        the line pressure of each load-sensing pump."""
        each = sum(3 if branch.compensator else 2 for branch in self.branches)
        pumps = len(self.branches) if self.pumps == "each" else 1
        return each + pumps * self.pumped

    @property
    def pumped(self) -> bool:
        """Whether the lines' pressures are states; those of a constant supply are not."""
        return isinstance(self.pump, LoadSensingPump)
