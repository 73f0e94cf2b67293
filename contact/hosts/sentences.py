"""Error messages for the codes returned by the compiled ground solve."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernels.wheel import layout as at
from .kernels import layout as L


def sentence(ground: Any, code: int) -> str:
    """Message for a code of ``kernels.layout``, returned by the compiled call."""
    i = int(ground.ints[L.CULPRIT])
    if code == L.BAD_STEP:
        step = ground.step[0]
        return f"WheelsOnGround: step = {step} s must be finite and above 0 s"
    if code == L.NOT_FINITE:
        return f"WheelsOnGround: wheel {i} got a number that is not finite: {culprit(ground, i)}"
    if code == L.TOO_DEEP:
        deep = -float(ground.gap[i])
        return (
            f"WheelsOnGround: the lowest point of wheel {i} is {deep:.3g} m below the terrain, "
            f"more than its diameter; check the host's heights and axes (z up, metres), or the soil is "
            "too soft for the load"
        )
    if code == L.NOT_DEFINITE:
        return (
            f"WheelsOnGround: the inertia of the host at wheel {i} cannot be that of a "
            "positive definite mass matrix; check the host's masses and its mobility"
        )
    if code == L.BAD_AXIS:
        return (
            f"WheelsOnGround: axis[{i}] = {ground.axis[i].tolist()} must be a unit vector that "
            "points left, away from the ground's normal"
        )
    if code == L.NOT_FROM_C:
        return (
            "WheelsOnGround: soil maps, ruts and solvers without a kernel are solved from Python "
            "only; call WheelsOnGround.call, or use one soil and the solver 'direct', 'pgs' or"
            " 'newton'"
        )
    return f"WheelsOnGround: the memory is not that of a WheelsOnGround (code {code})"


def culprit(ground: Any, i: int) -> str:
    """Description of the array of wheel ``i`` that contains a number that is not finite."""
    for name in ("position", "axis", "twist", "free_twist"):
        if not np.isfinite(getattr(ground, name)[i]).all():
            return f"{name}[{i}] = {getattr(ground, name)[i].tolist()}"
    channels = slice(at.CHANNELS * i, at.CHANNELS * (i + 1))
    for name in ("u", "u_free"):
        if not np.isfinite(getattr(ground, name)[channels]).all():
            return f"{name}[{i}] = {getattr(ground, name)[channels].tolist()}"
    return "in its mobility"
