"""Base class of the couplings: constraint rows over linear combinations of joint coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ..checks import checked
from ..kernels.codes import COUPLINGS
from ..signals import Controlled


@dataclass(frozen=True, kw_only=True)
@checked
class Coupling(Controlled):
    """A constraint row over one to three joint coordinates, named ``"joint"`` or ``"joint.angle"``.

    A row has at most two input signals.

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    name: str

    row: ClassVar[str] = ""  # the row's kernel: entry of the table ``COUPLINGS`` in ``kernels/codes.py``
    #: Coefficient of each combined coordinate, by field.
    coefficients: ClassVar[dict[str, float]] = {"joint": 1.0}
    bounded: ClassVar[bool] = False  # whether the row's impulse has bounds (the row is then a channel)
    measured: ClassVar[bool] = False  # whether the row constrains a position and has a position error
    compliant: ClassVar[bool] = False  # whether the row is a force law, not a rigid constraint
    elastic: ClassVar[bool] = False  # spring: ``numbers`` begins with stiffness, damping, rest value

    @property
    def code(self) -> int:
        """Index of ``row`` in the table ``COUPLINGS``."""
        return COUPLINGS.index(self.row)

    def terms(self) -> tuple[tuple[str, float], ...]:
        """Pairs (coordinate, coefficient) of the row."""
        return tuple((getattr(self, field), c) for field, c in self.coefficients.items())

    def numbers(self) -> tuple[float, ...]:
        """Parameters of the row, at most four."""
        return ()

    def tables(self) -> tuple[Any, ...]:
        """Tables that the row interpolates, at most two."""
        return ()

    def reads(self) -> tuple[str, type[Coupling]]:
        """Name and class of the coupling whose impulse of the last step the row needs; "": none."""
        return "", Coupling
