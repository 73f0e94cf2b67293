"""All circuits of a mechanism as the one network that its step solves; and the supplies of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..checks import MechanismError
from .circuit import Branch, Circuit
from .fluid import Fluid
from .pump import LoadSensingPump


@dataclass(frozen=True)
class Supply:
    """A pump and the branches that it feeds.

    Attributes:
        circuit: to which it belongs: its pump, fluid and integration.
        number: of the pump in it.
        first, last: its first branch of all, and the one behind its last.
    """

    circuit: Circuit
    number: int
    first: int
    last: int


@dataclass(frozen=True)
class Circuits:
    """Circuits side by side: they share nothing but what they move.

    Attributes:
        each: the circuits, those of rigid cylinders alone left out.
    """

    each: tuple[Circuit, ...]

    @property
    def name(self) -> str:
        """Of all of them."""
        return " and ".join(circuit.name for circuit in self.each)

    @property
    def branches(self) -> tuple[Branch, ...]:
        """Of one circuit after the other."""
        return tuple(branch for circuit in self.each for branch in circuit.branches)

    @property
    def cylinders(self) -> tuple[str, ...]:
        """Names of the cylinders, in the order of the branches."""
        return tuple(branch.cylinder.name for branch in self.branches)

    @property
    def states(self) -> int:
        """How many states the oil has."""
        return sum(circuit.states for circuit in self.each)


def joined(circuits: Iterable[Circuit]) -> Circuit | Circuits | None:
    """What cylinders with oil hang on: None without any, the circuit if it is the only one, else all."""
    found = tuple(kept for circuit in circuits if (kept := circuit.with_oil) is not None)
    if len(found) > 1:
        return Circuits(found)
    return found[0] if found else None


def supplies(circuit: Circuit | Circuits) -> tuple[Supply, ...]:
    """All pumps in the order of their branches."""
    made: list[Supply] = []
    for one in circuit.each if isinstance(circuit, Circuits) else (circuit,):
        first, count = made[-1].last if made else 0, len(one.branches)
        if one.pumps == "each":
            made += [Supply(one, k, first + k, first + k + 1) for k in range(count)]
        else:
            made.append(Supply(one, 0, first, first + count))
    return tuple(made)


def fluid_of(circuit: Circuit | Circuits, k: int) -> Fluid:
    """The oil of branch k."""
    return next(s.circuit.fluid for s in supplies(circuit) if s.first <= k < s.last)


def need_slopes(who: str, circuit: Circuit | Circuits) -> None:
    """Refuse valves that explicit methods cannot take: those that are set-valued."""
    valves = [(b.cylinder.name, v) for b in circuit.branches for v in (b.relief, b.make_up) if v]
    for supply in supplies(circuit):
        if isinstance(supply.circuit.pump, LoadSensingPump):
            valves.append((f"the pump of {supply.circuit.name}", supply.circuit.pump.relief))
    for owner, valve in valves:
        if valve.slope == 0.0:
            raise MechanismError(
                f"{who}: explicit methods need a slope above 0 of every relief and make-up; "
                f"{owner!r} has one that is set-valued"
            )
