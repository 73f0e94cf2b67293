"""A mechanism: description of bodies, elements, contacts and wheels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from contact.rigid import RigidContact

from . import checks, summary
from .appearance import Look
from .body import GROUND, Body
from .checks import checked
from .driveline import DRIVELINE
from .forces import FORCES, Gravity
from .hydraulics.circuit import Circuit
from .joints import COUPLINGS, JOINTS, Joint, Length
from .signals import whole_number
from .wheel import Wheel

ELEMENTS: dict[str, type] = {
    **JOINTS,
    "Length": Length,
    **COUPLINGS,
    **FORCES,
    **DRIVELINE,
    "HydraulicCircuit": Circuit,
    "Look": Look,
}


@dataclass(frozen=True)
@checked
class Mechanism:
    """Bodies with the elements, contacts and wheels that act on them.

    Arguments:
        name: name of the mechanism.
        bodies: :class:`Body` objects.
        elements: joints, couplings, forces and driveline elements, in any order.
        contacts: rigid contacts.
        wheels: wheels on terrain.
        gravity: uniform gravity.
        inputs: initial values of named inputs, which signals may refer to [unit of the signal].

    Raises:
        MechanismError: no body, a name used twice, an unknown body, an object of another class, an
            input out of range.
    """

    name: str
    bodies: tuple[Body, ...]
    elements: tuple[Any, ...] = ()
    contacts: tuple[Any, ...] = ()
    wheels: tuple[Wheel, ...] = ()
    gravity: Gravity = field(default_factory=Gravity)
    inputs: Mapping[str, float] = field(default_factory=dict)

    def __repr__(self) -> str:
        return summary.of_mechanism(self)

    def __post_init__(self) -> None:
        checks.text("mechanism", "name", self.name)
        who = f"mechanism {self.name!r}"
        if not self.bodies:
            raise checks.MechanismError(f"{who}: bodies must hold at least one body.")
        _only(who, "elements", self.elements, tuple(ELEMENTS.values()))
        _only(who, "contacts", self.contacts, (RigidContact,))
        for key, value in self.inputs.items():
            checks.text(who, "the name of an input", key)
            self.check_input(key, value)
        _unique(who, (x.name for x in self.bodies))
        named = (*self.elements, *self.contacts, *self.wheels)
        _unique(who, (name for x in named for name in (x.name, *getattr(x, "parts", ()))))
        known = {GROUND, *(b.name for b in self.bodies)}
        for element in (*self.elements, *self.contacts, *self.wheels):
            for key in ("body", "body_a", "body_b"):
                body = getattr(element, key, None)
                if body is not None:
                    checks.need_known(f"{who}: {key} of {element.name!r}", body, known)

    def check_input(self, name: str, value: object) -> float:
        """Return ``value`` as a float if the input ``name`` allows it.

        Raises:
            MechanismError: ``value`` is no finite number, or outside the range of an element that it
                controls, or not whole where it has to be (a gear).
        """
        found = checks.number(f"mechanism {self.name!r}", f"input {name!r}", value)
        for element, key, low, high in self._input_ranges.get(name, ()):
            what = f"input {name!r}, {key} of {element.name!r},"
            try:
                unit = getattr(element, "signal_unit", "")
                checks.number(f"mechanism {self.name!r}", what, found, low, high, unit=unit)
                if key in getattr(element, "whole_signals", ()):
                    whole_number(f"mechanism {self.name!r}", what, found, low, high)
            except checks.MechanismError as error:
                raise checks.MechanismError(f"{error}.") from None
        return found

    @cached_property
    def _input_ranges(self) -> dict[str, list[tuple[Any, str, float, float]]]:
        """By input: (element, field, lowest, highest value) of each signal that refers to the input."""
        found: dict[str, list[tuple[Any, str, float, float]]] = {}
        for element in self.elements:
            for key, (low, high) in getattr(element, "signal_ranges", {}).items():
                if isinstance(signal := getattr(element, key), str):
                    found.setdefault(signal, []).append((element, key, low, high))
        return found

    @property
    def heaviest(self) -> Body:
        """The body of the largest mass."""
        return max(self.bodies, key=lambda body: body.mass)

    @cached_property
    def wheel_order(self) -> tuple[Wheel, ...]:
        """Wheels in the order of their records in the compiled step: those on soil come first."""
        return tuple(sorted(self.wheels, key=lambda wheel: wheel.soil is None))

    @property
    def joints(self) -> tuple[Joint, ...]:
        """Rigid joints, that is all joints except bushings."""
        return tuple(e for e in self.elements if isinstance(e, Joint) and not e.compliant)

    @property
    def freedoms(self) -> int:
        """Degrees of freedom by Gruebler's count, ``6 n_bodies - n_equations``, with the equations of
        rigid joints, not of couplings; too small if these equations are redundant."""
        return 6 * len(self.bodies) - sum(j.rows for j in self.joints)


def _only(who: str, field_name: str, items: Iterable[Any], kinds: tuple[type, ...]) -> None:
    for item in items:
        if not isinstance(item, kinds):
            raise checks.MechanismError(
                f"{who}: {field_name} may hold {', '.join(k.__name__ for k in kinds)}, "
                f"got {checks.shown(item)}."
            )


def _unique(who: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        checks.text(who, "every name", name)
        if name in seen:
            raise checks.MechanismError(f"{who}: the name {name!r} is used twice.")
        seen.add(name)


class Described(Protocol):
    """An object with a method ``mechanism``, such as a vehicle."""

    def mechanism(self) -> Mechanism:
        """Mechanism of this object."""
        ...
