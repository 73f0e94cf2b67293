"""Steerings: column, and the mechanism from the column to the road wheels."""
