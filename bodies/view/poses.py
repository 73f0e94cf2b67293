"""Poses of a recorded run at any time, interpolated between the records."""

from __future__ import annotations

import numpy as np

from ..running.trajectory import Trajectory


def poses_at(run: Trajectory, time: float) -> tuple[np.ndarray, np.ndarray]:
    """Positions (bodies, 3) [m] and quaternions (bodies, 4) at a time [s], linear between the
    records."""
    last = len(run.time) - 1
    k = int(np.clip(np.searchsorted(run.time, time, side="right") - 1, 0, max(last - 1, 0)))
    j = min(k + 1, last)
    span = run.time[j] - run.time[k]
    s = float(np.clip((time - run.time[k]) / span, 0.0, 1.0)) if span > 0.0 else 0.0
    x = (1.0 - s) * run.positions[k] + s * run.positions[j]
    p, q = run.quaternions[k], run.quaternions[j]
    q = np.where((p * q).sum(axis=1, keepdims=True) < 0.0, -q, q)
    q = (1.0 - s) * p + s * q
    return x, q / np.linalg.norm(q, axis=1, keepdims=True)


def leader_of(run: Trajectory) -> str:
    """Heaviest body of a run if it travels more than 5 m, otherwise ""."""
    heaviest = run.model.mechanism.heaviest.name
    return heaviest if np.linalg.norm(np.ptp(run.position(heaviest), axis=0)) > 5.0 else ""


def record_at(run: Trajectory, time: float) -> int:
    """Number of the record nearest to a time [s]."""
    return int(np.argmin(np.abs(run.time - time)))
