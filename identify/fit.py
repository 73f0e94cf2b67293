"""Fit of a law and a soil to a wheel test, or of a vehicle to the log of a drive."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from contact import BekkerSoil, OutsideValidity, WongReeceLateral
from contact.laws.wong_reece import WongReece
from mlcp.checks import nearest, whole

from .log import REFUSED, SETTINGS, Log, fit_log
from .solve import Fit, search
from .unknown import Unknown, checked, replaced
from .vehicle_run import Vehicle
from .wheel_test import PLOUGHS, WheelTest

STARTS = 4  # number of starts of the search: the given one, and random ones between the bounds


def fit(
    test: WheelTest | Log,
    law: WongReece | Vehicle,
    soil: BekkerSoil | None = None,
    unknown: Mapping[str, Unknown] | None = None,
    seed: int = 0,
    lateral: WongReeceLateral = PLOUGHS,
    **settings: Any,
) -> Fit:
    """Fit fields of a law and a soil to a wheel test, or parameters of a vehicle to a log.

        min 1/2 sum ((y(theta) - y_k) / s_k)^2 + 1/2 sum ((theta - start) / prior)^2

    theta: unknowns, between their bounds; y(theta): predicted and y_k: measured numbers, s_k: their
    noise; start, prior: mean and standard deviation of an unknown's normal prior. The second sum is over
    the unknowns with a normal prior.

    Arguments:
        test: measured rows with their noise s_k; or the log of a drive.
        law, soil: known parameters; the fields named by ``unknown`` are replaced. For a log ``law`` is
            the vehicle, as ``run`` of ``fit_log``, and there is no ``soil``.
        unknown: unknowns by name, such as ``law.exit_share`` or ``soil.k_phi``.
        seed: seed of the random starts.
        lateral: lateral law at slip angles; its fields may be unknown, such as ``lateral.unit_weight``.
        settings: further arguments of ``fit_log``, such as ``step``.

    Returns:
        ``Fit``. With the unknowns scaled by the standard deviations of their priors, a singular
        direction of the Jacobian is undetermined if its standard deviation by the data alone is above 1,
        the prior's. An unknown with a component above 0.3 in such a direction is undetermined, too. So
        is one with another value, 4 standard deviations away, where the sum of squares is less than 4
        above the least (16 for linear errors); such points are sought for unknowns of wide interval.

    Raises:
        ValueError: no unknown, more unknowns than measured numbers, an unknown that names no field; a
            wheel test without law and soil, or a log without a vehicle; an unknown setting; values of
            the start that law or soil refuse. Refused later values count as errors of 1000.
    """
    unknown, known = checked(unknown), SETTINGS if isinstance(test, Log) else ()
    for name in settings:
        if name not in known:
            raise ValueError(f"fit: setting {name!r} is unknown; {nearest(name, known)}")
    if isinstance(test, Log):
        if soil is not None or isinstance(law, WongReece):
            raise ValueError("fit: a log needs a vehicle, as fit(log, 'hmmwv', unknown={...})")
        return fit_log(test, law, unknown, seed=seed, **settings)
    return _fit_wheel(test, law, soil, lateral, unknown, seed)


def _fit_wheel(
    test: Any, law: Any, soil: Any, lateral: Any, unknown: Mapping[str, Unknown], seed: int
) -> Fit:
    """Fit to a wheel test; arguments as of ``fit``."""
    if not isinstance(test, WheelTest):
        raise ValueError(f"fit: {test!r} is neither a wheel test nor a log")
    if not isinstance(law, WongReece) or not isinstance(soil, BekkerSoil):
        raise ValueError(
            "fit: a wheel test needs a law and a soil, as fit(test, WongReece(), soil, {...})"
        )
    if not isinstance(lateral, WongReeceLateral):
        raise ValueError(f"fit: lateral = {lateral!r} must be a WongReeceLateral")
    seed, given = whole("fit: seed", seed), {"law": law, "soil": soil, "lateral": lateral}

    def predicted(values: Mapping[str, float]) -> NDArray[np.float64]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OutsideValidity)
            return test.errors(**replaced(given, values))

    def errors(values: Mapping[str, float]) -> NDArray[np.float64]:
        try:
            return predicted(values)
        except ValueError:  # outside the range of the law or the soil
            return np.full(count, REFUSED)

    count = predicted({name: one.start for name, one in unknown.items()}).size
    found = search(errors, unknown, STARTS, seed)
    slip = np.asarray(test.slip)
    slips = {name: slip[np.isfinite(values)] for name, values in test.measured.items()}
    objects = replaced(given, found.values)
    return dataclasses.replace(found, objects=objects, notes=test.notes, abscissas=slips)
