"""The model of oil and cylinder agrees with Exudyn's hydraulic actuator."""

import numpy as np
import pytest

from benchmarks.hydraulic_cases import exudyn_arm

pytest.importorskip("exudyn")


def test_an_arm_on_exudyns_own_hydraulic_actuator():
    """Cylinder length and chamber pressures agree to 1e-4 of their ranges, with steps of 1e-5 s."""
    ours, _ = exudyn_arm.ours(1e-5, 100)
    theirs, _ = exudyn_arm.exudyns(1e-5, 100)
    for column in (1, 2, 3):
        found = np.interp(ours[:, 0], theirs[:, 0], theirs[:, column])
        assert np.ptp(found) > (0.04 if column == 1 else 9e6)  # the arm moves
        assert np.max(np.abs(ours[:, column] - found)) < 1e-4 * np.ptp(found)
