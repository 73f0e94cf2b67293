"""The same step for many vehicles at once, a lane each."""
