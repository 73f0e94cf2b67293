"""Pictures of the full-vehicle test: Fig. 7 of Peiret et al., and the vehicle in three dimensions."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import bodies
from bodies import vehicle
from bodies.frames import quaternion_matrix

from ..pictures import new_figure, save
from .case import SHIFT, FullVehicleRun

LEFT, RIGHT = "#1b7fbd", "#e07b00"


def rear_wheels(run: FullVehicleRun) -> dict[str, np.ndarray]:
    """Columns of the figure: time, and load, traction and slip of both driven rear wheels."""
    names = {"load": "load_N", "traction": "traction_N", "slip": "slip"}
    wheels = ("rear_left", "rear_right")
    columns = {f"{w}_{name}": run.history(w, key) for w in wheels for key, name in names.items()}
    return {"time_s": run.time, **columns}


def forces_and_slip(run: FullVehicleRun, path: Path) -> Path:
    """Draw normal and traction forces (left) and slip (right) of both driven rear wheels."""
    figure = new_figure(10.0, 3.9)
    left, right = figure.subplots(1, 2)
    for wheel, colour, style in (("rear_left", LEFT, "-"), ("rear_right", RIGHT, "--")):
        name = wheel.replace("_", " ")
        left.plot(
            run.time,
            run.history(wheel, "load") / 1e3,
            style,
            color=colour,
            linewidth=1.4,
            label=f"$F_n$, {name}",
        )
        left.plot(
            run.time,
            run.history(wheel, "traction") / 1e3,
            style,
            color=colour,
            linewidth=1.4,
            alpha=0.55,
            label=f"$F_t$, {name}",
        )
        right.plot(run.time, run.history(wheel, "slip"), style, color=colour, linewidth=1.4, label=name)
    for axis in (left, right):
        axis.axvline(SHIFT, color="black", linewidth=0.7, linestyle=":")
        axis.set_xlabel("time [s]")
        axis.grid(True, alpha=0.25)
        axis.set_xlim(0.0, float(run.time[-1]))
        axis.legend(fontsize=8)
    left.set_ylabel("force [kN]")
    left.set_ylim(0.0, None)
    right.set_ylabel("slip ratio $i_s$ [-]")
    right.annotate(
        "gear change",
        (SHIFT, right.get_ylim()[1] * 0.93),
        xytext=(4, 0),
        textcoords="offset points",
        fontsize=8,
    )
    figure.suptitle(
        f"Full vehicle, {run.scheme} regularisation: {run.km_h:.2f} km/h at the end", fontsize=10
    )
    return save(figure, path)


def vehicle_picture(simulation: bodies.Simulation, path: Path) -> Path:
    """Draw the vehicle in three dimensions: bodies, joints, springs, wheels, forces."""
    from matplotlib.patches import Patch

    mechanism = simulation.model.mechanism
    here = {b.name: simulation.position(b.name) for b in mechanism.bodies}
    shift = np.array([here["frame"][0], here["frame"][1], 0.0])
    figure = new_figure(9.6, 4.9, layout=None)
    axis = figure.add_axes((-0.25, -0.37, 1.5, 1.72), projection="3d")
    _ground(axis)
    colours = {
        "steering": "#7a3db8",
        "driveline": "#b3261e",
        "suspension": "#1b7fbd",
        "wheel": "#444444",
        "body": "#8d6e3f",
    }
    for joint in simulation.model.joint_order:
        point = _joint_point(simulation, joint)
        for name in (joint.body_a, joint.body_b):
            if name == "frame":
                _line(axis, here[name] - shift, point - shift, "#c9c2b8", 0.7)
            elif name in here and np.linalg.norm(here[name] - point) > 1e-6:
                _line(axis, here[name] - shift, point - shift, colours[_group(name)], 2.0)
        axis.scatter(*(point - shift), s=6, color="black", depthshade=False)
    for name, centre in here.items():
        mass = next(b.mass for b in mechanism.bodies if b.name == name)
        axis.scatter(
            *(centre - shift),
            s=5.0 * mass ** (1.0 / 2.0),
            color=colours[_group(name)],
            alpha=0.7,
            depthshade=False,
        )
    readings = vehicle.wheel_readings(simulation)
    for wheel in mechanism.wheels:
        _wheel(axis, simulation, wheel, shift)
        centre = here[wheel.body] - shift
        reading = readings[wheel.name]
        foot = centre - np.array([0.0, 0.0, wheel.radius])
        scale = 1e-4
        axis.quiver(*foot, 0, 0, scale * reading.load, color="#1a7f37", linewidth=1.6)
        axis.quiver(*foot, scale * reading.traction, 0, 0, color="#d81b60", linewidth=1.6)
    axis.computed_zorder = False  # draw the ground first, then in the order of the calls
    axis.set_box_aspect((4.6, 2.6, 1.6), zoom=0.9)
    axis.set_xlim(-2.3, 2.3)
    axis.set_ylim(-1.3, 1.3)
    axis.set_zlim(-0.05, 1.55)
    axis.view_init(elev=24.0, azim=-118.0)
    axis.set_axis_off()
    figure.legend(
        handles=[Patch(color=c, label=n) for n, c in colours.items()]
        + [
            Patch(color="#1a7f37", label="normal force (1 m = 10 kN)"),
            Patch(color="#d81b60", label="traction"),
        ],
        fontsize=9,
        loc="upper left",
        frameon=False,
    )
    figure.suptitle(
        f"{mechanism.name}: {len(here)} bodies (spots, by mass), {len(simulation.model.joint_order)} "
        "joints (dots); ground in squares of 0.5 m",
        fontsize=10,
        x=0.6,
    )
    return save(figure, path, dpi=110)


def _ground(axis) -> None:
    """Draw the ground plane as squares of 0.5 m."""
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    x, y = 2.5, 1.5
    axis.add_collection3d(
        Poly3DCollection(
            [[(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)]], facecolor="#e9dfcf", alpha=0.5
        )
    )
    across = [[(a, -y, 0), (a, y, 0)] for a in np.arange(-x, x + 0.1, 0.5)]
    along = [[(-x, b, 0), (x, b, 0)] for b in np.arange(-y, y + 0.1, 0.5)]
    axis.add_collection3d(Line3DCollection(across + along, colors="#d8cdb8", linewidths=0.6, zorder=-1))


def _group(body: str) -> str:
    for group, words in (
        ("wheel", ("wheel",)),
        ("steering", ("steering", "rack")),
        ("suspension", ("arm", "upright", "tie rod", "damper")),
        ("body", ("frame", "cab")),
    ):
        if any(body.endswith(w) or body.startswith(w) or w in body.split("_")[-1] for w in words):
            return group
    return "driveline"


def _joint_point(simulation: bodies.Simulation, joint) -> np.ndarray:
    """Present position of a joint: its point on body_b, or on body_a if body_b is the ground."""
    mechanism = simulation.model.mechanism
    body = next(b for b in mechanism.bodies if b.name in (joint.body_b, joint.body_a))
    turn = quaternion_matrix(simulation.quaternion(body.name)) @ quaternion_matrix(body.orientation).T
    return simulation.position(body.name) + turn @ (np.array(joint.position) - body.position)


def _line(axis, a, b, colour: str, width: float) -> None:
    axis.plot(*np.transpose([a, b]), color=colour, linewidth=width, solid_capstyle="round")


def _wheel(axis, simulation: bodies.Simulation, wheel, shift: np.ndarray) -> None:
    """Draw the tread of a tyre and its two edges."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    body = next(b for b in simulation.model.mechanism.bodies if b.name == wheel.body)
    R = quaternion_matrix(simulation.quaternion(wheel.body)) @ quaternion_matrix(body.orientation).T
    spin = R @ np.array(wheel.spin_axis)
    one = np.cross(spin, [0.0, 0.0, 1.0])
    one /= np.linalg.norm(one)
    two = np.cross(spin, one)
    t = np.linspace(0.0, 2.0 * np.pi, 60)
    centre = simulation.position(wheel.body) - shift
    rings = []
    for side in (-0.5, 0.5):
        ring = (
            centre[:, None]
            + wheel.radius * (one[:, None] * np.cos(t) + two[:, None] * np.sin(t))
            + side * wheel.width * spin[:, None]
        )
        axis.plot(*ring, color="#444444", linewidth=1.0)
        rings.append(ring.T)
    tread = [[rings[0][k], rings[0][k + 1], rings[1][k + 1], rings[1][k]] for k in range(len(t) - 1)]
    axis.add_collection3d(Poly3DCollection(tread, facecolor="#444444", alpha=0.18))
