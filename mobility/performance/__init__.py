"""Trafficability and speed of a vehicle: tables over strength and slope, borders, probabilities."""
