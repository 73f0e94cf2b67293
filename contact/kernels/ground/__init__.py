"""Ground under the wheels: shape of the terrain, soil at a place, contact frames, rigid surfaces."""
