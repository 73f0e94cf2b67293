"""Implements and loads of a vehicle: hitch, linkage, tillage tools, and drawbar tests."""
