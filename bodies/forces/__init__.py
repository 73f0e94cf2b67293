"""Forces, one a file; ``FORCES`` is the table of names."""

from .drag import Drag
from .gravity import Gravity
from .point_force import PointForce
from .spring_damper import JointSpring, SpringDamper
from .torque import Torque

FORCES = {c.__name__: c for c in (SpringDamper, JointSpring, Torque, Drag, PointForce)}

__all__ = ["FORCES", "Drag", "Gravity", "JointSpring", "PointForce", "SpringDamper", "Torque"]
