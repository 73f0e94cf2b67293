"""Compiled functions (kernels) of wheels and ground: laws, rows of the contact problem, its solution."""
