"""Compiled steps that solve linkage and oil in turn, compared with one solve of both."""
