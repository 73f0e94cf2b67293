"""Soils fitted to wheel tests: true values found, within intervals; undetermined combinations named."""

import numpy as np
import pytest

from contact import BekkerSoil, WongReece
from identify import Unknown, WheelTest, fit
from tests.refusals import refusals
from wheelground.commands.identify import identify as command

SOIL = BekkerSoil(0.0, 9e5, 1.0, 300.0, 0.55, 0.02, 0.4, 0.2)
SLIP = np.linspace(-0.8, 0.9, 12)
LOAD = np.tile([60.0, 150.0], 6)
RADIUS, WIDTH = 0.15, 0.12
NOISE = {"pull": 1.0, "sinkage": 5e-4}
STRENGTH = {
    "soil.k_phi": Unknown(3e5, 1e4, 1e8, log=True),
    "soil.friction_angle": Unknown(0.4, 0.2, 0.9),
    "law.slip_softening": Unknown(0.2, 0.0, 5.0),
}


def synthetic(law, noise=0.0, seed=0):
    """A wheel test computed by a law, with normal noise of ``noise`` times the deviations ``NOISE``."""
    wheel, rng = law.wheel(SOIL, RADIUS, WIDTH, LOAD, SLIP), np.random.default_rng(seed)
    values = {"pull": wheel.drawbar_pull, "sinkage": wheel.sinkage}
    spoilt = {q: v + noise * NOISE[q] * rng.standard_normal(SLIP.size) for q, v in values.items()}
    return WheelTest(RADIUS, WIDTH, SLIP, LOAD, NOISE, **spoilt)


def test_parameters_of_a_synthetic_test_are_recovered():
    law = WongReece(exit_share=0.2, slip_softening=1.0)
    found = fit(synthetic(law), WongReece(exit_share=0.2), SOIL, STRENGTH)
    assert found.verdict == "determined"
    assert found.soil.k_phi == pytest.approx(9e5, rel=1e-4)
    assert found.soil.friction_angle == pytest.approx(0.55, rel=1e-4)
    assert found.law.slip_softening == pytest.approx(1.0, rel=1e-3)


def test_intervals_cover_the_truth_as_often_as_they_promise():
    """The 68 % intervals of three parameters in 40 noisy tests have the truth in 56 to 80 % of cases."""
    law, inside = WongReece(exit_share=0.2, slip_softening=1.0), []
    truth = {"soil.k_phi": 9e5, "soil.friction_angle": 0.55, "law.slip_softening": 1.0}
    for seed in range(40):
        found = fit(synthetic(law, 1.0, seed), WongReece(exit_share=0.2), SOIL, STRENGTH, seed)
        for name, value in truth.items():
            low, high = found.interval(name, 0.68)
            inside.append(low < value < high)
    assert 0.56 < np.mean(inside) < 0.80


def test_modulus_and_exponent_of_one_load_are_a_combination():
    wheel = WongReece().wheel(SOIL, RADIUS, WIDTH, 100.0, np.array([0.1, 0.2, 0.3]))
    test = WheelTest(
        RADIUS, WIDTH, [0.1, 0.2, 0.3], [100.0] * 3, {"sinkage": 2e-3}, sinkage=wheel.sinkage
    )
    unknown = {"soil.k_phi": Unknown(3e5, 1e4, 1e8, log=True), "soil.n": Unknown(0.8, 0.3, 2.0)}
    found = fit(test, WongReece(), SOIL, unknown)
    assert found.verdict == "only combinations"
    assert set(found.open_directions[0]) == set(unknown)
    assert "soil.n: not determined" in found.report()
    with pytest.raises(ValueError, match="not determined by these data"):
        found.interval("soil.n")


def test_a_deviation_has_its_share_of_an_undetermined_direction():
    """One row determines 0.98 a - 0.2 b alone: b keeps the variance of its prior, a has 0.2^2 of it."""
    from identify.solve import conclude

    unknown = dict.fromkeys(("a", "b"), Unknown(1.0, 0.0, 2.0))
    along = np.array([[0.98, -0.2], [0.0, 0.0]]) / np.hypot(0.98, 0.2)
    found = conclude(np.full(2, np.sqrt(3.0)), np.zeros(2), 100.0 * along, unknown)
    assert set(found.open_directions[0]) == {"b"}
    share = np.array([along[0, 0] / 100.0, along[0, 1]])
    assert found.deviations == {"a": pytest.approx(np.linalg.norm(share) * unknown["a"].deviation)}


@pytest.mark.parametrize(("limit", "determined"), [(1.5, False), (100.0, True)])
def test_an_unknown_that_errors_hardly_feel_far_away_is_not_determined(limit, determined):
    """The errors' chi^2 is limit^2 tanh^2(2 (a - 1) / limit), at most limit^2.

    If it were quadratic it would be 16 at four deviations of the unknown a.
    """
    from identify.solve import search

    def errors(values):
        return np.array([limit * np.tanh(2.0 * (values["a"] - 1.0) / limit)])

    unknown = {"a": Unknown(1.1, 0.0, np.sqrt(12.0))}  # deviation of this prior: 1
    found = search(errors, unknown, starts=1, seed=0)
    assert found.values["a"] == pytest.approx(1.0, abs=1e-3)
    assert ("a" in found.deviations) == determined


def test_other_settings_soils_and_probabilities_are_sentences():
    test = WheelTest(RADIUS, WIDTH, [0.1, 0.2], [10.0] * 2, {"pull": 1.0}, pull=[1.0, 2.0])
    unknown = {"soil.k_phi": Unknown(8e5, 1e4, 1e8, log=True)}
    for given, sentence in (
        ({"step": 0.1}, "fit: setting 'step' is unknown"),
        ({"seed": -1}, "fit: seed = -1"),
        ({"soil": "loam"}, "a wheel test needs a law and a soil"),
        ({"lateral": 3}, "lateral = 3 must be a WongReeceLateral"),
    ):
        with pytest.raises(ValueError, match=sentence):
            fit(test, WongReece(), **{"soil": SOIL, "unknown": unknown} | given)
    test = synthetic(WongReece())
    found = fit(test, WongReece(), SOIL, {"soil.friction_angle": STRENGTH["soil.friction_angle"]})
    with pytest.raises(ValueError, match="Fit: probability = 1.5"):
        found.interval("soil.friction_angle", 1.5)


def test_a_search_goes_on_past_values_that_the_soil_refuses():
    """Bounds of the friction angle far beyond a right angle give the fit of bounds below it."""
    law = WongReece(exit_share=0.2, slip_softening=1.0)
    wide = {**STRENGTH, "soil.friction_angle": Unknown(0.4, 0.2, 6.0)}
    found = fit(synthetic(law), WongReece(exit_share=0.2), SOIL, wide)
    assert found.verdict == "determined"
    assert found.soil.friction_angle == pytest.approx(0.55, rel=1e-4)


def test_a_start_that_the_soil_refuses_is_named_as_a_number():
    test = WheelTest(RADIUS, WIDTH, [0.1, 0.2], [10.0] * 2, {"pull": 1.0}, pull=[1.0, 2.0])
    unknown = {"soil.friction_angle": Unknown(2.0, -1.0, 3.0)}
    with pytest.raises(ValueError, match=r"friction_angle = 2(\.0)? rad must be"):
        fit(test, WongReece(), SOIL, unknown)


def test_a_law_that_cannot_explain_the_data_is_rejected():
    """Data of a wheel that sinks deeper with slip do not fit a law without ``slip_softening``."""
    test = synthetic(WongReece(exit_share=0.2, slip_softening=2.0), 1.0)
    unknown = {name: STRENGTH[name] for name in ("soil.k_phi", "soil.friction_angle")}
    assert fit(test, WongReece(exit_share=0.2), SOIL, unknown).verdict == "law rejected"


def test_a_normal_prior_is_a_row_of_the_fit():
    """For a sinkage linear in an unknown the fit is the mean of data and prior, weighted by the inverses
    of their variances. It is not printed if the data determine it less than the prior.
    """
    wheel = WongReece().wheel(SOIL, RADIUS, WIDTH, 100.0, np.array([0.2]))
    values = {}
    for prior in (1e-4, 0.3, None):
        unknown = {"soil.k_phi": Unknown(8e5, 1e4, 1e8, log=True, prior=prior)}
        test = WheelTest(RADIUS, WIDTH, [0.2], [100.0], {"sinkage": 1e-3}, sinkage=wheel.sinkage)
        found = fit(test, WongReece(), SOIL, unknown)
        values[prior] = found.values["soil.k_phi"]
        assert ("soil.k_phi: not determined" in found.report()) == (prior == 1e-4)
    assert values[1e-4] == pytest.approx(8e5, rel=1e-3)
    assert 8.1e5 < values[0.3] < 9e5
    assert values[None] == pytest.approx(9e5, rel=1e-4)


def test_missing_numbers_and_a_test_without_slip_are_notes():
    slip, load, pull = [0.0, 0.005], [100.0, 100.0], [-3.0, np.nan]
    test = WheelTest(RADIUS, WIDTH, slip, load, {"pull": 1.0}, pull=pull)
    unknown = {"soil.k_phi": Unknown(8e5, 1e4, 1e8, log=True)}
    report = fit(test, WongReece(), SOIL, unknown).report()
    assert "pull: 1 of 2 numbers missing, left out" in report
    assert "no row has a slip above 1 %" in report


TEST = {"slip": [0.1], "load": [1.0], "pull": [1.0], "noise": {"pull": 1.0}}
test_bad_tests_are_sentences = refusals(
    ({"load": [1.0, 2.0]}, "rows of one length"),
    ({"slip": [1.5], "load": [1.0], "pull": [1.0]}, r"slip must lie in \[-1, 1\]"),
    ({"load": [-1.0]}, "load must be above 0 N"),
    ({"pull": None}, "at least one of pull, side, torque and sinkage"),
    ({"noise": {}}, "noise of pull must be given"),
    ({"noise": {"pull": 1.0, "pul": 1.0}}, "noise of 'pul', which is not measured; did you mean 'pull'"),
    ({"noise": {"pull": np.inf}}, "noise of pull must be given, above 0 and finite"),
    ({"noise": {"pull": [1.0, 2.0]}}, "noise of pull must be .* a number or one for each row"),
    of=lambda change: WheelTest(radius=0.1, width=0.1, **TEST | change),
)


test_bad_unknowns_are_sentences = refusals(
    ({}, "unknown is empty"),
    ({"soil.k_ph": Unknown(1.0, 0.0, 2.0)}, r"unknown 'soil.k_ph'; did you mean 'soil.k_phi'\?"),
    ({"lateral.ploughing": Unknown(0.5, 0.0, 1.0)}, "'lateral.ploughing' is no number to be fitted"),
    (dict.fromkeys(("soil.n", "soil.cohesion"), Unknown(1.0, 0.5, 2.0)), "2 unknowns and 1 measured"),
    of=lambda unknown: fit(
        WheelTest(RADIUS, WIDTH, [0.1], [10.0], {"pull": 1.0}, pull=[1.0]), WongReece(), SOIL, unknown
    ),
)
test_bad_ranges_are_sentences = refusals(
    (lambda: Unknown(3.0, 0.0, 2.0), "must lie between"),
    (lambda: Unknown(1.0, -1.0, 2.0, log=True), "above 0 on a logarithmic scale"),
    (lambda: Unknown(1.0, 0.0, 2.0, prior=0.0), "prior = 0.0 must be above 0"),
    (lambda: Unknown("1", 0.0, 2.0), "Unknown: start = '1' is not a number"),
)


def test_the_command_fits_a_file(tmp_path, capsys):
    wheel = WongReece(exit_share=0.3).wheel(SOIL, RADIUS, WIDTH, LOAD, SLIP)
    lines = [
        f"{s},{f},{p},{z}"
        for s, f, p, z in zip(SLIP, LOAD, wheel.drawbar_pull, wheel.sinkage, strict=True)
    ]
    file = tmp_path / "wheel.csv"
    file.write_text("\n".join(["# made from a law", "slip,load,pull,sinkage", *lines]), encoding="utf-8")
    given = {"radius": RADIUS, "width": WIDTH, "pull_noise": 1.0, "sinkage_noise": 5e-4, "out": tmp_path}
    unknown = ("soil.k_phi:3e5:1e4:1e8:log", "soil.n:0.8:0.5:2")
    assert command(file, unknown=unknown, **given) in (0, 1)
    printed = capsys.readouterr().out
    assert "soil.k_phi = " in printed
    assert "no unit in the file, read as SI: load [N], pull [N], sinkage [m]" in printed
    assert (tmp_path / "identify.png").stat().st_size > 1000
    page = (tmp_path / "identify.html").read_text(encoding="utf-8")
    assert "soil.k_phi = " in page
    assert page.count("<svg") == 1
    with pytest.raises(SystemExit):
        command(file, torque_noise=1.0, unknown=unknown, **given)
    assert "noise of 'torque', which is not measured" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        command(file, unknown=("soil.k_phi:1",), **given)
    assert "NAME:START:LOW:HIGH" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        command(tmp_path / "none.csv", unknown=unknown, **given)
    assert "the wheel test cannot be read" in capsys.readouterr().err
