"""Common properties of all laws: one warning of validity, soil type, broadcasting, deflection."""

import warnings

import numpy as np
import pytest

from bodies.vehicle import QuarterVehicle
from contact import (
    LAWS,
    BekkerSoil,
    BrixiusLateral,
    ConeIndexSoil,
    OutsideValidity,
    Tabulated,
    Tyre,
    UserLaw,
    WheelContact,
    validity,
    vehicle_cone_index,
)
from tests.bodies.mechanisms import drive
from tests.refusals import refusals

TYRE, LOAM = Tyre(0.934, 0.254, 0.3, deflection=0.06), BekkerSoil.sandy_loam()
CONE = ConeIndexSoil(275e3)
NAMES = sorted(LAWS)
TABLE = Tabulated([0.0, 0.4], [[0.0, 0.5], [0.0, 0.4]], 0.05, [1e3, 3e3])
OWN = UserLaw(lambda s, f: 0.5 * np.sin(s) + 0.0 * f, load=(200.0, 2e4), tolerance=1e-4)
OUTSIDE = [  # law, slip, load, tyre, soil, text of the warning
    (LAWS["brixius"], 0.1, 1e6, TYRE, CONE, r"b_m = 0\.\d+ .* 1 to 2000; there the formula"),
    (LAWS["brixius"], 0.8, 8e3, TYRE, CONE, r"slip = 0\.8 .* -0\.3 to 0\.3; there the exponential"),
    (LAWS["brixius-radial"], 0.1, 8e3, Tyre(0.5, 0.45, 0.1), CONE, r"b/D = 0\.9 .* 0\.05 to 0\.8"),
    (LAWS["dry"], 1.5, 8e3, TYRE, None, r"slip = 1\.5 .* -1 to 1; there it is clamped"),
    (LAWS["ice"], -1.5, 8e3, TYRE, None, r"slip = -1\.5 .* there it is clamped"),
    (LAWS["sand"], 0.1, 1e6, TYRE, CONE, r"N_s = 0\.0\d+ .* 0\.5 to 300; there the formula"),
    (LAWS["clay"], 0.1, 1e6, TYRE, CONE, r"N_c = 0\.\d+ .* 1 to 100; there .* \[-1, 1\]"),
    (LAWS["clay-run-time"], 0.1, 10.0, TYRE, CONE, r"N_c = \d+ .* 1 to 100"),
    (LAWS["wong-reece"], 0.1, 1e6, TYRE, LOAM, r"load = 1e\+06 N .* there the wheel stands sunk"),
    (TABLE, 0.6, 2e3, TYRE, None, r"slip = 0\.6 .* -0\.4 to 0\.4; there the last measured"),
    (TABLE, 0.1, 4e3, TYRE, None, r"load = 4000 N .* 1000 to 3000 N; there the nearest curve"),
    (OWN, 0.1, 1e5, TYRE, None, r"load = 1e\+05 N .* there the nearest end holds"),
]


@pytest.mark.parametrize(("law", "slip", "load", "tyre", "soil", "words"), OUTSIDE)
def test_outside_validity_a_law_says_so_once(law, slip, load, tyre, soil, words):
    """A law outside its range warns once, with its name, quantity, value and consequence."""
    validity.forget()
    with pytest.warns(OutsideValidity, match=f"^{law.name}: {words}") as said:
        thrust = law.thrust_ratio(slip, load, tyre, soil)
    assert len(said) == 1
    assert np.isfinite(thrust)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        law.thrust_ratio(slip, load, tyre, soil)
        law.resistance_ratio(slip, load, tyre, soil)


@pytest.mark.filterwarnings("ignore::contact.OutsideValidity")
def test_what_a_law_does_outside_is_what_it_says():
    dry = LAWS["dry"]
    assert dry.thrust_ratio(1.5, 8e3, TYRE, None) == dry.thrust_ratio(1.0, 8e3, TYRE, None)
    assert TABLE.thrust_ratio(0.6, 2e3, TYRE, None) == pytest.approx(0.45)
    assert TABLE.thrust_ratio(0.4, 9e3, TYRE, None) == pytest.approx(0.4)
    ends = OWN.thrust_ratio(0.3, np.array([2e4, 1e6]), TYRE, None)
    assert ends[0] == ends[1]
    deep = LAWS["wong-reece"].thrust_ratio(0.3, np.array([1e6, 1e7]), TYRE, LOAM)
    assert deep[0] == pytest.approx(deep[1], rel=1e-12)


def test_a_run_outside_validity_says_so():
    validity.forget()
    wheel = WheelContact(Tyre(0.762, 0.2, 0.14, deflection_ratio=0.2), ConeIndexSoil(2e5))
    spinning = QuarterVehicle(250.0, 6.0, wheel, torque=700.0)
    with pytest.warns(OutsideValidity, match=r"brixius: slip = 0\.\d+ lies outside"):
        drive(spinning, 1.0, 2e-3)


@pytest.mark.parametrize("name", NAMES)
def test_a_soil_of_the_wrong_kind_is_a_sentence(name):
    law, wrong = LAWS[name], CONE if name == "wong-reece" else LOAM
    if law.name == "magic formula":  # independent of the soil
        assert np.isfinite(law.thrust_ratio(0.1, 8e3, TYRE, wrong))
        return
    words = f"^{law.name}: soil is a {type(wrong).__name__}; it needs"
    with pytest.raises(ValueError, match=words):
        law.thrust_ratio(0.1, 8e3, TYRE, wrong)
    if name != "wong-reece":  # uses ``base`` if the soil is a cone index
        with pytest.raises(ValueError, match=words):
            WheelContact(TYRE, wrong, law=name)


test_what_no_wheel_can_have_is_a_sentence = refusals(
    (lambda: WheelContact(TYRE, CONE, base=CONE), "base = .* must be a BekkerSoil"),
    (
        lambda: WheelContact(TYRE, LOAM, law="wong-reece", lateral=BrixiusLateral()),
        "BrixiusLateral: soil is a BekkerSoil",
    ),
    (lambda: WheelContact("tyre", CONE), "tyre = 'tyre' must be a Tyre"),
    (lambda: UserLaw("mine"), "function = 'mine' must be a function"),
    (lambda: UserLaw(lambda s, f: (s, s, s)), "returned 3 values"),
    (lambda: UserLaw(lambda s, f: (0.5 * np.abs(s), 0.0 * s)), "larger than resistance"),
    (lambda: Tabulated([-1.0, 0.0, 1.0], [0.5, 0.0, 0.5]), "larger than resistance"),
    (lambda: vehicle_cone_index(np.array([40.0, -1.0])), "must be above 0"),
)


@pytest.mark.filterwarnings("ignore::contact.OutsideValidity")
@pytest.mark.parametrize("name", NAMES)
def test_arrays_are_their_elements(name):
    """Slips (3, 1) and loads (4,) give an array (3, 4) whose elements equal the calls with scalars."""
    law, soil = LAWS[name], LOAM if name == "wong-reece" else CONE
    slip, load = np.array([[-1.0], [0.0], [0.3]]), np.array([0.0, 10.0, 5e3, 2e4])
    for method in ("thrust_ratio", "thrust_slope", "resistance_ratio", "rolling_moment_ratio"):
        ask = getattr(law, method)
        many = ask(slip, load, TYRE, soil)
        assert many.shape == (3, 4)
        assert np.array_equal(many, [[float(ask(s, f, TYRE, soil)) for f in load] for s in slip[:, 0]])
        assert np.ndim(ask(0.1, 5e3, TYRE, soil)) == 0
