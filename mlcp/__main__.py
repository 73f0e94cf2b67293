"""``python -m mlcp`` names the commands: the package is a library."""

raise SystemExit("mlcp is a library. The commands: python -m wheelground, python -m rig")
