"""Kernels compiled by Numba's own pipeline and by the package's quick compiler give the same bytes."""

import os
from pathlib import Path

import numpy as np
import pytest
from llvmlite import binding

from mlcp.jit import code_of
from tests.commands import printed, python

ROOT = Path(__file__).parent.parent.parent
# On a processor without fused multiply-add the two compilers differ in the last digit; cause unknown.
FUSED = "NUMBA_CPU_NAME" not in os.environ and binding.get_host_cpu_features().get("fma", False)

SMALL = """
import sys
import warnings
import numpy as np
from contact import BekkerSoil, WongReece
from mlcp import MLCP, solve
from mlcp.compiled.backend import COMPILER

warnings.simplefilter("ignore")
rng, found = np.random.default_rng(5), []
for n in (3, 12, 40):
    J = rng.normal(size=(n, n - 2))
    problem = MLCP(J @ J.T + 1e-6 * np.eye(n), 10.0 * rng.normal(size=n), -1.0, rng.uniform(0.0, 9.0, n))
    found += [solve(problem, name).z for name in sys.argv[1:]]
slip, loads = np.linspace(-1.0, 1.0, 81), np.linspace(1000.0, 4000.0, 81)
found.append(WongReece().wheel(BekkerSoil.sandy_loam(), 0.381, 0.2, loads, slip).thrust / loads)
print(COMPILER, *(np.asarray(each, float).tobytes().hex() for each in found))
"""

LAWS = """
import numpy as np
from contact import BekkerSoil, ConeIndexSoil, Tyre, WheelContact
from mlcp.compiled.backend import COMPILER

found, slip = [], np.linspace(-1.0, 1.0, 81)
tyre = Tyre(0.762, 0.2, 0.14, deflection_ratio=0.1)
for law, soil in (("brixius", ConeIndexSoil(4e5)), ("wong-reece", BekkerSoil.sandy_loam())):
    found.append(WheelContact(tyre, soil, law=law).thrust_ratio(slip, 2500.0))
print(COMPILER, *(np.asarray(each, float).tobytes().hex() for each in found))
"""

DRIVE = """
import bodies
from bodies import vehicle
from mlcp.compiled.backend import COMPILER

model = bodies.compile(vehicle.load("hmmwv", controls={"throttle": 1.0, "gear": 2}))
simulation = bodies.Simulation(model, 1e-3)
simulation.run(300)
print(COMPILER, simulation.state().floats.tobytes().hex())
"""


@pytest.mark.parametrize(
    ("program", "names", "unfused", "sums"),
    [
        pytest.param(SMALL, ["pgs"], 1e-12, 1, id="a solver and a wheel on soil"),
        # Numba's own compiler needs 14 s for Newton's method, 27 s for all ground laws in one function,
        # longer for a direct solver and twice as long for all of a step
        pytest.param(SMALL, ["newton"], 1e-12, 1, id="Newton's method", marks=pytest.mark.slow),
        pytest.param(LAWS, [], 1e-12, 1, id="all ground laws", marks=pytest.mark.slow),
        pytest.param(SMALL, ["direct"], 1e-12, 1, id="the direct solver", marks=pytest.mark.slow),
        pytest.param(DRIVE, [], 1e-6, 0, id="a drive on soil", marks=pytest.mark.slow),
    ],
)
def test_the_same_bytes_come_out_whichever_way_it_was_compiled(program, names, unfused, sums):
    """The last ``sums`` results are sums in any order: the compilers may differ in their last digit."""
    quick, stock = (
        printed("-c", program, *names, WHEELGROUND_COMPILER=way).split() for way in ("quick", "stock")
    )
    assert (quick[0], stock[0]) == ("quick", "stock")
    exact = len(quick) - sums if FUSED else 1
    assert quick[1:exact] == stock[1:exact]
    for one, other in zip(quick[exact:], stock[exact:], strict=True):
        found, wanted = (np.frombuffer(bytes.fromhex(each)) for each in (one, other))
        np.testing.assert_allclose(found, wanted, rtol=unfused, atol=unfused)


def test_an_unknown_numba_is_answered_with_a_sentence_and_numbas_own_way():
    code = "import numba; numba.__version__ = '0.99.0'\nimport warnings\n"
    code += "with warnings.catch_warnings(record=True) as told:\n"
    code += "    warnings.simplefilter('always')\n"
    code += "    from mlcp.compiled.backend import COMPILER\n"
    code += "print(COMPILER, *(t.message for t in told))"
    told = printed("-c", code, WHEELGROUND_COMPILER="quick")
    assert told.startswith("stock Numba 0.99.0 is none of those that the quick compiler was tested with")


def test_an_unknown_way_is_refused():
    run = python("-c", "import mlcp.jit", WHEELGROUND_COMPILER="fast")
    assert run.returncode != 0
    assert "WHEELGROUND_COMPILER = 'fast' is unknown; known: quick, stock." in run.stderr


KERNEL = '''"""What the file is for."""

LIMIT = 3  # of passes


def solve(x):
    """Find it.

    With "quotes" and a # in it.
    """
    # why
    return x + LIMIT, "# no comment"
'''


def test_comments_and_docstrings_are_no_part_of_the_code():
    other = (
        KERNEL.replace("Find it", "Find the root")
        .replace("# why", "# because")
        .replace("  # of", " # in")
    )
    assert other != KERNEL
    assert code_of(other) == code_of(KERNEL)


def test_code_is_part_of_the_code():
    for old, new in (("LIMIT = 3", "LIMIT = 4"), ("x + LIMIT", "x - LIMIT"), ('"# no', '"# a')):
        assert code_of(KERNEL.replace(old, new)) != code_of(KERNEL)


def test_what_is_left_of_every_kernel_is_the_same_program():
    import ast

    for package in ("mlcp", "contact", "bodies"):
        for path in (ROOT / package).rglob("kernels/*.py"):
            left, whole = (ast.parse(text) for text in (code_of(path.read_text()), path.read_text()))
            for tree in (left, whole):
                for node in ast.walk(tree):
                    body = getattr(node, "body", None)
                    if isinstance(body, list):
                        node.body = [
                            one
                            for one in body
                            if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
                        ]
            assert ast.dump(left) == ast.dump(whole), path
