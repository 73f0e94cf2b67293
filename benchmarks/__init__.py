"""Measurements of speed, of our code and of other programs; ``python -m benchmarks`` lists them.

They run from a checkout only: an installed package does not have this folder.
"""

import wheelground.reports  # noqa: F401 - it refuses an old Python in one sentence
