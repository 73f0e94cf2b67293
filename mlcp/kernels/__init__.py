"""Kernels of the solvers: dense, sparse, structured (blocks of 6 x 6) and saddle point (``kkt``)."""
