"""Number of each array of ``RunData`` by its path, such as ``"channels.impulse"``, for kernels that copy
arrays.

Array number k is the part of ``F`` (floats) or ``N`` (integers) from index ``N[2 k]`` to ``N[2 k + 1]``.
"""

from mlcp.compiled.bundles import STATE

from .data import RunData

LANES = 8  # vehicles computed side by side: one vector register of AVX-512, two of AVX2

_OWN = {path: leaf for path, leaf in RunData.leaves.items() if not leaf.like}
_STATE = {path: leaf for path, leaf in _OWN.items() if leaf.entry.part == STATE}
# FLOATS, INTS: arrays with memory of their own (not views of another array); STATE_FLOATS, STATE_INTS:
# the arrays among them that are a run's state; all in the order of the memory.
FLOATS = {path: leaf.floats for path, leaf in _OWN.items() if leaf.floats >= 0}
INTS = {path: leaf.ints for path, leaf in _OWN.items() if leaf.ints >= 0}
STATE_FLOATS = {path: leaf.floats for path, leaf in _STATE.items() if leaf.floats >= 0}
STATE_INTS = {path: leaf.ints for path, leaf in _STATE.items() if leaf.ints >= 0}
