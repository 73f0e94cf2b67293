"""A wheel over rough ground with two soils: no force jumps at a border, energy balances."""

import numpy as np
import pytest

from contact import ConeIndexSoil, Crolla, GroundContact, Tyre, WheelContact
from contact.terrain import HeightField, Patch, SoilMap

MASS, INERTIA, TORQUE = 250.0, 6.0, 300.0
TYRE = Tyre(0.762, 0.2, 0.14, deflection_ratio=0.2)


def drive(step, blend=0.4, seconds=4.0):
    """Forces over x of a wheel (v_x, v_z, omega) that follows the ground; contact normal tilted."""
    x = np.arange(0.0, 40.0, 0.25)
    heights = np.tile(0.03 * np.sin(2 * np.pi * x / 4.0), (4, 1))
    soils = SoilMap(ConeIndexSoil(3e5), [Patch(ConeIndexSoil(9e5), x=(3.0, 6.0))], blend)
    ground = HeightField(heights, (0.25, 1.0), (0.0, -1.5), soils)
    wheel = WheelContact(TYRE, ConeIndexSoil(3e5), lateral=Crolla())
    contact = GroundContact([wheel])
    r, inverse = TYRE.radius, 1.0 / np.array([MASS, MASS, INERTIA])
    v = np.array([1.5, 0.0, 1.5 / r])
    place = np.array([0.5, r + float(ground.height(0.5)) - wheel.static_compression(MASS * 9.81)])
    record, energy, losses, first = [], 0.0, 0.0, None
    for _ in range(round(seconds / step)):
        normal = ground.normal(place[0], 0.0)
        n, t = np.array([normal[0], normal[2]]), np.array([normal[2], -normal[0]])
        gap = float((place[1] - ground.height(place[0])) * n[1] - r)
        contact.set_soil(0, ground.soil(place[0]))
        J = np.array([[*n, 0.0], [*t, -r], [0.0, 0.0, 0.0], [*t, 0.0]])
        v_free = v + step * inverse * np.array([0.0, -MASS * 9.81, TORQUE])
        B = J @ (inverse[:, None] * J.T)
        q = contact.solve(step, [gap], B, J @ v, J @ v_free).copy()
        kinetic = 0.5 * v @ (v / inverse) + MASS * 9.81 * place[1]
        first = kinetic if first is None else first
        v = v_free + inverse * (J.T @ q)
        place += step * v[:2]
        u = J @ v
        energy += step * TORQUE * v[2]
        losses -= q @ u
        assert contact.report["missed"] == 0.0
        record.append([place[0], *q / step])
    kinetic = 0.5 * v @ (v / inverse) + MASS * 9.81 * place[1]
    return np.array(record), energy, losses, kinetic - first


def test_forces_are_continuous_across_the_border():
    """Halving the step halves the largest change of thrust from step to step: nothing jumps."""
    jumps = []
    for step in (2e-3, 1e-3):
        record, *_ = drive(step)
        there = (record[:, 0] > 2.5) & (record[:, 0] < 3.5)
        jumps.append(np.abs(np.diff(record[there, 2])).max())
    assert jumps[0] / jumps[1] == pytest.approx(2.0, abs=0.3)


def test_energy_balances_to_a_percent():
    _, work, losses, rise = drive(1e-3)
    assert losses > 0.0
    assert abs(work - losses - rise) < 0.01 * work
