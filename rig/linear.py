"""Exact solution of linear systems over a tick, by the matrix exponential."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def exponential(A: Array) -> Array:
    """Matrix exponential exp(A), shape (n, n): scaling, Taylor series, squaring.

    A is halved until its norm is at most 1/4; a series of degree 13 then reaches round-off for the small
    matrices of a chassis.
    """
    norm = float(np.abs(A).sum(axis=1).max())
    halvings = max(0, int(np.ceil(np.log2(norm / 0.25)))) if norm > 0.25 else 0
    B = A / 2.0**halvings
    total = np.eye(len(A)) + B / 13.0
    for k in range(12, 0, -1):
        total = np.eye(len(A)) + B @ total / k
    for _ in range(halvings):
        total = total @ total
    return total


def discretise(A: Array, b: Array, h: float) -> tuple[Array, Array]:
    """P and q of ``x(t + h) = P x(t) + q w`` for dx/dt = A x + b w with constant w over h [s].

    Arguments:
        A: shape (n, n) [1/s times the units of x].
        b: shape (n,), or (n, m) for several inputs.
        h: time step [s].
    """
    n, m = len(A), 1 if b.ndim == 1 else b.shape[1]
    whole = np.zeros((n + m, n + m))
    whole[:n, :n], whole[:n, n:] = A * h, b.reshape(n, m) * h
    E = exponential(whole)
    return E[:n, :n], E[:n, n:].reshape(b.shape)
