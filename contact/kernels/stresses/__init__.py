"""Stresses under a wheel, and the integrals of these stresses."""
