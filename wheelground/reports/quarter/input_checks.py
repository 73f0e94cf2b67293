"""Trials of bad input: each must give an error of one sentence with field, value and range."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import mlcp
from contact import GroundContact

from ..verdict import Check
from .case import QuarterVehicleCase

#: Common mistakes: words that the error must contain, and a function that makes the mistake.
MISTAKES: tuple[tuple[tuple[str, ...], Callable[[], object]], ...] = (
    (("mass", "-5", "above 0"), lambda: QuarterVehicleCase(vehicle_mass=-5.0)),
    (("width", "0.0", "above 0"), lambda: replace(QuarterVehicleCase().wheel("local").tyre, width=0.0)),
    (("cone_index", "nan", "finite"), lambda: QuarterVehicleCase(cone_index=math.nan)),
    (("step", "0.0", "above 0"), lambda: QuarterVehicleCase(step=0.0)),
    (("loca", "local"), lambda: QuarterVehicleCase().wheel("loca")),
    (("drect", "direct"), lambda: GroundContact([QuarterVehicleCase().wheel("local")], solver="drect")),
    (("deflection_ratio", "1.5", "at most 1"), lambda: QuarterVehicleCase(deflection_ratio=1.5)),
    (
        ("deflection", "0.2", "at most 0.14"),
        lambda: replace(QuarterVehicleCase(deflection_ratio=None).wheel("local").tyre, deflection=0.2),
    ),
)


def check_input() -> Check:
    """Check that every mistake gives an error of one sentence."""
    sentences = 0
    for words, mistake in MISTAKES:
        try:
            mistake()
        except ValueError as error:
            sentences += all(word in str(error) for word in words) and "\n" not in str(error)
    measured = f"{sentences} of {len(MISTAKES)} mistakes are named by field, value and range"
    return Check("bad input: error of one sentence", measured, sentences == len(MISTAKES))


def check_status() -> Check:
    """Check that a solved problem has ``Status.SOLVED``."""
    solution = mlcp.solve(mlcp.MLCP([[2.0]], [-1.0]))
    return Check(
        "the status of a solved problem is SOLVED",
        solution.status.name,
        solution.status is mlcp.Status.SOLVED,
    )
