"""LLVM vector code of a sparse elimination's inner loops; in Python: ``mlcp.kernels.kkt.kkt_vector``."""
