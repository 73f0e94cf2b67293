"""``python -m identify`` names the commands: the package is a library."""

raise SystemExit("identify is a library. The commands: python -m wheelground, python -m rig")
