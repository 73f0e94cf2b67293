"""Multirate simulation: a slow and a fast model exchange motion and force at fixed times."""
