"""Reproduced figures of Peiret et al. show computed values, and their checks can fail."""

import numpy as np
import pytest

from wheelground.reports.paper import checks, linearisations, slip_ratio, wheel_forces
from wheelground.reports.quarter import figures
from wheelground.reports.quarter.case import SCHEMES, QuarterVehicleCase, steady_state
from wheelground.reports.quarter.runs import run_case

pytestmark = pytest.mark.filterwarnings("ignore::contact.OutsideValidity")


@pytest.mark.parametrize("figure", [checks.add_up, checks.touch, checks.meet])
def test_what_is_drawn_is_what_is_computed(figure):
    found = figure()
    for check in found if isinstance(found, list) else [found]:
        assert check.verdict == "passed", f"{check.name}: {check.measured}"


def test_stresses_of_another_slip_do_not_add_up(monkeypatch):
    wheel = wheel_forces.contact().wheel
    monkeypatch.setattr(wheel_forces, "SLIP", 0.25)
    stressed = wheel_forces.contact()
    mixed = wheel_forces.Stresses(wheel, stressed.angle, stressed.normal, stressed.shear)
    monkeypatch.setattr(checks.wheel_forces, "contact", lambda: mixed)
    assert checks.add_up().verdict == "FAILED"


def test_a_line_laid_at_another_slip_misses_the_law(monkeypatch):
    line = linearisations.present_line("local")
    monkeypatch.setattr(linearisations, "SLIP", 0.12)
    monkeypatch.setattr(linearisations, "present_line", lambda scheme: line)
    assert not any(check.passed for check in checks.touch())


def test_steps_of_set_valued_jump_from_side_to_side_those_of_implicit_do_not():
    """Sliding speed over eight steps: by ``set-valued`` it is 0 after every second step; by ``implicit``
    it is small and changes in one direction only."""
    jumping = [one.v_t for one in linearisations.steps("set-valued", count=8, **linearisations.SMALL)]
    assert np.allclose(jumping[1::2], 0.0, atol=1e-12)
    assert max(jumping[::2]) < -0.05
    steady = [one.v_t for one in linearisations.steps("implicit", count=8, **linearisations.SMALL)]
    assert (np.diff(steady) < 0.0).all()
    assert min(steady) > -0.02


def test_fig_4_hides_no_step(tmp_path, monkeypatch):
    """The figure draws each of the 2000 steps of every scheme, the chatter of local-current included."""
    import matplotlib.axes

    case, drawn = QuarterVehicleCase(duration=2.0), {}
    plot = matplotlib.axes.Axes.plot

    def spy(axes, x, *rest, **words):
        if ":" in str(words.get("label", "")):
            drawn.setdefault(words["label"].split(":")[0], len(np.asarray(x)))
        return plot(axes, x, *rest, **words)

    monkeypatch.setattr(matplotlib.axes.Axes, "plot", spy)
    runs = [run_case(case, scheme, "direct") for scheme in SCHEMES]
    figures.thrust_over_slip(case, runs, steady_state(case), tmp_path / "4.png")
    assert drawn == dict.fromkeys(SCHEMES, 2000)


def test_diagrams_are_drawn(tmp_path):
    for path in (
        wheel_forces.draw(tmp_path / "1.png"),
        slip_ratio.draw(tmp_path / "2.png"),
        linearisations.draw_lines(tmp_path / "3.png"),
        linearisations.draw_steps(tmp_path / "4.png"),
    ):
        assert 30_000 < path.stat().st_size < 200_000
