"""Compiled step of the MuJoCo adapter, on MuJoCo's own memory."""
