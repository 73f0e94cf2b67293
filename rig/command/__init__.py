"""The command line of a rig."""
