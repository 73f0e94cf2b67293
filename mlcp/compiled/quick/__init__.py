"""What the quick way does differently for kernels (libraries, passes, lowering, calls), and why."""
