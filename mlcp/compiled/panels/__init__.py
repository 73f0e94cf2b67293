"""LLVM vector code of the elimination's inner loops; Python: ``mlcp.kernels.kkt.kkt_vector``."""
