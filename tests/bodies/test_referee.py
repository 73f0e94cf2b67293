"""Runs of many kinds: the same bytes as in an older source tree, and at other addresses of the arrays.

``WHEELGROUND_DIGESTS``: file that ``python -m tests.bodies.referee`` has written in the older tree.
Without it only two runs in this tree are compared, one of them with NaN between all arrays.
"""

import json
import os
from pathlib import Path

import pytest

from .referee import cases
from .test_memory import lay_apart

FILE = os.environ.get("WHEELGROUND_DIGESTS")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
CASES = cases()


def expected(name):
    return json.loads(Path(FILE).read_text())[name] if FILE else CASES[name]()


def same(found, known):
    return sorted(name for name in found.keys() | known.keys() if found.get(name) != known.get(name))


@pytest.mark.parametrize("name", CASES)
def test_same_bytes_with_nan_between_all_arrays(name, monkeypatch):
    known = expected(name)
    lay_apart(monkeypatch)
    assert same(CASES[name](), known) == []


@pytest.mark.skipif(not FILE, reason="no file of digests in WHEELGROUND_DIGESTS to compare with")
@pytest.mark.parametrize("name", CASES)
def test_same_bytes_as_at_the_start(name):
    assert same(CASES[name](), expected(name)) == []
