"""Records of a run as named arrays with units."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mlcp import renamed
from mlcp.writing import written

from .. import checks, figures, summary
from ..checks import checked
from ..hydraulics.reading import Hydraulics
from ..model import Model, lookup
from ..report import map_track, tables
from ..report.traction import tractive_performance
from ..report.wheel_record import WheelRecord, wheel_record
from ..state import State
from . import trajectory_file
from .energy import Energy, energy

#: Functions for pictures, films and pages of a run, by name; ``bodies.view`` registers them.
PICTURES: dict[str, Callable[..., Any]] = {}


@renamed.attributes(trade="tractive_performance", missed_steps="missed")
@checked.explained
@dataclass(frozen=True, eq=False)
class Trajectory:
    """Records of a run, from :func:`bodies.simulate`.

    Attributes:
        model: the simulated model.
        time: times of the records, (n,) [s].
        positions: centres of mass, (n, bodies, 3) [m], world axes.
        quaternions: orientations, (n, bodies, 4), scalar first.
        velocities: velocities of the centres of mass, (n, bodies, 3) [m/s], world axes.
        angular_velocities: angular velocities, (n, bodies, 3) [rad/s], world axes.
        coordinates: joint coordinates, (n, coordinates) [rad or m].
        impulses: impulses of the bilateral rows in the last step before each record, (n, rows) [N s or
            N m s].
        channel_impulses: impulses of the bounded rows (channels) in the last step before each record,
            (n, channels) [N s or N m s].
        residuals: largest natural residual of the contact problems up to the record, (n,) [-].
        joint_errors: largest joint errors up to the record, (n, 2) [m, rad].
        missed: number of steps whose contact solve did not reach its tolerance.
        step: step length h [s].
        final: final state, from which a run can continue.
        wheel_frames: frames of the wheels at the start of the last step before each record,
            (n, wheels, 16), world axes: centre [m], contact point [m], normal (over the cosine of the
            ground's inclination along the axle), forward, left (three numbers each) and gap [m].
        wheel_velocities: velocities of the wheels' channels (normal, longitudinal, lateral,
            longitudinal at the centre) at each record, (n, wheels, 4) [m/s].
        rolling_impulses: impulses on the rim speed in the last step before each record, (n, wheels)
            [N s], -T_rr h / r in forward rolling, T_rr: rolling moment of a ground law, r: radius, h:
            step; the channel impulses include them.
        work_done: work since the start of rows, channels, forces, gravity and gyroscopic terms,
            (n, numbers) [J], see :meth:`work`; None without ``record_work``.
        reactions: of each requested joint the force [N] and torque [N m] on body_b, (n, 2, 3).
        oil: state of the hydraulic circuits, (n, numbers), see :attr:`hydraulics`.
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
    missed: int
    step: float
    final: State
    wheel_frames: np.ndarray
    wheel_velocities: np.ndarray
    rolling_impulses: np.ndarray
    work_done: np.ndarray | None = None
    reactions: dict[str, np.ndarray] = field(default_factory=dict)
    oil: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))

    def position(self, body: str) -> np.ndarray:
        """Centre of mass of a body, (n, 3) [m]."""
        return self.positions[:, self.model.body(body)]

    def quaternion(self, body: str) -> np.ndarray:
        """Orientation of a body, (n, 4), unit quaternions, scalar first, body axes to world axes."""
        return self.quaternions[:, self.model.body(body)]

    def velocity(self, body: str) -> np.ndarray:
        """Velocity of a body's centre of mass, (n, 3) [m/s], world axes."""
        return self.velocities[:, self.model.body(body)]

    def angular_velocity(self, body: str) -> np.ndarray:
        """Angular velocity of a body, (n, 3) [rad/s], world axes."""
        return self.angular_velocities[:, self.model.body(body)]

    def coordinate(self, name: str) -> np.ndarray:
        """Values of a joint coordinate, (n,) [rad or m]."""
        return self.coordinates[:, self.model.coordinate(name)]

    def channel_force(self, name: str) -> np.ndarray:
        """Forces of a bounded coupling, contact or wheel with k channels, (n, k) [N]: means over the
        last step before each record; torques [N m] of a bounded coupling of shafts."""
        where = f"model {self.model.mechanism.name!r}: channel"
        first, count = lookup(self.model.channels, where, name)[:2]
        return self.channel_impulses[:, first : first + count] / self.step

    def wheel(self, name: str) -> WheelRecord:
        """Forces, velocities and slip of a wheel over time."""
        return wheel_record(self, name)

    def reaction(self, joint: str) -> tuple[np.ndarray, np.ndarray]:
        """Force [N] and torque about the joint [N m] on body_b over time, (n, 3) each, world axes.

        The joint must be one of the ``reactions`` of :func:`bodies.simulate`.
        """
        found = lookup(self.reactions, "trajectory: recorded reaction", joint)
        return found[:, 0], found[:, 1]

    @property
    def hydraulics(self) -> Hydraulics:
        """Pressures, oil and work of the hydraulic circuit over time.

        Raises:
            MechanismError: the mechanism has no hydraulic circuit.
        """
        return Hydraulics.recorded(self.model, self.oil)

    def energy(self) -> Energy:
        """Kinetic, gravitational and spring energies, (n,) [J]; the energy of oil is among the
        springs."""
        return energy(
            self.model,
            self.positions,
            self.quaternions,
            self.velocities,
            self.angular_velocities,
            self.coordinates,
            self.oil,
        )

    def work(self) -> dict[str, np.ndarray]:
        """Work of every element since the start, (n,) [J]; the sum of all is the change of kinetic
        energy."""
        if self.work_done is None:
            raise checks.MechanismError(
                "trajectory: the work was not recorded; simulate(..., record_work=True) does it."
            )
        return self.model.by_element(self.work_done)

    def power(self) -> dict[str, np.ndarray]:
        """Mean power of every element since the record before, (n,) [W], positive into the bodies; 0 at
        the first record."""
        elapsed = np.diff(self.time)
        return {
            name: np.concatenate([[0.0], np.diff(work) / elapsed]) for name, work in self.work().items()
        }

    def tractive_performance(self, drawbar: str = "drawbar") -> dict[str, np.ndarray]:
        """Tractive performance, power and fuel as named columns with units, arrays (n,).

        Of each wheel, with F_t the thrust, T_rr the rolling moment, F_c the resistance at the centre, r
        the radius, v the forward velocity of the centre and omega the spin:

            gross_traction = F_t + T_rr / r        the axle's torque over the radius
            net_traction = F_t + F_c               motion_resistance = gross - net
            travel_reduction = 1 - v / (omega r)   tractive_efficiency = net v / (gross omega r)

        also the ``load``, the ratios of gross traction, net traction and motion resistance to the load,
        ``axle_power``, ``slip_loss``, ``resistance_loss`` and ``rut_depth`` (depth of the rut of this
        wheel and the wheels before it, without the tyre's deflection, ``WheelRecord.sinkage``).

        Of the ``vehicle``: the sums over its wheels; its theoretical speed is axle power over gross
        traction; ``drawbar_pull`` is the tension of the distance joint ``drawbar``, such as that of a
        :class:`bodies.vehicle.LoadCar`, or without such a joint the draft of tools that are always in
        the ground.

        Of engines and motors: speed, torque and power, fuel if the engine has a map; energy and fuel
        since the start and per distance. With ``record_work`` the power of every element. A ratio with a
        denominator near or below 0, as in reverse, is set to 0.

        Arguments:
            drawbar: name of the distance joint that measures the pull.

        Raises:
            UnknownName: no distance joint of a name other than the default.
        """
        return tractive_performance(self, drawbar)

    def columns(self) -> dict[str, np.ndarray]:
        """Motion, wheels, reactions, oil, work and energies as columns (n,) by names with units."""
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
        for wheel in self.model.mechanism.wheels:
            table |= self.wheel(wheel.name).columns(wheel.name)
        for joint, found in self.reactions.items():
            for c, axis in enumerate("xyz"):
                table[f"{joint}.F{axis} [N]"] = found[:, 0, c]
                table[f"{joint}.T{axis} [N m]"] = found[:, 1, c]
        if self.model.circuit is not None:
            table |= self.hydraulics.columns()
        if self.work_done is not None:
            table |= {f"{name} work [J]": work for name, work in self.work().items()}
        energy = self.energy()
        parts = {"kinetic": energy.kinetic, "gravity": energy.gravity}
        parts |= {f"spring {name}": stored for name, stored in energy.springs.items()}
        return table | {f"energy.{name} [J]": values for name, values in parts.items()}

    @checked
    def to_csv(self, path: str | Path) -> None:
        """Write :meth:`columns` as a CSV file with full precision."""
        table = self.columns()
        with written(path) as place, open(place, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(table)
            writer.writerows([repr(float(x)) for x in row] for row in zip(*table.values(), strict=True))

    @checked
    def save(self, path: str | Path) -> None:
        """Write the run to a compressed NumPy ``.npz`` file; :meth:`load` reads it back.

        The file does not contain the model (keep its TOML file), only the names of its bodies, rows
        and channels, for the check in :meth:`load`.
        """
        trajectory_file.write(self, path)

    @classmethod
    @checked
    def load(cls, path: str | Path, model: Model) -> Trajectory:
        """Read a run of ``model`` written by :meth:`save`.

        Raises:
            MechanismError: a damaged file, a file that is no saved run, or a run of another model.
            FileNotFoundError: no such file.
        """
        return cls(**trajectory_file.read(path, model))

    def to_dataframe(self) -> Any:
        """All columns over time as a ``pandas.DataFrame``, by names with units (extra ``data``)."""
        return tables.data_frame(self)

    @checked
    def to_parquet(self, path: str | Path) -> None:
        """Write the data frame as a Parquet file, with the time as first column (extra ``data``)."""
        tables.write_parquet(self, path)

    @checked
    def to_netcdf(self, path: str | Path) -> None:
        """Write :meth:`to_xarray` as a NetCDF file (extra ``data``)."""
        tables.write_netcdf(self, path)

    @checked
    def to_geojson(self, path: str | Path, *names: str) -> None:
        """Write the tracks of bodies or wheels as GeoJSON lines: longitude, latitude (WGS 84) [deg],
        height [m].

        The ground must be from a GeoTIFF (extra ``terrain``).

        Arguments:
            path: file to write.
            names: bodies or wheels; default: the heaviest body.

        Raises:
            MechanismError: the ground has no map position. UnknownName: an unknown body or wheel.
        """
        map_track.write_track(self, path, *names)

    def to_xarray(self) -> Any:
        """``xarray.Dataset`` over time, body, axis, joint_coordinate and wheel, with the recorded
        reactions, energies and work (extra ``data``)."""
        return tables.data_set(self)

    def plot(self, *names: str) -> Any:
        """Draw columns over time, one axes or more for each unit; returns the matplotlib figure.

        Arguments:
            names: names of :meth:`columns` with or without their unit, or patterns such as
                ``"*.slip"``; default: speed, slip, loads and traction; without wheels the joint
                coordinates, or else the bodies' speeds.

        Raises:
            UnknownName: an unknown column; with the nearest names. MechanismError: too many columns.
        """
        if not names:
            return figures.draw(figures.main_panels(self), self.time)
        columns, coordinates = self.columns(), list(self.model.coordinate_index)
        for joint in {name.rsplit(".", 1)[0] for name in coordinates}.intersection(names):
            only = coordinates[self.model.coordinate(joint)]  # a joint's name stands for its coordinate
            names = tuple(only if name == joint else name for name in names)
        return figures.draw(figures.chosen(columns, names), self.time)

    def picture(
        self, time: float, size: tuple[int, int] = (960, 540), follow: str | None = None
    ) -> np.ndarray:
        """Picture of the bodies at a time, drawn without a display: (height, width, 3) uint8.

        Arguments:
            time: time of the picture [s].
            size: width and height [px].
            follow: body in the centre of the picture; default: the heaviest body if it travels more than
                5 m; "": none.
        """
        return PICTURES["studio"](self, size, follow).picture(time)

    @checked
    def save_picture(self, path: str | Path, time: float = 0.0, **settings: Any) -> Path:
        """Write the picture at a time [s], ``.png`` or ``.jpg``; settings as of :meth:`picture`."""
        return PICTURES["save_picture"](self, path, time, **settings)

    @checked
    def save_video(self, path: str | Path, **settings: Any) -> Path:
        """Write a film, ``.mp4`` or ``.gif``, without a display; see :func:`bodies.view.save_video`."""
        return PICTURES["save_video"](self, path, **settings)

    @checked
    def save_html(self, path: str | Path, **settings: Any) -> Path:
        """Write a self-contained HTML player of the run; see :func:`bodies.view.save_html`."""
        return PICTURES["save_html"](self, path, **settings)

    @checked
    def save_glb(self, path: str | Path, time: float = 0.0) -> Path:
        """Write the pose at a time [s] as a GLB file; see :func:`bodies.view.save_glb`."""
        return PICTURES["save_glb"](self, path, time)

    def __repr__(self) -> str:
        return summary.of_run(self)

    def _repr_html_(self) -> str:
        return summary.page(self)
