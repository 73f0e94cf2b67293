"""No ground law creates energy: its force ratios alone, and time steps under each regularisation."""

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contact import (
    LAWS,
    REGULARISATIONS,
    BekkerSoil,
    ConeIndexSoil,
    Crolla,
    GroundContact,
    LuGre,
    Pacejka,
    PacejkaLateral,
    Tabulated,
    Tyre,
    UserLaw,
    WheelContact,
    WongReece,
    named_soil,
)
from contact.kernels.laws.wong_reece_law import EXACT
from contact.kernels.wheel.wheel_law import law_of_motion

from .free_wheel import WEIGHT, FreeWheel, forget

pytestmark = pytest.mark.filterwarnings("ignore::contact.OutsideValidity")
TYRE, SOIL, LOAM = Tyre(0.762, 0.2, 0.14), ConeIndexSoil(4e5), BekkerSoil.sandy_loam()
MEASURED = Tabulated([0.0, 0.1, 0.5, 1.0], [0.02, 0.4, 0.6, 0.5], [0.05, 0.06, 0.08, 0.1])
OWN = UserLaw(lambda s, f: (0.04 + 0.7 * np.tanh(4.0 * s) + 0.0 * f, 0.06 + 0.1 * s**2), tolerance=1e-6)
OTHERS = {"tabulated": MEASURED, "user function": OWN, "pacejka": Pacejka(rolling=0.01)}
# The contact ends below the axle; one that ends behind the axle may pull at zero slip (last test).
OTHERS["softened stresses"] = WongReece(slip_softening=1.0, skid_softening=2.0, rim_friction=0.6)
STRESSES = ("wong-reece", "softened stresses")  # laws whose rolling moment may turn a wheel
NAMES = sorted({**LAWS, **OTHERS})
speeds = st.one_of(st.floats(-10.0, 10.0), st.floats(-0.01, 0.01), st.just(0.0))


def law_of(name):
    return {**LAWS, **OTHERS}[name]


def soil_of(name):
    return LOAM if name in STRESSES else SOIL


R = TYRE.radius
WHEEL = FreeWheel(R)
# SCHEMES omits "local-current", eq 29 of Peiret et al., which can reverse the slip in a step and gain
# energy.
KEPT_MOMENT = ("global", "local", "lugre")  # smooth schemes, with the rolling moment of the step's start
SCHEMES = [*sorted(set(REGULARISATIONS) - {"local-current"}), "lugre"]


@functools.cache
def contact_of(name, scheme, combined):
    lugre = LuGre(sigma_2=20.0) if scheme == "lugre" else None
    side = PacejkaLateral() if name == "pacejka" else Crolla(0.15, 0.7)
    return GroundContact([
        WheelContact(
            TYRE, soil_of(name), law=law_of(name), lateral=side, lugre=lugre,
            regularisation="implicit" if lugre else scheme, combined=combined,
        )
    ])  # fmt: skip


def stored(ground):
    """Energy of the bristles [J]."""
    return 0.5 * LuGre().sigma_0 * float(np.sum(ground.wheel_arrays.bristle.floats**2))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15)
@given(
    v_x=speeds,
    v_y=st.floats(-2.0, 2.0),
    rim=speeds,
    steps=st.integers(1, 4),
    h=st.sampled_from([1e-4, 1e-3, 1e-2]),
    combined=st.sampled_from(["demand", "sliding"]),
)
def test_no_row_creates_energy(name, scheme, v_x, v_y, rim, steps, h, combined):
    """In each step the work of the tangential impulses plus the change of bristle energy is at most 0.

    The work at the velocities of the step's end is an upper bound of the change of kinetic energy.
    Smooth schemes with the rolling moment of the step's start can turn a braked wheel on while it stops;
    for them the test takes the work at the mean velocity, which is the change of kinetic energy.
    """
    ground = contact_of(name, scheme, combined)
    forget(ground)
    v = np.array([v_x, v_y, 0.0, rim / R])
    for _ in range(steps):
        before, v_free = stored(ground), v + h * WEIGHT
        q, v = WHEEL.step(ground, h, -0.03, v)
        work, size = WHEEL.work(q, v)
        if name in STRESSES and scheme in KEPT_MOMENT:
            work, _ = WHEEL.work(q, 0.5 * (v_free + v))
        assert work + stored(ground) - before <= 1e-7 * size + 1e-9


BEYOND = {  # thrust at zero slip above the resistance
    "near the soil's capacity": (WongReece(), named_soil("LETE sand").bekker, 3e4),
    "exit behind the axle": (WongReece(exit_share=0.5), named_soil("LETE sand").bekker, 5e3),
    "light load": (LAWS["sand-unified"], SOIL, 300.0),
}


@pytest.mark.parametrize("scheme", ["implicit", "set-valued", "global"])
@pytest.mark.parametrize("name", BEYOND)
def test_thrust_beyond_the_resistance_at_zero_slip_gives_no_energy(name, scheme):
    """A thrust at zero slip above the resistance does no positive work on a wheel near standstill.

    Below the speed v_0 the time step bounds its excess like Coulomb friction.
    """
    law, soil, load = BEYOND[name]
    assert law.thrust_ratio(0.0, load, TYRE, soil) > law.resistance_ratio(0.0, load, TYRE, soil)
    ground = GroundContact([WheelContact(TYRE, soil, law=law, regularisation=scheme, sinkage="none")])
    wheel, rng = FreeWheel(R, load / 9.81), np.random.default_rng(0)
    for _ in range(150):
        size, h = 10.0 ** rng.uniform(-6.0, 0.0), rng.choice([1e-4, 1e-3, 1e-2])
        v_x = size * rng.standard_normal()
        rim = rng.choice([0.0, size * rng.standard_normal(), v_x * (1.0 + 0.01 * rng.standard_normal())])
        forget(ground)
        v = np.array([v_x, 0.0, 0.0, rim / R])
        for _ in range(3):
            q, v = wheel.step(ground, h, -load / TYRE.stiffness, v)
            work, most = wheel.work(q, v)
            assert work <= 1e-7 * most + 1e-9


@pytest.mark.parametrize("slip", [-0.2, -0.5, -0.9])
def test_tangent_of_a_thrust_over_the_smooth_slip_has_one_sign_down_to_zero_slip(slip):
    """It is the law's own tangent or, if that changes its sign before zero slip, the chord from zero."""
    law, soil, load = BEYOND["light load"]
    wheel = WheelContact(TYRE, soil, law=law, regularisation="implicit", sinkage="none", slip="smooth")
    ground = GroundContact([wheel])
    rolling = np.array([0.0, 0.0, 0.0, 0.07])
    ground.solve(1e-3, [-load / TYRE.stiffness], np.eye(4), rolling, rolling)  # sets the wheel's soil
    wheels, slow = ground.wheel_arrays, 0.8 * wheel.v_min  # the smooth slip is half the slip

    def found(s):
        return law_of_motion(0, s, 1.0, slow, load, EXACT, wheels.now[0].law, wheels)[:2]

    mu, slope = found(slip)
    own = (found(1.001 * slip)[0] - found(0.999 * slip)[0]) / (0.002 * slip)
    assert slope == pytest.approx(min(own, mu / slip), rel=1e-3)
