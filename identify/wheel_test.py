"""Measurements of a single wheel over slip and slip angle: pull, side force, torque, sinkage."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from contact import BekkerSoil, WongReeceLateral
from contact.laws.wong_reece import WongReece
from mlcp.checks import nearest
from mlcp.kinds import above, checked

from .columns import notes_on_gaps, read_columns
from .conversion import unit_of
from .recordings import LOGS, read_series

QUANTITIES = {"pull": "N", "side": "N", "torque": "N m", "sinkage": "m"}
UNITS = QUANTITIES | {"slip": "-", "load": "N", "slip_angle": "rad"}  # SI units of all columns

LEAST_SLIP = 0.01  # [-] slip below which a row has hardly any shear stress

#: Default lateral law of a wheel at a slip angle.
PLOUGHS = WongReeceLateral(ploughing=True)


@dataclass(frozen=True, eq=False)
@checked
class WheelTest:
    """Steady-state measurements of a wheel, straight ahead or at slip angles.

    Arguments:
        radius, width: radius and width of the wheel [m].
        slip: slip of the rim relative to the velocity along the heading, above 0 if the wheel drives, in
            [-1, 1], shape (n,).
        load: normal load [N], above 0, shape (n,).
        pull, torque, sinkage: measured [N, N m, m], shape (n,), NaN where not measured; at least one.
        slip_angle: angle of the velocity from the heading [rad], within +-pi/2, shape (n,). side:
            measured force against the lateral velocity [N], shape (n,), NaN where not measured.
        noise: standard deviation of each quantity, a number or shape (n,), from the scatter of repeated
            tests and the accepted error of the law.
        remarks: sentences on the file that was read.

    Raises:
        ValueError: arrays of unlike lengths, values that are not finite, a missing or unneeded noise.
    """

    radius: Annotated[float, above(0.0, "m")]
    width: Annotated[float, above(0.0, "m")]
    slip: ArrayLike
    load: ArrayLike
    noise: Mapping[str, ArrayLike]
    pull: ArrayLike | None = None
    torque: ArrayLike | None = None
    sinkage: ArrayLike | None = None
    slip_angle: ArrayLike | None = None
    side: ArrayLike | None = None
    remarks: tuple[str, ...] = ()
    measured: dict[str, NDArray[np.float64]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        slip, load = (
            np.atleast_1d(np.asarray(self.slip, float)),
            np.atleast_1d(np.asarray(self.load, float)),
        )
        if slip.ndim != 1 or slip.shape != load.shape or slip.size == 0:
            raise ValueError(
                f"WheelTest: slip {slip.shape} and load {load.shape} must be rows of one length"
            )
        if not (np.isfinite(slip).all() and (np.abs(slip) <= 1.0).all()):
            raise ValueError("WheelTest: slip must lie in [-1, 1]")
        if not (np.isfinite(load).all() and (load > 0.0).all()):
            raise ValueError("WheelTest: load must be above 0 N")
        angle = np.zeros_like(slip) if self.slip_angle is None else np.asarray(self.slip_angle, float)
        if angle.shape != slip.shape or not (np.abs(angle) < 0.5 * math.pi).all():
            raise ValueError("WheelTest: slip_angle must be an angle within +-pi/2 for each row of slip")
        measured = {}
        for name in QUANTITIES:
            values = getattr(self, name)
            if values is None:
                continue
            values = np.atleast_1d(np.asarray(values, float))
            if values.shape != slip.shape or not np.isfinite(values).any():
                raise ValueError(
                    f"WheelTest: {name} {values.shape} must have a number for some row of slip"
                )
            noise = np.asarray(self.noise.get(name, 0.0), float)
            if not ((noise > 0.0) & np.isfinite(noise)).all() or noise.shape not in ((), slip.shape):
                raise ValueError(
                    f"WheelTest: noise of {name} must be given, above 0 and finite: a number or one for "
                    "each row"
                )
            measured[name] = values
        if not measured:
            raise ValueError("WheelTest: give at least one of pull, side, torque and sinkage")
        for name in self.noise:
            if name not in measured:
                raise ValueError(
                    f"WheelTest: noise of {name!r}, which is not measured; {nearest(name, measured)}"
                )
        object.__setattr__(self, "slip", slip)
        object.__setattr__(self, "load", load)
        object.__setattr__(self, "slip_angle", angle)
        object.__setattr__(self, "measured", measured)

    @classmethod
    def from_file(
        cls,
        path: str | Path,
        radius: float,
        width: float,
        noise: Mapping[str, float],
        columns: Mapping[str, str] | None = None,
    ) -> WheelTest:
        """Read a test from a CSV, or from an MF4, MCAP or ROS 2 bag with a row at each time of the slip.

        Arguments:
            columns: header, channel or ``topic:field`` of slip, load and any of slip_angle, pull, side,
                torque and sinkage, by these names; signals on other clocks are interpolated, NaN
                beyond their ends. By default the headers of a CSV are these names.
        Units: load, pull, side [N], slip_angle [rad], torque [N m], sinkage [m], or as a header has it,
            such as ``sinkage [mm]``.

        Raises:
            ValueError: an unknown or missing name, or a file that cannot be read.
        """
        optional = ("slip_angle", *QUANTITIES)
        if columns is None:
            found, remarks = read_columns(path, "wheel test", ("slip", "load"), optional, UNITS)
            return cls(radius=radius, width=width, noise=noise, remarks=remarks, **found)
        known = ("slip", "load", *optional)
        for name in columns:
            if name not in known:
                raise ValueError(f"WheelTest: column {name!r} is unknown; {nearest(name, known)}")
            if unit_of(columns[name])[1] not in (None, UNITS[name]):
                raise ValueError(
                    f"WheelTest: {columns[name]!r} of {name} must have a unit of {UNITS[name]}"
                )
        if not {"slip", "load"} <= set(columns):
            raise ValueError("WheelTest: name the columns of slip and load")
        si = {header: UNITS[name] for name, header in columns.items()}
        if Path(path).suffix.lower() in LOGS or Path(path).is_dir():
            series, remarks = read_series(path, columns.values(), si=si)
            clock = series[columns["slip"]][0]
            rows = {h: np.interp(clock, *one, left=np.nan, right=np.nan) for h, one in series.items()}
        else:
            rows, remarks = read_columns(path, "wheel test", columns.values(), (), si)
        given = {name: rows[header] for name, header in columns.items()}
        return cls(radius=radius, width=width, noise=noise, remarks=remarks, **given)

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on the file; sentences on missing numbers, and on a test without slip."""
        notes = [*self.remarks, *notes_on_gaps(self.measured)]
        if not (np.abs(self.slip) > LEAST_SLIP).any() and not np.any(self.slip_angle):
            notes.append("no row has a slip above 1 %: such rows do not determine the shear of the soil")
        return tuple(notes)

    def predicted(
        self, law: WongReece, soil: BekkerSoil, lateral: WongReeceLateral = PLOUGHS
    ) -> dict[str, NDArray[np.float64]]:
        """Predicted values of the measured quantities by name, shape (n,) each."""
        wheel: Any
        side = np.zeros_like(self.slip)
        if np.any(self.slip_angle):
            wheel = lateral.wheel(
                soil, self.radius, self.width, self.load, self.slip, np.asarray(self.slip_angle), law
            )
            side = wheel.side_force
        else:
            wheel = law.wheel(soil, self.radius, self.width, self.load, self.slip)
        found = {"pull": wheel.drawbar_pull, "side": side, "torque": wheel.torque}
        found["sinkage"] = wheel.sinkage
        return {name: np.asarray(found[name]) for name in self.measured}

    def errors(
        self, law: WongReece, soil: BekkerSoil, lateral: WongReeceLateral = PLOUGHS
    ) -> NDArray[np.float64]:
        """Predicted minus measured, divided by the noise, one number for each measured number."""
        found = self.predicted(law, soil, lateral)
        parts = []
        for name, values in self.measured.items():
            known = np.isfinite(values)
            noise = np.broadcast_to(np.asarray(self.noise[name], float), values.shape)
            parts.append(((found[name] - values) / noise)[known])
        return np.concatenate(parts)
