"""Load car: the load of a tractor in a drawbar test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from ...forces import JointSpring, PointForce
from ...joints import Motor
from ...kinds import Length, Name, Point, Positive, Words
from ..elements import FORWARD
from ..part import Assembly, Part, Piece


@dataclass(frozen=True, kw_only=True)
class LoadCar(Part):
    """A car on a straight rail, connected to the hitch by a massless, level drawbar.

    The drawbar's tension is the pull, see :meth:`bodies.Trajectory.tractive_performance`. The car moves
    along the vehicle's initial heading (5 constraint rows), for tests straight ahead on level ground.
    The drawbar (1 row) ends on a damped slide across the car (5 rows), so that the direction of the pull
    is constant if the vehicle drifts laterally.

    Arguments:
        towing: name of the towing body. hitch: hitch point [m], axes of the vehicle.
        length: length of the drawbar [m].
        load: "pull": the control "pull" is a retarding force on the car [N] at any speed; "speed":
            the control "load_speed" is the car's speed [m/s], with a force up to ``force_limit``.
        force_limit: largest force of the speed control [N].
        body: the car, with its centre at the end of the drawbar; the slide has a tenth of its mass.
    """

    towing: Name = "frame"
    hitch: Point
    length: Length = 3.0
    load: Annotated[str, Words(("pull", "speed"))] = "pull"
    force_limit: Positive = 1e6
    body: Piece

    remote: ClassVar[bool] = True

    def build(self, to: Assembly) -> None:
        place = to.at((self.hitch[0] - self.length, *self.hitch[1:]))
        car = to.placed("load car", self.body, place)
        tenth = tuple((0.1 * np.array(self.body.inertia)).tolist())
        light = Piece(mass=0.1 * self.body.mass, inertia=tenth, reason="follows sideways")
        slide = to.body("load car slide", light, place)
        to.slide("load car rail", "ground", car, place, FORWARD)
        to.slide("load car across", car, slide, place)
        to.add(JointSpring(name="load car damper", joint="load car across", damping=1e3))  # [N s/m]
        to.rod("drawbar", self.towing, slide, to.at(self.hitch), place)
        if self.load == "pull":
            to.add(
                PointForce(
                    name="load",
                    body=car,
                    position=place,
                    direction=(-1.0, 0.0, 0.0),
                    effort=to.control("pull"),
                )
            )
        else:
            to.add(
                Motor(
                    name="load",
                    joint="load car rail",
                    target=to.control("load_speed"),
                    max_effort=self.force_limit,
                )
            )
