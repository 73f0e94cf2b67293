"""Runs of many variants of a model, in chunks that are stored when complete: ``sweep`` and ``grid``."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.checks import numbers, shown
from mlcp.neighbours import need

from . import checks
from .batch import Batch
from .checks import checked
from .model import Model
from .progress import Progress
from .sweep_folder import WHO, Columns, Folder

KEPT = (
    "missed",
    "residual",
    "stopped",
)  # result columns that every sweep has besides those of `measure`


@checked
def grid(axes: Mapping[str, ArrayLike]) -> dict[str, NDArray[np.float64]]:
    """All combinations of the values on several axes; the last axis varies fastest.

    Arguments:
        axes: values of each axis by name, (k,) [SI].

    Returns: samples by name, (n,); n is the product of the lengths k of all axes.

    Raises:
        MechanismError: an axis that is no list of finite numbers.
    """
    if not axes:
        raise checks.MechanismError(f"{WHO}: axes = {{}} must name at least one axis")
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
    """Results of a sweep.

    Attributes:
        samples: the given samples by name, (n,) [SI].
        values: results by name, (n,) or (n, ...), read from the folder if there is one. Results of
            ``measure`` are NaN for stopped vehicles. Every sweep also has ``missed`` (number of steps
            that missed the tolerance), ``residual`` (largest natural residual [-]) and ``stopped``
            (1: the vehicle's run failed).
        chunks: number of chunks that this call computed; the others were already in the folder.
    """

    samples: dict[str, NDArray[np.float64]]
    values: Mapping[str, NDArray[Any]]
    chunks: int

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Column of that name among the samples or the values."""
        for columns in (self.values, self.samples):
            if name in columns:
                return columns[name]
        raise checks.UnknownName(f"{WHO}: column", name, [*self.samples, *self.values])

    def to_xarray(self) -> Any:
        """``xarray.Dataset`` over the dimension ``sample``, with the samples as coordinates.

        Raises:
            ImportError: xarray is not installed.
        """
        xarray = need("xarray", "to_xarray", "data")
        data = {
            name: (("sample", *(f"{name}_{d}" for d in range(1, array.ndim))), array)
            for name, array in self.values.items()
        }
        return xarray.Dataset(data, {name: ("sample", x) for name, x in self.samples.items()})


@checked
def sweep(
    model: Model,
    samples: Mapping[str, ArrayLike],
    measure: Callable[[Batch], Mapping[str, ArrayLike]],
    *,
    step: float = 1e-3,
    chunk: int = 256,
    folder: str | Path | None = None,
    client: Any = None,
    progress: bool = True,
    **settings: Any,
) -> Swept:
    """Run a model with many sets of inputs and parameters (samples).

    The results of a sample depend on this sample only, not on its chunk, the order or the worker.

    Arguments:
        model: compiled mechanism.
        samples: values by name, (n,) [SI]; a name is an input of the model or a parameter of
            :meth:`Batch.set`. :func:`grid` makes all combinations of values.
        measure: function that runs a batch and returns results by name, (vehicles,) or (vehicles, ...).
        step: step length h [s].
        chunk: number of vehicles per chunk.
        folder: Zarr group for the completed chunks, which ``xarray.open_zarr(folder)`` reads at any
            time. An interrupted sweep with the same folder computes only the missing chunks. With a
            folder only the chunks being computed are in memory.
        client: ``distributed.Client`` of a cluster that computes the chunks; default: this process, on
            all cores.
        progress: whether to report the progress, if the sweep takes more than two seconds.
        settings: further arguments of :class:`Batch`.

    Raises:
        MechanismError: samples of different lengths, or samples that the model refuses (before their
            chunk runs); a result of ``measure`` of another form; a folder of another sweep.
        UnknownName: a name that is neither an input nor a parameter.
        ImportError: zarr is not installed, which a folder needs.
    """
    if not samples:
        raise checks.MechanismError(f"{WHO}: samples must be a dict of names and values, and not empty")
    columns = {name: _column(name, values) for name, values in samples.items()}
    lengths = {name: column.size for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        bar = ", ".join(f"{name} has {size}" for name, size in lengths.items())
        raise checks.MechanismError(f"{WHO}: samples must be of one length, but {bar}")
    chunk = checks.whole(WHO, "chunk", chunk, 1)
    n = next(iter(lengths.values()))
    one = Batch(model, 1, step, **settings)
    for name in columns:
        if name not in model.mechanism.inputs and one.parameter_size(name) != 0:
            raise checks.MechanismError(f"{WHO}: {name} is several numbers; a sample has one")
    if client is not None and not all(
        hasattr(client, name) for name in ("submit", "scatter", "nthreads")
    ):
        raise checks.MechanismError(f"{WHO}: client = {shown(client)} must be a distributed.Client")
    kept = None
    if folder is not None:
        kept = Folder(Path(folder), _job(model, columns, step, chunk, settings), columns, chunk)
    numbers = range(-(-n // chunk))
    todo = [k for k in numbers if kept is None or not kept.has(k)]
    parts: dict[int, dict[str, NDArray[Any]]] = {}

    def samples_of(number: int) -> dict[str, NDArray[np.float64]]:
        return {name: x[number * chunk : (number + 1) * chunk] for name, x in columns.items()}

    bar = Progress(f"sweep of {model.mechanism.name!r}", len(todo), "chunks") if progress else None
    try:
        for done, (number, part) in enumerate(
            _computed(todo, samples_of, (model, measure, step, settings), client)
        ):
            if kept is None:
                parts[number] = part
            else:
                kept.keep(number, part)
            if bar is not None:
                bar.at(done + 1)
    finally:
        if bar is not None:
            bar.end()
    if kept is not None:
        return Swept(columns, Columns(kept), len(todo))
    values = {name: np.concatenate([parts[k][name] for k in numbers]) for name in parts[0]}
    return Swept(columns, values, len(todo))


def _computed(
    todo: list[int], samples_of: Callable[[int], Any], how: tuple[Any, ...], client: Any
) -> Iterator[tuple[int, dict[str, NDArray[Any]]]]:
    """Pairs (number, results) of the chunks ``todo`` as they are completed.

    Without a client this process computes the chunks in their order, with a client its workers do.
    """
    if client is None:
        for number in todo:
            yield number, _run(samples_of(number), *how)
        return
    from distributed import as_completed

    model, *rest = how
    # hash=False: a copy of the model that no other sweep shares
    there = client.scatter(model, broadcast=True, hash=False)
    left, waiting = iter(todo), {}
    done = as_completed()

    def send() -> None:
        for number in itertools.islice(left, 1):
            future = client.submit(_run, samples_of(number), there, *rest, pure=False)
            waiting[future.key] = number
            done.add(future)

    try:
        for _ in range(
            2 * max(1, sum(client.nthreads().values()))
        ):  # two chunks per thread: one runs, one waits
            send()
        for future in done:
            yield waiting.pop(future.key), future.result()
            future.release()
            send()
    finally:
        client.cancel(list(done.futures))


def _run(
    samples: dict[str, Any], model: Model, measure: Any, step: float, settings: dict[str, Any]
) -> dict[str, NDArray[Any]]:
    """Results of one chunk by name, which depend on the arguments only; all samples are checked before
    the run."""
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
        "missed": batch.missed.copy(),
        "residual": batch.residual.copy(),
        "stopped": stopped,
    }


def _job(
    model: Model, samples: dict[str, Any], step: float, chunk: int, settings: Any
) -> dict[str, Any]:
    """Data that identify a sweep in its folder: model, samples, step, chunk, settings; not the function
    ``measure``."""
    digest = hashlib.sha256(model.digest.encode())
    for array in (model.floats, *(samples[name] for name in sorted(samples))):
        digest.update(array.tobytes())
    return {
        "model": model.mechanism.name,
        "samples": sorted(samples),
        "step": step,
        "chunk": chunk,
        "settings": {name: repr(value) for name, value in sorted(settings.items())},
        "digest": digest.hexdigest(),
    }
