"""``python -m bodies`` names the commands: the package is a library."""

raise SystemExit("bodies is a library. The commands: python -m wheelground, python -m rig")
