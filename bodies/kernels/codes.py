"""Tables of the elements; the code of an element in the compiled step is its index in them.

A name is the file of the element's kernels, in the folder ``kernels`` of its description.
"""

from __future__ import annotations

#: Throttle offset of the downshift line in a powershift's table; the upshift line is at 0 to 1.
DOWNSHIFT = 2.0
#: ``bodies/joints/x.py`` describes the joint, ``bodies/joints/kernels/x.py`` has its rows and error.
JOINTS = (
    "fixed",
    "revolute",
    "prismatic",
    "cylindrical",
    "spherical",
    "universal",
    "planar",
    "distance",
    "point_on_line",
    "bushing",
    "constant_velocity",
)

#: Rows over joint coordinates: folder and file. Several elements may share a row.
COUPLINGS = (
    "joints.gear",
    "driveline.gearbox",
    "joints.position_drive",
    "joints.speed_drive",
    "forces.spring",
    "driveline.engine",
    "driveline.friction",
    "joints.limited_drive",
    "joints.limit",
    "driveline.electric_motor",
    "driveline.torque_converter",
    "driveline.limited_slip",
    "driveline.powershift",
    "hydraulics.rigid_piston",
)

#: Index of the first rare coupling; these are compiled lazily.
FIRST_RARE = COUPLINGS.index("driveline.electric_motor")

#: Forces that are not rows: ``bodies/forces/x.py`` and ``bodies/forces/kernels/x.py``.
FORCES = ("torque", "drag", "point_force", "draft")

#: Kinds of coordinates.
COORDINATES = ("angle", "translation", "length")
ANGLE, TRANSLATION, LENGTH = range(len(COORDINATES))

#: Kinds of contact problems; MIXED: wheels on soil with hard wheels or rigid contacts.
NO_CONTACTS, HARD, SOFT, MIXED = range(4)

#: Stages of a step, in order; the last two, outside the step, only measure and update the pose.
STAGES = ("detect", "assemble", "factor", "solve", "integrate", "project", "measure", "pose")
