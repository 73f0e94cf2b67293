"""Contacts of wheels and rigid shapes: detection, Jacobian rows, and the contact problem."""
