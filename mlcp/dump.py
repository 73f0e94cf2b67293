"""Write a problem to a file and read it back, to the last bit. NumPy's .npz, no pickles."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from mlcp.delassus import BLOCK, StructuredMLCP, csr_of_blocks
from mlcp.kinds import checked
from mlcp.problem import MLCP
from mlcp.writing import written

FORMAT = 1
#: Exceptions on reading a file that ``dump`` did not write; RuntimeError: encrypted archive or unknown
#: compression.
WRONG = (KeyError, ValueError, TypeError, AttributeError, IndexError, OSError, EOFError, BadZipFile,
         zlib.error, RuntimeError)  # fmt: skip


@checked
def dump(problem: MLCP | StructuredMLCP, path: str | Path) -> Path:
    """Write the problem to ``path`` (.npz is appended if missing); returns the path written."""
    path = Path(path)
    if path.suffix != ".npz":
        path = path.with_name(path.name + ".npz")
    fields: dict[str, Any] = {f: getattr(problem, f) for f in ("b", "lower", "upper")}
    if isinstance(problem, StructuredMLCP):
        fields.update(kind="structured", mass=problem.mass, e=problem.e,
                      row_start=problem._row_start, row_block=problem._row_block,
                      J=problem._J)  # fmt: skip
    elif problem.sparse:
        A = problem.A
        fields.update(kind="sparse", data=A.data, indices=A.indices, indptr=A.indptr)
    else:
        fields.update(kind="dense", A=problem.A)
    if problem.row_names is not None:
        fields["row_names"] = np.array(problem.row_names, dtype=np.str_)
    with written(path) as place, open(place, "wb") as file:
        np.savez(file, format=FORMAT, **fields)
    return path


@checked
def load(path: str | Path) -> MLCP | StructuredMLCP:
    """Read a file of ``dump``.

    Arguments:
        path: a file of :func:`dump`.

    Raises:
        ValueError: (one sentence) a file that ``dump`` did not write, or wrote in another format.
        FileNotFoundError: no such file.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            fields = {name: file[name] for name in file.files}
        if int(fields["format"]) != FORMAT:
            raise ValueError(f"it has format {fields['format']}; this version reads {FORMAT}.")
        return _read(fields)
    except FileNotFoundError:
        raise
    except WRONG as error:
        reason = "it is no .npz file." if "allow_pickle" in str(error) else _said(error)
        raise ValueError(f"{path} is not a dumped problem: {reason}") from None


def _said(error: Exception) -> str:
    text = " ".join(str(error).split()) or "it is empty"
    return text if text.endswith(".") else text + "."


def _read(fields: dict[str, np.ndarray]) -> MLCP | StructuredMLCP:
    kind = str(fields["kind"])
    if kind not in ("dense", "sparse", "structured"):
        raise ValueError(f"it holds a problem of the unknown kind {kind!r}.")
    names = fields["row_names"].tolist() if "row_names" in fields else None
    rest = (fields["b"], fields["lower"], fields["upper"], names)
    if kind == "dense":
        return MLCP(fields["A"], *rest)
    import scipy.sparse as sp

    n = len(fields["b"])
    if kind == "sparse":
        parts = (fields["data"], fields["indices"], fields["indptr"])
        A = sp.csr_matrix(parts, shape=(n, n))
        A.check_format(full_check=True)
        return MLCP(A, *rest)
    mass = fields["mass"].reshape(-1, BLOCK, BLOCK)
    J = csr_of_blocks(fields["J"], fields["row_start"], fields["row_block"], len(mass))
    J.check_format(full_check=True)
    return StructuredMLCP(mass, J, fields["e"], *rest)
