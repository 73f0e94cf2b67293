"""Subcommands of ``wheelground``, one file each; reports are separate programs in ``reports``."""
