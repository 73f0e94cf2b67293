"""Search for the three steps of a multirate simulation, with a record of its runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from mlcp.kinds import above

from ..errors import RigError, checked

Array = NDArray[np.float64]

SPAN = 3.0  # ratio of the allowed range of outputs to the range of the reference, about its middle [-]
DOUBLINGS = 40  # largest number of doublings or halvings of the first step


@dataclass(frozen=True)
class Trial:
    """Record of one run of the search.

    Arguments:
        what: step that is searched for: "s", "t", "c" or "T".
        T, c, t: steps of the run [s]; all equal s for the whole model at one rate.
        stable: True: outputs finite, and within three times the range of the reference.
        error: error of the outputs; nan without an error function, or for an unstable run.
        cost: computing time over simulated time; nan if not measured.
        then: next trial of the search: "larger", or "smaller" with the reason.
    """

    what: str
    T: float
    c: float
    t: float
    stable: bool
    error: float
    cost: float
    then: str


@dataclass(frozen=True)
class Choice:
    """Result of the search.

    Arguments:
        s: largest single step of the whole model [s].
        T, c, t: steps of the slow model, the exchange and the fast model [s].
        real_time: whether the cost is at most 1; True without a cost function.
        trials: all runs of the search, in order.
    """

    s: float
    T: float
    c: float
    t: float
    real_time: bool
    trials: list[Trial] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{'':2}{'T [ms]':>10}{'c [ms]':>10}{'t [ms]':>10}{'error':>10}{'cost':>8}"]
        for trial in self.trials:
            steps = "".join(f"{1e3 * x:10.4g}" for x in (trial.T, trial.c, trial.t))
            lines.append(f"{trial.what:2}{steps}{trial.error:10.2g}{trial.cost:8.2g}  {trial.then}")
        steps = ", ".join(f"{n} {1e3 * getattr(self, n):.4g} ms" for n in ("s", "t", "c", "T"))
        return "\n".join([*lines, f"{steps}: {'' if self.real_time else 'not '}in real time"])


@dataclass
@checked
class Search:
    """Search for the steps s, t, c and T by trial runs, as in the source.

    s: largest stable step of the whole model at one rate. t: halved from s/8 (source: s/10 to s/5) until
    the split model is stable. c: grows together with T from s up to the limit of stability. T: then
    grows alone, by multiples of c, until the simulation is as fast as real time or unstable.

    Arguments:
        whole: outputs of the whole model over the manoeuvre at one step [s], shape (n,) or (n, k).
        split: outputs of the split model at T, c, t [s], each a multiple of the next.
        reference: outputs of a trusted run, of the same shape; stable runs stay within three times their
            range.
        error: error of outputs, in the unit of ``tolerance``; None: errors are not bounded.
        tolerance: largest error while c and T grow together.
        cost: computing time over simulated time at T, c, t; None: T stays at c.
        first: first step of the search for s [s].
        close: relative tolerance of the bisections for s and c [-].

    Raises:
        RigError: an argument of another kind or out of its range.

    Source: Karkee, Steward, Kelkar, Kemp (2010), section on multi-rate simulation.
    Differs from the source: c may also be below s, as in the source's result (s 5 ms, c 2 ms); a rule
    for "stable" and a tolerance are added.
    """

    whole: Callable[[float], Array]
    split: Callable[[float, float, float], Array]
    reference: Array
    error: Callable[[Array], float] | None = None
    tolerance: float = math.inf
    cost: Callable[[float, float, float], float] | None = None
    first: float = 1e-3
    close: float = 0.02
    trials: list[Trial] = field(default_factory=list, init=False)

    def choose(self) -> Choice:
        """Run the search; RigError if no step is stable, or none is unstable."""
        self.trials.clear()
        s = self._largest(self.first, lambda x: self._try("s", x, x, x))
        t = s / 8.0
        for _ in range(DOUBLINGS):
            if self._try("t", t, t, t):
                break
            t *= 0.5
        else:
            raise RigError(f"no step of the fast model is stable down to {t:.2g} s")
        c = self._largest(s, lambda x: self._try("c", x, x, self.divided(x, t)))
        t = self.divided(c, t)
        T = c
        while not self._cheap(T, c, t):
            if not self._try("T", T + c, c, t, accurate=False):
                break
            T += c
        return Choice(s, T, c, t, self._cheap(T, c, t), list(self.trials))

    @staticmethod
    @checked
    def divided(c: Annotated[float, above(0.0, "s")], t: Annotated[float, above(0.0, "s")]) -> float:
        """Largest step [s] of at most t that divides c."""
        return c / math.ceil(c / t * (1.0 - 1e-9))

    def _cheap(self, T: float, c: float, t: float) -> bool:
        return self.cost is None or self.cost(T, c, t) <= 1.0

    def _try(self, what: str, T: float, c: float, t: float, accurate: bool = True) -> bool:
        """Do and record a run; returns True if it is stable and, in the search for c, accurate."""
        try:
            with np.errstate(all="ignore"):
                out = np.asarray(self.whole(T) if what == "s" else self.split(T, c, t), float)
        except (ArithmeticError, RuntimeError):  # the model could not continue
            out = np.full(1, math.nan)
        stable = self._stable(out)
        error = self.error(out) if stable and self.error is not None else math.nan
        exact = not (accurate and what == "c" and error > self.tolerance)
        cost = self.cost(T, c, t) if self.cost is not None and what != "s" else math.nan
        then = "larger" if stable and exact else "smaller: " + ("inaccurate" if stable else "unstable")
        self.trials.append(Trial(what, T, c, t, stable, error, cost, then))
        return stable and exact

    def _stable(self, out: Array) -> bool:
        if not np.isfinite(out).all():
            return False
        low, high = self.reference.min(axis=0), self.reference.max(axis=0)
        room = 0.5 * (SPAN - 1.0) * (high - low)
        return bool(((out >= low - room) & (out <= high + room)).all())

    def _largest(self, first: float, good: Callable[[float], bool]) -> float:
        """Largest step x [s] with ``good(x)``: bracket by doubling or halving, then bisection."""
        low = high = first
        if good(first):
            for _ in range(DOUBLINGS):
                high *= 2.0
                if not good(high):
                    break
                low = high
            else:
                raise RigError(f"no step is too large up to {high:.2g} s: nothing limits the search")
        else:
            for _ in range(DOUBLINGS):
                low *= 0.5
                if good(low):
                    break
                high = low
            else:
                raise RigError(f"no step is stable down to {low:.2g} s")
        while high > (1.0 + self.close) * low:
            middle = math.sqrt(low * high)
            low, high = (middle, high) if good(middle) else (low, middle)
        return low
