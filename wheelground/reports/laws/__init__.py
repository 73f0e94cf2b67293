"""Parts of the benchmark of the ground laws."""
