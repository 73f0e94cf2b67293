"""Measurements of speed, of our code and of other programs; ``python -m benchmarks`` lists them.

Runs from a checkout: the wheel does not install it.
"""

import wheelground.reports  # noqa: F401 - it refuses an old Python in one sentence
