"""What Numba does differently for kernels, and why: its libraries, passes, lowering and calls."""
