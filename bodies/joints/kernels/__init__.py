"""Rows and position errors of the joints and couplings, one a file."""
