"""Friction bounds mu times the normal impulse: enumeration of states, a block, a rod, refused calls."""

import itertools

import numpy as np
import pytest

from mlcp import MLCP, BadProblem, CoupledMLCP, solve, solve_coupled
from tests.mlcp import naive
from tests.refusals import refusals

H, G = 0.01, 9.81


def every_state(problem):
    """All solutions with each contact open, stuck or sliding, where the equations are regular."""
    A, b = problem.base.A, problem.base.b
    normal = np.flatnonzero(problem.normal < 0)
    found = []
    for states in itertools.product(("open", "stick", -1, 1), repeat=len(normal)):
        rows, right = [], []
        for i, state in zip(normal, states, strict=True):
            t = int(np.flatnonzero(problem.normal == i)[0])
            unit = np.eye(len(b))
            if state == "open":
                rows += [unit[i], unit[t]]
                right += [0.0, 0.0]
            else:
                rows.append(A[i])
                right.append(-b[i])
                if state == "stick":
                    rows.append(A[t])
                    right.append(-b[t])
                else:
                    rows.append(unit[t] - state * problem.mu[t] * unit[i])
                    right.append(0.0)
        if abs(np.linalg.det(np.array(rows))) < 1e-12:
            continue
        z = np.linalg.solve(np.array(rows), np.array(right))
        at = problem.at(z)
        gap = np.abs(z - np.clip(z - (A @ z + b), at.lower, at.upper)).max()
        if gap > 1e-6 * (1.0 + np.abs(z).max()):  # no solution, at any size of z
            continue
        if naive.natural_residual(at.A, at.b, at.lower, at.upper, z) <= 1e-10:
            found.append(z)
    return found


def planar_contacts(seed, contacts, most=0.7, compliance=1e-3):
    """Contacts with one friction row each on random rigid bodies of the plane; mu up to ``most``."""
    rng = np.random.default_rng([seed, contacts])
    J = rng.normal(size=(2 * contacts, 3 * (1 + contacts // 2)))
    A = J @ J.T + compliance * np.eye(2 * contacts)
    lower = np.where(np.arange(2 * contacts) % 2 == 0, 0.0, -np.inf)
    base = MLCP(A, J @ rng.normal(size=J.shape[1]), lower, np.inf)
    follows = [-1 if i % 2 == 0 else i - 1 for i in range(2 * contacts)]
    return CoupledMLCP(base, follows, rng.uniform(0.0, most))


@pytest.mark.parametrize("contacts", [1, 2, 3])
def test_coupled_finds_what_enumeration_finds(contacts):
    """A problem is solved only if enumeration finds solutions, and the answer is one of these."""
    unsolved = 0
    for seed in range(60):
        problem = planar_contacts(seed, contacts)
        known = every_state(problem)
        solution = solve_coupled(problem, raise_on_failure=False)
        if solution.solved:
            near = [np.max(np.abs(solution.z - z)) for z in known]
            assert min(near) <= 1e-8 * (1.0 + np.max(np.abs(solution.z)))
        else:
            unsolved += bool(known)
    assert unsolved == 0


@pytest.mark.parametrize("compliance", [1e-3, 1e-8, 0.0])
@pytest.mark.parametrize("most", [0.7, 2.0, 10.0])
@pytest.mark.parametrize("seeds", [10, pytest.param(20, marks=pytest.mark.slow)])
def test_friction_problems_are_solved_whatever_mu_is(most, compliance, seeds):
    """With a positive definite A there is a solution for every mu, and Lemke's path ends in one."""
    for contacts in (1, 2, 3, 6, 12):
        for seed in range(seeds):
            problem = planar_contacts(seed, contacts, most, compliance)
            z = solve_coupled(problem).z
            at = problem.at(z)
            assert naive.natural_residual(at.A, at.b, at.lower, at.upper, z) <= 2e-10


def test_one_path_solves_them_with_boxes_and_rows_without_bounds():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        J = rng.normal(size=(7, 9))
        lower = np.array([0.0, 0.0, 0.1, 0.0, -np.inf, -0.2, 0.3])
        upper = np.array([np.inf, 0.0, 2.0, 0.0, np.inf, 0.4, 0.3])
        base = MLCP(J @ J.T, J @ rng.normal(size=9), lower, upper)
        problem = CoupledMLCP(base, [-1, 0, -1, 2, -1, -1, -1], 1.5)
        z = problem.of_one(solve(problem.as_one()).z)
        at = problem.at(z)
        assert naive.natural_residual(at.A, at.b, at.lower, at.upper, z) <= 1e-8


def block(speed, mass):
    """A block on a plane: normal row and one friction row, mu = 0.5; impulses over one step [N s]."""
    base = MLCP(np.eye(2) / mass, [-G * H, speed], [0.0, -np.inf], np.inf)
    return CoupledMLCP(base, [-1, 0], 0.5)


@pytest.mark.parametrize("mass", [1e-3, 2.0, 1e4])
@pytest.mark.parametrize("speed", [-1.0, -0.0485, 0.0, 0.01, 0.0485, 0.0495, 1.0])
@pytest.mark.parametrize("treatment", ["iterated", "coupled"])
def test_a_block_sticks_below_mu_g_h_and_slides_above(treatment, speed, mass):
    """Friction reduces the speed by mu g h = 0.04905 m/s in a step."""
    z = solve_coupled(block(speed, mass), treatment).z
    weight = mass * G * H
    assert z[0] == pytest.approx(weight, rel=1e-12)
    assert z[1] == pytest.approx(np.clip(-mass * speed, -0.5 * weight, 0.5 * weight), rel=1e-12)


def test_frozen_bounds_are_the_last_steps_and_the_error_is_told():
    weight = 2.0 * G * H
    first = solve_coupled(block(1.0, 2.0), "frozen", z0=[0.5 * weight, 0.0])
    assert first.z[1] == pytest.approx(-0.25 * weight)
    assert first.extras["bound_change"] == pytest.approx(0.25 * weight)
    second = solve_coupled(block(1.0, 2.0), "frozen", z0=first.z)
    assert second.z[1] == pytest.approx(-0.5 * weight)
    assert second.extras["bound_change"] == pytest.approx(0.0, abs=1e-12)


def rod(mu, theta, speed):
    """Painleve's rod, 1 kg and half length 1 m, on its lower end: rows normal and tangential.

    The end is at (cos theta, -sin theta) from the centre, so the normal and the tangential impulse turn
    the rod with the arms cos theta and sin theta; its moment of inertia is 1/3 kg m2.
    """
    c, s = np.cos(theta), np.sin(theta)
    A = np.array([[1.0 + 3.0 * c * c, 3.0 * c * s], [3.0 * c * s, 1.0 + 3.0 * s * s]])
    base = MLCP(A, [-G * H, speed], [0.0, -np.inf], np.inf)
    return CoupledMLCP(base, [-1, 0], mu)


@pytest.mark.parametrize("theta", [0.3, 0.8, 1.0, 1.3])
@pytest.mark.parametrize("mu", [0.2, 0.8, 1.2])
def test_painleves_rod_slides_by_its_closed_form(mu, theta):
    """A fast rod keeps sliding: for mu < 4/3 the normal impulse is g h / (1 + 3 cos (cos - mu sin))."""
    z = solve_coupled(rod(mu, theta, 100.0)).z
    stiffness = 1.0 + 3.0 * np.cos(theta) * (np.cos(theta) - mu * np.sin(theta))
    assert stiffness > 0.0
    assert z[0] == pytest.approx(G * H / stiffness, rel=1e-10)
    assert z[1] == pytest.approx(-mu * z[0], rel=1e-10)


BASE = MLCP(np.eye(2), np.zeros(2), [0.0, -1.0], np.inf)
test_bad_couplings_get_one_sentence = refusals(
    (([5, -1], 0.5), "normal of row 0 is 5"),
    (([-1, 0], -1.0), "mu of row 1 is -1"),
    (([1, -1], 0.5), "row 1 bounds row 0"),
    *(
        (([-1, wrong], 0.5), f"normal of row 1 is {wrong}; it must be")
        for wrong in (-2, 0.7, -5, np.nan, 1)
    ),
    (([-1, 0], [1.0, 2.0, 3.0]), r"mu has shape \(3,\)"),
    of=lambda given: CoupledMLCP(BASE, *given),
    error=BadProblem,
)


SLIDING = CoupledMLCP(BASE, [-1, 0], 0.5)
test_bad_calls_get_one_sentence = refusals(
    (lambda: solve_coupled(SLIDING, z0=["a", "b"]), "z0 must be"),
    (lambda: solve_coupled(BASE), "must be a CoupledMLCP"),
    (lambda: solve_coupled(SLIDING, "couple"), "did you mean 'coupled'"),
)
