"""Examples with wheels in other simulation codes return the expected number, and stay short."""

import runpy
import shutil
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
# Slip i at a torque T of 400 N m and a load F_n of 2452.5 N, by hand: mu(i) F_n = T / r (thrust ratio
# mu, radius r; the tyre is deflected by 0.2 of its section height).
STEADY = 0.084683
# Slip after the first second, equal in all codes; the steady slip takes 12 s, too long in other codes.
AFTER_A_SECOND = 0.0748100
HOSTS = {
    "host_mujoco.py": "mujoco",
    "host_exudyn.py": "exudyn",
    "host_pinocchio.py": "pinocchio",
    "host_drake.py": "pydrake",
    "host_fmu.py": "fmpy",
}


def main_of(name):
    """The example's ``main``; skips with the reason if a requirement is missing."""
    if name in HOSTS:
        pytest.importorskip(HOSTS[name], reason=f"{HOSTS[name]} is not installed")
    return runpy.run_path(str(EXAMPLES / name))["main"]


def test_no_example_is_forgotten():
    assert {path.name for path in EXAMPLES.glob("host_*.py")} == {
        "host_in_c.py",
        "host_mujoco_environments.py",
        "host_mujoco_legs.py",
        *HOSTS,
    }


def test_episodes_of_several_robots_repeat_to_the_bit():
    pytest.importorskip("mujoco", reason="mujoco is not installed")
    assert main_of("host_mujoco_environments.py")() == 0.0


def test_wheeled_legs_level_a_robot_on_a_side_slope():
    pytest.importorskip("mujoco", reason="mujoco is not installed")
    assert main_of("host_mujoco_legs.py")() == pytest.approx(1.0, abs=1e-3)


def test_a_c_program_calls_the_solver_without_python():
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no C compiler here (cc, gcc or clang)")
    assert main_of("host_in_c.py")() == pytest.approx(STEADY, abs=2e-6)


@pytest.mark.parametrize("name", sorted(HOSTS))
def test_all_hosts_move_the_same(name):
    assert main_of(name)(1.0) == pytest.approx(AFTER_A_SECOND, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(HOSTS))
def test_all_hosts_end_where_they_must(name):
    assert main_of(name)() == pytest.approx(STEADY, abs=2e-6)


@pytest.mark.parametrize("name", sorted(HOSTS))
def test_examples_are_short(name):
    assert len((EXAMPLES / name).read_text().splitlines()) < 80
