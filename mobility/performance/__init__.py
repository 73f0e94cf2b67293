"""Where a vehicle goes and how fast: tables over strength and slope, borders, chances."""
