"""Thousands of wrong calls of the Python API: refused in a sentence; none ends the process.

Each case runs in a process of its own, since a call that corrupts memory could end the tests.
"""

import pytest

from tests.commands import python

#: Largest fraction of the calls of ``api_walk`` with a printed fault: lower it only.
LEFT = {"mlcp": 0.002, "contact": 0.005, "bodies": 0.01, "rig": 0.01, "mobility": 0.01}


def slowly(*values):
    return pytest.param(*values, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("seed", "calls", "package"),
    [
        (0, 200, ""),
        *(slowly(seed, 5000, "") for seed in range(1, 9)),
        (0, 200, "mlcp"),  # (seed, number of calls drawn at random, package)
        *(slowly(0, 3000, package) for package in LEFT),
    ],
)
def test_wrong_calls_are_refused(seed, calls, package):
    module = ["tests.api_walk", package] if package else ["tests.api_fuzzer"]
    found = python("-X", "faulthandler", "-m", *module, seed, calls)
    *wrong, last = found.stdout.splitlines() or [""]
    assert len(wrong) <= LEFT.get(package, 0.0) * calls, "\n".join(wrong)
    assert (found.returncode, last) == (0, "done"), found.stderr[-2000:]
