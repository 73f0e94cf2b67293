"""Compiled scalar kernels of a mechanism's time step; the caller allocates all (flat) arrays."""
