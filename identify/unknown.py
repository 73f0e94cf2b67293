"""An unknown parameter: initial value, bounds, and scale of the fit."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mlcp.checks import nearest, number


@dataclass(frozen=True)
class Unknown:
    """An unknown parameter with a prior distribution between bounds, uniform or normal.

    The prior is that of the parameter on the scale of the fit (logarithmic with ``log``). A uniform one
    has the standard deviation ``(high - low) / sqrt(12)``.

    Arguments:
        start, low, high: initial value and bounds [unit of the field], low < start < high.
        log: True to fit the parameter's logarithm; start and bounds are then above 0.
        prior: standard deviation of a normal prior about the start, such as that of a soil measured
            by plate tests [unit of the field; with ``log`` of the logarithm, -]. None: a uniform prior.

    Raises:
        ValueError: bounds that do not enclose the start, or not positive with ``log``; a prior that is
            not above 0.
    """

    start: float
    low: float
    high: float
    log: bool = False
    prior: float | None = None

    def __post_init__(self) -> None:
        for name in ("start", "low", "high"):
            number(f"Unknown: {name}", getattr(self, name))
        if not self.low < self.start < self.high:
            raise ValueError(
                f"Unknown: start = {self.start} must lie between low = {self.low} and high = {self.high}"
            )
        if self.log and self.low <= 0.0:
            raise ValueError(f"Unknown: low = {self.low} must be above 0 on a logarithmic scale")
        if self.prior is not None:
            number("Unknown: prior", self.prior, 0.0, open_low=True)

    @property
    def uniform(self) -> float:
        """Standard deviation of a uniform prior; with ``log`` that of the logarithm."""
        width = math.log(self.high / self.low) if self.log else self.high - self.low
        return width / math.sqrt(12.0)

    @property
    def deviation(self) -> float:
        """Standard deviation of the prior; with ``log`` that of the logarithm."""
        return self.uniform if self.prior is None else self.prior

    def scaled(self, value: float) -> float:
        """Value on the fit's scale, in standard deviations of a uniform prior."""
        low, high, value = (math.log(x) if self.log else x for x in (self.low, self.high, value))
        return (value - low) / (high - low) * math.sqrt(12.0)

    def value(self, scaled: float) -> float:
        """Parameter's value from its scaled value, the inverse of ``scaled``."""
        low, high = (math.log(x) if self.log else x for x in (self.low, self.high))
        value = low + scaled / math.sqrt(12.0) * (high - low)
        return math.exp(value) if self.log else float(value)


def checked(unknown: Mapping[str, Unknown] | None) -> dict[str, Unknown]:
    """Checked copy of the unknowns by name; an empty dict for None.

    Raises:
        ValueError: anything but a dict of ``Unknown`` by name.
    """
    given: object = {} if unknown is None else unknown
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise ValueError("fit: unknown must be a dict of names, as {'soil.k_phi': Unknown(...)}")
    for name, one in given.items():
        if not isinstance(one, Unknown):
            raise ValueError(f"fit: unknown {name!r} must be an Unknown(start, low, high), not {one!r}")
    return dict(given)


def replaced(objects: Mapping[str, Any], values: Mapping[str, float]) -> dict[str, Any]:
    """Frozen objects by name, with new values of the fields named ``object.field``.

    Raises:
        ValueError: a name without its object or field, or of a field that is no number.
    """
    changes: dict[str, dict[str, float]] = {name: {} for name in objects}
    known = {f"{one}.{f.name}" for one, thing in objects.items() for f in dataclasses.fields(thing)}
    for key, value in values.items():
        if key not in known:
            raise ValueError(f"unknown {key!r}; {nearest(key, known)}")
        name, _, field = key.partition(".")
        if isinstance(getattr(objects[name], field), bool | str):
            raise ValueError(f"unknown {key!r} is no number to be fitted")
        changes[name][field] = value
    return {name: dataclasses.replace(thing, **changes[name]) for name, thing in objects.items()}


#: Unknowns of a rigid wheel on soil by Wong and Reece's stresses, with wide bounds.
WONG_REECE = {
    "soil.k_phi": Unknown(8e5, 1e4, 1e9, log=True),
    "soil.n": Unknown(1.0, 0.3, 2.5),
    "soil.cohesion": Unknown(300.0, 0.0, 5e3),
    "soil.friction_angle": Unknown(0.5, 0.2, 0.9),
    "soil.shear_modulus": Unknown(0.015, 0.001, 0.1, log=True),
    "soil.c_1": Unknown(0.4, 0.0, 1.0),
    "soil.c_2": Unknown(0.2, 0.0, 1.0),
    "law.exit_share": Unknown(0.3, 0.0, 0.9),
    "law.slip_softening": Unknown(1.0, 0.0, 5.0),
    "law.skid_softening": Unknown(1.5, 0.0, 5.0),
}

#: The unknowns above and the softening by the slip angle, for a wheel tested at slip angles.
PLOUGHING = WONG_REECE | {"law.side_softening": Unknown(1.5, 0.0, 5.0)}
