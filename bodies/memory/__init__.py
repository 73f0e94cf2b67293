"""The memory of a run: its layout, workspaces, snapshots, and the step compiled for it."""
