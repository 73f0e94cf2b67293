"""Subcommands of ``wheelground``, one file each; reports are programs of their own in ``reports``."""
