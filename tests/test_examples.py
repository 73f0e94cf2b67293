"""Every example runs and ends with the number it promises."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
# Slip that 400 N m need at delta/H = 0.2 under 2452.5 N: mu(i) F_n = T / r, solved by hand for i.
PROMISED = {"two_bodies_and_a_wheel.py": 0.084683}


def test_no_example_is_forgotten():
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(PROMISED)


@pytest.mark.parametrize("name", sorted(PROMISED))
def test_example_gives_its_number(name):
    assert runpy.run_path(str(EXAMPLES / name))["main"]() == pytest.approx(PROMISED[name], abs=2e-6)


def test_the_embedding_example_fits_a_screen():
    lines = (EXAMPLES / "two_bodies_and_a_wheel.py").read_text().split('"""', 2)[2].splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 40
