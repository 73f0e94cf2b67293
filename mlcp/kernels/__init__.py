"""Scalar kernels of the solvers: dense, structured (blocks of 6 x 6) and saddle point (``kkt``)."""
