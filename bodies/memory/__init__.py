"""The memory of a run: layout, workspaces, snapshots, and the compiled step."""
