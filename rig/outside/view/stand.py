"""Stand of a machine without wheels, such as a backhoe without a carrier."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bodies import Model, Revolute
from bodies.body import GROUND
from bodies.frames import quaternion_matrix
from bodies.view.meshes import Mesh, lathe, placed
from bodies.view.shapes import DrawnPart
from bodies.view.stage import Meshes

#: Outline of the stand: radius [m], and height over that of the whole stand [-].
OUTLINE = ((0, 0), (0.7, 0), (0.7, 0.06), (0.3, 0.12), (0.25, 0.9), (0.9, 0.94), (0.9, 1), (0, 1))
STEEL = (62, 66, 72)


def add_stand(drawn: Meshes, model: Model, poses: NDArray[np.float64], ground: float) -> None:
    """Add a round table on level ground below the first body with a vertical pin on the ground.

    The table is round about the pin, so it appears at rest although it turns with that body.

    Arguments:
        drawn: meshes of the bodies, changed in place.
        model: compiled mechanism.
        poses: positions [m] and quaternions of the bodies, shape (n, 7).
        ground: height of the ground [m].
    """
    for joint in (e for e in model.mechanism.elements if isinstance(e, Revolute)):
        if joint.body_a != GROUND or np.any(np.abs(joint.axis[:2]) > 0.0):
            continue
        pose, parts = poses[model.body_index[joint.body_b]], drawn.bodies[joint.body_b]
        turned = quaternion_matrix(pose[3:])
        top = pose[2] + min((part.mesh.vertices @ turned.T)[:, 2].min() for part in parts)
        if top > ground:
            outline = np.multiply(OUTLINE, (1.0, top - ground))
            stand = placed(lathe(outline), (*joint.position[:2], ground))
            mesh = Mesh((stand.vertices - pose[:3]) @ turned, stand.faces)
            drawn.bodies[joint.body_b] = [*parts, DrawnPart(mesh, STEEL)]
        return
