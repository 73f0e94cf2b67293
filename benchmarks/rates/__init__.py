"""Real time: what a step takes against what it lasts, and one solve beside several rates."""
