"""LLVM vector code of the elimination's inner loops (in Python: ``mlcp.kernels.kkt.kkt_vector``)."""
