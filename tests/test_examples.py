"""Every example runs, draws its picture and prints the expected number."""

import inspect
import math
import re
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from bodies import vehicle
from rig.observer import NEW, OLD

EXAMPLES = Path(__file__).parent.parent / "examples"
G, LOAD, RADIUS = 9.80665, 2452.5, 0.381


def creep_slip(grade):
    """Slip i = v / v_0 of a locked wheel that creeps on a grade, by Brixius' law (eqs 18-20).

    The tyre is deflected by 0.2 of its section height.
    """
    load = LOAD / math.hypot(1.0, grade)
    b_m = 4e5 * 2.0 * RADIUS * 0.2 / load * (1.0 + 5.0 * 0.2) / (1.0 + 3.0 * 0.2 / (2.0 * RADIUS))
    needed = grade - (1.0 / b_m + 0.04) - 0.04
    return -math.log(1.0 - needed / (0.88 * (1.0 - math.exp(-0.1 * b_m)))) / 7.5


def share_of_the_soil(points=24):
    """First-order Sobol index of the cone index for the steady slip i, by Gauss-Legendre quadrature.

    The slip solves mu(i) F_n = T / r: thrust (thrust ratio times load) = torque over radius.
    """
    x, w = np.polynomial.legendre.leggauss(points)
    soil, mass, torque = np.meshgrid(4e5 + 1e5 * x, 250.0 + 50.0 * x, 400.0 + 100.0 * x, indexing="ij")
    load = 9.81 * mass
    b_m = soil * 2.0 * RADIUS * 0.2 / load / (1.0 + 3.0 * 0.2 / (2.0 * RADIUS))
    push = torque / RADIUS / load
    slip = -np.log(1.0 - (push - 0.04) / (0.88 * (1.0 - np.exp(-0.1 * b_m)))) / 7.5
    w = w / 2.0
    mean = np.einsum("abc,a,b,c", slip, w, w, w)
    return (
        w
        @ (np.einsum("abc,b,c->a", slip, w, w) - mean) ** 2
        / np.einsum("abc,a,b,c", (slip - mean) ** 2, w, w, w)
    )


def share_on_the_front_axle():
    """Fraction of the van's weight on its front axle, by the masses and positions of its file."""
    bodies = {b.name: b for b in vehicle.load(EXAMPLES / "leaf_springs.toml").bodies}
    mass = sum(b.mass for b in bodies.values())
    centre = sum(b.mass * b.position[0] for b in bodies.values()) / mass
    front, rear = (bodies[f"{axle}_left wheel"].position[0] for axle in ("front", "rear"))
    return (centre - rear) / (front - rear)


# (number, tolerance) of each example. The comment before it has the source of the number; mu(i): thrust
# ratio at slip i, gamma: resistance ratio, F_n: load, T: torque, r: radius, h: step.
PROMISED = {
    # slip i: mu(i) F_n = T / r at 400 N m, tyre deflected by 0.2 of its height, solved by hand
    "two_bodies_and_a_wheel.py": (0.084683, 2e-6),
    # slip of the steady state at 600 N m in closed form, tyre not deflected
    "chatter_and_its_cure.py": (0.322534, 2e-6),
    # ratio of the errors of two steps, for a method of first order: 0.05 s / 0.02 s
    "any_step_size.py": (2.5, 0.15),
    # creep v [mm/min] at slip i = v / v_0, v_0 = 1 mm/s, where mu(i) + gamma(0) = grade 0.4
    "parked_on_a_slope.py": (60.0 * creep_slip(0.4), 1e-4),
    # pull [N] by the formulas of Azimi et al. (2013), computed independently
    "pull_over_slip.py": (15.6228, 1e-4),
    # slip i, where the thrust 0.7 (1 - exp(-6 i)) F_n of the example's law is T / r
    "your_own_law.py": (-math.log(1.0 - 500.0 / (0.7 * RADIUS * LOAD)) / 6.0, 2e-6),
    # horizontal position after 10 s [m], IFToMM benchmark A01
    "pendulum.py": (-0.2750874626, 1e-3),
    # distance g (sin - mu cos) t (t + h) / 2 down an incline at t = 1 s, exact for semi-implicit Euler
    "block_on_an_incline.py": (G * (math.sin(0.3) - 0.2 * math.cos(0.3)) * 1.001 / 2.0, 1e-8),
    # speed [km/h] to which soil and gearing were fitted, within a tenth
    "drive_a_vehicle.py": (19.1, 1.9),
    # slip (omega r - v) / (omega r) at a rim speed omega r and a travel speed v
    "what_is_slip.py": ((2.0 - 1.6) / 2.0, 1e-12),
    # impulse m v [N s] that stops a body
    "what_is_a_complementarity_problem.py": (2.0 * 0.3, 1e-12),
    # distance |x + y - 1| / sqrt 2 of a point from the line x + y = 1
    "a_quadratic_programme.py": (2.5 / math.sqrt(2.0), 1e-12),
    # Sobol index: variance of the slip's mean over load and torque, divided by the slip's variance
    "what_decides_the_slip.py": (share_of_the_soil(), 2e-5),
    # horizontal distance [m] from the described place: at rest some centimetres down the slope
    "drive_on_a_map.py": (0.0, 0.05),
    # difference between the motion of a vehicle in a batch and alone
    "vector_environment.py": (0.0, 0.0),
    # distance of the learned driver divided by that of the best constant pedal, for one seed
    "learn_to_climb.py": (1.106, 0.05),
    # relative difference of the sum of the wheel loads from the weight
    "any_machine.py": (0.0, 1e-6),
    # front share of the weight, (x_c - x_rear) / wheelbase; the vehicle at rest pitches a little
    "leaf_springs.py": (share_on_the_front_axle(), 1e-3),
    # cone index [kPa] set during the run, found again from the drive within a tenth
    "soil_while_driving.py": (300.0, 30.0),
    # velocity h (F - mu m g) / m after one step with Coulomb friction mu, force F, mass m
    "a_problem_of_your_own.py": (0.01 * (15.0 - 0.5 * 2.0 * 9.81) / 2.0, 1e-12),
}
# File names of examples for other simulation codes start with this; tests/hosts runs these examples.
ELSEWHERE = "host_"


def test_no_example_is_forgotten():
    found = {path.name for path in EXAMPLES.glob("*.py") if not path.name.startswith(ELSEWHERE)}
    assert found == set(PROMISED)


@pytest.mark.parametrize("name", sorted(PROMISED.keys() - {"soil_while_driving.py"}))
def test_example_gives_its_number_and_its_picture(name, tmp_path):
    check_number_and_picture(runpy.run_path(str(EXAMPLES / name))["main"], name, tmp_path)


def check_number_and_picture(main, name, folder):
    number, tolerance = PROMISED[name]
    if "picture" in inspect.signature(main).parameters:
        picture = folder / "picture.png"
        assert main(picture) == pytest.approx(number, abs=tolerance)
        assert picture.stat().st_size > 5000
    else:
        assert main() == pytest.approx(number, abs=tolerance)


def test_a_soil_that_softens_under_way_is_followed_and_held_while_nothing_moves(tmp_path):
    """Cone index 600 kPa, from 8 s on 300 kPa; speed and rim speed with noise of 1 % and 1 cm/s."""
    main = runpy.run_path(str(EXAMPLES / "soil_while_driving.py"))["main"]
    found = main.__globals__["drive"]()
    main.__globals__["drive"] = lambda: found
    check_number_and_picture(main, "soil_while_driving.py", tmp_path)
    time, answer, status = found.values()
    assert (answer[time < 3.0] == 4e5).all()
    assert (status[(time > 2.0) & (time < 3.0)] == OLD).all()
    assert answer[time < 8.0][-1] == pytest.approx(6e5, rel=0.1)
    assert answer[time < 11.0][-1] == pytest.approx(3e5, rel=0.1)
    assert answer[-1] == pytest.approx(answer[time < 12.0][-1], rel=0.02)
    coasting = time > 13.0  # [s] torque zero from 12 s on; the fits use the last 2 s
    assert (answer[coasting] == answer[-1]).all()
    assert (status[coasting] < NEW).all()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_vehicles_are_reset_as_gymnasium_defines_masks_and_autoreset(mode):
    gymnasium = pytest.importorskip("gymnasium")
    names = runpy.run_path(str(EXAMPLES / "vector_environment.py"))["main"].__globals__
    names["LAST"] = 2  # number of actions of an episode
    envs = gymnasium.make_vec(
        "wheelground/Drive-v0", num_envs=8, autoreset_mode=gymnasium.vector.AutoresetMode(mode)
    ).unwrapped
    envs.reset(seed=1)
    half = np.tile([0.5, 0.0], (8, 1))
    envs.step(half)
    time, mask = envs.batch.time.copy(), np.arange(8) % 2 == 0
    envs.reset(options={"reset_mask": mask})
    assert (envs.batch.time == time)[~mask].all()
    assert (envs.steps == np.where(mask, 0, 1)).all()
    last, _, stopped, ended, info = envs.step(half)  # second and last action of the vehicles not reset
    assert not stopped.any()
    assert (ended == ~mask).all()
    if mode == "SameStep":
        assert (info["_final_obs"] == ended).all()
        assert (info["final_obs"] != last).any(axis=1)[ended].all()
        assert (envs.steps == np.where(mask, 1, 0)).all()
    else:
        assert info == {}
        assert (envs.steps == np.where(mask, 1, 2)).all()
        _, reward, _, again, _ = envs.step(half)
        assert (again == mask).all()
        assert (reward == 0.0).tolist() == ended.tolist()
        assert (envs.steps == np.where(mask, 2, 0)).all()


@pytest.mark.parametrize(
    ("name", "modules"),
    [
        ("host_drake.py", ("pydrake", "pydrake.all")),
        ("host_exudyn.py", ("exudyn",)),
        ("host_fmu.py", ("fmpy",)),
        ("host_mujoco.py", ("mujoco",)),
        ("host_mujoco_environments.py", ("mujoco",)),
        ("host_mujoco_legs.py", ("mujoco",)),
        ("host_pinocchio.py", ("pinocchio",)),
        ("vector_environment.py", ("gymnasium",)),
        ("drive_on_a_map.py", ("rasterio",)),
    ],
)
def test_without_what_it_needs_an_example_ends_in_a_sentence(name, modules, monkeypatch):
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(SystemExit, match="^this needs .*: pip install "):
        runpy.run_path(str(EXAMPLES / name))


def test_the_embedding_example_fits_a_screen():
    lines = (EXAMPLES / "two_bodies_and_a_wheel.py").read_text().split('"""', 2)[2].splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 40


def test_any_step_size_shows_the_steps_that_it_names(tmp_path, monkeypatch):
    """One curve for each step in the example's docstring; error over step is constant within 35 %."""
    script, shown = runpy.run_path(str(EXAMPLES / "any_step_size.py")), []
    monkeypatch.setattr(Figure, "savefig", lambda figure, path, **how: shown.append(figure.axes[0]))
    script["main"](tmp_path / "picture.png")
    labels = [text.get_text() for text in shown[0].get_legend().get_texts()]
    named = re.findall(r"\d\.\d+", script["__doc__"].split(":")[0])
    assert [re.search(r"h = (\S+) s", label)[1] for label in labels] == named
    assert len(shown[0].lines) == len(named)
    _, fine = script["drive"](1e-3)
    errors = [
        float(np.abs(script["drive"](step)[1] - fine).max()) / step for step in (0.005, 0.025, 0.1)
    ]
    assert errors == pytest.approx([errors[1]] * 3, rel=0.35)
