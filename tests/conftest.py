"""Settings of the whole suite."""

from collections import Counter

from hypothesis import settings

# The first call of a kernel compiles it, which no deadline should count; the same examples every
# time, so that a green suite stays green.
settings.register_profile("wheelground", deadline=None, derandomize=True)
settings.load_profile("wheelground")

#: Long ones that compile nothing of ours: one process begins with them while the other compiles what
#: both need, and none is left over for the end.
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
