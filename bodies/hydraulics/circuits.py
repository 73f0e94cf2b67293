"""All hydraulic circuits of a mechanism as one network, which each step solves together."""

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
        circuit: the circuit of the pump.
        number: number of the pump within the circuit.
        first, last: numbers of the first branch that the pump feeds and of the branch after the last
            one, within the network.
    """

    circuit: Circuit
    number: int
    first: int
    last: int


@dataclass(frozen=True)
class Circuits:
    """Several circuits of a mechanism, which exchange no oil.

    Attributes:
        each: the circuits that have a cylinder with oil.
    """

    each: tuple[Circuit, ...]

    @property
    def name(self) -> str:
        """Names of the circuits, joined by "and"."""
        return " and ".join(circuit.name for circuit in self.each)

    @property
    def branches(self) -> tuple[Branch, ...]:
        """Branches of all circuits, circuit by circuit."""
        return tuple(branch for circuit in self.each for branch in circuit.branches)

    @property
    def cylinders(self) -> tuple[str, ...]:
        """Names of the cylinders, in the order of the branches."""
        return tuple(branch.cylinder.name for branch in self.branches)

    @property
    def states(self) -> int:
        """Number of the oil's states."""
        return sum(circuit.states for circuit in self.each)


def joined(circuits: Iterable[Circuit]) -> Circuit | Circuits | None:
    """Network of all cylinders with oil: a :class:`Circuit` or :class:`Circuits`; None without oil."""
    found = tuple(kept for circuit in circuits if (kept := circuit.with_oil) is not None)
    if len(found) > 1:
        return Circuits(found)
    return found[0] if found else None


def supplies(circuit: Circuit | Circuits) -> tuple[Supply, ...]:
    """Supplies of a network, in the order of their branches."""
    made: list[Supply] = []
    for one in circuit.each if isinstance(circuit, Circuits) else (circuit,):
        first, count = made[-1].last if made else 0, len(one.branches)
        if one.pumps == "each":
            made += [Supply(one, k, first + k, first + k + 1) for k in range(count)]
        else:
            made.append(Supply(one, 0, first, first + count))
    return tuple(made)


def fluid_of(circuit: Circuit | Circuits, k: int) -> Fluid:
    """Properties of the oil in branch k."""
    return next(s.circuit.fluid for s in supplies(circuit) if s.first <= k < s.last)


def need_slopes(who: str, circuit: Circuit | Circuits) -> None:
    """Raise MechanismError for a set-valued valve (slope 0), which explicit methods cannot integrate."""
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
