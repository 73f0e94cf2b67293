"""A recorded run: named arrays with units."""

from __future__ import annotations

import csv
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import checks
from .kernels import layout as L
from .model import Model, lookup
from .state import State


@dataclass(frozen=True, eq=False)
class Trajectory:
    """What :func:`bodies.simulate` returns.

    Attributes:
        model: the model that ran.
        time: (n,) [s].
        positions: (n, bodies, 3) [m], centres of mass.
        quaternions: (n, bodies, 4), scalar first.
        velocities: (n, bodies, 3) [m/s].
        angular_velocities: (n, bodies, 3) [rad/s], world axes.
        coordinates: (n, coordinates) [rad or m].
        impulses: (n, rows) of the last step before each record [N s or N m s].
        channel_impulses: (n, channels), likewise.
        residuals: (n,) worst natural residual of the contact problem up to the record.
        joint_errors: (n, 2) worst joint error up to the record [m, rad].
        missed_steps: steps whose contact problem missed its tolerance.
        step: h [s].
        final: state from which the run can go on.
    """

    model: Model
    time: np.ndarray
    positions: np.ndarray
    quaternions: np.ndarray
    velocities: np.ndarray
    angular_velocities: np.ndarray
    coordinates: np.ndarray
    impulses: np.ndarray
    channel_impulses: np.ndarray
    residuals: np.ndarray
    joint_errors: np.ndarray
    missed_steps: int
    step: float
    final: State

    def position(self, body: str) -> np.ndarray:
        """Centre of mass of a body, (n, 3) [m]."""
        return self.positions[:, self.model.body(body)]

    def velocity(self, body: str) -> np.ndarray:
        """Velocity of the centre of mass, (n, 3) [m/s]."""
        return self.velocities[:, self.model.body(body)]

    def angular_velocity(self, body: str) -> np.ndarray:
        """Angular velocity, (n, 3) [rad/s], world axes."""
        return self.angular_velocities[:, self.model.body(body)]

    def coordinate(self, name: str) -> np.ndarray:
        """Joint coordinate, (n,) [rad or m]."""
        return self.coordinates[:, self.model.coordinate(name)]

    def channel_force(self, name: str) -> np.ndarray:
        """Mean force over the last step of a bounded coupling, contact or wheel, (n, k) [N]."""
        where = f"model {self.model.mechanism.name!r}: channel"
        first = lookup({k: v[0] for k, v in self.model.channels.items()}, where, name)
        return self.channel_impulses[:, first:first + self.model.channels[name][1]] / self.step

    def columns(self) -> dict[str, np.ndarray]:
        """Every recorded number as a named column with its unit."""
        table = {"time [s]": self.time}
        for name, k in self.model.body_index.items():
            for c, axis in enumerate("xyz"):
                table[f"{name}.{axis} [m]"] = self.positions[:, k, c]
                table[f"{name}.v{axis} [m/s]"] = self.velocities[:, k, c]
                table[f"{name}.w{axis} [rad/s]"] = self.angular_velocities[:, k, c]
            for c in range(4):
                table[f"{name}.q{c} [-]"] = self.quaternions[:, k, c]
        for name, k in self.model.coordinate_index.items():
            unit = "rad" if name.endswith(".angle") else "m"
            table[f"{name} [{unit}]"] = self.coordinates[:, k]
        return table

    def to_csv(self, path: str | Path) -> None:
        """Write :meth:`columns` as a CSV file with full precision."""
        table = self.columns()
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(table)
            writer.writerows([repr(float(x)) for x in row]
                             for row in zip(*table.values(), strict=True))

    def save(self, path: str | Path) -> None:
        """Write the run to a compressed NumPy ``.npz`` file; :meth:`load` reads it back.

        The model is not in the file (keep its TOML file beside it), only the names of its bodies,
        rows and channels, by which :meth:`load` knows it again.
        """
        arrays = {name: getattr(self, name) for name in ARRAYS}
        table, scale, panels, pivot = self.final.plan
        # through a file object, so that NumPy does not append ".npz" to other names
        with open(path, "wb") as file:
            np.savez_compressed(
                file, **arrays, step=self.step, missed_steps=self.missed_steps,
                names=np.array(_names(self.model)), state_floats=self.final.floats,
                state_ints=self.final.ints, plan_table=table, plan_scale=scale,
                plan_sizes=panels, plan_pivot=pivot)

    @classmethod
    def load(cls, path: str | Path, model: Model) -> Trajectory:
        """Read a run written by :meth:`save`; ``model`` is what ran.

        Raises:
            MechanismError: the file is no saved run, or one of another model.
        """
        who = f"trajectory {str(path)!r}"
        try:
            data = np.load(path)
            missing = {*ARRAYS, "names", "state_floats"} - set(getattr(data, "files", ()))
        except (ValueError, EOFError, zipfile.BadZipFile):
            raise checks.MechanismError(f"{who}: not a file that Trajectory.save wrote.") from None
        if missing:
            raise checks.MechanismError(f"{who}: not a file that Trajectory.save wrote, it lacks "
                                        f"{sorted(missing)[0]!r}.")
        with data:
            theirs, ours = data["names"].tolist(), _names(model)
            if theirs != ours:
                other = next((n for n in theirs if n not in ours), "the order of the names")
                raise checks.MechanismError(
                    f"{who}: it was run with another model than {model.mechanism.name!r}, whose "
                    f"names differ: {other!r}.")
            plan = (data["plan_table"], data["plan_scale"], int(data["plan_sizes"]),
                    float(data["plan_pivot"]))
            return cls(model=model, **{name: data[name] for name in ARRAYS},
                       missed_steps=int(data["missed_steps"]), step=float(data["step"]),
                       final=State(data["state_floats"], data["state_ints"], plan))

    def to_xarray(self) -> Any:
        """An ``xarray.Dataset`` with dimensions time, body, axis (needs xarray)."""
        try:
            import xarray
        except ImportError as error:
            raise ImportError("to_xarray needs the package xarray; install it, or use "
                              "columns() or to_csv().") from error
        bodies = list(self.model.body_index)
        three = ("time", "body", "axis")
        return xarray.Dataset(
            {"position": (three, self.positions, {"units": "m"}),
             "velocity": (three, self.velocities, {"units": "m/s"}),
             "angular_velocity": (three, self.angular_velocities, {"units": "rad/s"}),
             "quaternion": (("time", "body", "component"), self.quaternions),
             "coordinate": (("time", "coordinate"), self.coordinates)},
            coords={"time": ("time", self.time, {"units": "s"}), "body": bodies,
                    "axis": list("xyz"), "component": list("wxyz"),
                    "coordinate": list(self.model.coordinate_index)})

    def plot(self, *names: str) -> Any:
        """Draw coordinates over time (all, or those named); returns the matplotlib figure."""
        import matplotlib.pyplot as plt

        names = names or tuple(self.model.coordinate_index)
        if not names:
            raise checks.MechanismError("plot: the model has no joint coordinates; name some.")
        figure, axes = plt.subplots(layout="constrained")
        for name in names:
            axes.plot(self.time, self.coordinate(name), label=name)
        axes.set_xlabel("time [s]")
        axes.set_ylabel("coordinate [rad or m]")
        axes.legend(frameon=False)
        return figure


ARRAYS = ("time", "positions", "quaternions", "velocities", "angular_velocities", "coordinates",
          "impulses", "channel_impulses", "residuals", "joint_errors")


def _names(model: Model) -> list[str]:
    """What identifies a model: the names of everything that a trajectory's arrays are over."""
    return [*(f"body {n}" for n in model.body_index), *(f"row {n}" for n in model.rows),
            *(f"channel {n}" for n in model.channels),
            *(f"coordinate {n}" for n in model.coordinate_index)]


class Recorder:
    """Collects records of a running simulation."""

    def __init__(self, simulation: Any, records: int) -> None:
        self.simulation = simulation
        self.rows: list[tuple[np.ndarray, ...]] = []
        self.take()

    def take(self) -> None:
        """Add a record of the current state."""
        work = self.simulation.work
        S = work.f(L.SCALAR)
        kept = (L.POSITION, L.QUATERNION, L.VELOCITY, L.COORDINATE, L.IMPULSE, L.CHANNEL_IMPULSE)
        scalars = S[[L.TIME, L.RESIDUAL_MAX, L.ERROR_M_MAX, L.ERROR_RAD_MAX]]
        self.rows.append((scalars, *(work.f(k).copy() for k in kept)))

    def trajectory(self) -> Trajectory:
        """The records as one :class:`Trajectory`."""
        s, x, q, v, c, p, z = (np.array(column) for column in zip(*self.rows, strict=True))
        n = len(s)
        v = v.reshape(n, -1, 6)[:, :-1]
        sim = self.simulation
        return Trajectory(
            model=sim.model, time=s[:, 0], positions=x.reshape(n, -1, 3)[:, :-1],
            quaternions=q.reshape(n, -1, 4)[:, :-1], velocities=v[..., :3],
            angular_velocities=v[..., 3:], coordinates=c, impulses=p, channel_impulses=z,
            residuals=s[:, 1], joint_errors=s[:, 2:], missed_steps=sim.missed, step=sim.step,
            final=sim.state())
