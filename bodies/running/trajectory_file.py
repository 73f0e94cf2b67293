"""The file of a recorded run: arrays by name, which reading checks against the model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mlcp.writing import written

from .. import checks
from ..hydraulics.reading import oil_state
from ..kernels.records import WheelFrame
from ..model import Model
from ..state import ARRAYS as STATE_ARRAYS
from ..state import BROKEN, State

ARRAYS = (
    "time",
    "positions",
    "quaternions",
    "velocities",
    "angular_velocities",
    "coordinates",
    "impulses",
    "channel_impulses",
    "residuals",
    "joint_errors",
    "wheel_frames",
    "wheel_velocities",
    "rolling_impulses",
)


def write(run: Any, path: str | Path) -> None:
    """Write a run, a ``Trajectory``; see :meth:`bodies.Trajectory.save`."""
    arrays: dict[str, Any] = {name: getattr(run, name) for name in ARRAYS}
    arrays |= {f"reaction {name}": found for name, found in run.reactions.items()}
    if run.work_done is not None:
        arrays["work_done"] = run.work_done
    if run.oil.size:
        arrays["oil"] = run.oil
    arrays |= {f"state_{name}": array for name, array in run.final.arrays().items()}
    # an open file instead of its name, since NumPy would append ".npz" to a name without it
    with written(path) as place, open(place, "wb") as file:
        np.savez_compressed(
            file,
            **arrays,
            step=run.step,
            missed_steps=run.missed,
            names=np.array(run.model.names),
        )


def read(path: str | Path, model: Model) -> dict[str, Any]:
    """Fields of a run of ``model``, read from its file; see :meth:`bodies.Trajectory.load`."""
    who = f"trajectory {str(path)!r}"
    with open(path, "rb") as file:
        try:
            with np.load(file, allow_pickle=False) as data:
                arrays = {name: data[name] for name in data.files}
        except BROKEN:
            raise checks.MechanismError(
                f"{who}: not a file that Trajectory.save wrote, or a damaged one."
            ) from None
    has_oil = {"oil"} if model.circuit is not None else set()
    wanted = {
        *ARRAYS,
        *has_oil,
        "names",
        "step",
        "missed_steps",
        *(f"state_{name}" for name in STATE_ARRAYS),
    }
    if wanted - set(arrays):
        raise checks.MechanismError(
            f"{who}: not a file that Trajectory.save wrote, it lacks {min(wanted - set(arrays))!r}."
        )
    theirs, ours = arrays["names"].reshape(-1).tolist(), model.names
    if theirs != ours:
        other = next((n for n in theirs if n not in ours), "the order of the names")
        raise checks.MechanismError(
            f"{who}: it was run with another model than {model.mechanism.name!r}, whose "
            f"names differ: {other!r}."
        )
    final = State.of(who, {name: arrays[f"state_{name}"] for name in STATE_ARRAYS})
    reactions = {
        name.removeprefix("reaction "): found
        for name, found in arrays.items()
        if name.startswith("reaction ")
    }
    _check_shapes(who, arrays, reactions, model, final)
    return {
        "model": model,
        **{name: arrays[name] for name in ARRAYS},
        "work_done": arrays.get("work_done"),
        "oil": arrays.get("oil", np.zeros((0, 0))),
        "reactions": reactions,
        "missed": int(arrays["missed_steps"]),
        "step": float(arrays["step"]),
        "final": final,
    }


def _check_shapes(
    who: str,
    arrays: dict[str, np.ndarray],
    reactions: dict[str, np.ndarray],
    model: Model,
    final: State,
) -> None:
    """Raise MechanismError for arrays whose shapes are not those of the model, or whose numbers of
    records differ."""
    n = arrays["time"].shape[0] if arrays["time"].ndim else 0
    bodies, wheels = len(model.body_index), len(model.mechanism.wheels)
    shapes: dict[str, tuple[int, ...]] = {
        "time": (n,), "positions": (n, bodies, 3), "quaternions": (n, bodies, 4),
        "velocities": (n, bodies, 3), "angular_velocities": (n, bodies, 3),
        "coordinates": (n, len(model.coordinate_index)), "impulses": (n, model.structure.rows),
        "channel_impulses": (n, model.structure.channel_rows), "residuals": (n,),
        "joint_errors": (n, 2), "wheel_frames": (n, wheels, WheelFrame.velocity.offset),
        "wheel_velocities": (n, wheels, WheelFrame.velocity.size), "rolling_impulses": (n, wheels),
        "step": (), "missed_steps": (),
    }  # fmt: skip
    found = arrays | {f"reaction {name}": array for name, array in reactions.items()}
    shapes |= {f"reaction {name}": (n, 2, 3) for name in reactions}
    if model.circuit is not None:
        shapes["oil"] = (n, oil_state(model.machine).size)
    if "work_done" in arrays:
        shapes["work_done"] = (n, model.machine.work_done.size)
    for name, shape in shapes.items():
        kinds = "i" if name == "missed_steps" else "fi"
        if n == 0 or found[name].dtype.kind not in kinds or found[name].shape != shape:
            raise checks.MechanismError(
                f"{who}: {name!r} has shape {found[name].shape}, but model {model.mechanism.name!r} "
                f"needs {shape}."
            )
    if not 0.0 < float(arrays["step"]) < np.inf:
        raise checks.MechanismError(f"{who}: its step is not above 0 s.")
    if final.model != model.digest:
        raise checks.MechanismError(
            f"{who}: its final state is of another model than {model.mechanism.name!r}."
        )
