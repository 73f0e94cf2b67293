"""A user's Python function as a ground law, sampled in a table that compiled steps interpolate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from mlcp import renamed
from mlcp.kinds import above

from .. import checks, validity
from ..kernels.laws import sampled as column
from .base import Given, KernelLaw, drives_itself

_GRIDS = ((33, 17), (65, 33), (129, 65), (257, 65), (513, 65))


@renamed.attributes(ask="evaluate")
@dataclass(frozen=True, eq=False)
class UserLaw(KernelLaw):
    """A law from a function ``f(slip, load) -> (thrust ratio, resistance ratio)``.

    The function is sampled over slip (both signs separately, so that it may be discontinuous at zero)
    and the logarithm of the load, interpolated to sixth order, and refined until the error between the
    samples is below ``tolerance``. Its values at s -> 0+ and 0- are split into a set-valued Coulomb
    part and an offset.

    Arguments:
        function: function of arrays of slip in [-1, 1] and load [N], with two arrays of their shape
            as result (or one: resistance 0). Called only when the law is constructed.
        load: lowest and highest load [N]; constant beyond.
        tolerance: absolute error of the table in both ratios [-].

    Raises:
        ValueError: wrong shape, numbers not finite, a thrust against the slip, a negative
            resistance, or a function too rough for the tolerance (with the point).
    """

    function: Callable[..., object]
    load: tuple[float, float] = (50.0, 1e5)
    tolerance: Annotated[float, above(0.0)] = 1e-7

    name = "user function"
    in_files = False  # a function cannot be written to a file

    def __post_init__(self) -> None:
        low = checks.positive("UserLaw", "load[0]", self.load[0], unit="N")
        checks.within("UserLaw", "load[1]", self.load[1], 1.01 * low, unit="N")
        object.__setattr__(self, "_table", self._sample())

    def evaluate(
        self, slip: NDArray[np.float64], load: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Evaluate the function itself, with a check of shape, finiteness and sign."""
        answer = self.function(slip, load)
        if isinstance(answer, tuple) and len(answer) != 2:
            raise ValueError(
                f"UserLaw: function returned {len(answer)} values; it must return a thrust ratio and a "
                "resistance ratio"
            )
        thrust, resistance = answer if isinstance(answer, tuple) else (answer, 0.0 * slip)
        thrust, resistance = np.asarray(thrust, float), np.asarray(resistance, float)
        for field, values in (("thrust", thrust), ("resistance", resistance)):
            if values.shape != slip.shape:
                raise ValueError(
                    f"UserLaw: {field} has shape {values.shape} for slip of shape {slip.shape}; "
                    "the function must take arrays"
                )
            if not np.isfinite(values).all():
                k = tuple(np.argwhere(~np.isfinite(values))[0])
                raise ValueError(
                    f"UserLaw: {field} = {values[k]} at slip {slip[k]:g}, load {load[k]:g} N"
                )
        if (resistance < 0.0).any():
            raise ValueError("UserLaw: resistance is negative; it would drive the wheel")
        bad = drives_itself(slip, thrust, resistance)
        if bad.any():
            k = tuple(np.argwhere(bad)[0])
            why = "negative" if slip[k] > 0.0 else "larger than resistance / |slip|"
            raise ValueError(
                f"UserLaw: thrust = {thrust[k]:g} at slip {slip[k]:g}, load {load[k]:g} N is {why}; it "
                "would drive itself"
            )
        return thrust, resistance

    def check(self, tyre: Any = None, soil: Any = None, load: Given = None, slip: Given = None) -> None:
        """Warn if the load is outside the sampled range."""
        if load is not None:
            low, high = self.load
            validity.outside(self.name, "load", load, low, high, "N", "the nearest end holds")

    def pushes(self, p: NDArray[np.float64]) -> bool:
        loads = int(p[column.LOADS])
        scalars = p[column.HEAD : column.HEAD + loads * column.SCALARS]
        return bool(np.any(np.abs(scalars[1 :: column.SCALARS]) > 1e-7))

    def parameters(self, tyre: Any = None, soil: Any = None) -> NDArray[np.float64]:
        """Parameter array of this law's kernel: the table."""
        return self._table  # type: ignore[attr-defined]

    def _sample(self) -> NDArray[np.float64]:
        from ..kernels.wheel.law_entry import law_over

        rng = np.random.default_rng(0)
        for slips, loads in _GRIDS:
            p = self._table_of(slips, loads)
            # points between the samples at which the error is checked: half-way, and random
            s = np.r_[(np.arange(slips - 1) + 0.5) / (slips - 1), rng.uniform(1e-6, 1.0, 200)]
            s = np.r_[s, -s]
            place = np.r_[np.arange(loads - 1) + 0.5, rng.uniform(0.0, loads - 1.0, 40)]
            f_n = np.exp(p[column.LOG_LOW] + p[column.LOG_STEP] * place)
            s, f_n = (x.ravel() for x in np.meshgrid(s, f_n))
            out = np.empty((s.size, 7))
            law_over(self.number, p, s, f_n, out)
            thrust, resistance = self.evaluate(s, f_n)
            mine = out[:, 0] + np.sign(s) * out[:, 2] + out[:, 6]
            error = np.maximum(np.abs(mine - thrust), np.abs(out[:, 3] - resistance))
            if error.max() < self.tolerance:
                return p
        k = int(error.argmax())
        raise ValueError(
            f"UserLaw: the function is too rough for a table: error {error[k]:.1e} at slip {s[k]:.4g}, "
            f"load {f_n[k]:.4g} N, allowed {self.tolerance:.1e}; smooth it, or give it as a "
            "Tabulated law, or allow a larger tolerance"
        )

    def _table_of(self, slips: int, loads: int) -> NDArray[np.float64]:
        logs = np.linspace(np.log(self.load[0]), np.log(self.load[1]), loads)
        positive = np.linspace(0.0, 1.0, slips)
        positive[0] = 1e-9  # slip at which the limits at 0+ and 0- are evaluated
        s, f_n = np.meshgrid(np.r_[positive, -positive], np.exp(logs), indexing="ij")
        thrust, gamma = self.evaluate(s, f_n)
        forward, backward = thrust[0], thrust[slips]  # thrust ratios at 0+ and 0-
        coulomb, offset = np.maximum(0.5 * (forward - backward), 0.0), 0.5 * (forward + backward)
        mu = thrust - offset
        mu[:slips] -= coulomb
        mu[slips:] += coulomb
        scalars = np.stack([coulomb, offset, np.abs(mu).max(axis=0)], axis=1)
        head = [slips, loads, logs[0], logs[1] - logs[0]]
        return np.concatenate([head, scalars.ravel(), mu.ravel(), gamma.ravel()])
