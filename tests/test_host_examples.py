"""The examples inside other codes move as the others; each is short enough to read."""

import runpy
import shutil
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
# Slip that 400 N m need at delta/H = 0.2 under 2452.5 N: mu(i) F_n = T / r, solved by hand for i.
STEADY = 0.084683
# Inside other codes 12 s take long: after the first second all of them must have the same slip.
HOSTS = {
    "wheel_in_mujoco.py": "mujoco", "wheel_in_exudyn.py": "exudyn",
    "wheel_in_pinocchio.py": "pinocchio", "wheel_in_drake.py": "pydrake", "wheel_in_an_fmu.py": "fmpy",
}  # fmt: skip
AFTER_A_SECOND = 0.0704910


def main_of(name):
    """The example's ``main``; skips, with the reason, what this machine cannot run."""
    if name == "host_in_c.py" and not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no C compiler here (cc, gcc or clang)")
    if name in HOSTS:
        pytest.importorskip(HOSTS[name], reason=f"{HOSTS[name]} is not installed")
    return runpy.run_path(str(EXAMPLES / name))["main"]


def test_no_example_is_forgotten():
    found = {p.name for p in EXAMPLES.glob("*.py") if p.name.startswith(("host_", "wheel_in_"))}
    assert found == {"host_in_c.py", *HOSTS}


def test_a_program_in_c_gives_the_same_number():
    assert main_of("host_in_c.py")() == pytest.approx(STEADY, abs=2e-6)


@pytest.mark.parametrize("name", sorted(HOSTS))
def test_example_inside_another_code_moves_as_the_others(name):
    assert main_of(name)(1.0) == pytest.approx(AFTER_A_SECOND, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(HOSTS))
def test_example_inside_another_code_ends_where_it_must(name):
    assert main_of(name)() == pytest.approx(STEADY, abs=2e-6)


@pytest.mark.parametrize("name", sorted(HOSTS))
def test_examples_are_short(name):
    assert len((EXAMPLES / name).read_text().splitlines()) < 80
