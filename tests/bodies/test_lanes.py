"""Eight vehicles side by side: a stage compiled for lanes gives each the bytes that it gets alone."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core.errors import NumbaError

import bodies
from bodies import vehicle
from bodies.kernels.data import Run, run_of
from bodies.kernels.joints import assemble_joints, measure_joints
from mlcp.compiled.lanes import lane_viewer
from mlcp.jit import kernel

WIDTH = 8
lanes_of = lane_viewer(Run, WIDTH)


@kernel
def one(F, N):
    run = run_of(F, N)
    assemble_joints(run)
    measure_joints(run)


@kernel
def eight(F, N):
    run = lanes_of(F, N)
    assemble_joints(run)
    measure_joints(run)


def side_by_side(floats):
    room = np.zeros(WIDTH * floats[0].size + 8)
    first = -room.ctypes.data // 8 % 8  # a vector's address is a multiple of its size
    F = room[first : first + WIDTH * floats[0].size]
    F.reshape(-1, WIDTH)[:] = np.stack(floats, axis=1)
    return F


@pytest.fixture(scope="module")
def eight_vehicles():
    """Workspaces of one vehicle at eight instants of a drive."""
    model = bodies.compile(vehicle.load("hmmwv", controls={"throttle": 1.0, "gear": 2}))
    simulation = bodies.Simulation(model, 1e-3)
    floats = []
    for _ in range(WIDTH):
        simulation.run(150)
        floats.append(simulation.work.F.copy())
    return floats, simulation.work.N.copy()


def test_the_joints_of_eight_vehicles_at_once(eight_vehicles):
    floats, N = eight_vehicles
    lanes = side_by_side(floats)
    eight(lanes, N)
    for k, alone in enumerate(floats):
        F = alone.copy()
        one(F, N)
        assert lanes.reshape(-1, WIDTH)[:, k].tobytes() == F.tobytes()


def test_a_kernel_that_branches_on_numbers_does_not_compile_for_lanes(eight_vehicles):
    floats, N = eight_vehicles

    @kernel
    def stop(F, N):
        run = lanes_of(F, N)
        if run.velocity[0] > 0.0:
            run.velocity[0] = 0.0

    with pytest.raises(NumbaError):
        stop(side_by_side(floats), N)
