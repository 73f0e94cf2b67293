"""Many variants of a model, in chunks that are kept as they are done: ``sweep`` and ``grid``."""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import os
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.checks import numbers, shown

from . import checks
from .batch import Batch
from .model import Model

WHO = "sweep"
JOB = "job.json"
KEPT = ("missed", "residual", "stopped")  # columns that every sweep has


def grid(axes: Mapping[str, ArrayLike]) -> dict[str, NDArray[np.float64]]:
    """All combinations of the values on some axes, the last axis fastest.

    Arguments:
        axes: {name: values (k,)} [SI].

    Returns: {name: (n,)}, n the product of all k.

    Raises:
        MechanismError: an axis that is no list of finite numbers.
    """
    taken = [_column(name, values) for name, values in axes.items()]
    all_of_them = np.array(list(itertools.product(*taken))).reshape(-1, len(taken))
    return {name: all_of_them[:, j].copy() for j, name in enumerate(axes)}


def _column(name: str, values: Any) -> NDArray[np.float64]:
    column = numbers(values)
    if column.ndim != 1 or not column.size or not np.isfinite(column).all():
        raise checks.MechanismError(
            f"{WHO}: {name} must be a list of finite numbers, got {shown(values)}."
        )
    return np.asarray(column, float)


@dataclass(frozen=True)
class Swept:
    """What a sweep has found.

    Attributes:
        samples: {name: (n,)} as they were asked for [SI].
        values: {name: (n,) or (n, ...)} what ``measure`` returned, NaN of vehicles that stopped; and
            ``missed`` steps, largest ``residual`` [-], ``stopped`` (1: the vehicle could not go on).
        chunks: how many were computed now, the others having been there.
    """

    samples: dict[str, NDArray[np.float64]]
    values: dict[str, NDArray[Any]]
    chunks: int

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column, of the samples or the values."""
        known = self.samples | self.values
        if name not in known:
            raise checks.UnknownName(f"{WHO}: column", name, known)
        return known[name]

    def to_xarray(self) -> Any:
        """A data set over ``sample``, the samples being coordinates; needs xarray.

        Raises:
            ImportError: xarray is not installed.
        """
        try:
            import xarray
        except ImportError:
            raise ImportError("xarray is not installed: pip install 'wheelground[data]'") from None
        data = {
            name: (("sample", *(f"{name}_{d}" for d in range(1, array.ndim))), array)
            for name, array in self.values.items()
        }
        return xarray.Dataset(data, {name: ("sample", x) for name, x in self.samples.items()})


def sweep(
    model: Model,
    samples: Mapping[str, ArrayLike],
    measure: Callable[[Batch], Mapping[str, ArrayLike]],
    *,
    step: float = 1e-3,
    chunk: int = 256,
    folder: str | Path | None = None,
    **settings: Any,
) -> Swept:
    """Run a model with many sets of numbers.

    A sample's numbers depend on nothing but that sample: not on the chunk, not on what was done before.

    Arguments:
        model: compiled mechanism.
        samples: {name: values (n,)} [SI]; a name is one of the model's inputs or a parameter as of
            :meth:`Batch.set`. :func:`grid` makes all combinations.
        measure: given a batch, runs it and returns {name: (vehicles,) or (vehicles, ...)}.
        step: h [s].
        chunk: vehicles at a time.
        folder: keeps every chunk as a file when it is done, under its name only when it is whole. A
            sweep that was stopped goes on there and does no chunk twice.
        settings: as for :class:`Batch`.

    Raises:
        MechanismError: samples of different lengths, or such as the model refuses (before anything of
            their chunk has run); a measure that returns something else; a folder of another sweep.
        UnknownName: neither an input nor a parameter.
    """
    if not isinstance(model, Model):
        raise checks.MechanismError(f"{WHO}: model = {shown(model)} must be a bodies.Model")
    if not isinstance(samples, Mapping) or not samples:
        raise checks.MechanismError(f"{WHO}: samples must be a dict of names and values, and not empty")
    columns = {name: _column(name, values) for name, values in samples.items()}
    lengths = {name: column.size for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {size}" for name, size in lengths.items())
        raise checks.MechanismError(f"{WHO}: samples must be of one length, but {told}")
    chunk = checks.whole(WHO, "chunk", chunk, 1)
    n = next(iter(lengths.values()))
    one = Batch(model, 1, step, **settings)
    for name in columns:
        if name not in model.mechanism.inputs and one.parameter_size(name) != 0:
            raise checks.MechanismError(f"{WHO}: {name} is several numbers; a sample has one")
    where = None if folder is None else _folder(Path(folder), model, columns, step, chunk, settings)
    parts, done = [], 0
    for number, first in enumerate(range(0, n, chunk)):
        path = None if where is None else where / f"chunk_{number:06d}.npz"
        part = None if path is None else _read(path)
        if part is None:
            own = {name: column[first : first + chunk] for name, column in columns.items()}
            part, done = _run(model, own, measure, step, settings), done + 1
            if path is not None:
                _write(path, part)
        parts.append(part)
    values = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return Swept(columns, values, done)


def _run(
    model: Model, samples: dict[str, Any], measure: Any, step: float, settings: dict[str, Any]
) -> dict[str, NDArray[Any]]:
    """One chunk: its numbers are all looked at before anything runs."""
    size = len(next(iter(samples.values())))
    batch = Batch(model, size, step, **settings)
    inputs = model.mechanism.inputs
    batch.vary({name: column for name, column in samples.items() if name not in inputs})
    for name in inputs.keys() & samples.keys():
        batch.set_input(name, samples[name])
    found = measure(batch)
    if not isinstance(found, Mapping):
        raise checks.MechanismError(f"{WHO}: measure returned {shown(found)}, not a dict of names")
    values: dict[str, NDArray[Any]] = {}
    for name, value in found.items():
        array = np.array(value, float)
        if array.shape[:1] != (size,) or name in KEPT:
            raise checks.MechanismError(
                f"{WHO}: measure returned {name!r} of shape {array.shape}; it must have one row for "
                f"each of {size} vehicles, and a name other than {', '.join(KEPT)}"
            )
        array[list(batch.stopped)] = np.nan
        values[name] = array
    stopped = np.zeros(size, np.int64)
    stopped[list(batch.stopped)] = 1
    return values | {
        "missed": batch.missed.copy(), "residual": batch.residual.copy(), "stopped": stopped
    }  # fmt: skip


def _folder(
    path: Path, model: Model, samples: dict[str, Any], step: float, chunk: int, settings: Any
) -> Path:
    """The sweep's folder, made if need be, and refused if it is another sweep's."""
    digest = hashlib.sha256(model.digest.encode())
    for array in (model.floats, *(samples[name] for name in sorted(samples))):
        digest.update(array.tobytes())
    job = {
        "model": model.mechanism.name, "samples": sorted(samples), "step": step, "chunk": chunk,
        "settings": {name: repr(value) for name, value in sorted(settings.items())},
        "digest": digest.hexdigest(),
    }  # fmt: skip
    try:
        path.mkdir(parents=True, exist_ok=True)
        if not (path / JOB).exists():
            _put(path / JOB, json.dumps(job, indent=1).encode())
        there = json.loads((path / JOB).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise checks.MechanismError(f"{WHO}: folder {str(path)!r} cannot be used: {error}") from None
    if there != job:
        other = [name for name in job if not isinstance(there, dict) or there.get(name) != job[name]]
        raise checks.MechanismError(
            f"{WHO}: folder {str(path)!r} holds another sweep ({', '.join(other)} differ); name another"
        )
    return path


def _read(path: Path) -> dict[str, NDArray[Any]] | None:
    """A chunk that is there and whole."""
    try:
        with np.load(path, allow_pickle=False) as data:
            return {name: data[name] for name in data.files}
    except (OSError, ValueError, zipfile.BadZipFile):
        return None


def _write(path: Path, part: dict[str, NDArray[Any]]) -> None:
    buffer = io.BytesIO()
    np.savez(buffer, **part)  # pyright: ignore[reportArgumentType]
    _put(path, buffer.getvalue())


def _put(path: Path, content: bytes) -> None:
    """A file that is there as a whole or not at all."""
    waiting = path.with_name(f"{path.name}.{os.getpid()}")
    waiting.write_bytes(content)
    os.replace(waiting, path)
