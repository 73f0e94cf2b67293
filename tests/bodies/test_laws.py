"""Laws of mechanics: free fall, angular momentum, gyroscopes, pendulums and springs."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import bodies as B

from .mechanisms import free_body


def test_free_fall():
    model = B.compile(B.Mechanism("stone", (B.Body("stone", 2.0, (1, 1, 1), velocity=(3, 0, 4)),)))
    sim = B.Simulation(model, 1e-3)
    sim.run(1000)
    # semi-implicit Euler falls too far by exactly g h t / 2 (gravity g, step h, time t)
    expected = np.array([3.0, 0.0, 4.0 - 0.5 * 9.80665 - 0.5 * 9.80665 * 1e-3])
    np.testing.assert_allclose(sim.position("stone"), expected, atol=1e-12)


def momentum_at_mid_step(sim):
    """Angular momentum in world axes, by the pose half a step before: velocities are at mid-step."""
    w = sim.angular_velocity("body")
    back = Rotation.from_rotvec(-0.5 * sim.step * w)
    pose = back * Rotation.from_quat(sim.quaternion("body"), scalar_first=True)
    inertia = sim.model.machine.inertia.reshape(3, 3)
    return pose.apply(inertia @ pose.inv().apply(w))


@pytest.mark.parametrize("step", [5e-3, 1e-3, 1e-4])
@pytest.mark.parametrize(
    ("inertia", "spin"),
    [((1, 2, 2.5), (0.1, 5, 0.1)), ((0.4, 0.9, 1.0), (3, 2, -1)), ((0.5, 0.6, 1.0), (1.0, 60.0, 2.0))],
)
def test_torque_free_tumbling(inertia, spin, step):
    """Angular momentum is kept to round-off, about all axes and through flips; energy does not drift.

    The momentum is that at mid-step, the time of the scheme's velocities. The energy oscillates in
    proportion to the square of the step h: within 0.03 (h |w|)^2 here (w: angular velocity).
    """
    sim = B.Simulation(B.compile(free_body(inertia, spin)), step)
    sim.run(1)
    before, energy = momentum_at_mid_step(sim), sim.energy().kinetic
    sim.run(round(5.0 / step))
    after = momentum_at_mid_step(sim)
    assert np.linalg.norm(after - before) < 1e-12 * np.linalg.norm(before)
    turn = step * np.linalg.norm(spin)
    assert abs(sim.energy().kinetic / energy - 1.0) < 0.03 * turn**2


@pytest.mark.parametrize("step", [1e-3, 1 / 60])
def test_a_spinning_disc_keeps_spinning(step):
    """A wheel at 170 rad/s about its axis keeps axis and speed, even at 1/60 s."""
    sim = B.Simulation(B.compile(free_body((0.6, 1.1, 0.6), (0.0, 170.0, 0.0))), step)
    sim.run(round(5.0 / step))
    np.testing.assert_allclose(sim.angular_velocity("body"), (0, 170, 0), atol=1e-9)


def test_a_wobbling_disc_does_not_gain_energy():
    sim = B.Simulation(B.compile(free_body((0.6, 1.1, 0.6), (2.0, 100.0, 0.0))), 1 / 60)
    before = sim.energy().kinetic
    sim.run(600)
    assert sim.energy().kinetic <= before * (1 + 1e-9)


def test_heavy_top_precesses():
    """A horizontal top precesses at ``m g r/(I_3 w_3)`` to first order in the step.

    m: mass, r: distance from pivot to its centre, I_3, w_3: moment of inertia and spin about the axis.
    """
    spin, arm, mass, inertia = 300.0, 0.1, 1.0, (0.001, 0.001, 0.002)
    rate = mass * 9.80665 * arm / (inertia[2] * spin)
    top = B.Body(
        "top",
        mass,
        inertia,
        position=(arm, 0, 0),
        orientation=(np.sqrt(0.5), 0, np.sqrt(0.5), 0),
        angular_velocity=(spin, 0, rate),
        velocity=(0, rate * arm, 0),
    )
    pivot = B.Spherical(name="pivot", body_a="ground", body_b="top")
    model = B.compile(B.Mechanism("top", (top,), (pivot,)))
    errors = []
    for step in (2e-4, 1e-4):
        sim = B.Simulation(model, step)
        sim.run(round(0.5 / step))
        x, y, z = sim.position("top")
        errors.append((abs(np.arctan2(y, x) - 0.5 * rate), abs(z)))
    assert errors[1][0] < 2e-3 * 0.5 * rate
    assert errors[1][1] < 1.5e-2 * arm
    assert errors[1][0] < 0.55 * errors[0][0]
    assert errors[1][1] < 0.55 * errors[0][1]


def test_pendulum_energy_is_kept():
    bob = B.Body("bob", 1.0, (0.01, 0.01, 0.01), position=(1, 0, 0))
    pin = B.Revolute(name="pin", body_a="ground", body_b="bob", axis=(0, 1, 0))
    sim = B.Simulation(B.compile(B.Mechanism("pendulum", (bob,), (pin,))), 1e-3)
    energies = []
    for _ in range(100):
        sim.run(100)
        energies.append(sim.energy().total)
    assert max(np.abs(energies)) < 0.02 * 9.81  # [J] the energy oscillates by O(h), without drift
    assert abs(np.mean(energies[:50]) - np.mean(energies[50:])) < 5e-3


def test_spring_oscillates_at_its_frequency():
    """By backward Euler: period 2 pi/w, w = sqrt(k/m); the amplitude decays as exp(-h w^2 t/2).

    k: stiffness, m: mass, h: step, t: time.
    """
    mass, k = 2.0, 800.0
    block = B.Body("block", mass, (1, 1, 1), position=(0, 0, 0))
    rail = B.Prismatic(name="rail", body_a="ground", body_b="block", axis=(1, 0, 0))
    spring = B.JointSpring(name="spring", joint="rail", stiffness=k, rest=0.1)
    model = B.compile(B.Mechanism("oscillator", (block,), (rail, spring), gravity=B.Gravity((0, 0, 0))))
    h = 1e-4
    run = B.simulate(model, 1.0, h, record_every=10)
    x = run.coordinate("rail") - 0.1
    w = np.sqrt(k / mass)
    expected = -0.1 * np.cos(w * run.time) * np.exp(-0.5 * h * w * w * run.time)
    np.testing.assert_allclose(x, expected, atol=5e-4)


def test_tabulated_spring_equals_the_linear_one():
    def build(**law):
        block = B.Body("block", 1.0, (1, 1, 1))
        rail = B.Prismatic(name="rail", body_a="ground", body_b="block", axis=(0, 0, 1))
        return B.compile(
            B.Mechanism("m", (block,), (rail, B.JointSpring(name="s", joint="rail", **law)))
        )

    runs = [
        B.simulate(build(**law), 0.5, 1e-3)
        for law in (
            {"stiffness": 500.0, "damping": 3.0},
            {
                "spring_table": ((-1, -500.0), (0, 0), (2, 1000.0)),
                "damper_table": ((-1, -3.0), (1, 3.0)),
            },
        )
    ]
    np.testing.assert_allclose(runs[0].coordinates, runs[1].coordinates, atol=1e-12)
    energies = [B.Simulation(run.model, 1e-3, state=run.final).energy().total for run in runs]
    assert energies[0] == pytest.approx(energies[1], abs=1e-9)
