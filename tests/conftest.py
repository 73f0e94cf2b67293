"""Settings of the whole suite."""

from hypothesis import settings

# The first call of a kernel compiles it, which no deadline should count; the same examples every
# time, so that a green suite stays green.
settings.register_profile("wheelground", deadline=None, derandomize=True)
settings.load_profile("wheelground")
