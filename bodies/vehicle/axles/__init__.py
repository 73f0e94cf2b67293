"""Axles and suspensions: what carries the wheels, with their springs and brakes."""
