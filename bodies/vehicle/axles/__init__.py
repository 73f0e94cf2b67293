"""Axles and suspensions, with their springs and brakes."""
