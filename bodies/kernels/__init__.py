"""Compiled scalar kernels of the step; every array is flat and owned by the caller."""
