"""Tracks of a run on the map, as GeoJSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from contact.terrain import MapPlace
from mlcp.writing import write_text

from .. import checks


def place_of(mechanism: Any) -> MapPlace:
    """Map position of the ground under a mechanism's wheels.

    Raises:
        MechanismError: no ground of a wheel has a map position.
    """
    for wheel in mechanism.wheels:
        soil_map = getattr(wheel.ground, "soil_map", None)
        for of in (wheel.ground, getattr(soil_map, "strength", None)):
            place = getattr(of, "map_place", None)
            if place is not None:
                return place
    raise checks.MechanismError(
        f"{mechanism.name!r}: no wheel's ground has a place on a map; heights or cone indices from "
        "a GeoTIFF have one."
    )


def write_track(run: Any, path: str | Path, *names: str) -> None:
    """Write the tracks of bodies and wheels' contact points, see :meth:`bodies.Trajectory.to_geojson`.

    The lines are those of RFC 7946; the times [s] of their points are a property of each.
    """
    mechanism = run.model.mechanism
    place, features = place_of(mechanism), []
    wheels = {wheel.name for wheel in mechanism.wheels}
    for name in names or (mechanism.heaviest.name,):
        track = run.wheel(name).contact_point if name in wheels else run.position(name)
        try:
            longitude, latitude = place.to_degrees(track[:, 0], track[:, 1])
        except ValueError as error:
            raise checks.MechanismError(f"{mechanism.name!r}: {error}") from None
        points = np.stack([longitude, latitude, track[:, 2]], axis=1).tolist()
        features.append(
            {
                "type": "Feature",
                "geometry": {"type": "LineString", "coordinates": points},
                "properties": {"name": name, "time_s": run.time.tolist()},
            }
        )
    text = json.dumps({"type": "FeatureCollection", "features": features}, allow_nan=False)
    write_text(path, text + "\n")
