"""``python -m bodies``: print the commands of the project; the package itself has none."""

raise SystemExit("bodies is a library. The commands: python -m wheelground, python -m rig")
