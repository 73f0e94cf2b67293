"""A map from two GeoTIFFs: ``python -m mobility --soil ci.tif --dem dem.tif --out map/``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .maps import Errors, make_map
from .rasters import PASCALS, Inputs
from .surface import surface
from .vehicle import lumped


def main(words: list[str] | None = None) -> int:
    """Run the command; bad input is one sentence and code 2."""
    parser = argparse.ArgumentParser("python -m mobility", description="Mobility map of a vehicle.")
    parser.add_argument("--soil", type=Path, required=True, help="GeoTIFF of the cone index")
    parser.add_argument("--dem", type=Path, required=True, help="GeoTIFF of the elevation [m]")
    parser.add_argument("--unit", default="kPa", help=f"of the cone index: {', '.join(PASCALS)}")
    parser.add_argument("--vehicle", default="hmmwv_4x4", help="a shipped vehicle, or a file")
    parser.add_argument(
        "--strength-variation", type=float, default=0.15, help="standard deviation / mean"
    )
    parser.add_argument(
        "--slope-error", type=float, default=0.03, help="standard deviation of the tangent"
    )
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="folder for the layers")
    given = parser.parse_args(words)
    try:
        inputs = Inputs(given.soil, given.dem, given.unit)
        errors = Errors(given.strength_variation, given.slope_error)
        table = surface(lumped(given.vehicle))
        found = make_map(table, inputs, given.out, errors, threads=given.threads)
    except (ValueError, OSError, ModuleNotFoundError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    half, most = 3.6 * found["V50"], 3.6 * found["V80"]
    print(f"V50 {half:.1f} km/h, V80 {most:.1f} km/h, NO-GO {found['NO-GO']:.1%}")
    print(f"layers: {given.out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
