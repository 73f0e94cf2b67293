"""What ``benchmarks.mobility`` measures."""
