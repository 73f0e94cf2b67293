"""Stresses under a wheel, and their integrals."""
