"""Saddle-point equations of one step, with their numbers, and the factorisation as an object."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from mlcp.kkt.plan import Plan, make_plan
from mlcp.kkt.structure import BLOCK, Structure


@dataclass(frozen=True)
class KktProblem:
    """One step's equations, block-sparse:

        M v = momentum + J' p + C' q,      J v + e p + bias = 0,      u = C v

    with ``v`` the velocities, ``p`` the impulses of the row groups and ``q`` those of the channels, kept
    as unknowns: ``u = B q + u_free`` is the reduced problem for a complementarity solver.

    Arguments:
        structure: mass blocks of each group.
        mass: (blocks, 6, 6) symmetric positive definite.
        jac: flat (jac_size,) blocks of J and C, see ``Structure.flat_rows``.
        compliance: (rows,) e >= 0; the factorisation uses ``max(e, plan floor)``.
        momentum: (6 blocks,) right-hand side of the velocities.
        bias: (rows,) bias of the rows.
        plan: elimination plan; None to make one from these values.
    """

    structure: Structure
    mass: np.ndarray
    jac: np.ndarray
    compliance: np.ndarray
    momentum: np.ndarray
    bias: np.ndarray
    plan: Plan = field(default=None)  # type: ignore[assignment]

    def __post_init__(self) -> None:
        s = self.structure
        sizes = {
            "mass": BLOCK * BLOCK * s.blocks,
            "jac": s.jac_size,
            "compliance": s.rows,
            "momentum": BLOCK * s.blocks,
            "bias": s.rows,
        }
        for name, size in sizes.items():
            flat = np.array(getattr(self, name), dtype=np.float64).ravel()
            if flat.size != size:
                raise ValueError(f"{name} has {flat.size} numbers; the structure needs {size}")
            if not np.isfinite(flat).all():
                raise ValueError(f"{name} holds a number that is not finite")
            flat.setflags(write=False)
            object.__setattr__(self, name, flat)
        if self.plan is None:
            plan = make_plan(s, self.mass, self.jac, self.compliance)
            object.__setattr__(self, "plan", plan)
        elif self.plan.structure != s:
            raise ValueError("plan was made for another structure; call make_plan for this one")

    @property
    def applied_compliance(self) -> np.ndarray:
        """Compliances of the rows in the factorisation: e, at least the plan's floor."""
        return np.maximum(self.compliance, self.plan.scale[: self.structure.rows])

    def factor(self) -> Factorisation:
        """Factor K and form the reduced contact problem."""
        from mlcp.kernels.kkt.kkt_entry import factor_entry

        nc = self.plan.channels
        panels, delassus, u_free = np.empty(self.plan.panel_size), np.zeros((nc, nc)), np.zeros(nc)
        values = self.mass, self.jac, self.compliance, self.momentum, self.bias
        smallest = factor_entry(self.plan.table, self.plan.scale, values, panels, delassus, u_free)
        return Factorisation(self.plan, panels, delassus, u_free, float(smallest))

    def solve(self, q: np.ndarray | None = None, refinements: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """Compute the velocities v and row impulses p for given channel impulses q.

        The factorisation alone has errors of about 1e-16 / (smallest scaled pivot). Each refinement
        (residual in double precision, one more solve) reduces these errors, which matters for mass
        ratios beyond 1 : 1e4.
        """
        factored = self.factor()
        v, p = factored.back(q)
        rows, channels = self.structure.dense_rows(self.jac)
        applied = self.momentum if q is None else self.momentum + channels.T @ np.asarray(q)
        for _ in range(refinements):
            blocks = self.mass.reshape(-1, BLOCK, BLOCK)
            force = applied + rows.T @ p - np.einsum("bij,bj->bi", blocks, v.reshape(-1, 6)).ravel()
            gap = rows @ v + self.applied_compliance * p + self.bias
            dv, dp = factored.resolve(force, gap)
            v, p = v + dv, p + dp
        return v, p


@dataclass(frozen=True)
class Factorisation:
    """Factorisation of the saddle-point matrix of a step.

    Attributes:
        delassus: B (channels, channels), without compliances of the channels.
        u_free: (channels,) channel velocities at q = 0.
        smallest_pivot: smallest scaled pivot of the plan's monitored rows.
    """

    plan: Plan
    panels: np.ndarray
    delassus: np.ndarray
    u_free: np.ndarray
    smallest_pivot: float

    @cached_property
    def _scratch(self) -> np.ndarray:
        return np.empty(self.plan.scalars + self.plan.channels)

    def back(self, q: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Velocities (6 blocks,) and row impulses (rows,) for channel impulses q (default 0)."""
        from mlcp.kernels.kkt.kkt_entry import back_entry

        q = np.zeros(self.plan.channels) if q is None else np.array(q, dtype=np.float64).ravel()
        if q.size != self.plan.channels:
            raise ValueError(f"q has {q.size} numbers; there are {self.plan.channels} channels")
        v, p = self._empty()
        back_entry(self.plan.table, self.panels, q, self._scratch, v, p)
        return v, p

    def resolve(self, momentum: np.ndarray, bias: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Solve for another right-hand side with q = 0; return (velocities, row impulses)."""
        from mlcp.kernels.kkt.kkt_entry import resolve_entry

        v, p = self._empty()
        right = [np.array(a, dtype=np.float64).ravel() for a in (momentum, bias)]
        for name, given, wanted in zip(("momentum", "bias"), right, (v, p), strict=True):
            if given.size != wanted.size:
                raise ValueError(f"{name} has {given.size} numbers; it needs {wanted.size}")
        resolve_entry(self.plan.table, self.panels, *right, self._scratch, v, p)
        return v, p

    def _empty(self) -> tuple[np.ndarray, np.ndarray]:
        structure = self.plan.structure
        return np.empty(BLOCK * structure.blocks), np.empty(structure.rows)
