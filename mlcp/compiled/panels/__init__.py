"""LLVM vector code of the elimination's inner loops; Python reference: ``mlcp.kernels.kkt_vector``."""
