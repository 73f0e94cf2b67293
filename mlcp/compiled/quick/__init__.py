"""Quick compiler of kernels: its own libraries, passes, lowering and calls, with the reasons."""
