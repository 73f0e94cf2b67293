"""Kernels of the driveline's rows, one a file."""
