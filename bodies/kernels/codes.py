"""Codes of joints, couplings and forces in the compiled step: indices in the tables below.

The kernels of an entry are in a file of its name in a folder ``kernels``.
"""

#: Both shift lines of a powershift gearbox are in one table over the throttle: the upshift line at
#: throttles from 0 to 1, the downshift line at throttles increased by this number.
DOWNSHIFT = 2.0
#: Joint x: class in ``bodies/joints/x.py``, kernels of its rows and error in
#: ``bodies/joints/kernels/x.py``.
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

#: Couplings (constraint rows over joint coordinates) by folder and file of their kernel, which several
#: classes may use.
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

#: Couplings from this index on are compiled only when a machine has one of them.
FIRST_RARE = COUPLINGS.index("driveline.electric_motor")

#: Forces applied explicitly, without a constraint row: class in ``bodies/forces/x.py``, kernel in
#: ``bodies/forces/kernels/x.py``.
FORCES = ("torque", "drag", "point_force", "draft")

#: Kinds of coordinates.
COORDINATES = ("angle", "translation", "length")
ANGLE, TRANSLATION, LENGTH = range(len(COORDINATES))

#: Kinds of contact problems. HARD: wheels on hard ground and rigid contacts; SOFT: wheels on soil;
#: MIXED: wheels on soil together with wheels on hard ground or rigid contacts.
NO_CONTACTS, HARD, SOFT, MIXED = range(4)

#: Stages of a step, in order. The last two are outside the step: "measure" stores the largest joint
#: errors, "pose" is one projection of the poses.
STAGES = ("detect", "assemble", "factor", "solve", "integrate", "project", "measure", "pose")
