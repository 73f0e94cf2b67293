"""A user's regularisation of friction: a built-in scheme written again as a function moves the same."""

import copy
import pickle

import numpy as np
import pytest
from numba import njit

from bodies import Schedule
from bodies.vehicle import QuarterVehicle
from contact import ConeIndexSoil, Crolla, GroundContact, Line, Regularisation, Tyre, WheelContact
from tests.bodies.mechanisms import drive as run_quarter
from tests.bodies.test_ground import SOFT, TYRE
from tests.refusals import refusals

from .free_wheel import FreeWheel


def secant(at):
    """The secant damper of eq 26 of Peiret et al., in Python."""
    return Line(damping=at.secant, bound=at.peak)


def frozen(at):
    """Coulomb friction at the law's force at the start of the step: the set-valued scheme."""
    return Line(friction=abs(at.force))


def tangent(at):
    """The law's tangent, eq 27 of Peiret et al.; its force at zero sliding speed acts as friction."""
    at_zero = at.force + at.tangent * at.v_t
    if at_zero * at.v_t > 0.0:
        return Line(at_zero, at.tangent, at.peak)
    friction = min(abs(at_zero), at.peak)
    return Line(0.0, at.tangent, at.peak - friction, friction)


def drive(scheme, **changes):
    tyre = Tyre(0.762, 0.2, 0.14, deflection_ratio=0.0)
    wheel = WheelContact(tyre, ConeIndexSoil(4e5), regularisation=scheme, **changes)
    vehicle = QuarterVehicle(250.0, 6.0, wheel, Schedule.ramp(600.0, 0.5), pull=50.0)
    return run_quarter(vehicle, 1.5, 5e-3)


@pytest.mark.parametrize(
    ("function", "name", "settings"),
    [
        (secant, "global", {}),
        (tangent, "local", {}),
        (frozen, "set-valued", {"static_friction": True}),
        (tangent, "implicit", {"repeats": True}),
    ],
)
@pytest.mark.parametrize("law", ["brixius", "wong-reece"])
def test_a_scheme_written_again_runs_as_the_built_in_one(function, name, settings, law):
    run, own = drive(Regularisation.own(function, **settings), law=law)
    _, built_in = drive(name, law=law)
    assert run.missed == 0
    assert built_in.v_x[-1] > 0.5
    # Wong-Reece has a kink at zero slip: there rounding decides which slope a step starts on.
    tolerance = 1e-4 if law == "wong-reece" else 1e-7
    assert own.v_x == pytest.approx(built_in.v_x, abs=tolerance)
    assert own.rim_speed == pytest.approx(built_in.rim_speed, abs=tolerance)
    assert run.model.mechanism.wheels[0].soil.scheme.name == function.__name__


@njit
def compiled_secant(at):
    """The secant damper, compiled into the step."""
    return 0.0, abs(at.force / at.v_t) if at.v_t != 0.0 else at.tangent, at.peak, 0.0


@njit
def compiled_tangent(at):
    """``tangent``, compiled into the step."""
    at_zero = at.force + at.exact * at.v_t
    if at_zero * at.v_t > 0.0:
        return at_zero, at.exact, at.peak, 0.0
    friction = min(abs(at_zero), at.peak)
    return 0.0, at.exact, at.peak - friction, friction


@pytest.mark.parametrize(
    ("function", "name", "settings"),
    [(compiled_secant, "global", {}), (compiled_tangent, "implicit", {"repeats": True})],
)
def test_one_that_numba_has_compiled_is_called_by_the_step_itself(function, name, settings):
    scheme = Regularisation.own(function, **settings)
    assert scheme.line is None  # no Python function: the step calls machine code
    run, own = drive(scheme)
    _, built_in = drive(name)
    assert run.missed == 0
    assert own.v_x == pytest.approx(built_in.v_x, abs=1e-7)
    assert built_in.v_x[-1] > 0.5


def test_the_step_calls_the_one_that_it_was_given():
    """With half the secant damping the slip is larger."""

    @njit
    def half(at):
        return 0.0, 0.5 * abs(at.force / at.v_t) if at.v_t != 0.0 else at.tangent, at.peak, 0.0

    both = [drive(Regularisation.own(f, name="mine"))[1] for f in (compiled_secant, half)]
    assert both[1].v_x[-1] < both[0].v_x[-1] - 1e-3


test_a_compiled_scheme_that_will_not_do_is_a_sentence = refusals(
    (lambda at: at.slip, "Unknown attribute 'slip'.*v_t, force, tangent, exact, peak"),
    (lambda at: (1.0, 2.0), r"returned \(1.0, 2.0\).*four numbers"),
    (lambda at: (0.0, -1.0, 1.0, 0.0), "damping = -1.0 N s/m must be at least 0"),
    (lambda at: at.force, "four numbers"),
    of=lambda function: Regularisation.own(njit(function)),
)


def test_a_compiled_scheme_stays_in_its_process():
    scheme = Regularisation.own(compiled_secant)
    assert copy.deepcopy(scheme) is scheme
    with pytest.raises(TypeError, match=r"'compiled_secant'.*hand over the function"):
        pickle.dumps(scheme)


@pytest.mark.parametrize(
    ("function", "name", "settings"),
    [(secant, "global", {}), (tangent, "local", {}), (tangent, "implicit", {"repeats": True})],
)
def test_it_lays_the_lateral_force_too(function, name, settings):
    """A user's scheme also gives the lateral force: a wheel that rolls and slides sideways moves as
    under the built-in scheme."""
    ways = []
    for scheme in (name, Regularisation.own(function, **settings)):
        ground = GroundContact(
            [WheelContact(TYRE, SOFT, regularisation=scheme, lateral=Crolla(0.1, 0.7))]
        )
        free, v, way = FreeWheel(TYRE.radius, 300.0, 8.0), [2.0, 0.8, 0.0, 2.5 / TYRE.radius], []
        for _ in range(40):
            _, v = free.step(ground, 5e-3, -0.03, v, (0.0, 0.0, 0.0, 400.0))
            assert ground.report["missed"] == 0.0
            way.append(v)
        ways.append(way)
    assert ways[0][-1][1] < 0.7 * ways[0][0][1]
    assert np.array(ways[1]) == pytest.approx(np.array(ways[0]), abs=1e-8)


test_mistakes_are_sentences = refusals(
    (lambda: Line(damping=-1.0), "Line.damping = -1.0 N s/m must be at least 0"),
    (lambda: Line(at_zero=np.nan), "Line.at_zero = nan must be a finite number"),
    (lambda: Line(bound=-2.0), "Line.bound = -2.0 N must be at least 0 N"),
    (lambda: Regularisation.own("secant"), "line = 'secant' must be a function"),
    (lambda: drive(Regularisation.own(lambda at: 1.0)), "it must return a contact.Line"),
)
