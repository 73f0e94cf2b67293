"""Contact problem of several vehicles side by side in one SIMD register, one lane each."""
