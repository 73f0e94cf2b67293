"""Summary of a run in a few lines."""

from __future__ import annotations

import numpy as np

from ..run import Run


def report(run: Run) -> list[str]:
    """Lines of the summary of a drive or of work with a bucket."""
    digs = "tip_position" in run.places and run["cylinder_pressure"].any()
    found = _dug(run) if digs else _driven(run)
    if run.missed:
        found.append(f"{run.missed} steps missed the tolerance of their contact problem")
    return found


def _driven(run: Run) -> list[str]:
    p, off = run["position"], run["off_track"]
    driven = float(np.hypot(*np.diff(p[:, :2], axis=0).T).sum())
    half, fixed = off[len(off) // 2 :], np.flatnonzero(run["engaged"])
    summary = (
        f"{run.time[-1] - run.time[0]:g} s, {driven:.1f} m driven to x {p[-1, 0]:.2f}, y "
        f"{p[-1, 1]:.2f} m"
    )
    if not off.any():  # the rig has no guidance
        return [summary]
    if not len(fixed):
        return [summary, "guidance did not steer"]
    return [
        summary,
        f"off track as guidance sees it: {off[fixed[0]]:+.3f} m at first, in the second half at most "
        f"{np.abs(half).max():.3f} m, rms {np.sqrt(np.mean(half**2)):.3f} m",
    ]


def _dug(run: Run) -> list[str]:
    tip = run["tip_position"]
    distance = float(np.linalg.norm(np.diff(tip, axis=0), axis=1).sum())
    x, y, z = tip[-1]
    return [
        f"{run.time[-1] - run.time[0]:g} s, the bucket's tip came {distance:.1f} m "
        f"to x {x:.2f}, y {y:.2f}, z {z:.2f} m",
        f"largest pressure {1e-6 * run['cylinder_pressure'].max():.1f} MPa, of the pump "
        f"{1e-6 * run['pump_pressure'].max():.1f} MPa",
    ]
