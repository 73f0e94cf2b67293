"""Scalar kernels of the force balance: one vehicle, one strength, one slope."""
