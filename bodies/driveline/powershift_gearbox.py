"""Powershift gearbox: gears with clutches, which shifts automatically by throttle and speed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from mlcp.kinds import Range

from .. import checks
from ..joints.coupling import Coupling
from ..kernels.codes import DOWNSHIFT
from ..kinds import NonZeros, Pairs, Positive
from ..signals import Schedule, Signal


@dataclass(frozen=True)
class ShiftLine:
    """Check of pairs (throttle, speed): throttles in [0, 1], speeds at least 0."""

    def __call__(self, who: str, field: str, value: Any) -> tuple[tuple[float, float], ...]:
        table = checks.table(who, field, value)
        for throttle, speed in table:
            checks.number(who, f"{field}: throttle", throttle, 0.0, 1.0)
            checks.number(who, f"{field} at throttle {throttle:g}", speed, 0.0, 1e6)
        return table


Line = Annotated[Pairs, ShiftLine()]


def check_gears(who: str, ratios: tuple[float, ...]) -> None:
    """Check that the ratios of successive gears are positive and falling.

    Raises:
        MechanismError: ratios that are not above 0 or do not fall.
    """
    if min(ratios) <= 0.0 or np.any(np.diff(ratios) >= 0.0):
        raise checks.MechanismError(
            f"{who}: ratios must be above 0 and fall from gear to gear, got {ratios}."
        )


def over_all_throttles(table: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
    """A shift line extended to the throttles 0 and 1, constant beyond its first and its last point."""
    ends = [(u, float(np.interp(u, *np.transpose(table)))) for u in (0.0, 1.0)]
    return sorted({*ends, *table})


def check_lines(who: str, up: tuple[tuple[float, float], ...], down: Any) -> None:
    """Check that the downshift line is below the upshift line; otherwise gears shift up and down
    forever.

    Raises:
        MechanismError: naming a throttle at which the downshift speed is not below the upshift speed.
    """
    above, below = np.array(over_all_throttles(up)), np.array(over_all_throttles(down))
    for u in sorted({*above[:, 0], *below[:, 0]}):
        high, low = np.interp(u, *above.T), np.interp(u, *below.T)
        if not low < high:
            raise checks.MechanismError(
                f"{who}: downshift must lie below upshift, or it would hunt; at throttle {u:g} they are "
                f"{low:g} and {high:g}."
            )


@dataclass(frozen=True, kw_only=True)
class PowershiftGearbox(Coupling):
    """Gear pairs ``v_in - ratio[gear] v_out = 0`` while ``|p| < h capacity``; else the clutch slips.

    v_in, v_out: speeds of the shafts; p: impulse in a step of length h.
    In a forward gear g the input's synchronous speed ``n_g = ratio[g] v_out`` is compared with two lines
    over the throttle: if ``n_g > upshift`` the next gear engages, if ``n_(g-1) < downshift`` the lower
    gear. The downshift line is below the upshift line, so that at constant throttle and speed no shift
    is reversed. The value of the input ``gear`` is the present gear: set it to 1 to drive; in 0
    (neutral) and -1 (reverse) there are no shifts. A schedule instead of an input prescribes the gears.

    Arguments:
        name: unique name.
        input, output: coordinates of the two shafts.
        ratios: input speed over output speed of gear 1, 2, ... [-], positive and falling.
        reverse: ratio of the reverse gear (negative), if there is one.
        capacity: largest torque of a gear's clutch at the input [N m], above 0.
        upshift, downshift: pairs (throttle, speed of the input [rad/s]).
        gear: name of the input with the gear, or a schedule.
        throttle: signal in [0, 1].

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    input: str
    output: str
    ratios: NonZeros
    reverse: Annotated[float, Range(high=0.0)] = 0.0
    capacity: Positive
    upshift: Line
    downshift: Line
    gear: Signal
    throttle: Signal

    row: ClassVar[str] = "driveline.powershift"
    coefficients: ClassVar[dict[str, float]] = {"input": 1.0, "output": -1.0}
    whole_signals: ClassVar[tuple[str, ...]] = ("gear",)
    bounded: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_gears(self.who, self.ratios)
        check_lines(self.who, self.upshift, self.downshift)
        if not isinstance(self.gear, str | Schedule):
            raise checks.MechanismError(
                f"{self.who}: gear must be the name of an input, which holds the gear it is in, or a "
                f"Schedule, got {checks.shown(self.gear)}."
            )

    @property
    def signal_ranges(self) -> dict[str, tuple[float, float]]:
        """Ranges of the gear (from -1 with a reverse gear, else from 0) and of the throttle."""
        gears = -1.0 if self.reverse != 0.0 else 0.0, float(len(self.ratios))
        return {"gear": gears, "throttle": (0.0, 1.0)}

    def numbers(self) -> tuple[float, ...]:
        return (float(len(self.ratios)), self.capacity)

    def tables(self) -> tuple[Any, ...]:
        """Table of the ratio by gear number (evaluated at whole numbers), and table of both shift
        lines."""
        ratios = [(-1.0, self.reverse), (0.0, 0.0)]
        ratios += [(float(k + 1), r) for k, r in enumerate(self.ratios)]
        behind = [(u + DOWNSHIFT, speed) for u, speed in over_all_throttles(self.downshift)]
        return (tuple(ratios), (*over_all_throttles(self.upshift), *behind))
