"""Parts of the full-vehicle test."""
