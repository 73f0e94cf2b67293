"""Panels of the cockpit: their description, and the shipped ones."""
