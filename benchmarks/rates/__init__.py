"""Real time: computing time of a step over its length, and one solve beside several rates."""
