"""``python -m contact`` names the commands: the package is a library."""

raise SystemExit("contact is a library. The commands: python -m wheelground, python -m rig")
