"""Refuse ``python -m identify``: the package has no command; the message names other commands."""

raise SystemExit("identify is a library. The commands: python -m wheelground, python -m rig")
