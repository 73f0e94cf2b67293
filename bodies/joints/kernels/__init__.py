"""Rows and position errors of the joints and of the couplings beside them, one a file."""
