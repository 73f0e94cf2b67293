"""Settings of the whole suite."""

import gc
from collections import Counter

from hypothesis import settings

# No deadline, since the first call of a kernel compiles it; equal examples in every run, so that results
# are repeatable.
settings.register_profile("wheelground", deadline=None, derandomize=True)
settings.load_profile("wheelground")

# Imports and collection make a million objects that remain: garbage collection is off meanwhile, and
# ignores these objects in the tests.
gc.disable()

#: Long test files that compile no kernels. They run first: one test process is busy with them while the
#: other compiles the kernels for both, and no long file remains at the end.
FIRST = ("tests/test_typing.py", "tests/mlcp/test_two_ways.py")


def pytest_collection_modifyitems(config, items):
    """Order of the test files, for their distribution to processes."""
    if not hasattr(config, "workerinput"):
        return
    files = [item.nodeid.partition("::")[0] for item in items]
    many = Counter(files)
    place = {file: (file not in FIRST, -many[file]) for file in many}
    order = sorted(range(len(items)), key=lambda k: (*place[files[k]], k))
    items[:] = [items[k] for k in order]


def pytest_collection_finish(session):
    """Collect garbage in the tests among younger objects only, and more rarely."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()
