"""Scalar kernels of the force balance of a vehicle at one strength and slope, and of maps."""
