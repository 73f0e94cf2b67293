"""What a vehicle pulls or carries: hitch, linkage, tillage tools, and tests of its pull."""
