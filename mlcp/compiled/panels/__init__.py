"""LLVM vector code of the elimination's inner loops; ``mlcp.kernels.kkt_vector`` has their Python."""
