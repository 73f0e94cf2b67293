"""Every ground law: published numbers, derivative, sign, symmetry, extremes; compiled as in Python."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contact import (
    LAWS,
    BekkerSoil,
    BrixiusLateral,
    Clay,
    ConeIndexSoil,
    Crolla,
    MagicFormula,
    OutsideValidity,
    Sand,
    Tabulated,
    Tyre,
    UnifiedSand,
    UserLaw,
    WheelContact,
    crolla,
)
from contact.kernels.laws import lateral as lateral_kernel
from contact.kernels.laws.law import ground_law
from tests.refusals import refusals

PSI = 6894.76  # [Pa] rounded as in the simulation code MAVS, which calculates in single precision
TYRE = Tyre(0.934, 0.254, 0.3, deflection=0.06)
FORTY_PSI = ConeIndexSoil(40 * PSI)
LOAM = BekkerSoil.sandy_loam()
CHECKED = np.array([0.05, 0.10, 0.50])
NAMES = sorted(LAWS)
slips, loads = st.floats(-1.0, 1.0), st.floats(200.0, 2e4)


def soil_of(name):
    return LOAM if name == "wong-reece" else FORTY_PSI


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OutsideValidity)
        yield


@pytest.mark.parametrize(
    ("surface", "ratios"),
    [("dry", [0.7356194, 0.9558421, 0.9593748]), ("wet", [0.7449265, 0.8171163, 0.6674574])],
)
def test_magic_formula_published(surface, ratios):
    law = MagicFormula.surface(surface)
    assert law.thrust_ratio(CHECKED, 4e3, TYRE, None) == pytest.approx(ratios, abs=1e-7)


def test_snow_and_ice_are_the_plain_formula():
    for name, (b, c, d, e) in {"snow": (5, 2.0, 0.3, 1), "ice": (4, 2.0, 0.1, 1)}.items():
        for s in (-1.0, -0.3, 0.0, 0.02, 1.0):
            x = b * s
            plain = d * math.sin(c * math.atan(x - e * (x - math.atan(x))))
            law = MagicFormula.surface(name)
            assert law.thrust_ratio(s, 1.0, TYRE, None) == pytest.approx(plain, abs=1e-15)


def test_clay_run_time_variant_is_what_mavs_computes():
    law = Clay("run-time")
    number, powered, resistance = law.numbers(TYRE, FORTY_PSI, 8e3)
    assert number == pytest.approx(9.542949, abs=5e-7)
    assert powered == pytest.approx(0.07464708, abs=2e-8)
    assert resistance == pytest.approx(0.13876985, abs=2e-8)
    net = law.net_ratio(CHECKED, 8e3, TYRE, FORTY_PSI)
    assert net == pytest.approx([-0.2311850, -0.0713407, 0.2998063], abs=1e-7)


@pytest.mark.parametrize("slip", [1e-4, 5e-4, 2e-3, 5e-3, 9e-3, 0.02, 0.4, 1.0])
@pytest.mark.parametrize("cone_index", [20, 40, 200])
def test_run_time_clay_is_mavs_at_every_driving_slip(slip, cone_index):
    """The net pull is MAVS' formula, clamped to -1 to 1; below a slip of 0.01 the resistance fades."""
    law, soil, load = Clay("run-time"), ConeIndexSoil(cone_index * PSI), 8e3
    b, d, flat = TYRE.width, TYRE.diameter, 1 - 0.06 / 0.3
    n_c = cone_index * PSI * b * d / (load * flat**1.5 * (1 + b / d) ** 0.75)
    net = 0.5 * math.log10(slip / (21 / n_c**2.5)) * (1 + b / d) ** 0.25 - (12 / n_c**2 + 0.007)
    wanted = min(1.0, max(-1.0, net))
    assert law.net_ratio(slip, load, TYRE, soil) == pytest.approx(wanted, abs=1e-12)
    thrust, rolling = (f(slip, load, TYRE, soil) for f in (law.thrust_ratio, law.resistance_ratio))
    if slip >= 0.01:
        assert thrust - rolling == pytest.approx(wanted, abs=1e-12)
    else:
        assert wanted - 1e-12 <= thrust - rolling <= 0.0 or thrust > 0.0


def test_clay_resistances_by_name():
    """Resistance as calibrated (eq 27 of Dettwiller et al. 2018) or as original: equal net pull."""
    tyre, soil = Tyre(0.934, 0.254, 0.3, deflection_ratio=0.2), ConeIndexSoil(2e6)
    number, _, rolling = Clay().numbers(tyre, soil, 1e4)
    assert rolling == pytest.approx(5.07 / number**1.71 + 0.011, rel=1e-14)
    assert LAWS["clay-original"].numbers(tyre, soil, 1e4)[2] == pytest.approx(12 / number**2 + 0.007)
    assert Clay().resistance_ratio(0.1, 1e4, tyre, soil) == pytest.approx(rolling, rel=1e-14)
    nets = [Clay(v).net_ratio(0.3, 1e4, tyre, soil) for v in ("calibrated", "original")]
    assert nets[0] == pytest.approx(nets[1], abs=1e-14)
    # at the mobility number N_c = 53.44 the resistance ratios of the two variants are 0.0166 and 0.0112
    at = ConeIndexSoil(2e6 * 53.44 / number)
    both = [Clay(v).numbers(tyre, at, 1e4)[2] for v in ("calibrated", "original")]
    assert both == pytest.approx([0.016628, 0.011202], abs=1e-6)


def test_clay_carries_no_better_under_a_tyre_pressed_flat():
    """The mobility number N_c falls with the load up to a flat tyre, and is limited at a tiny load."""
    tyre, soil = Tyre(0.94, 0.317, 0.26), ConeIndexSoil(6.6e5)
    number, powered, _ = LAWS["clay-run-time"].numbers(tyre, soil, np.array([1.0, 2e4, 4e4, 6e4, 9e4]))
    assert (np.diff(number) < 0.0).all()
    assert number[0] == 300.0
    assert number[3] / number[4] == pytest.approx(9e4 / 6e4)
    assert (powered > 1e-5).all()


def test_calibrated_clay_pulls_nothing_at_its_self_powered_slip():
    law = Clay()
    number, powered, _ = law.numbers(TYRE, FORTY_PSI, 8e3)
    assert powered == pytest.approx(21 / number**2.5 + 0.005)
    assert law.net_ratio(powered, 8e3, TYRE, FORTY_PSI) == pytest.approx(0.0, abs=1e-14)


def test_sand_published():
    law = Sand()
    assert law.numeric(TYRE, FORTY_PSI, 8e3) == pytest.approx(9.03913, abs=5e-6)
    thrust = law.thrust_ratio(CHECKED, 8e3, TYRE, FORTY_PSI)
    assert thrust == pytest.approx([0.216097, 0.306864, 0.462164], abs=5e-7)


@given(st.floats(-1.0, 1.0), st.floats(500.0, 3e4), st.floats(0.1, 0.3))
def test_unified_sand_is_one_curve_over_braked_towed_and_powered(slip, load, deflection):
    """Thrust is a logistic function of slip whose constants depend on contact pressure over cone index;
    the resistance is that of ``Sand``."""
    tyre, soil, law = (
        Tyre(0.934, 0.254, 0.3, deflection_ratio=deflection),
        ConeIndexSoil(3e5),
        UnifiedSand(),
    )
    b, d, h = tyre.width, tyre.diameter, tyre.section_height
    a = deflection * h + 0.026 * d
    k = load / (2 * b * math.sqrt(a * d - a**2) * (b / h) ** 0.52) / 3e5
    assert law.pressure_ratio(tyre, soil, load) == pytest.approx(k, rel=1e-13)
    k = max(k, 0.05)
    most, size, power = 0.42 + 0.009 / k, 0.76 + 0.014 / k, 1.56 - 0.022 / k
    wanted = -0.5 + (most + 0.5) / (1 + size * math.exp(-7 * slip)) ** (1 / power)
    assert law.thrust_ratio(slip, load, tyre, soil) == pytest.approx(wanted, abs=1e-14)
    assert law.resistance_ratio(slip, load, tyre, soil) == pytest.approx(
        Sand().resistance_ratio(slip, load, tyre, soil), rel=1e-14
    )


def test_a_toe_deflects_the_tyre_under_every_law():
    """A tyre's deflection is toe + F / k; each law has the values as for this deflection prescribed.

    toe: deflection without load [m], F: load [N], k: stiffness [N/m].
    """
    toed, load = Tyre(0.762, 0.2, 0.14, carcass_stiffness=5e4, toe=0.004), 2500.0
    assert toed.deflection_at(load) == pytest.approx(0.004 + load / toed.stiffness, rel=1e-14)
    delta = float(toed.deflection_at(load))
    for law in (LAWS["brixius"], Sand(), Clay(), LAWS["clay-run-time"], UnifiedSand()):
        found = law.values(0.2, load, toed, ConeIndexSoil(4e5))
        for kept in ({"deflection": delta}, {"deflection_ratio": delta / 0.14}):
            fixed = Tyre(0.762, 0.2, 0.14, **kept)
            assert fixed.deflection_at(1e2) == fixed.deflection_at(1e4)
            assert law.values(0.2, load, fixed, ConeIndexSoil(4e5)) == pytest.approx(found, rel=1e-12)
        flat = law.values(0.2, load, Tyre(0.762, 0.2, 0.14, deflection=3 * delta), ConeIndexSoil(4e5))
        assert np.abs(flat - found).max() > 1e-3
    with pytest.raises(ValueError, match="Tyre.toe"):
        Tyre(0.762, 0.2, 0.14, toe=0.1)


@pytest.mark.parametrize("name", ["brixius", "brixius-radial"])
def test_brixius_keeps_its_digits_at_tiny_slip(name):
    law = LAWS[name]
    values = law.values([1e-12, -3e-14], 8e3, TYRE, FORTY_PSI)
    slope = float(law.thrust_slope(0.0, 8e3, TYRE, FORTY_PSI))
    assert values[:, 0] == pytest.approx([slope * 1e-12, -slope * 3e-14], rel=1e-11)


@pytest.mark.parametrize("law", [Crolla(0.09, 0.8), BrixiusLateral("bias"), BrixiusLateral("radial")])
def test_lateral_laws_keep_their_digits_at_tiny_angles(law):
    p = law.parameters(TYRE, FORTY_PSI)
    for angle in (1e-13, -1e-9, 0.02):
        for kernel in (lateral_kernel.lateral_law, lateral_kernel.lateral_law.py_func):
            ratio, slope, _ = kernel(law.number, p, angle, 8e3)
            assert ratio == pytest.approx(
                float(law.lateral_ratio(angle, 8e3, TYRE, FORTY_PSI)), rel=1e-14
            )
        if abs(angle) < 1e-3:
            assert ratio == pytest.approx(slope * angle, rel=1e-6)
    ratio, slope, _ = lateral_kernel.lateral_law(law.number, p, 1e-13, 8e3)
    assert ratio == pytest.approx(slope * 1e-13, rel=1e-11)


def test_sand_resistance_falls_from_0_963_to_0_01():
    def gamma(cone_index):
        return float(LAWS["sand"].resistance_ratio(0.0, 8e3, TYRE, ConeIndexSoil(cone_index)))

    flat = 0.05 * 0.06 / 0.3
    assert gamma(1e-3) == pytest.approx(0.963073 + flat, abs=1e-5)
    assert gamma(1e12) == pytest.approx(0.01 + flat, abs=1e-4)
    numeric = (
        40.0
        * PSI
        / 6894.757293168
        * (TYRE.width * TYRE.diameter / 0.0254**2) ** 1.5
        / (8e3 / 4.4482216152605)
    )
    x_m = 0.44 - 0.002287 * numeric
    plain = x_m + math.sqrt(x_m**2 + 0.0000457 * numeric + 0.08) + flat
    assert gamma(40 * PSI) == pytest.approx(plain, rel=1e-12)


def test_crolla_published():
    angles = np.array([0.05, 0.1, 0.2])
    wanted = [0.1738558, 0.3174857, 0.5341743]
    assert crolla(angles, math.radians(15)) == pytest.approx(wanted, abs=5e-8)
    assert crolla(-angles, math.radians(15)) == pytest.approx([-x for x in wanted], abs=5e-8)
    assert crolla(0.0) == 0.0
    both = crolla(np.array([[-10.0], [0.1]]), np.array([0.0873, 0.2618]))
    assert both == pytest.approx(
        np.array([[-1.0, -1.0], [1 - math.exp(-0.1 / 0.0873), 1 - math.exp(-0.1 / 0.2618)]])
    )


@given(st.floats(-1.5, 1.5), st.floats(200.0, 2e4))
def test_lateral_kernels_are_the_laws_and_their_own_python(angle, load):
    for law in (Crolla(0.1, 0.8), BrixiusLateral("bias"), BrixiusLateral("radial")):
        p = law.parameters(TYRE, FORTY_PSI)
        value = lateral_kernel.lateral_law(law.number, p, angle, load)
        assert value == lateral_kernel.lateral_law.py_func(law.number, p, angle, load)
        assert value[0] == pytest.approx(
            float(law.lateral_ratio(angle, load, TYRE, FORTY_PSI)), abs=1e-12
        )
        assert abs(value[0]) <= value[2]
        assert value[0] * angle >= 0.0
        d = 1e-6
        up = lateral_kernel.lateral_law(law.number, p, angle + d, load)[0]
        down = lateral_kernel.lateral_law(law.number, p, angle - d, load)[0]
        if abs(angle) > 2 * d:
            assert (up - down) / (2 * d) == pytest.approx(value[1], rel=1e-4, abs=1e-8)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=12)
@given(slip=slips, load=loads)
def test_kernel_is_its_own_python(name, slip, load):
    law = LAWS[name]
    p = law.parameters(TYRE, soil_of(name))
    assert ground_law(law.number, p, slip, load) == pytest.approx(
        ground_law.py_func(law.number, p, slip, load), rel=1e-12, abs=1e-15
    )


@pytest.mark.parametrize("name", NAMES)
@given(slip=st.floats(-0.97, 0.97), load=loads)
def test_slope_is_the_derivative(name, slip, load):
    law, soil, d = LAWS[name], soil_of(name), 1e-6
    if abs(slip) < 1e-3:
        slip = 0.5
    ends = law.thrust_ratio(np.array([slip - d, slip + d]), load, TYRE, soil)
    slope = law.thrust_slope(np.array([slip - d, slip, slip + d]), load, TYRE, soil)
    if abs(slope[2] - slope[0]) < 1e-2 * (1 + abs(slope[1])):  # no kink between the two slips
        assert (ends[1] - ends[0]) / (2 * d) == pytest.approx(slope[1], rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_extremes_are_finite_and_bounded(name):
    law, soil = LAWS[name], soil_of(name)
    slip = np.array([-1.0, -0.5, -1e-12, 0.0, 1e-12, 0.5, 1.0])
    for load in (0.0, 1e-3, 1.0, 1e3):
        for width in (0.05, 0.6):
            tyre = Tyre(0.934, width, 0.3)
            values = law.values(slip, load, tyre, soil)
            assert np.isfinite(values).all()
            assert (values[:, 2] >= 0.0).all()
            assert (values[:, 3] >= 0.0).all()
            assert (np.abs(values[:, 0]) <= values[:, 5] * 1.01 + 1e-9).all()
    assert law.thrust_ratio(slip[:, None], np.array([1e3, 2e3]), TYRE, soil).shape == (7, 2)


@pytest.mark.parametrize("name", [n for n in NAMES if n not in ("wong-reece", "sand-unified")])
@given(slip=slips, load=loads)
def test_braking_mirrors_driving(name, slip, load):
    law, soil = LAWS[name], soil_of(name)
    ahead = float(law.thrust_ratio(slip, load, TYRE, soil))
    assert float(law.thrust_ratio(-slip, load, TYRE, soil)) == -ahead


@pytest.mark.parametrize("name", ["brixius", "brixius-radial", "sand", "clay", "clay-run-time"])
def test_thrust_rises_with_slip(name):
    slip = np.linspace(-1.0, 1.0, 201)
    thrust = LAWS[name].thrust_ratio(slip, 8e3, TYRE, FORTY_PSI)
    assert np.all(np.diff(thrust) >= 0.0)


def test_measured_curve_from_a_file(tmp_path):
    path = tmp_path / "curve.csv"
    path.write_text(
        "load, slip, thrust, resistance\n"
        "1000,0,0,0.05\n1000,0.1,0.3,0.06\n1000,0.5,0.6,0.08\n1000,1,0.55,0.1\n"
        "3000,0,0,0.07\n3000,0.1,0.2,0.08\n3000,0.5,0.5,0.1\n3000,1,0.5,0.1\n"
    )
    law = Tabulated.from_csv(path)
    slip = np.array([0.0, 0.1, 0.5, 1.0])
    assert law.thrust_ratio(slip, 1000.0, TYRE, None) == pytest.approx([0.0, 0.3, 0.6, 0.55])
    assert law.thrust_ratio(-slip, 2000.0, TYRE, None) == pytest.approx(
        [0.0, -0.25, -0.55, -0.525], abs=1e-15
    )
    assert law.resistance_ratio(0.1, 9e3, TYRE, None) == pytest.approx(0.08)
    fine = law.thrust_ratio(np.linspace(0, 0.5, 100), 1000.0, TYRE, None)
    assert np.all(np.diff(fine) >= 0.0)  # the interpolation does not overshoot
    p = law.parameters()
    assert ground_law(law.number, p, 0.3, 1500.0) == ground_law.py_func(law.number, p, 0.3, 1500.0)
    path.write_text("slip, thrust\n0, 0\n0.1, x\n")
    with pytest.raises(ValueError, match="line 3: thrust = 'x' is no number"):
        Tabulated.from_csv(path)
    with pytest.raises(ValueError, match="slip must rise"):
        Tabulated([0.0, 0.0], [0.0, 0.1])


def test_user_function_is_met_to_1e_7():
    def mine(slip, load):
        strength = 1.0 - np.exp(-5e3 / (load + 500.0))
        thrust = np.sign(slip) * 0.8 * strength * (1 - np.exp(-7 * np.abs(slip))) + 0.03 * np.sign(slip)
        return thrust, 0.05 + 0.1 * np.abs(slip) + 1e-6 * load

    law = UserLaw(mine, load=(200.0, 2e4))
    rng = np.random.default_rng(3)
    slip, load = rng.uniform(-1, 1, 4000), np.exp(rng.uniform(np.log(200), np.log(2e4), 4000))
    thrust, resistance = mine(slip, load)
    assert np.abs(law.thrust_ratio(slip, load, TYRE, None) - thrust).max() < 1e-7
    assert np.abs(law.resistance_ratio(slip, load, TYRE, None) - resistance).max() < 1e-7
    p = law.parameters()
    assert ground_law(law.number, p, 0.3, 1500.0) == ground_law.py_func(law.number, p, 0.3, 1500.0)


test_bad_input_is_a_sentence = refusals(
    (lambda: MagicFormula(C=3.5), "negative at positive slip"),
    (lambda: MagicFormula.surface("icy"), "did you mean 'ice'"),
    (lambda: Clay("runtime"), "did you mean 'run-time'"),
    (lambda: UserLaw(lambda s, f: s[:1]), "must take arrays"),
    (lambda: UserLaw(lambda s, f: -s), "drive itself"),
    (lambda: UserLaw(lambda s, f: np.where(s > 0.31, 0.5, s) * np.sign(s) ** 2), "too rough"),
    (lambda: UserLaw(lambda s, f: np.nan * s), "at slip"),
    (lambda: crolla(0.1, 0.0), "gamma"),
    (lambda: LAWS["wong-reece"].thrust_ratio(0.1, 1e3, TYRE, FORTY_PSI), "needs pressure-sinkage"),
    (lambda: LAWS["sand"].thrust_ratio(0.1, -1.0, TYRE, FORTY_PSI), "at least 0 N"),
)


def test_wong_reece_under_a_cone_index_looks_at_the_base():
    wheel = WheelContact(TYRE, FORTY_PSI, law="wong-reece")
    assert wheel.ground == LOAM
    assert WheelContact(TYRE, LOAM, law="wong-reece").ground is LOAM
