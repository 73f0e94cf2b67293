"""The normal direction: Wong-Reece soil under a compliant tyre, in series (eqs 9, 13, 22).

The soil's radial stress on a wheel of sinkage z, ``theta_1 = arccos(1 - z / r)``:

    sigma(theta) = (k_c/b + k_phi) r^n (cos theta_w - cos theta_1)^n
    F_n(z)       = r b  int_0^theta_1  sigma(theta) cos(theta) dtheta

front (theta_m <= theta <= theta_1): theta_w = theta; rear (0 <= theta < theta_m):
theta_w = theta_1 - theta / theta_m (theta_1 - theta_m); theta_m = c_1 theta_1 at zero slip. The tyre
deflects by delta(F_n); the normal row has the compression ``z + delta``, the secant stiffness
``k = F_n / (z + delta)`` and the damping ``eta_n k``. A sinkage as a function of the load (``sinkage``)
replaces z(F_n); on rigid ground z is 0.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import checks
from .sinkage import ConeIndexSinkage
from .soil import BekkerSoil
from .tyre import Tyre

Bearing = BekkerSoil | ConeIndexSinkage | None

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
_NODES, _WEIGHTS = 0.5 * (_NODES + 1.0), 0.5 * _WEIGHTS  # on [0, 1]
#: Largest sinkage of the table over the radius; a deeper wheel bulldozes the soil.
_LARGEST_SINKAGE = 0.8


def sinkage_force(
    soil: BekkerSoil, radius: float, width: float, sinkage: float | NDArray[np.float64]
) -> NDArray[np.float64] | np.float64:
    """Normal force F_n [N] of the radial stress at zero slip on a rigid wheel of sinkage z.

    Arguments:
        soil: Bekker parameters, with c_1 for the position of the peak stress.
        radius, width: of the wheel [m], positive.
        sinkage: z [m], any shape, in [0, r].

    Raises:
        ValueError: a radius or width that is not positive, a sinkage outside [0, r].

    Source: Wong and Reece (1967), Part I; Peiret et al., eqs 9 and 13.
    Differs from the source: n stands outside the bracket of eq 13 (dimension); the shear stress is
    left out, so that the stiffness does not depend on slip; the exit angle is zero.
    """
    checks.positive("sinkage_force", "radius", radius, unit="m")
    checks.positive("sinkage_force", "width", width, unit="m")
    sinkage = np.asarray(sinkage, dtype=float)
    if not np.all((sinkage >= 0.0) & (sinkage <= radius)):
        raise ValueError(f"sinkage_force: sinkage = {sinkage} m must lie in [0, radius = {radius} m]")
    theta_1 = np.arccos(1.0 - sinkage / radius)[..., None]
    theta_m = soil.c_1 * theta_1
    # theta_w runs from the peak theta_m to theta_1 on both sides. With theta_1 - theta_w
    # = (theta_1 - theta_m) t^4 the fractional power at the ends becomes smooth.
    span = theta_1 - theta_m
    step = 4.0 * _NODES**3 * _WEIGHTS
    theta_w = theta_1 - span * _NODES**4
    lift = 2.0 * np.sin(0.5 * (theta_1 + theta_w)) * np.sin(0.5 * (theta_1 - theta_w))
    stress = soil.modulus(width) * (radius * lift) ** soil.n
    rear = theta_m * _NODES**4
    integral = np.sum(step * stress * (span * np.cos(theta_w) + theta_m * np.cos(rear)), axis=-1)
    return (radius * width * integral)[()]


def _soil_points(
    tyre: Tyre, soil: BekkerSoil, place: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Forces [N] and slopes [N/m] at ``place**2`` times the largest compression, and the latter [m]."""
    deepest = _LARGEST_SINKAGE * tyre.radius

    def total(sinkage):
        return sinkage + sinkage_force(soil, tyre.radius, tyre.width, sinkage) / tyre.stiffness

    compression_max = float(total(deepest))
    sinkage = _bisected(total, deepest, compression_max * place**2)
    force = np.asarray(sinkage_force(soil, tyre.radius, tyre.width, sinkage))
    step = 1e-4 * np.minimum(sinkage, tyre.radius - sinkage)
    beyond = sinkage_force(soil, tyre.radius, tyre.width, sinkage + step)
    behind = sinkage_force(soil, tyre.radius, tyre.width, sinkage - step)
    with np.errstate(invalid="ignore", divide="ignore"):
        soil_slope = (beyond - behind) / (2.0 * step)  # [N/m]; the first point has no step
        slope = 1.0 / (1.0 / soil_slope + 1.0 / tyre.stiffness)
    return force, slope, compression_max


def _load_points(
    tyre: Tyre, sinkage: ConeIndexSinkage | None, place: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """As ``_soil_points``, with the sinkage as a function of the load, or without sinkage."""

    def sunk(load):
        return 0.0 * load if sinkage is None else sinkage.sinkage(tyre, load)

    compression_max = _LARGEST_SINKAGE * tyre.radius
    force = _bisected(
        lambda load: sunk(load) + load / tyre.stiffness,
        tyre.stiffness * compression_max,
        compression_max * place**2,
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        give = 0.0 if sinkage is None else sinkage.slope(tyre, force)
        slope = 1.0 / (give + 1.0 / tyre.stiffness) + 0.0 * force
    return force, slope, compression_max


def _bisected(
    function: Callable[[NDArray[np.float64]], Any], high: float, wanted: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Arguments in [0, high] at which a rising function has the values ``wanted``, by bisection."""
    low, top = np.zeros_like(wanted), np.full_like(wanted, high)
    for _ in range(60):
        middle = 0.5 * (low + top)
        above = function(middle) > wanted
        top = np.where(above, middle, top)
        low = np.where(above, low, middle)
    return 0.5 * (low + top)


@functools.lru_cache(maxsize=1024)  # computing takes 0.1 s; shared by all wheels of a vehicle
def series_table(tyre: Tyre, bearing: Bearing, points: int = 257) -> tuple[NDArray[np.float64], float]:
    """Table of the normal force over total compression, for ``kernels.wheel.normal``.

    Arguments:
        bearing: ground below the tyre: a soil's pressure-sinkage, or sinkage from a cone index; None:
            rigid ground.

    Returns:
        table: (2 points,), force [N] and its slope per interval, in turn; read-only.
        compression_max: total compression at the last point [m].
    """
    place = np.arange(points) / (points - 1.0)
    if isinstance(bearing, BekkerSoil):
        found = _soil_points(tyre, bearing, place)
    else:
        found = _load_points(tyre, bearing, place)
    return _table(*found, place), found[2]


def series_tables(
    tyre: Tyre, sinkage: ConeIndexSinkage, cone_indices: NDArray[np.float64], points: int = 257
) -> tuple[NDArray[np.float64], float]:
    """:func:`series_table` for many cone indices (n,) [Pa] at once, tables (n, 2 points)."""
    place = np.arange(points) / (points - 1.0)
    many = copy.copy(sinkage)
    object.__setattr__(many, "cone_index", cone_indices[:, None])  # a column in place of a number
    force, slope, compression_max = _load_points(tyre, many, np.tile(place, (cone_indices.size, 1)))
    return _table(force, slope, compression_max, place), compression_max


def _table(
    force: NDArray[np.float64], slope: NDArray[np.float64], compression_max: float, place: Any
) -> NDArray[np.float64]:
    """Force and slope per interval in turn, read-only."""
    count = place.size - 1.0
    table = np.stack([force, slope * 2.0 * compression_max * place / count], axis=-1)
    table[..., 0, :] = 0.0  # force and slope over the table's intervals are 0 at no compression
    table = table.reshape(*table.shape[:-2], -1)
    table.setflags(write=False)  # one shared copy
    return table
