"""A wheel on its soils: data, slip, normal force, and the combination of thrust and lateral force."""
