"""CSV files of the curves of a figure."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mlcp.writing import written


def write_series(path: Path, columns: dict[str, np.ndarray]) -> Path:
    """Write columns as a CSV file, one line per record, with units in the names of the columns."""
    table = np.column_stack(list(columns.values()))
    with written(path) as place:
        np.savetxt(place, table, fmt="%.7g", delimiter=",", header=",".join(columns), comments="")
    return path
