"""Many vehicles of one structure: their memory, parameters, rounds of steps, views."""
