"""The folder of a sweep: a Zarr group of complete chunks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlcp.neighbours import need

from . import checks

WHO = "sweep"
# names in the Zarr group: array of marks (1: chunk complete), attribute with the identification of the
# sweep
DONE, JOB = "done", "sweep"
DIMENSION = "sample"


class Folder:
    """Results of a sweep on disk; ``xarray.open_zarr(path)`` reads them at any time.

    A chunk is valid if it is marked; its mark is written last. Every chunk of a column has a checksum;
    every file is written under a temporary name, and is renamed when it is complete.

    Arguments:
        path: path of the folder, which is created if it does not exist.
        job: data that identify the sweep, as JSON.
        samples: samples by name, (n,).
        chunk: number of samples per chunk.

    Raises:
        MechanismError: a folder of another sweep, or a folder that cannot be used.
        ImportError: zarr is not installed.
    """

    def __init__(
        self, path: Path, job: dict[str, Any], samples: Mapping[str, NDArray[np.float64]], chunk: int
    ) -> None:
        zarr = need("zarr", "a sweep's folder", "data")
        self.path: Path = path
        self.chunk: int = chunk
        self.samples: Mapping[str, NDArray[np.float64]] = samples
        self.n: int = len(next(iter(samples.values())))
        there = None
        try:
            if path.is_dir() and any(path.iterdir()):
                there = dict(zarr.open_group(path, mode="r").attrs).get(JOB)
            else:
                there = job
                self._create_group(zarr.open_group(path, mode="w"), job)
            self.group: Any = zarr.open_group(path, mode="r+")
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise checks.MechanismError(f"{WHO}: folder {str(path)!r} cannot be used: {error}") from None
        if there != job:
            other = [key for key in job if not isinstance(there, dict) or there.get(key) != job[key]]
            raise checks.MechanismError(
                f"{WHO}: folder {str(path)!r} holds another sweep ({', '.join(other)} differ); name "
                "another"
            )

    def _create_group(self, group: Any, job: dict[str, Any]) -> None:
        """Write the samples, the marks (none set) and, last, the identification of the sweep."""
        for name, column in self.samples.items():
            self._array(group, name, column.dtype, ())[:] = column
        marks = -(-self.n // self.chunk)
        group.create_array(
            DONE, shape=(marks,), chunks=(1,), dtype=np.uint8, dimension_names=("chunk",), fill_value=0
        )
        group.attrs[JOB] = job

    def _array(self, group: Any, name: str, kind: Any, shape: tuple[int, ...]) -> Any:
        from zarr.codecs import Crc32cCodec, ZstdCodec

        if "/" in name:
            raise ValueError(f"a column of a folder must be named without '/', not {name!r}")
        return group.create_array(
            name,
            shape=(self.n, *shape),
            chunks=(self.chunk, *shape),
            dtype=kind,
            dimension_names=(DIMENSION, *(f"{name}_{d}" for d in range(1, len(shape) + 1))),
            compressors=(ZstdCodec(), Crc32cCodec()),
            fill_value=0 if np.dtype(kind).kind in "iu" else np.nan,
        )

    def names(self) -> list[str]:
        """Names of the result columns."""
        return sorted(name for name in self.group.array_keys() if name not in {*self.samples, DONE})

    def has(self, number: int) -> bool:
        """Whether chunk ``number`` in the folder is complete and undamaged."""
        part = self._part(number)
        try:
            if not self.group[DONE][number]:
                return False
            for name in self.names():
                self.group[name][part]
        except (OSError, ValueError, KeyError):  # a crash of the machine has damaged the chunk
            return False
        return True

    def keep(self, number: int, found: Mapping[str, NDArray[Any]]) -> None:
        """Write the results of chunk ``number``, then its mark.

        Raises:
            MechanismError: results with other names than in the existing chunks; a failed write.
        """
        part, names = self._part(number), self.names()
        if names and names != sorted(found):
            raise checks.MechanismError(
                f"{WHO}: measure returned {', '.join(sorted(found))}, but folder {str(self.path)!r} has "
                f"{', '.join(names)} of an earlier run; name another folder"
            )
        try:
            for name, values in found.items():
                if not names:
                    self._array(self.group, name, values.dtype, values.shape[1:])
                self.group[name][part] = values
            self.group[DONE][number] = 1
        except (OSError, ValueError) as error:
            raise checks.MechanismError(
                f"{WHO}: folder {str(self.path)!r}: a chunk cannot be written: {error}"
            ) from None

    def _part(self, number: int) -> slice:
        return slice(number * self.chunk, min((number + 1) * self.chunk, self.n))


class Columns(Mapping[str, NDArray[Any]]):
    """Columns of results in a folder, which are read when accessed.

    Arguments:
        folder: folder of a finished sweep.
    """

    def __init__(self, folder: Folder) -> None:
        self.folder: Folder = folder

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.folder.names():
            raise KeyError(name)
        return np.asarray(self.folder.group[name][:])

    def __iter__(self) -> Iterator[str]:
        return iter(self.folder.names())

    def __len__(self) -> int:
        return len(self.folder.names())
