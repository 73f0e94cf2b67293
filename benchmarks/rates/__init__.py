"""Cases of ``benchmarks.realtime``: times of steps; oil and mechanics in one solve, or at two rates."""
