"""A wheel on its soils: its memory, slip, normal force, and its laws together."""
