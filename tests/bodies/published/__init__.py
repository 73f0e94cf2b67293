"""Motions that others have published: mechanism, reference values, tolerances."""
