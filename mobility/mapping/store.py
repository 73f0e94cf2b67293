"""Folder of a map in progress: its job, its tiles as chunks of Zarr arrays, marks of finished tiles.

A mark is a file with the hashes of a finished tile, written after the tile; each file is first written
under a temporary name and then renamed. An interrupted computation therefore continues with the tiles
without marks.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from mlcp.neighbours import need
from mlcp.writing import written

from ..kernels.tables import Odds, SurfaceArrays
from .layers import LAYERS
from .rasters import Inputs
from .tiles import Job, tile

ABOUT, NUMBERS, TILES, DONE = "job.json", "job.npz", "tiles.zarr", "done"
VERSION = 3  # version of the tiles' bytes
BLOCK = 1 << 22  # number of bytes read at once for a hash
PACKING: dict[str, Any] = {"cname": "lz4", "clevel": 1}  # fast compression


def need_zarr() -> Any:
    """Import the module zarr.

    Raises:
        ModuleNotFoundError: it is not installed, with the command for its installation.
    """
    return need("zarr", "a map", "mobility")


def fill(kind: Any) -> Any:
    """Value for "no data" of a data type: 0 for codes, nan for floats."""
    return 0 if np.dtype(kind) == np.uint8 else np.nan


def write_file(path: Path, data: bytes) -> None:
    """Write a file completely or not at all.

    Raises:
        OSError: a file that cannot be written, or a full disk; names the file.
    """
    with written(path) as place:
        place.write_bytes(data)


def digest_of(path: Path) -> str:
    """SHA-256 of a file."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _about(job: Job, arrays: dict[str, np.ndarray], vehicle: str) -> dict[str, Any]:
    """Description of everything that determines the bytes of the map, as text and hashes."""
    numbers = hashlib.sha256()
    for name in sorted(arrays):
        numbers.update(name.encode() + arrays[name].tobytes())
    given = job.inputs
    files = {
        name: str(Path(path).resolve())
        for name in ("soil", "dem", "moisture", "land", "classes")
        if (path := getattr(given, name)) is not None
    }
    return {
        "vehicle": vehicle,
        "files": files,
        "hashes": {name: digest_of(Path(path)) for name, path in files.items()},
        "unit": given.unit,
        "wetness": given.wetness,
        "limits": {str(code): limit for code, limit in sorted(given.limits.items())},
        "tile": job.size,
        "cells": list(given.grid.shape),
        "numbers": numbers.hexdigest(),
        "version": VERSION,
    }


def make_writable_folder(folder: Path) -> None:
    """Make a folder, and check that it can be written.

    Raises:
        ValueError: the path is a file.
        OSError: a folder that cannot be written; nothing is made then.
    """
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file; give a folder for the map")
    try:
        (folder / DONE).mkdir(parents=True, exist_ok=True)
        write_file(folder / DONE / ".room", b"")
        (folder / DONE / ".room").unlink()
    except OSError as error:
        raise OSError(f"{folder} cannot be written: {error.strerror}") from None


def create(folder: Path, job: Job, vehicle: str) -> None:
    """Make the folder of a job, or check the existing one of an interrupted computation.

    Raises:
        ValueError: the folder of another job, naming the difference, or a damaged one.
        OSError: a folder that cannot be written.
        ModuleNotFoundError: zarr is not installed.
    """
    need_zarr()
    arrays = {f"table_{k}": np.asarray(v) for k, v in job.table._asdict().items()}
    arrays |= {f"odds_{k}": np.asarray(v) for k, v in job.odds._asdict().items()}
    about = _about(job, arrays, vehicle)
    (folder / DONE).mkdir(parents=True, exist_ok=True)
    there = folder / ABOUT
    if there.exists():
        try:
            old = dict(json.loads(there.read_text(encoding="utf-8")))
        except (ValueError, TypeError):
            raise ValueError(f"{there} is damaged; take another folder, or delete this one") from None
        names = {
            "numbers": "vehicle's numbers or errors",
            "files": "places of files",
            "hashes": "rasters",
        }
        other = [names.get(k, k) for k in about if k != "files" and old.get(k) != about[k]]
        if other:
            raise ValueError(
                f"{folder} holds another map (other {', '.join(other)}); take another folder, or "
                "delete it"
            )
    packed = io.BytesIO()
    np.savez(packed, allow_pickle=False, **arrays)
    _renew(folder / NUMBERS, packed.getvalue())
    _create_arrays(folder / TILES, job)
    _renew(there, json.dumps(about, indent=1).encode())


def _renew(path: Path, data: bytes) -> None:
    """Write a file unless it has these contents already."""
    if not path.is_file() or path.read_bytes() != data:
        write_file(path, data)


def _create_arrays(store: Path, job: Job) -> None:
    """Make the Zarr arrays of the layers, or check the existing ones.

    Raises:
        ValueError: a damaged description of the arrays.
        OSError: arrays that cannot be read or written.
    """
    zarr = need_zarr()
    shape, chunks = job.inputs.grid.shape, (job.size, job.size)
    packing = zarr.codecs.BloscCodec(**PACKING, shuffle="shuffle")
    for name, layer in LAYERS.items():
        given: dict[str, Any] = {
            "shape": shape,
            "chunks": chunks,
            "dtype": np.dtype(layer.kind),
            "dimension_names": ("y", "x"),
            "fill_value": fill(layer.kind),
            "compressors": packing,
            "attributes": {"units": layer.unit, "long_name": layer.legend},
        }
        try:
            group = zarr.open_group(store, mode="a")
            if name not in group:
                group.create_array(name, **given)
            right = _same(group[name], zarr.create_array({}, **given))
        except (PermissionError, FileExistsError, NotADirectoryError) as error:
            raise OSError(f"{store} cannot be read and written: {error.strerror}") from None
        except Exception:  # any exception of Zarr
            right = False
        if not right:
            raise ValueError(
                f"{store} is damaged: its zarr.json or that of {name!r} cannot be read or is not this "
                "map's; delete that folder and run again, its tiles will be made anew"
            )


def _same(array: Any, other: Any) -> bool:
    """Whether two Zarr arrays have the same description."""
    mine, its = (
        json.dumps(one.metadata.to_dict(), sort_keys=True, default=str) for one in (array, other)
    )
    return mine == its


def load(folder: Path) -> Job:
    """Read the job (all data that determine a map) from its folder."""
    about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    with np.load(folder / NUMBERS, allow_pickle=False) as file:
        kept = dict(file)
    table = SurfaceArrays(*(kept[f"table_{name}"] for name in SurfaceArrays._fields))
    odds = Odds(*(kept[f"odds_{name}"] for name in Odds._fields))
    files = {name: Path(path) for name, path in about["files"].items()}
    limits = {int(code): limit for code, limit in about["limits"].items()}
    inputs = Inputs(**files, unit=about["unit"], wetness=about["wetness"], limits=limits)
    return Job(table, odds, inputs, about["tile"])


@functools.lru_cache(maxsize=2)
def _opened(folder: str, _written: int) -> Job:
    return load(Path(folder))


def make_tile(folder: str, row: int, column: int) -> str:
    """Compute a tile and write its chunks and mark; runs in a worker. Returns the mark's name."""
    job = _opened(folder, (Path(folder) / ABOUT).stat().st_mtime_ns)
    hashes = {}
    for name, layer in tile(job, row, column).items():
        chunk = (
            Path(folder) / TILES / name / "c" / str(row) / str(column)
        )  # path of a chunk in Zarr's format 3
        chunk.parent.mkdir(parents=True, exist_ok=True)
        hashes[name] = hashlib.sha256(layer.data).hexdigest()
        write_file(chunk, _packed(layer, job.size))
    mark = mark_of(row, column)
    write_file(Path(folder) / DONE / mark, json.dumps(hashes).encode())
    return mark


def _packed(layer: np.ndarray, size: int) -> bytes:
    """Bytes of a chunk as written by Zarr, in half of Zarr's time and without its threads."""
    import numcodecs

    if layer.shape != (size, size):  # smaller tile at the edge: fill up the chunk
        whole = np.full((size, size), fill(layer.dtype), layer.dtype)
        whole[: layer.shape[0], : layer.shape[1]] = layer
        layer = whole
    return numcodecs.Blosc(**PACKING, shuffle=numcodecs.Blosc.SHUFFLE).encode(layer)


def unmarked_tiles(folder: Path, job: Job) -> list[tuple[int, int]]:
    """Tiles without a mark, in order."""
    done = {path.name for path in (folder / DONE).iterdir()}
    return [place for place in job.tiles if mark_of(*place) not in done]


def layer_of(folder: Path, name: str) -> Any:
    """Zarr array of a layer."""
    return need_zarr().open_group(folder / TILES, mode="r")[name]


def damaged(folder: Path, job: Job, name: str) -> list[tuple[int, int]]:
    """Tiles of a layer whose hash differs from that in the tile's mark."""
    array = layer_of(folder, name)
    return [place for place in job.tiles if _hash(array, job, place) != _marked(folder, name, place)]


def _hash(array: Any, job: Job, place: tuple[int, int]) -> str:
    """SHA-256 of a layer's tile; "" for a chunk that cannot be decompressed."""
    try:
        return hashlib.sha256(np.ascontiguousarray(array[job.window(*place)]).data).hexdigest()
    except Exception:  # any exception of Zarr and its compressor
        return ""


def _marked(folder: Path, name: str, place: tuple[int, int]) -> str | None:
    """Hash of a layer in a tile's mark; None for a missing or damaged mark."""
    try:
        return json.loads((folder / DONE / mark_of(*place)).read_text(encoding="utf-8"))[name]
    except (OSError, ValueError, TypeError, KeyError):
        return None


def undo(folder: Path, places: Iterable[tuple[int, int]]) -> None:
    """Remove the marks of tiles, which are then computed again."""
    for place in places:
        (folder / DONE / mark_of(*place)).unlink(missing_ok=True)


def mark_of(row: int, column: int) -> str:
    """File name of a tile's mark."""
    return f"{row}_{column}"
