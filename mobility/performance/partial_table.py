"""A vehicle's table in progress: its finished parts, in memory and in a file."""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import time
import zipfile
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np

from bodies.progress import Progress
from mlcp.writing import make_folder, written

from ..vehicles.vehicle import LumpedVehicle
from .limits import Driver

SAVING_INTERVAL = 1.0  # shortest time between two writes of the file [s]
ROOT = Path(__file__).resolve().parents[2]


def tables_folder() -> Path:
    """Folder for the tables of vehicles, in the user's folder for caches."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "wheelground" / "tables"


@functools.cache
def _sources() -> bytes:
    """Hash of the source files that determine a table: those of ``mobility`` and ``contact``."""
    digest = hashlib.sha256()
    for package in ("contact", "mobility"):
        for path in sorted((ROOT / package).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.digest()


def key_of(
    vehicle: LumpedVehicle, driver: Driver, strengths: tuple[float, float], *settings: Any
) -> str:
    """Hash of everything that determines a table: vehicle, law, driver, settings, sources."""
    record = vehicle.numbers()
    soils = vehicle.soils(np.geomspace(*strengths, 33))
    digest = hashlib.sha256(_sources())
    for array in (record.F, record.N, soils, *(a for g in vehicle.gears for a in (g.speed, g.torque))):
        digest.update(np.ascontiguousarray(array).tobytes())
    law = vehicle.contact.ground_law.number
    digest.update(repr((law, vehicle.drag_area, astuple(driver), strengths, settings)).encode())
    return digest.hexdigest()[:24]


class PartialTable:
    """Finished parts of a table by name; a file stores them for the next call.

    Arguments:
        name: name of the vehicle. path: file of the parts; None: in memory only.

    A damaged or foreign file is ignored and replaced.
    """

    def __init__(self, name: str, path: Path | None = None) -> None:
        self.path: Path | None = path
        self.parts: dict[str, np.ndarray] = {}
        self._saved = time.perf_counter()
        self._progress = Progress(f"table of {name}", 100, "%")
        if path is not None and path.is_file():
            try:
                with np.load(path, allow_pickle=False) as file:
                    self.parts = dict(file)
            except (OSError, ValueError, KeyError, zipfile.BadZipFile):
                self.parts = {}

    def part(self, name: str, compute: Callable[[], np.ndarray]) -> np.ndarray:
        """Part by its name; a missing one is computed and stored."""
        if name not in self.parts:
            self.keep(**{name: compute()})
        return self.parts[name]

    def keep(self, **parts: np.ndarray) -> None:
        """Add finished parts, and write the file at most every ``SAVING_INTERVAL``."""
        self.parts |= parts
        if time.perf_counter() - self._saved > SAVING_INTERVAL:
            self.save()

    def at(self, percent: float) -> None:
        """Report the progress [%]."""
        self._progress.at(percent)

    def save(self) -> None:
        """Write the file; if this fails, the table stays in memory only."""
        self._saved = time.perf_counter()
        if self.path is None:
            return
        try:
            make_folder(self.path.parent)
            with written(self.path) as place, open(place, "wb") as file:
                np.savez(file, allow_pickle=False, **self.parts)
        except OSError:
            self.path = None

    def end(self) -> None:
        """End the computation, also an interrupted one: write the file, erase the progress line."""
        self.save()
        self._progress.end()
