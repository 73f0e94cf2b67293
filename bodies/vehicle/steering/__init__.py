"""Steering: from the steering wheel to the wheels."""
