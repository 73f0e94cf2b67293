"""Whole steps of the engine as cases for ``benchmarks.scaling``: everything from poses to projection."""

from __future__ import annotations

from typing import Any

import numpy as np

import bodies as B
from benchmarks.vehicle_like import mechanism as vehicle_mechanism

STEP = 1e-3  # [s]
SETTLE = 2000  # steps before the clock runs: on its springs, rolling, contacts warm


def vehicle(solver: str = "direct") -> B.Simulation:
    """The 45-body, 64-joint, 4-wheel mechanism, driven on flat ground."""
    return _settled(B.compile(vehicle_mechanism(speed=5.0)), solver, SETTLE)


def chain(length: int) -> B.Simulation:
    """A hanging chain of ``length`` hinged bodies, started bent, so that it moves."""
    half, axis = 0.5, (0.0, 1.0, 0.0)
    links, hinges = [], []
    for k in range(length):
        links.append(B.Body(f"link {k}", 1.0, (0.09, 0.09, 0.01), (0.0, 0.0, -half - k)))
        hinges.append(
            B.Revolute(
                name=f"hinge {k}", body_a=f"link {k - 1}" if k else "ground", body_b=f"link {k}",
                position=(0.0, 0.0, -float(k)), axis=axis,
            )
        )  # fmt: skip
    push = [B.Torque(name="push", joint="hinge 0", effort=5.0)]
    return _settled(B.compile(B.Mechanism("chain", tuple(links), (*hinges, *push))), "direct", 5)


def _settled(model: B.Model, solver: str, steps: int) -> B.Simulation:
    simulation = B.Simulation(model, STEP, solver=solver)
    simulation.run(steps)
    return simulation


def matrix(simulation: B.Simulation) -> Any:
    """The structured problem of the simulation's present step, for SciPy to factor."""
    from bodies.kernels import layout as L
    from mlcp.kkt import KktProblem

    work = simulation.work
    structure = simulation.model.structure
    work.stage("detect", "assemble")
    return KktProblem(
        structure,
        work.f(L.MASS_BLOCK).copy(),
        work.f(L.JACOBIAN)[: structure.jac_size].copy(),
        np.maximum(work.f(L.COMPLIANCE), 0.0),
        work.f(L.MOMENTUM).copy(),
        work.f(L.BIAS).copy(),
    )
