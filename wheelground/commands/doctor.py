"""``wheelground doctor``: installed packages, compiler, cache of compiled code."""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from .. import __version__
from ..reports.cli import console

NEEDED = ("numpy", "scipy", "numba", "llvmlite", "osqp", "cvxpy", "matplotlib", "rich", "cyclopts")
PACKAGES = ("mlcp", "contact", "bodies", "identify", "rig", "mobility", "wheelground")


@dataclass(frozen=True)
class Extra:
    """Optional group of packages: name in ``pip install 'wheelground[NAME]'``, modules, features."""

    name: str
    modules: tuple[str, ...]
    gives: str

    @property
    def absent(self) -> list[str]:
        """Names of the group's modules that are not installed."""
        return [name for name in self.modules if importlib.util.find_spec(name) is None]


EXTRAS = (
    Extra("view", ("viser", "trimesh"), "the viewer in the browser, offline pages, GLB"),
    Extra("video", ("imageio", "imageio_ffmpeg"), "MP4 (GIF needs nothing more)"),
    Extra("data", ("pandas", "pyarrow", "xarray", "zarr"), "to_dataframe, to_parquet, sweeps on disk"),
    Extra("terrain", ("rasterio",), "height fields from GeoTIFF"),
    Extra("mobility", ("rasterio", "zarr", "dask", "distributed"), "mobility maps from GeoTIFF"),
    Extra("mujoco", ("mujoco",), "wheels and vehicles in MuJoCo"),
    Extra("pinocchio", ("pinocchio",), "wheels in Pinocchio"),
    Extra("drake", ("pydrake",), "wheels in Drake"),
    Extra("exudyn", ("exudyn",), "wheels in Exudyn"),
    Extra("can", ("can", "cantools"), "a rig on a CAN bus"),
    Extra("gnss", ("pynmeagps", "pymap3d"), "NMEA 0183 and geodesy"),
    Extra("serial", ("serial",), "NMEA 0183 and AgOpenGPS on a serial line"),
    Extra("live", ("websockets", "viser"), "the cockpit in the browser, with its scene"),
    Extra("log", ("mcap",), "journals of what entered a rig"),
    Extra("identify", ("asammdf", "mcap", "rosbags"), "logs of drives: MF4, MCAP, ROS 2 bags"),
    Extra("fmi", ("pythonfmu3", "pythonfmu", "fmpy"), "co-simulation units"),
    Extra(
        "peers",
        ("clarabel", "daqp", "piqp", "proxsuite", "quadprog", "quantecon"),
        "solvers to compare with",
    ),
    Extra("notebooks", ("jupyterlab", "nbclient", "ipykernel"), "running the examples' notebooks"),
    Extra("docs", ("sphinx", "myst_parser", "furo"), "building this documentation"),
)


def doctor() -> int:
    """Versions, compiler, cache, threads, installed extras, and commands that install the others.

    Ends with code 1 if something that every run needs is missing.
    """
    from rich.table import Table

    screen = console()
    facts, sound = _facts()
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for name, text in facts:
        table.add_row(f"[bold]{name}[/]", text)
    screen.print(table)
    extras = Table(box=None, padding=(0, 2, 0, 0), title="extras", title_justify="left")
    for heading in ("name", "", "gives"):
        extras.add_column(heading)
    extras.add_column("how to get it", no_wrap=True)  # so that users can copy whole commands
    for extra in EXTRAS:
        lacking = extra.absent
        state = "[green]installed[/]" if not lacking else "not installed"
        how = f"pip install 'wheelground\\[{extra.name}]'" if lacking else ""
        part = f" (lacks {', '.join(lacking)})" if 0 < len(lacking) < len(extra.modules) else ""
        extras.add_row(extra.name, state + part, extra.gives, how)
    screen.print(extras)
    return 0 if sound else 1


def _facts() -> tuple[list[tuple[str, str]], bool]:
    """(name, text) of all findings, and whether every requirement of a run is met."""
    versions, sound = [], True
    for name in NEEDED:
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            versions.append(f"[red]{name} is missing: pip install {name}[/]")
            sound = False
    found = [("wheelground", f"{__version__}, in {Path(__file__).resolve().parents[2]}")]
    found.append(("Python", f"{platform.python_version()}, {sys.executable}"))
    found.append(("machine", f"{platform.system()} {platform.machine()}, {platform.platform()}"))
    found.append(("packages", ", ".join(versions)))
    if sound:
        found += _compiler()
    found.append(("threads", _threads()))
    return found, sound


def _compiler() -> list[tuple[str, str]]:
    """Compiler of the kernels, and folder of the machine code, as texts."""
    from numba import config

    from mlcp.compiled.backend import COMPILER
    from mlcp.compiled.machine_code import processor

    compilers = {"quick": "quick (WHEELGROUND_COMPILER=stock takes Numba's own)", "stock": "Numba's own"}
    state = "switched off (NUMBA_DISABLE_JIT)" if vars(config)["DISABLE_JIT"] else compilers[COMPILER]
    return [("compiler", f"{processor()}; {state}"), ("cache", _cache())]


def _cache() -> str:
    """Folders of compiled code, their size, and whether they can be written."""
    from numba import config

    home = Path(__file__).resolve().parents[2]
    chosen: str = vars(config)["CACHE_DIR"]
    own = Path(chosen) if chosen else None
    folders = [own] if own else [home / name for name in PACKAGES]
    files = [path for folder in folders for path in folder.rglob("*.nb[ci]") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 1e6
    writable = all(os.access(folder, os.W_OK) for folder in folders if folder.exists())
    where = f"{own} (NUMBA_CACHE_DIR)" if own else "beside the packages"
    state = "" if writable else "; it cannot be written: set NUMBA_CACHE_DIR to a folder of your own"
    return f"{len(files)} files of compiled code, {size:.1f} MB, {where}{state}"


def _threads() -> str:
    """Text with the number of usable processors, and limits of environment variables on threads."""
    from mlcp.cores import cores

    usable = cores()
    limits = [
        f"{name}={os.environ[name]}"
        for name in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        if name in os.environ
    ]
    return f"{usable} of {os.cpu_count()} processors; {', '.join(limits) or 'no limits set'}"
