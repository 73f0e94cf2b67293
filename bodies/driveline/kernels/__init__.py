"""Rows of the driveline's elements, one a file."""
