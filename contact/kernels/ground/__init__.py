"""Ground under the wheels: terrain, its soils by place, contact frames, rigid surfaces."""
