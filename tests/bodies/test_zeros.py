"""Entries left out of the factorisation in lanes (vector registers) as always zero do stay zero."""

import numpy as np
import pytest

import bodies as B
from bodies import vehicle

from .test_lanes import everything

MODELS = {
    "every joint, row and force": everything,
    "whole vehicle": lambda: vehicle.load("hmmwv", controls={"throttle": 1.0, "gear": 2}),
}


@pytest.mark.parametrize("name", MODELS)
def test_left_out_entries_are_never_written(name):
    """Entries of masses and Jacobian listed as zero stay zero in a drive and with turned bodies."""
    model = B.compile(MODELS[name]())
    run, rng = B.Simulation(model, 2e-3), np.random.default_rng(3)
    work, structure = run.work, model.structure
    for _ in range(5):
        run.run(10)
        turned = rng.normal(size=(structure.blocks, 4))
        work.machine.quaternion.reshape(-1, 4)[: structure.blocks] = turned / np.linalg.norm(
            turned, axis=1, keepdims=True
        )
        for _ in range(2):  # after the drive, then with turned bodies
            assert not work.machine.mass_block[list(structure.mass_zeros)].any()
            assert not work.machine.jacobian[list(structure.jac_zeros)].any()
            work.stage("detect", "assemble")
        run.restore(model.initial)
    assert len(structure.jac_zeros) > 0.3 * structure.jac_size
