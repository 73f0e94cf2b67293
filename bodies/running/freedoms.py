"""Degrees of freedom by Gruebler's count and by the rank of the constraint Jacobian."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..checks import checked
from ..memory.workspace import Workspace
from ..model import Model


@dataclass(frozen=True)
class Mobility:
    """Degrees of freedom of a mechanism in its initial pose.

    Attributes:
        counted: Gruebler's count, ``6 bodies - rows`` with the rows of joints and rigid couplings.
        rank: rank of the Jacobian of these rows.
        freedoms: ``6 bodies - rank``, the degrees of freedom to first order.
        redundant: number of linearly dependent rows.
    """

    counted: int
    rank: int
    freedoms: int
    redundant: int


@checked
def mobility(model: Model, tolerance: float = 1e-8) -> Mobility:
    """Degrees of freedom of a model in its initial pose.

    The rank is the number of singular values of ``J M^-1/2``, whose rows are scaled to length 1, above
    ``tolerance`` times the largest; J: constraint Jacobian, M: mass matrix. The rows of springs,
    bushings, engines and bounded elements (brakes, clutches, limits, contacts) are not counted.

    Arguments:
        model: compiled mechanism.
        tolerance: relative tolerance of the rank [-].
    """
    work = Workspace(model)
    work.stage("detect", "assemble")
    J, _ = model.structure.dense_rows(work.machine.jacobian[: model.structure.jac_size])
    soft = {each.name for each in (*model.joint_order, *model.coupling_order) if each.compliant}
    keep = np.concatenate(
        [np.full(n, name not in soft) for name, (_, n) in model.rows.items()] or [np.zeros(0, bool)]
    )
    J = J[keep]
    blocks = work.machine.mass_block.reshape(-1, 6, 6)
    for k, block in enumerate(blocks):
        root = np.linalg.inv(np.linalg.cholesky(block)).T
        J[:, 6 * k : 6 * k + 6] = J[:, 6 * k : 6 * k + 6] @ root
    norms = np.linalg.norm(J, axis=1, keepdims=True)
    values = np.linalg.svd(J / np.where(norms > 0.0, norms, 1.0), compute_uv=False)
    rank = int(np.sum(values > tolerance * values[0])) if len(values) else 0
    total = 6 * len(blocks)
    return Mobility(total - len(J), rank, total - rank, len(J) - rank)
