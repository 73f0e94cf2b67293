"""Normal force of a wheel: Wong-Reece soil and a compliant tyre in series (Peiret et al., eqs 9, 13).

The soil's radial stress on a wheel of sinkage z, radius r, width b, ``theta_1 = arccos(1 - z / r)``:

    sigma(theta) = (k_c/b + k_phi) r^n (cos theta_w - cos theta_1)^n
    F_n(z)       = r b  int_0^theta_1  sigma(theta) cos(theta) dtheta

front (theta_m <= theta <= theta_1): theta_w = theta; rear (0 <= theta < theta_m):
theta_w = theta_1 - theta / theta_m (theta_1 - theta_m); theta_m = c_1 theta_1 at zero slip. The tyre
deflects by delta(F_n); the normal force's row has the compression ``z + delta``, the secant stiffness
``k = F_n / (z + delta)`` and the damping ``eta_n k``. A sinkage as a function of the load (``sinkage``)
replaces z(F_n); on rigid ground z is 0.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

from . import checks
from .sinkage import ConeIndexSinkage
from .soil import BekkerSoil
from .tyre import Tyre

Bearing = BekkerSoil | ConeIndexSinkage | None

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
_NODES, _WEIGHTS = 0.5 * (_NODES + 1.0), 0.5 * _WEIGHTS  # nodes and weights on [0, 1]
#: Largest sinkage of the table over the radius; a deeper wheel bulldozes the soil.
_LARGEST_SINKAGE = 0.8
_DEGREE = 20  # degree of the polynomial in the sinkage
_ITERATIONS = 6  # number of Newton's iterations
_POINTS = 257  # number of points of a table
_CHUNK = 64  # number of tables computed together, which fit into the processor's cache


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


Curve = Callable[[NDArray[np.float64]], tuple[NDArray[np.float64], ...]]


@functools.lru_cache(maxsize=1024)
def _bearing_polynomial(soil: BekkerSoil, radius: float, width: float) -> NDArray[np.float64]:
    """Coefficients of ``F_n(z) / z^(n + 1/2)`` by powers of ``x = 2 z / (0.8 r) - 1``.

    The quotient is analytic up to z = 2 r: its Chebyshev coefficients fall by a factor of 7.9 a degree.
    """
    half = 0.5 * _LARGEST_SINKAGE * radius

    def quotient(x: NDArray[np.float64]) -> Any:
        sinkage = half * (x + 1.0)
        return sinkage_force(soil, radius, width, sinkage) / sinkage ** (soil.n + 0.5)

    return np.asarray(chebyshev.cheb2poly(chebyshev.chebinterpolate(quotient, _DEGREE)), np.float64)


def _column(values: Iterable[float]) -> NDArray[np.float64]:
    return np.array([[value] for value in values])


def _soil_curve(tyres: Sequence[Tyre], soils: Sequence[BekkerSoil]) -> tuple[Curve, Any, Any]:
    """(curve, largest sinkage, largest compression) of pairs of tyre and soil, a row for each pair.

    curve: function of log(sinkage); returns force, its slope, sinkage, its slope over log(sinkage)."""
    polynomials = [_bearing_polynomial(s, t.radius, t.width) for t, s in zip(tyres, soils, strict=True)]
    coefficients = np.stack(polynomials, axis=1)[..., None]
    power = _column(s.n + 0.5 for s in soils)
    deepest = _column(_LARGEST_SINKAGE * t.radius for t in tyres)

    def curve(log_sinkage: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        sinkage = np.exp(log_sinkage)
        x = 2.0 * sinkage / deepest - 1.0
        value, slope = np.zeros_like(x), np.zeros_like(x)
        for coefficient in coefficients[::-1]:  # Horner's rule for polynomial and derivative
            slope *= x
            slope += value
            value *= x
            value += coefficient
        scale = np.exp(power * log_sinkage)
        return scale * value, scale * (power * value + slope * (x + 1.0)), sinkage, sinkage

    return curve, deepest, deepest + curve(np.log(deepest))[0] / _column(t.stiffness for t in tyres)


def _load_curve(
    tyres: Sequence[Tyre], laws: Sequence[ConeIndexSinkage | None]
) -> tuple[Curve, Any, Any]:
    """(curve, bound of the force, largest compression) of pairs of tyre and sinkage law, a row for each.

    curve: function of log(force); returns force, its slope, sinkage, its slope over log(force). Without
    a toe of the tyre the sinkage is a power of the load, with one exponent up to the load at which the
    tyre's deflection is its section height, another beyond; on rigid ground it is 0.
    """
    full = [t.stiffness * (t.section_height - t.toe) for t in tyres]
    rows = list(zip(tyres, laws, full, strict=True))
    depth = _column(0.0 if law is None else float(law.sinkage(t, f)) for t, law, f in rows)
    beyond = _column(1.0 if law is None else law.exponent for law in laws)
    before = beyond * _column(0.5 if t.fixed_deflection is None else 1.0 for t in tyres)
    log_full = np.log(_column(full))
    toe = _column(t.stiffness * t.toe for t in tyres)  # stiffness times toe (deflection at no load)

    def curve(log_force: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        force, above = np.exp(log_force), log_force - log_full
        power = np.where(above < 0.0, before, beyond)
        sinkage = depth * np.exp(power * above)
        # sinkage is proportional to deflection^-with_toe, with deflection = (force + toe) / stiffness
        with_toe = beyond - power
        sinkage *= ((force + toe) / force * np.exp(log_full) / (np.exp(log_full) + toe)) ** -with_toe
        return force, force, sinkage, (power + with_toe * toe / (force + toe)) * sinkage

    largest = _column(_LARGEST_SINKAGE * t.radius for t in tyres)
    return curve, _column(t.stiffness for t in tyres) * largest, largest


def _in_series(
    curve: Curve, high: Any, largest: Any, tyres: Sequence[Tyre]
) -> Iterator[tuple[NDArray[np.float64], float]]:
    """Tables of tyre and soil in series by Newton's method in logarithms.

    ``log(z + F/k)`` over the curve's variable is nearly straight: six iterations reach round-off.
    """
    place = np.arange(1, _POINTS) / (_POINTS - 1.0)
    log_high, stiffness = np.log(high), _column(t.stiffness for t in tyres)

    def series(at: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        force, force_rise, sinkage, sinkage_rise = curve(at)
        return force, force_rise, sinkage + force / stiffness, sinkage_rise + force_rise / stiffness

    compression = largest * place**2
    at = log_high + 2.0 * np.log(place)
    for _ in range(_ITERATIONS):
        _, _, total, rise = series(at)
        at = np.minimum(at + np.log(compression / total) * total / rise, log_high)
    force, force_rise, _, rise = series(at)
    # slope per interval of the table; compression at node k: ``largest (k / (_POINTS - 1))^2``
    slope = force_rise / rise * 2.0 * largest * place / (_POINTS - 1.0)
    for row, end in zip(np.stack([force, slope], axis=-1), largest[:, 0].tolist(), strict=True):
        table = np.concatenate([[0.0, 0.0], row.ravel()])
        table.setflags(write=False)  # read-only, since all wheels share one table
        yield table, end


def series_tables(pairs: Sequence[tuple[Tyre, Bearing]]) -> list[tuple[NDArray[np.float64], float]]:
    """Results of :func:`series_table` for many pairs of tyre and ground at once."""
    found: dict[int, tuple[NDArray[np.float64], float]] = {}
    on_soil = [isinstance(bearing, BekkerSoil) for _, bearing in pairs]
    for kind, curve_of in ((True, _soil_curve), (False, _load_curve)):
        rows = [k for k, soil in enumerate(on_soil) if soil is kind]
        for first in range(0, len(rows), _CHUNK):
            part = rows[first : first + _CHUNK]
            tyres = [pairs[k][0] for k in part]
            grounds: Any = [pairs[k][1] for k in part]
            curve, high, largest = curve_of(tyres, grounds)
            rows_of_part = _in_series(curve, high, largest, tyres)
            found |= dict(zip(part, rows_of_part, strict=True))
    return [found[k] for k in range(len(pairs))]


@functools.lru_cache(maxsize=1024)  # shared by all wheels of a vehicle
def series_table(tyre: Tyre, bearing: Bearing) -> tuple[NDArray[np.float64], float]:
    """Table of the normal force over total compression, for ``kernels.wheel.normal``.

    Arguments:
        bearing: ground below the tyre: a soil's pressure-sinkage, or sinkage from a cone index; None:
            rigid ground.

    Returns:
        table: (2 _POINTS,), force [N] and its slope per interval, in turn; read-only.
        compression_max: total compression at the last point [m].
    """
    return series_tables([(tyre, bearing)])[0]
