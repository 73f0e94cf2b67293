"""Published measurements of wheels and vehicles beside the laws and vehicles that can predict them."""
