"""What bodies touch: wheels and rigid shapes on their grounds, to channels and the contact problem."""
