"""Standing wheels on one body: each force inside its ellipse, or on it and against the sliding."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contact import ConeIndexSoil, Crolla, GroundContact, Tyre, WheelContact
from contact.kernels.wheel import layout as at

H, WHEELS = 2e-3, 4
TYRE, SOIL = Tyre(0.762, 0.2, 0.14, deflection_ratio=0.2), ConeIndexSoil(9e5)
LAW = WheelContact(TYRE, SOIL, regularisation="set-valued", lateral=Crolla(0.15, 0.8), sinkage="bekker")
BY_DEMAND = replace(LAW, combined="demand")

pytestmark = pytest.mark.filterwarnings("ignore::contact.OutsideValidity")


def standing(seed, push, law=LAW):
    """One step of four locked wheels under a stiff body, pushed with about their capacity."""
    rng = np.random.default_rng(seed)
    channels = 4 * WHEELS
    own = np.tile([1 / 60.0, 1 / 40.0, 1 / 50.0, 1 / 45.0], WHEELS)
    common = rng.normal(size=(channels, 3)) * 0.05
    B = np.diag(own) + common @ common.T
    ground = GroundContact([law] * WHEELS)
    gap = rng.uniform(-0.025, -0.015, WHEELS)
    free = np.zeros(channels)
    angle = rng.uniform(0.0, 2 * np.pi, WHEELS)
    for k in range(WHEELS):  # impulse [N s] on each contact, along its angle
        impulse = push * 5e3 * H * np.array([np.cos(angle[k]), np.sin(angle[k])])
        free += B[:, [4 * k + at.SLIDING, 4 * k + at.LATERAL]] @ impulse
        free += B[:, 4 * k + at.NORMAL] * -5e3 * H
    q = ground.solve(H, gap, B, np.zeros(channels), free).copy()
    return ground, B, free, q


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.3, 1.6), st.sampled_from([LAW, BY_DEMAND]))
def test_every_wheel_is_on_its_own_ellipse(seed, push, law):
    """A sliding wheel's force opposes the sliding, or with "demand" is the one that dissipates most."""
    ground, B, free, q = standing(seed, push, law)
    assert ground.report["missed"] == 0.0
    u = free + B @ q
    for k in range(WHEELS):
        load = q[4 * k + at.NORMAL] / H
        if load <= 1.0:
            continue
        values = LAW.ground_law.values(1.0, load, TYRE, SOIL)
        hold = (
            H
            * load
            * np.array(
                [abs(values[0]) + values[2], float(LAW.lateral.lateral_ratio(1.5, load, TYRE, SOIL))]
            )
        )
        p = q[[4 * k + at.SLIDING, 4 * k + at.LATERAL]] / hold
        v = u[[4 * k + at.SLIDING, 4 * k + at.LATERAL]] * (hold if law is BY_DEMAND else hold[::-1])
        assert np.hypot(*p) <= 1.0 + 1e-4
        if np.hypot(*v) > 1e-3 * np.abs(hold).max() * 1e-3:
            assert np.hypot(*p) == pytest.approx(1.0, abs=1e-3)
            assert p @ v / np.hypot(*p) / np.hypot(*v) == pytest.approx(-1.0, abs=1e-3)
