"""Kernels of the driveline's rows, one per file."""
