"""Thousands of wrong calls of the Python API: ours to refuse, in a sentence; none ends the process.

In a process of its own each, since a call that corrupts memory would take the tests with it.
"""

import subprocess
import sys

import pytest


def fuzz(seed, calls):
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.api_fuzzer", str(seed), str(calls)]
    found = subprocess.run(command, capture_output=True, text=True)
    *wrong, last = found.stdout.splitlines() or [""]
    assert not wrong, "\n".join(wrong)
    assert (found.returncode, last) == (0, "done"), found.stderr[-2000:]


def test_wrong_calls_are_refused():
    fuzz(0, 400)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 9))
def test_many_wrong_calls_are_refused(seed):
    fuzz(seed, 5000)
