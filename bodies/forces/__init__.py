"""Force elements, one per file; ``FORCES`` has their classes by name."""

from .draft import Draft
from .drag import Drag
from .gravity import Gravity
from .point_force import PointForce
from .spring_damper import JointSpring, SpringDamper
from .torque import Torque

FORCES = {c.__name__: c for c in (SpringDamper, JointSpring, Torque, Drag, PointForce, Draft)}

__all__ = ["FORCES", "Draft", "Drag", "Gravity", "JointSpring", "PointForce", "SpringDamper", "Torque"]
