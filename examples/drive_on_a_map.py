"""A vehicle of one's own file on two GeoTIFFs: heights of the ground, and cone indices by place.

The file has a shipped vehicle as its ``base`` and adds a ``[ground]``. The vehicle's origin has x and y
only: it stands on the ground at this place. Needs ``pip install 'wheelground[terrain]'``.
"""

try:
    import rasterio
except ModuleNotFoundError:
    raise SystemExit("this needs rasterio: pip install 'wheelground[terrain]'") from None

import math
import tempfile
from pathlib import Path

import numpy as np

import bodies
from bodies import Schedule, vehicle

CELLS, CELL = 60, 2.0  # number of cells along each side of the map, side of a cell [m]
PLACE = (20.0, 40.0)  # m, wanted start of the vehicle's origin, from the map's lower left cell
SOFT, FIRM = 200.0, 600.0  # kPa, cone indices at the map's left and right edge

FILE = """
base = "hmmwv_4x4"
name = "on_a_map"
origin_m = [{0}, {1}]

[ground]
type = "geotiff"
path = "heights.tif"
[ground.soil_map]
ground = {{ type = "cone_index_soil", cone_index_Pa = 400e3 }}
strength = {{ type = "cone_index_geotiff", path = "strength.tif", unit = "kPa" }}
"""


def write_map(folder: Path) -> None:
    """Write hills of 1 m amplitude, and a soil firmer from left to right; row 0 is the northern edge."""
    x, y = np.meshgrid(CELL * np.arange(CELLS), CELL * np.arange(CELLS)[::-1])
    layers = {
        "heights": np.sin(2.0 * math.pi * x / 60.0) * np.cos(2.0 * math.pi * y / 80.0),
        "strength": SOFT + (FIRM - SOFT) * x / x.max(),
    }
    north_west = rasterio.transform.from_origin(5e5, 5.8e6, CELL, CELL)
    about = {"width": CELLS, "height": CELLS, "count": 1, "dtype": "float64", "crs": "EPSG:32632"}
    for name, values in layers.items():
        with rasterio.open(folder / f"{name}.tif", "w", "GTiff", transform=north_west, **about) as file:
            file.write(values, 1)


def main() -> float:
    """Return the horizontal distance between the wanted and the actual start of the frame [m]."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        write_map(folder)
        (folder / "on_a_map.toml").write_text(FILE.format(*PLACE))
        controls = {
            "throttle": Schedule(((0.0, 0.0), (0.5, 0.6))),
            "gear": 2,
            "brake": Schedule(((0.0, 1.0), (0.2, 1.0), (0.4, 0.0))),  # brakes on at first
        }
        car = vehicle.load(folder / "on_a_map.toml", controls=controls)
    model = bodies.compile(car)
    described = next(b.position for b in model.mechanism.bodies if b.name == "frame")
    run = bodies.simulate(model, 12.0, 1e-3, record_every=10, state=bodies.equilibrium(model))
    x, y, z = run.position("frame")[[0, -1]].T
    print(f"from ({x[0]:.1f}, {y[0]:.1f}) to ({x[1]:.1f}, {y[1]:.1f}) m, {z[1] - z[0]:+.2f} m in height")
    for k in (200, -1):
        sunk = 1e3 * run.wheel("rear_left").sinkage[k]
        print(f"sinkage {sunk:.0f} mm at x = {run.position('frame')[k, 0]:.0f} m")
    return float(np.hypot(x[0] - described[0], y[0] - described[1]))


if __name__ == "__main__":
    print(f"{1e3 * main():.1f} mm from the asked start")
