"""Base class of the couplings: constraint rows over linear combinations of joint coordinates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from .. import checks
from ..checks import checked
from ..kernels.codes import COUPLINGS


@dataclass(frozen=True, kw_only=True)
@checked
class Coupling(ABC):
    """A constraint row over one to three joint coordinates, named ``"joint"`` or ``"joint.angle"``.

    Raises:
        MechanismError: an argument of another kind or out of its range.
    """

    name: str

    row: ClassVar[str] = ""  # the row's kernel: entry of the table ``COUPLINGS`` in ``kernels/codes.py``
    bounded: ClassVar[bool] = False  # whether the row's impulse has bounds (the row is then a channel)
    measured: ClassVar[bool] = False  # whether the row constrains a position and has a position error
    compliant: ClassVar[bool] = False  # whether the row is a force law, not a rigid constraint
    elastic: ClassVar[bool] = False  # spring: ``numbers`` begins with stiffness, damping, rest value
    #: Range (least, largest value) of each signal, by field.
    signal_ranges: ClassVar[dict[str, tuple[float, float]]] = {}
    signal_unit: ClassVar[str] = ""  # unit of the signals with a range
    whole_signals: ClassVar[tuple[str, ...]] = ()  # fields of integer signals, such as a gear

    @property
    def code(self) -> int:
        """Index of ``row`` in the table ``COUPLINGS``."""
        return COUPLINGS.index(self.row)

    @property
    def who(self) -> str:
        """Name of this coupling in messages."""
        return f"{type(self).__name__.lower()} {self.name!r}"

    @abstractmethod
    def terms(self) -> tuple[tuple[str, float], ...]:
        """Pairs (coordinate, coefficient) of the row."""

    def numbers(self) -> tuple[float, ...]:
        """Parameters of the row, at most four."""
        return ()

    def signals(self) -> tuple[Any, ...]:
        """Input signals of the row, at most two."""
        return ()

    def tables(self) -> tuple[Any, ...]:
        """Tables that the row interpolates, at most two."""
        return ()

    def reads(self) -> tuple[str, type[Coupling]]:
        """Name and class of the coupling whose impulse of the last step the row needs; "": none."""
        return "", Coupling

    def _positive(self, *fields: str) -> None:
        for field in fields:
            value = checks.number(self.who, field, getattr(self, field), 0.0, open_low=True)
            object.__setattr__(self, field, value)

    def _nonnegative(self, *fields: str, finite: bool = True) -> None:
        for field in fields:
            value = checks.number(self.who, field, getattr(self, field), 0.0, finite=finite)
            object.__setattr__(self, field, value)

    def _nonzero(self, *fields: str) -> None:
        for field in fields:
            value = checks.number(self.who, field, getattr(self, field))
            if value == 0.0:
                raise checks.MechanismError(f"{self.who}: {field} must not be zero.")
            object.__setattr__(self, field, value)
