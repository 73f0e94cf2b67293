"""Kernels of the rows and position errors of joints and couplings, one per file."""
