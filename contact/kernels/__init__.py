"""Scalar kernels of wheels and ground: laws, slip, rows of the problem, its solution and verdict."""
