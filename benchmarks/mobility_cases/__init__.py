"""Cases of ``benchmarks.mobility``."""
