"""What a machine is made of: the code of an element in the compiled step is its place in these tables.

A name is that of the file with the element's kernels, in the folder ``kernels`` beside its description.
"""

from __future__ import annotations

#: In a powershift's table the line of shifts down begins here, in throttle; that of shifts up at 0.
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

#: Rows over joint coordinates: room and file. Several descriptions may share a row.
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

#: From here on: those that few machines have.
SELDOM = COUPLINGS.index("driveline.electric_motor")

#: Forces that are no rows: ``bodies/forces/x.py`` and ``bodies/forces/kernels/x.py``.
FORCES = ("torque", "drag", "point_force", "draft")

#: What a coordinate measures.
COORDINATES = ("angle", "translation", "length")
ANGLE, TRANSLATION, LENGTH = range(len(COORDINATES))

#: What touches the ground; MIXED: wheels on soil beside hard ones or rigid contacts.
NO_CONTACTS, HARD, SOFT, MIXED = range(4)

#: What a step does, in order; the last two only measure and pose for whoever looks.
STAGES = ("detect", "assemble", "factor", "solve", "integrate", "project", "measure", "pose")
