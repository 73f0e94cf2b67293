"""``python -m identify``: print the commands of the project; the package itself has none."""

raise SystemExit("identify is a library. The commands: python -m wheelground, python -m rig")
