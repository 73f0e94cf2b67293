"""Simulations, recorded runs, trajectories, and the balances that are taken of them."""
