"""Lists of the plan and working arrays of the MuJoCo adapter, by their numbers."""

from __future__ import annotations

from numba import carray

from mlcp.jit import part

from . import mujoco_layout as H
from .pointers import floats_at, longs_at


@part
def planned(P, k):
    """List number k of the plan."""
    begin, end = P[H.PLAN_AT + k], P[H.PLAN_AT + k + 1]
    return carray(longs_at(P[H.PLAN] + 8 * begin), (end - begin,))


@part
def working(P, k):
    """Working array number k."""
    begin, end = P[H.WORK_AT + 2 * k], P[H.WORK_AT + 2 * k + 1]
    return carray(floats_at(P[H.WORK] + 8 * begin), (end - begin,))
