"""Quick compiler of kernels: replacements of Numba's libraries, passes, lowering and calls."""
