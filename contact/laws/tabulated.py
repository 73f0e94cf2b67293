"""A measured slip curve as a ground law."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.kinds import checked

from .. import validity
from ..kernels.laws import curve as column
from .base import Given, KernelLaw, drives_itself


@dataclass(frozen=True, eq=False)
class Tabulated(KernelLaw):
    """Thrust and resistance ratios through measured points.

    The curve is a monotone cubic between the slips (Fritsch and Carlson: no overshoot), linear between
    the loads, and constant beyond the given slips and loads. Curves without braking points are mirrored:
    mu(-s) = -mu(s), gamma(-s) = gamma(s); one that starts above zero slip is continued to mu(0) = 0.
    A value mu(0) other than 0 is a set-valued Coulomb part of a mirrored curve, and otherwise an
    offset in the rolling direction.

    Arguments:
        slip: shape (n,), rising, in [-1, 1]; at least two points.
        thrust: mu, shape (n,) or (loads, n) [-].
        resistance: gamma, at least 0, of the same shape; default 0.
        load: F_n of each curve [N], rising; required for more than one.

    Raises:
        ValueError: mismatched shapes, numbers not finite, slips that do not rise, a thrust that
            supplies energy.
    """

    slip: ArrayLike
    thrust: ArrayLike
    resistance: ArrayLike = 0.0
    load: ArrayLike = (1.0,)

    name = "tabulated"
    in_files = False  # a curve has too many numbers for a mechanism's file

    def __post_init__(self) -> None:
        slip, load = np.asarray(self.slip, float), np.atleast_1d(np.asarray(self.load, float))
        if slip.ndim != 1 or slip.size < 2:
            raise ValueError("Tabulated: slip needs at least two points in one row")
        thrust = np.atleast_2d(np.asarray(self.thrust, float))
        resistance = np.broadcast_to(np.asarray(self.resistance, float), thrust.shape)
        if thrust.shape != (load.size, slip.size):
            raise ValueError(
                f"Tabulated: thrust has shape {thrust.shape}, needs (loads, slips) = "
                f"{(load.size, slip.size)}"
            )
        for field, values in (("slip", slip), ("thrust", thrust), ("load", load)):
            if not np.isfinite(values).all():
                raise ValueError(f"Tabulated: {field} has numbers that are not finite")
        if np.any(np.diff(slip) <= 0.0) or slip[0] < -1.0 or slip[-1] > 1.0:
            raise ValueError("Tabulated: slip must rise, from at least -1 to at most 1")
        if np.any(np.diff(load) <= 0.0) or load[0] <= 0.0:
            raise ValueError("Tabulated: load must rise, from above 0 N")
        if not (np.isfinite(resistance).all() and (resistance >= 0.0).all()):
            raise ValueError("Tabulated: resistance must be finite and at least 0")
        if np.any(drives_itself(slip, thrust, resistance)):
            raise ValueError(
                "Tabulated: thrust is negative at a positive slip, or at a negative slip larger than "
                "resistance / |slip|; it would drive itself"
            )

    @classmethod
    @checked
    def from_csv(cls, path: str | Path) -> Tabulated:
        """Read the columns ``slip``, ``thrust`` and optionally ``resistance`` and ``load`` [N].

        Every load needs the same slips. Raises ValueError naming the line or column.
        """
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, skipinitialspace=True))
        if not rows or not {"slip", "thrust"} <= set(rows[0]):
            raise ValueError(f"{path}: needs a header with the columns slip and thrust")
        names = [n for n in ("load", "slip", "thrust", "resistance") if n in rows[0]]
        table = {n: np.empty(len(rows)) for n in names}
        for line, row in enumerate(rows, start=2):
            for n in names:
                try:
                    table[n][line - 2] = float(row[n])
                except (TypeError, ValueError):
                    raise ValueError(f"{path}, line {line}: {n} = {row[n]!r} is no number") from None
        loads = np.unique(table["load"]) if "load" in table else np.ones(1)
        picked = [table["load"] == x if "load" in table else slice(None) for x in loads]
        slips = [table["slip"][k] for k in picked]
        if any(not np.array_equal(s, slips[0]) for s in slips):
            raise ValueError(f"{path}: every load needs the same slips")
        thrust = np.stack([table["thrust"][k] for k in picked])
        resistance = np.zeros_like(thrust)
        if "resistance" in table:
            resistance = np.stack([table["resistance"][k] for k in picked])
        return cls(slips[0], thrust, resistance, loads)

    @property
    def known_slip(self) -> float:
        return float(np.asarray(self.slip, float)[-1])

    def check(self, tyre: Any = None, soil: Any = None, load: Given = None, slip: Given = None) -> None:
        """Warn if the slip or the load is outside the measured range."""
        if slip is not None:
            measured = np.asarray(self.slip, float)
            low = -measured[-1] if measured[0] >= 0.0 else measured[0]
            then = "the last measured ratio holds"
            validity.outside(self.name, "slip", slip, low, self.known_slip, "", then)
        loads = np.atleast_1d(np.asarray(self.load, float))
        if load is not None and loads.size > 1:
            then = "the nearest curve holds"
            validity.outside(self.name, "load", load, loads[0], loads[-1], "N", then)

    def pushes(self, p: NDArray[np.float64]) -> bool:
        loads = int(p[column.LOADS])
        block = column.SCALARS + int(p[column.SLIPS]) * column.VALUES
        first = column.HEAD + loads + 1
        return bool(np.any(p[first::block][:loads] != 0.0))

    def parameters(self, tyre: Any = None, soil: Any = None) -> NDArray[np.float64]:
        """Array for the law's kernel: loads; then Coulomb part, offset, peak and points of each load."""
        slip, load = np.asarray(self.slip, float), np.atleast_1d(np.asarray(self.load, float))
        thrust = np.atleast_2d(np.asarray(self.thrust, float))
        resistance = np.broadcast_to(np.asarray(self.resistance, float), thrust.shape)
        mirrored = slip[0] >= 0.0
        blocks = []
        for mu, gamma in zip(thrust, resistance, strict=True):
            s, at_zero = slip, float(np.interp(0.0, slip, mu))
            if mirrored:
                at_zero = float(mu[0]) if slip[0] == 0.0 else 0.0
            if s[0] > 0.0:
                s, mu, gamma = np.r_[0.0, s], np.r_[0.0, mu], np.r_[gamma[0], gamma]
            mu = mu - at_zero
            if mirrored:
                s, mu = np.r_[-s[:0:-1], s], np.r_[-mu[:0:-1], mu]
                gamma = np.r_[gamma[:0:-1], gamma]
            elif 0.0 not in s:
                k = int(np.searchsorted(s, 0.0))
                gamma = np.insert(gamma, k, np.interp(0.0, s, gamma))
                s, mu = np.insert(s, k, 0.0), np.insert(mu, k, 0.0)
            points = np.stack([s, mu, monotone_slopes(s, mu), gamma, monotone_slopes(s, gamma)], 1)
            scalars = [at_zero if mirrored else 0.0, 0.0 if mirrored else at_zero, np.abs(mu).max()]
            blocks.append(np.concatenate([scalars, points.ravel()]))
        count = (blocks[0].size - column.SCALARS) // column.VALUES
        return np.concatenate([[load.size, count], load, *blocks])


def monotone_slopes(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Slopes of the monotone cubic through the points (Fritsch and Butland 1984)."""
    width, rise = np.diff(x), np.diff(y) / np.diff(x)
    slopes = np.empty_like(y)
    slopes[0], slopes[-1] = rise[0], rise[-1]
    a, b = 2.0 * width[1:] + width[:-1], width[1:] + 2.0 * width[:-1]
    same = rise[:-1] * rise[1:] > 0.0
    safe_low, safe_high = np.where(same, rise[:-1], 1.0), np.where(same, rise[1:], 1.0)
    slopes[1:-1] = np.where(same, (a + b) / (a / safe_low + b / safe_high), 0.0)
    return slopes
