"""Forces, one a file; ``FORCES`` is the table of names."""

from .drag import Drag
from .gravity import Gravity
from .spring_damper import JointSpring, SpringDamper
from .torque import Torque

FORCES = {c.__name__: c for c in (SpringDamper, JointSpring, Torque, Drag)}

__all__ = ["FORCES", "Drag", "Gravity", "JointSpring", "SpringDamper", "Torque"]
