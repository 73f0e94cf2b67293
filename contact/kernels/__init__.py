"""Scalar kernels of wheels and ground: laws, slip, rows of the problem, what judges and solves it."""
