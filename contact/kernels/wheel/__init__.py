"""A wheel on its soils: its data, slip and normal force, and its laws combined."""
