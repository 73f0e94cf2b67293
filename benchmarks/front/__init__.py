"""The front of the benchmarks: which there are, running them, and the report."""
