"""What the benchmark of the ground laws is made of."""
