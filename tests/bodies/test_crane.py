"""The crane of Rahikainen et al., boom and oil solved in one step: it follows the paper's equations."""

import math

import pytest

import bodies as B
from tests.bodies.oil_cases import crane

#: Solution by SciPy's Radau, equal at relative tolerances of 1e-8 and 1e-10: by time [s] length of
#: cylinder [m], pressures of piston and rod side [MPa]. Equations: J. Rahikainen et al., Multibody
#: System Dynamics 50 (2020) 143.
RADAU = {
    0.5: (0.50004751, 4.16266, 3.46052),
    1.0: (0.50412131, 3.82051, 2.64601),
    2.0: (0.53629516, 4.10269, 2.38530),
    4.0: (0.63293728, 3.94210, 2.49266),
}


@pytest.mark.parametrize("integration", ["auto", "backward", "centred"])
def test_the_crane_is_the_published_one(integration):
    sim, at = B.Simulation(B.compile(crane(integration)), 1e-3), 0.0
    for time, (length, piston, rod) in RADAU.items():
        sim.run((time - at) / 1e-3)
        at = time
        assert sim.hydraulics.extension("lift") + 0.279 == pytest.approx(length, abs=5e-5)
        assert 1e-6 * sim.hydraulics.pressure("lift") == pytest.approx([piston, rod], abs=1e-3)
    assert sim.missed == 0
    assert max(sim.joint_error()) < 1e-6


@pytest.mark.parametrize(
    ("integration", "least", "most"), [("backward", 0.9, 1.1), ("centred", 1.7, 2.3)]
)
def test_the_crane_converges_at_its_schemes_order(integration, least, most):
    model = B.compile(crane(integration))

    def lifted(step):
        sim = B.Simulation(model, step)
        sim.run(2.0 / step)
        return float(sim.hydraulics.extension("lift"))

    exact = lifted(1e-4)
    order = math.log2(abs(lifted(4e-3) - exact) / abs(lifted(2e-3) - exact))
    assert least < order < most
