"""A run as a pandas data frame, xarray data set, Parquet or NetCDF file; these need the extra
``data``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mlcp.neighbours import need
from mlcp.writing import written

from .wheel_record import UNITS


def data_frame(run: Any) -> Any:
    """All columns of a run over time, as a ``pandas.DataFrame``."""
    pandas = need("pandas", "to_dataframe", "data")
    columns = run.columns()
    time = pandas.Index(columns.pop("time [s]"), name="time [s]")
    return pandas.DataFrame(columns, index=time)


def write_parquet(run: Any, path: str | Path) -> None:
    """See :meth:`bodies.Trajectory.to_parquet`."""
    frame = data_frame(run)
    need("pyarrow", "to_parquet", "data")
    with written(path) as place:
        frame.reset_index().to_parquet(place, engine="pyarrow", index=False)


def write_netcdf(run: Any, path: str | Path) -> None:
    """Write the data set as a NetCDF file, by SciPy if neither netCDF4 nor h5netcdf is installed."""
    data = data_set(run)
    with written(path) as place:
        data.to_netcdf(place)


def data_set(run: Any) -> Any:
    """An ``xarray.Dataset`` of a run."""
    xarray = need("xarray", "to_xarray", "data")
    three, joint = ("time", "body", "axis"), ("time", "joint_coordinate")
    data: dict[str, Any] = {
        "position": (three, run.positions, {"units": "m"}),
        "velocity": (three, run.velocities, {"units": "m/s"}),
        "angular_velocity": (three, run.angular_velocities, {"units": "rad/s"}),
        "quaternion": (("time", "body", "component"), run.quaternions, {"units": "1"}),
        "coordinate": (joint, run.coordinates, {"units": "rad or m"}),
    }
    coords: dict[str, Any] = {
        "time": ("time", run.time, {"units": "s"}),
        "body": list(run.model.body_index),
        "axis": list("xyz"),
        "component": list("wxyz"),
        "joint_coordinate": list(run.model.coordinate_index),
    }
    wheels = [wheel.name for wheel in run.model.mechanism.wheels]
    if wheels:
        coords["wheel"] = wheels
        found = [run.wheel(name) for name in wheels]
        for key, unit in UNITS.items():
            values = np.column_stack([getattr(w, key) for w in found])
            data[f"wheel_{key}"] = ("time", "wheel"), values, {"units": unit}
    if run.reactions:
        coords["joint"] = list(run.reactions)
        forces = np.stack(list(run.reactions.values()), axis=1)  # shape (n, joints, 2, 3)
        over = ("time", "joint", "axis")
        data["reaction_force"] = over, forces[:, :, 0], {"units": "N"}
        data["reaction_torque"] = over, forces[:, :, 1], {"units": "N m"}
    if run.work_done is not None:
        work = run.work()
        coords["element"] = list(work)
        data["work"] = ("time", "element"), np.column_stack(list(work.values())), {"units": "J"}
    energy = run.energy()
    data |= {
        f"energy_{name}": (
            "time",
            np.broadcast_to(getattr(energy, name), run.time.shape),
            {"units": "J"},
        )
        for name in ("kinetic", "gravity", "total")
    }
    if energy.springs:
        coords["spring"] = list(energy.springs)
        stored = np.column_stack(list(energy.springs.values()))
        data["energy_springs"] = ("time", "spring"), stored, {"units": "J"}
    return xarray.Dataset(data, coords=coords)
