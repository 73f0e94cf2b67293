"""Fit of parameters by least squares between bounds, its undetermined directions, and its verdict."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from contact import BekkerSoil, WongReeceLateral
from contact.laws.wong_reece import WongReece
from mlcp.checks import number
from mlcp.writing import written

from .page import page, residuals
from .unknown import Unknown

DIFFERENCE = 1e-4  # finite-difference step of the Jacobian, relative to a parameter
ENOUGH = 0.1  # step [standard deviations of the answer] below which a search with given derivatives ends
SMALL = 1.0  # this limit after a rejected step: the errors are not smooth over shorter steps
CENTRAL = 1e-3  # step of central differences, in standard deviations of a uniform prior
LARGEST = 0.3  # largest step of a difference for an interval, in standard deviations of a uniform prior
LEANS = 0.3  # component [-] in an undetermined direction above which a parameter is undetermined
SAME_FIT = 4.0  # difference of chi square below which two points explain the data alike
# Distance of two such points [standard deviations] above which an unknown is undetermined
LEAST_DISTANCE = 4.0
FAR = 1.05  # distance over LEAST_DISTANCE of the points where the search for a second point starts [-]
FEW = 30  # evaluations of such a search: slower ones seldom come within SAME_FIT
# Weight that holds an unknown at its far value in this search, over the deviation of a uniform prior
PENALTY_WEIGHT = 1e3
NEAR_BOUND = 1e-3  # distance to a bound over the range [-], below which a parameter is at the bound
SIGNIFICANCE = 0.01  # significance level of the chi-square test that rejects a law


@dataclass(frozen=True, eq=False)
class Fit:
    """Result of a fit: values, intervals, undetermined directions and a verdict.

    Arguments:
        values: fitted values of all unknowns by name, including undetermined ones.
        deviations: standard deviation of each determined unknown, of its logarithm with ``log``.
        open_directions: combinations of unknowns that the data do not determine, components by name.
        at_bounds: names of unknowns at a bound.
        unknown: unknowns of the fit, by name.
        errors: predicted minus measured over the noise, shape (n,) [-].
        chi_square_limit: 99 % quantile of the sum of squared errors [-].
        objects: law, soil and lateral law with the fitted values, by name; none for a log.
        notes: sentences about the measurements, such as the number of outliers left out.
        abscissas: times [s] of a log's errors, or slips of a wheel test's, by quantity in their order.
    """

    values: dict[str, float]
    deviations: dict[str, float]
    open_directions: tuple[dict[str, float], ...]
    at_bounds: tuple[str, ...]
    unknown: Mapping[str, Unknown]
    errors: NDArray[np.float64]
    chi_square_limit: float
    objects: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    abscissas: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    @property
    def law(self) -> WongReece:
        """Fitted ground law of a wheel test."""
        return self.objects["law"]

    @property
    def soil(self) -> BekkerSoil:
        """Fitted soil of a wheel test."""
        return self.objects["soil"]

    @property
    def lateral(self) -> WongReeceLateral:
        """Fitted lateral law of a wheel test."""
        return self.objects["lateral"]

    @property
    def chi_square(self) -> float:
        """Sum of the squares of ``errors`` [-]."""
        return float(self.errors @ self.errors)

    @property
    def verdict(self) -> str:
        """Verdict: "law rejected", "at a bound", "only combinations" or "determined"."""
        if self.chi_square > self.chi_square_limit:
            return "law rejected"
        if self.at_bounds:
            return "at a bound"
        return "only combinations" if self.open_directions else "determined"

    def interval(self, name: str, probability: float = 0.95) -> tuple[float, float]:
        """Ends of an unknown's confidence interval, within its bounds.

        Raises:
            ValueError: an unknown that the data do not determine; a probability not between 0 and 1.
        """
        from scipy.stats import norm

        if name not in self.deviations:
            raise ValueError(
                f"Fit: {name!r} is not determined by these data; determined: "
                f"{', '.join(self.deviations) or 'none'}"
            )
        number("Fit: probability", probability, 0.0, 1.0, open_low=True, open_high=True)
        one, far = self.unknown[name], float(norm.ppf(0.5 + 0.5 * probability)) * self.deviations[name]
        value = self.values[name]
        ends = (value * math.exp(-far), value * math.exp(far)) if one.log else (value - far, value + far)
        return max(ends[0], one.low), min(ends[1], one.high)

    def report(self) -> str:
        """Verdict, determined values with 95 % intervals, and undetermined combinations, as text."""
        lines = [f"{self.verdict}: chi square {self.chi_square:.3g}, limit {self.chi_square_limit:.3g}"]
        for name in self.values:
            if name in self.deviations:
                low, high = self.interval(name)
                bound = ", at a bound" if name in self.at_bounds else ""
                lines.append(f"{name} = {self.values[name]:.4g} ({low:.4g} to {high:.4g}){bound}")
            else:
                lines.append(f"{name}: not determined by these data")
        for direction in self.open_directions:
            shares = ", ".join(f"{share:+.2f} {name}" for name, share in direction.items())
            lines.append(f"not determined: {shares}")
        return "\n".join([*lines, *self.notes])

    def save_html(self, path: str | Path) -> Path:
        """Write a self-contained page: the report, and pictures of the residuals."""
        over = "slip [-]" if self.objects else "time [s]"
        picture = residuals(self.errors, self.abscissas, over)
        with written(path) as place:
            place.write_text(page(f"Fit: {self.verdict}", self.report(), picture), encoding="utf-8")
        return Path(path)


def search(
    errors: Callable[[Mapping[str, float]], NDArray[np.float64]],
    unknown: Mapping[str, Unknown],
    starts: int,
    seed: int,
    loss: str = "linear",
    slopes: Callable[..., NDArray[np.float64]] | None = None,
    trials: int = 1,
    near: Sequence[Mapping[str, float]] = (),
) -> Fit:
    """Fit unknowns by least squares between bounds, from the given start, random ones and ``near``.

    Arguments:
        errors: predicted minus measured over the noise at values by name, shape (n,) [-].
        loss: SciPy's loss function of the squared errors.
        slopes: function that returns derivatives of the errors by the scaled unknowns, shape (n, k), at
            values by name. For the intervals it also takes the steps of its differences, shape (k,):
            one standard deviation of each unknown. Default: differences over ``DIFFERENCE``.
        trials: number of random points for each random start; the starts are those with the least sums
            of squares. Many points help against starts at which a vehicle stays at rest: the errors
            there have no slopes, so a search cannot leave them.
        near: further starts, values by name.

    Raises:
        ValueError: no unknown, more unknowns than measured numbers.
    """
    names, ones, top = list(unknown), list(unknown.values()), math.sqrt(12.0)
    if not names:
        raise ValueError("fit: unknown is empty; name at least one field, such as 'soil.k_phi'")

    def values(x: NDArray[np.float64]) -> dict[str, float]:
        return {n: one.value(v) for n, one, v in zip(names, ones, x, strict=True)}

    first = np.array([one.scaled(one.start) for one in ones])
    count = errors(values(first)).size
    if count < len(names):
        raise ValueError(f"fit: {len(names)} unknowns and {count} measured numbers")
    normal = np.array([one.prior is not None for one in ones])
    narrower = np.array([one.uniform / one.deviation for one in ones])

    def residual(x: NDArray[np.float64]) -> NDArray[np.float64]:  # errors of measurements and priors
        return np.concatenate([errors(values(x)), ((x - first) * narrower)[normal]])

    def jacobian(x: NDArray[np.float64]) -> NDArray[np.float64]:
        assert slopes is not None
        return np.vstack([slopes(values(x)), np.diag(narrower)[normal]])

    rng = np.random.default_rng(seed)
    drawn = rng.uniform(0.1 * top, 0.9 * top, (trials * (starts - 1), len(names)))
    if trials > 1:
        sums = [float(np.sum(np.square(residual(point)))) for point in drawn]
        drawn = drawn[np.argsort(sums, kind="stable")[: starts - 1]]
    further = [[one.scaled(at[n]) for n, one in unknown.items()] for at in near]
    points = [first, *drawn, *map(np.array, further)]
    how = "2-point" if slopes is None else jacobian
    ends = [descend(residual, point, 200, how, loss) for point in points]
    best = min(ends, key=lambda one: one.cost)
    others = [one.x for one in ends if 2.0 * (one.cost - best.cost) < SAME_FIT]
    at, jac = values(best.x), best.jac[:count]
    if slopes is not None:
        deviations = np.sqrt(np.diag(np.linalg.inv(jac.T @ jac + np.diag(narrower**2))))
        jac = slopes(at, np.clip(deviations, CENTRAL, LARGEST))
    found = conclude(best.x, best.fun[:count], jac, unknown, others)
    if found.verdict == "law rejected" or loss != "linear":
        return found
    for row, x in _far_points(best.x, jac, found):
        penalised = functools.partial(_with_penalty, residual, row, x)
        end = descend(
            penalised, x, FEW, how if slopes is None else lambda y, r=row: np.vstack([jacobian(y), r])
        )
        if 2.0 * (end.cost - best.cost) < SAME_FIT:
            others.append(end.x)
    return conclude(best.x, best.fun[:count], jac, unknown, others)


def descend(
    errors: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    start: NDArray[np.float64],
    evaluations: int,
    jacobian: Any = "2-point",
    loss: str = "linear",
) -> Any:
    """Run SciPy's ``least_squares`` on scaled unknowns; ``ValueError`` if first errors are not finite.

    jacobian: function for the derivative of the errors at the x of their last evaluation, or "2-point"
    for finite differences. With a function the search ends at steps below ``ENOUGH``, or below ``SMALL``
    after a rejected step: the last errors are then returned without an evaluation, SciPy rejects the
    step, and its next steps are smaller still.
    """
    from scipy.optimize import least_squares

    best: list[Any] = []  # x, errors, derivatives after the last accepted step; then a later trial x
    last: list[Any] = []  # x and errors of the last evaluation

    def watched(x: NDArray[np.float64]) -> NDArray[np.float64]:
        if best:
            enough = SMALL if len(best) > 3 else ENOUGH
            if np.linalg.norm(best[2] @ (x - best[0])) < enough:
                return best[1]
            best[3:] = [x]  # evaluated: if rejected, SciPy's next step is shorter
        last[:] = x.copy(), errors(x)
        return last[1]

    def slopes(x: NDArray[np.float64]) -> NDArray[np.float64]:
        best[:] = *last, jacobian(x)
        return best[2]

    given = callable(jacobian)
    derivative: Any = slopes if given else jacobian  # SciPy's types allow no function here
    return least_squares(
        watched if given else errors,
        start,
        derivative,
        (0.0, math.sqrt(12.0)),
        diff_step=DIFFERENCE,
        max_nfev=evaluations,
        loss=loss,
    )


def _with_penalty(
    errors: Any, row: NDArray[np.float64], x: NDArray[np.float64], y: Any
) -> NDArray[np.float64]:
    """Errors at y, then a weighted distance that holds one unknown of y at that of x."""
    return np.append(errors(y), row @ (y - x))


def _far_points(
    x: NDArray[np.float64], jacobian: NDArray[np.float64], found: Fit
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """For each search for a second point: row of the penalty that holds one unknown, and start (k,).

    The start is ``FAR`` times ``LEAST_DISTANCE`` standard deviations from x, on either side. Held is the
    determined unknown that moves most along a direction of wide interval, above the prior's deviation
    over ``LEAST_DISTANCE``: at such a distance the errors are hardly linear, and the sum of squares may
    rise by less than the square of the distance. x, jacobian as of ``conclude``; found: its result.
    """
    wider = np.array([one.deviation / one.uniform for one in found.unknown.values()])
    singular, directions, covariance = _spectrum(jacobian * wider)
    spread, known = np.sqrt(np.diag(covariance)), np.isin([*found.values], [*found.deviations])
    weak = directions[(singular >= 1.0) & (singular < LEAST_DISTANCE)]
    for k in sorted({int(np.argmax(known * np.abs(row) / spread)) for row in weak}):
        step = FAR * LEAST_DISTANCE * wider * covariance[k] / spread[k]
        for moved in (x + step, x - step):
            if known[k] and 0.0 < moved[k] < math.sqrt(12.0):
                yield PENALTY_WEIGHT * np.eye(x.size)[k], np.clip(moved, 0.0, math.sqrt(12.0))


def _spectrum(jacobian: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Singular values, their directions, and covariance, all over the deviations of the priors.

    Variance by the data alone; in an undetermined direction by data and prior (variance 1) together.
    """
    _, singular, directions = np.linalg.svd(jacobian, full_matrices=False)
    variance = 1.0 / (singular**2 + (singular < 1.0))
    return singular, directions, (directions.T * variance) @ directions


def conclude(
    x: NDArray[np.float64],
    errors: NDArray[np.float64],
    jacobian: NDArray[np.float64],
    unknown: Mapping[str, Unknown],
    others: Sequence[NDArray[np.float64]] = (),
) -> Fit:
    """Make the ``Fit`` of a least-squares solution, with intervals and undetermined directions.

    The direction to another point of ``others`` is undetermined if an unknown differs there by more
    than ``LEAST_DISTANCE`` of its standard deviations.

    Arguments:
        x: scaled unknowns, shape (k,). errors: predicted minus measured over the noise, shape (n,).
        jacobian: derivative of the errors by x, shape (n, k).
        others: points with nearly the same sum of squares, each (k,).
    """
    from scipy.stats import chi2

    names, ones, top = list(unknown), list(unknown.values()), math.sqrt(12.0)
    wider = np.array([one.deviation / one.uniform for one in ones])
    singular, directions, covariance = _spectrum(jacobian * wider)
    spread, found = np.sqrt(np.diag(covariance)), list(directions[singular < 1.0])
    leans = np.abs(directions[singular < 1.0]).max(axis=0, initial=0.0) > LEANS
    for other in others:
        step = (other - x) / wider
        far = np.abs(step) > LEAST_DISTANCE * spread
        if (far & ~leans).any():
            far |= np.abs(step) > LEANS * np.linalg.norm(step)
            found.append(np.where(far, step, 0.0) / np.linalg.norm(step[far]))
            leans |= far
    return Fit(
        values={n: one.value(v) for n, one, v in zip(names, ones, x, strict=True)},
        deviations={
            n: float(spread[k]) * ones[k].deviation for k, n in enumerate(names) if not leans[k]
        },
        open_directions=tuple(
            {n: float(v) for n, v in zip(names, row, strict=True) if abs(v) > LEANS} for row in found
        ),
        at_bounds=tuple(n for n, v in zip(names, x, strict=True) if min(v, top - v) < NEAR_BOUND * top),
        unknown=dict(unknown),
        errors=errors,
        chi_square_limit=float(chi2.ppf(1.0 - SIGNIFICANCE, max(1, errors.size - len(names)))),
    )


def central(
    errors: Callable[[dict[str, NDArray[np.float64]]], NDArray[np.float64]],
    x: NDArray[np.float64],
    unknown: Mapping[str, Unknown],
    steps: ArrayLike = CENTRAL,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Errors, shape (n,), and their derivatives by the scaled unknowns, (n, k), from one call.

    Arguments:
        errors: function that returns errors (2 k + 1, n) for 2 k + 1 values of each unknown: at x, and
            at x with each unknown moved by plus and minus its step, within the bounds. If errors after a
            move are not finite, x without this move takes its place.
        x: scaled unknowns, shape (k,). steps: steps of the differences, a number or shape (k,).
    """
    k, top = x.size, math.sqrt(12.0)
    moved = np.asarray(steps, float) * np.eye(k)
    table = np.clip(x + np.concatenate([np.zeros((1, k)), moved, -moved]), 0.0, top)
    columns = zip(unknown.items(), table.T, strict=True)
    found = errors({name: np.array([one.value(v) for v in column]) for (name, one), column in columns})
    fails: NDArray[np.bool_] = ~np.all(np.isfinite(found), axis=1)
    if fails[0]:
        return found[0], np.zeros((found.shape[1], k))
    found[1:][fails[1:]], table[1:][fails[1:]] = found[0], x
    width = np.diagonal(table[1 : k + 1] - table[k + 1 :])
    slopes = (found[1 : k + 1] - found[k + 1 :]).T / np.where(width > 0.0, width, np.inf)
    return found[0], slopes
