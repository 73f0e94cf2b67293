"""What the kernels of structured problems hand to each other."""

from __future__ import annotations

from collections import namedtuple

#: Rows: n of them, row i touching the bodies block[start[i] : start[i + 1]] with six numbers of Y
#: each, A = Y Y' + diag(e); b, lower, upper (n,).
Rows = namedtuple("Rows", "n start block Y e b lower upper")

#: Plan of ``mlcp.kernels.plan`` for nb bodies: blocks of the factor, elimination order, places.
Plan = namedtuple("Plan", "nb blocks order position start where rows")
