"""Scalar kernels of wheels and ground: laws, slip, rows of the contact problem, and its solution."""
