"""Drawn tractor and cart for planar chassis, which have no bodies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bodies.view import meshes
from bodies.view.meshes import Mesh
from bodies.view.shapes import HULL, RIM, TYRE, DrawnPart

from ...gnss.receiver import rotation

Array = NDArray[np.float64]
GREEN, DARK, WOOD = (64, 112, 76), (52, 58, 60), (176, 132, 84)
#: Radius and width of rear, front and cart wheels, over the wheelbase.
REAR, FRONT, CART = (0.29, 0.17), (0.2, 0.12), (0.19, 0.13)
HULL_NAME, CART_NAME = "hull", "cart"


def _wheel(size: tuple[float, float], scale: float) -> list[DrawnPart]:
    """Parts of a wheel at the origin, axis along y; ``size``: radius and width over ``scale``."""
    radius, width = size[0] * scale, size[1] * scale
    axes = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])  # turn the axis from z to y
    rubber = meshes.join([meshes.tyre(radius, width), meshes.lugs(radius, width, 18)])
    parts = ((rubber, TYRE), (meshes.rim(radius, width), RIM))
    return [DrawnPart(meshes.placed(mesh, axes=axes), colour) for mesh, colour in parts]


def _box(size: tuple[float, ...], centre: tuple[float, ...], scale: float) -> Mesh:
    return meshes.placed(meshes.box(scale * np.array(size), 0.02 * scale), scale * np.array(centre))


class Tractor:
    """Bodies of a tractor, and of a cart behind it if there is an implement.

    Arguments:
        wheelbase, track: distance between the axles, and between left and right wheels [m].
        drawbar: distance from the cart's axle to its hitch [m]; 0: no cart.
    """

    def __init__(self, wheelbase: float, track: float, drawbar: float = 0.0) -> None:
        self.wheelbase: float = wheelbase
        s = wheelbase
        self.track = track
        side = 0.5 * track
        self._wheels: list[tuple[str, Array, float, bool]] = []
        for name, x, (radius, _), steered in (
            ("rear", 0.0, REAR, False),
            ("front", s, FRONT, True),
        ):
            for k, word in ((1.0, "left"), (-1.0, "right")):
                at = np.array([x, k * side, radius * s])
                self._wheels.append((f"{name} {word} wheel", at, radius * s, steered))
        axle = [
            meshes.rod((x, -side, z * s), (x, side, z * s), 0.03 * s)
            for x, z in ((0.0, REAR[0]), (s, FRONT[0]))
        ]
        bonnet = meshes.join(
            [
                _box((0.75, 0.26, 0.26), (0.78, 0.0, 0.45), s),
                _box((0.16, 0.34, 0.12), (1.06, 0.0, 0.34), s),
                *(_box((0.42, 0.15, 0.04), (0.0, k * side / s, 2.1 * REAR[0]), s) for k in (1.0, -1.0)),
                _box((0.62, 0.42, 0.34), (0.1, 0.0, 0.42), s),
                _box((0.56, 0.5, 0.03), (0.12, 0.0, 1.0), s),
            ]
        )
        posts = [
            meshes.rod((x * s, y * s, 0.58 * s), (x * s, y * s, 1.0 * s), 0.016 * s)
            for x in (-0.12, 0.36)
            for y in (-0.2, 0.2)
        ]
        under = meshes.join([*axle, *posts, _box((1.0, 0.14, 0.14), (0.5, 0.0, 0.3), s)])
        glass = _box((0.48, 0.42, 0.4), (0.12, 0.0, 0.79), s)
        self.bodies: dict[str, list[DrawnPart]] = {
            HULL_NAME: [DrawnPart(bonnet, GREEN), DrawnPart(under, DARK), DrawnPart(glass, HULL, 0.3)]
        }
        for name, _, _, steered in self._wheels:
            self.bodies[name] = _wheel(FRONT if steered else REAR, s)
        self._cart = drawbar > 0.0
        if self._cart:
            tyres = [
                DrawnPart(meshes.placed(p.mesh, (0.0, k * side, CART[0] * s)), p.colour)
                for k in (1.0, -1.0)
                for p in _wheel(CART, s)
            ]
            bar = meshes.rod((0.0, 0.0, 0.22 * s), (drawbar, 0.0, 0.22 * s), 0.03 * s)
            box = _box((1.1, 0.62, 0.34), (0.0, 0.0, 0.5), s)
            axle_mesh = meshes.rod((0.0, -side, CART[0] * s), (0.0, side, CART[0] * s), 0.03 * s)
            self.bodies[CART_NAME] = [
                DrawnPart(box, WOOD),
                DrawnPart(meshes.join([bar, axle_mesh]), DARK),
                *tyres,
            ]

    def poses(
        self, position: Array, attitude: Array, steer: float, rolled: float,
        cart: tuple[Array, float] | None = None,
    ) -> tuple[Array, Array]:  # fmt: skip
        """Poses of all bodies: positions (bodies, 3) [m] and quaternions (bodies, 4).

        Arguments:
            position, attitude: reference point (middle of the rear axle on the ground) [m], and roll,
                pitch, yaw [rad].
            steer: steer angle of the bicycle [rad].
            rolled: driven distance, which turns the wheels [m].
            cart: middle of the cart's axle on the ground [m], and its heading [rad].
        """
        turned = rotation(*(float(a) for a in attitude))
        x, q = [position], [turned]
        curvature = np.tan(steer) / self.wheelbase
        for _, at, radius, steered in self._wheels:
            angle = np.arctan2(self.wheelbase * curvature, 1.0 - curvature * at[1]) if steered else 0.0
            x.append(position + turned @ at)
            q.append(turned @ rotation(0.0, 0.0, angle) @ rotation(0.0, rolled / radius, 0.0))
        if self._cart:
            where, heading = cart or (position, 0.0)
            x.append(where)
            q.append(rotation(float(attitude[0]), float(attitude[1]), heading))
        return np.array(x), np.array([quaternion(each) for each in q])


def quaternion(turned: Array) -> Array:
    """Quaternion of a rotation matrix, w first."""
    from bodies.mjcf.geometry import quaternion_of

    return np.asarray(quaternion_of(turned), float)
