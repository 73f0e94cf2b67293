"""Mechanisms and vehicles in TOML files: one table per object, units in the key names.

name = "door"
gravity_m_s2 = [0.0, 0.0, -9.80665]

[[body]]
name = "door"
mass_kg = 20.0
...
[[revolute]]
name = "hinge"
body_a = "ground"
...

Mechanisms and vehicles have a common reader: ``document`` parses a file to plain tables, ``values``
converts a value to the type of its field and a table to an object. ``vocabulary`` has the names of
tables and types. Each error is one sentence with file, table, key, value and allowed range.
"""

from .mechanisms import mechanism_from_toml, read_mechanism
from .writing import mechanism_to_toml, write_mechanism

__all__ = ["mechanism_from_toml", "mechanism_to_toml", "read_mechanism", "write_mechanism"]
