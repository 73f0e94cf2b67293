"""Steps of many vehicles of one structure: one after the other, or side by side in a SIMD register."""
