"""Offline page of a run for any browser, and GLB file of a pose."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mlcp.neighbours import need
from mlcp.writing import write_text

from .. import checks
from ..body import GROUND
from ..checks import checked
from ..frames import quaternion_matrix
from ..running.trajectory import Trajectory
from .poses import poses_at
from .shapes import DrawnPart, fixed_shapes, shapes_of, struts_of
from .soil_colours import as_html, legend_of
from .surfaces import grounds

RATE = 30  # poses per second in the page
Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])  # from z up to glTF's y up


@checked
def save_html(
    run: Trajectory, path: str | Path, *, rate: float = RATE, follow: str | None = None
) -> Path:
    """Write a run as one HTML file with a player, which needs no network (extra ``view``).

    Arguments:
        run: trajectory of :func:`bodies.simulate`.
        path: file to write.
        rate: poses per second [1/s].
        follow: body in the centre; default: the heaviest body if it travels more than 5 m; "": none.

    Returns:
        The path.

    Raises:
        ImportError: viser is not installed; the message names the pip command.
        UnknownName: no such body. MechanismError: a rate out of range.
    """
    from .viewer import Viewer

    rate = checks.number("save_html", "rate [1/s]", rate, 0.1, 240.0)
    viewer = Viewer(run, port=0, follow=follow)
    try:
        serializer = viewer.server.get_scene_serializer()
        times = np.arange(run.time[0], run.time[-1] + 0.5 / rate, 1.0 / rate)
        for time in np.minimum(times, run.time[-1]):
            viewer.scene.draw(float(time))
            serializer.insert_sleep(1.0 / rate)
        page = serializer.as_html()
    finally:
        viewer.close()
    if legend := legend_of(grounds(run.model.mechanism)):
        corner = "position: fixed; z-index: 100; top: 1em; right: 1em; padding: 0.6em; background: #fffc"
        head, body, tail = page.rpartition("</body>")
        page = f"{head}<div style='{corner}'>{as_html(legend)}</div>{body}{tail}"
    write_text(path, page)
    return Path(path)


@checked
def save_glb(run: Trajectory, path: str | Path, time: float = 0.0) -> Path:
    """Write the pose of the bodies at a time as a GLB file (extra ``view``).

    Each mesh is a node: of a body's meshes the first has the body's name; springs and cylinders are
    "strut 0", ...; looks on the ground are "ground", "ground 1", ... Grounds are left out.

    Arguments:
        run: trajectory of :func:`bodies.simulate`.
        path: file to write, in glTF's axes with y up.
        time: time of the pose [s], clamped to the run.

    Returns:
        The path.

    Raises:
        ImportError: trimesh is not installed; the message names the pip command.
    """
    trimesh = need("trimesh", "save_glb", "view")
    x, q = poses_at(run, checks.number("save_glb", "time [s]", time))
    turns, scene = [quaternion_matrix(each) for each in q], trimesh.Scene()

    def add(name: str, part: DrawnPart, at: np.ndarray, axes: np.ndarray) -> None:
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = Y_UP @ axes, Y_UP @ at
        opacity = 255 if part.opacity is None else round(255 * part.opacity)
        material = trimesh.visual.material.PBRMaterial(
            baseColorFactor=(*part.colour, opacity),
            metallicFactor=0.1,
            roughnessFactor=0.7,
            alphaMode="BLEND" if opacity < 255 else "OPAQUE",
        )
        mesh = trimesh.Trimesh(part.mesh.vertices, part.mesh.faces, process=False)
        mesh.visual = trimesh.visual.TextureVisuals(material=material)
        scene.add_geometry(mesh, node_name=name, transform=pose)

    drawn = [*shapes_of(run.model).items(), (GROUND, fixed_shapes(run.model))]
    poses = [*zip(x, turns, strict=True), (np.zeros(3), np.eye(3))]
    for (name, parts), (at, axes) in zip(drawn, poses, strict=True):
        for n, part in enumerate(parts):
            add(f"{name} {n}" if n else name, part, at, axes)
    for k, strut in enumerate(struts_of(run.model)):
        at, axes, length = strut.pose(x, turns)
        add(f"strut {k}", DrawnPart(strut.mesh, strut.colour), at, axes * (1.0, 1.0, length))
    scene.export(path, file_type="glb")
    return Path(path)
