"""Mobility map from GeoTIFFs: ``python -m mobility --soil ci.tif --dem dem.tif --out map/``."""

from .command import main

if __name__ == "__main__":
    raise SystemExit(main())
