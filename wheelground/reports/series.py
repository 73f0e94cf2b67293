"""Numbers of a figure, for other curves over it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mlcp.writing import written


def write_series(path: Path, columns: dict[str, np.ndarray]) -> Path:
    """A CSV file with a line a record; the names of the columns say their units."""
    table = np.column_stack(list(columns.values()))
    with written(path) as place:
        np.savetxt(place, table, fmt="%.7g", delimiter=",", header=",".join(columns), comments="")
    return path
