"""Texts for the page on the fields of vehicle files that cannot be derived from the code."""

UNITS = {
    "": "-", "m": "m", "m_s": "m/s", "m_s2": "m/s²", "m2": "m²", "rad": "rad", "rad_s": "rad/s",
    "s": "s",
    "kg": "kg", "kg_m2": "kg m²", "kg_m3": "kg/m³", "N": "N", "N_m": "N/m", "N_s_m": "N s/m", "Pa": "Pa",
    "N_m3": "N/m³", "m_N": "m, N", "m_s_N": "m/s, N", "N_m_rad": "N m/rad", "N_m_s_rad": "N m s/rad",
    "rpm_N_m": "rpm, N m", "rpm_N_m_g_s": "rpm, N m, g/s", "m_rad": "m/rad", "Pa_m": "Pa/m",
    "N_m_n_1": "N/m^(n+1)", "N_m_n_2": "N/m^(n+2)", "si": "SI",
    "rpm": "rpm", "N_m_s2_rad2": "N m s²/rad²", "m3": "m³",
}  # fmt: skip
TORQUES = (
    "capacity",
    "brake_capacity",
    "clutch_capacity",
    "lock_capacity",
    "lockup_capacity",
    "preload",
    "max_effort",
)
#: Ranges that depend on other fields, so that the errors of one sample object do not show them.
DEPENDS = {
    ("Tyre", "pressure"): "at least 1000",
    ("Tyre", "section_height"): "above 0, at most half the diameter",
    ("Tyre", "deflection"): "at least 0, at most the section height",
    ("Pacejka", "p_cx1"): "above 0, below 2",
    ("PacejkaLateral", "p_cy1"): "above 0, below 2",
    ("RigidAxle", "links"): "pairs of points, each pair apart",
}
#: Default meanings of fields by their names.
SAME = {
    "name": "name of the part",
    "soil_map": "soils by place", "memory": "ruts of repeated passes",
    "z_0": "height of the origin", "grade_x": "rise over run along x",
    "grade_y": "rise over run along y",
    "amplitude": "amplitude of the wave", "wavelength": "length of the wave",
    "heading": "direction of the wave from the x-axis", "phase": "phase of the wave at the origin",
    "x_0": "beginning of the step", "rise": "height of the step", "path": "path of the file",
    "band": "number of the raster's band, from 1", "point": "a point of the plane",
    "normal": "normal of the plane, upward", "length": "length of the step along x",
}  # fmt: skip
#: Short meanings of fields whose docstrings are too long for the page, or about Python.
BRIEF = {
    (
        "WongReece",
        "slip_softening",
    ): "exponent a of the modulus of sinkage M exp(-a |s|) at slip or skid s",
    (
        "WongReece",
        "skid_softening",
    ): "exponent a of the modulus of sinkage M exp(-a |s|) at slip or skid s",
    ("WongReece", "side_softening"): (
        "exponent a_y of the modulus of sinkage M exp(-sqrt((a s)^2 + (a_y beta)^2)) at a slip angle "
        "beta [rad]"
    ),
    ("WongReece", "rim_friction"): (
        "friction angle of soil on the rim over that of soil on soil; cohesion likewise "
        "([values](laws/wong_reece.md))"
    ),
    ("WongReece", "exit_share"): "instead of the angle: 1 - cos theta_2 = share (1 - cos theta_1)",
    (
        "ConeIndexField",
        "cone_index",
    ): "rows by columns, row k at y = origin[1] + k spacing[1]; NaN: no data, cone index of the ground",
    ("Schedule", "points"): "(time [s], value)",
    ("Schedule", "hold"): "steps (gears) instead of linear interpolation between the points",
    ("PressureSinkageSoil", "k_c"): "cohesive modulus of sinkage k_1",
    ("PressureSinkageSoil", "k_phi"): "frictional modulus of sinkage k_2",
    ("ReeceSoil", "k_c"): "cohesive modulus of sinkage k_c'",
    ("ReeceSoil", "k_phi"): "frictional modulus of sinkage k_phi'",
    ("SoilMap", "base"): (
        "soil with the pressure-sinkage relation of the normal force outside the patches; left out: "
        "the wheel's"
    ),
    ("Patch", "base"): (
        "soil with the pressure-sinkage relation of the normal force; left out: the wheel's"
    ),
    **{
        (part, name): "ends of damper and of spring, first the upper end on the carrier"
        for part in ("DoubleWishbone", "RigidAxle", "TrailingArm")
        for name in ("damper", "spring")
    },
    ("Cab", "rotational_stiffness"): "stiffness and damping about x, y, z",
    ("Cab", "rotational_damping"): "stiffness and damping about x, y, z",
    ("RackSteering", "column"): 'bodies of column and rack; the name of the rack is "rack"',
    ("RackSteering", "rack"): 'bodies of column and rack; the name of the rack is "rack"',
    ("ArticulatedSteering", "joint_body"): (
        "body that lets the frames roll against each other, its centre by default the pivot"
    ),
    ("CombustionEngine", "fuel_map"): "(speed, torque, fuel)",
    ("LoadCar", "body"): "body of the car, its centre at the end of the drawbar",
    **{
        (
            "PitmanSteering",
            name,
        ): "bodies; the centre of the idler arm is that of the Pitman arm, mirrored"
        for name in ("column", "pitman_arm", "idler_arm", "centre_link")
    },
    ("RockerBogie", "steering"): (
        "names of the controls of the knuckles' angles [rad, left positive]: front left, "
        "front right, rear left, rear right; empty: no wheel steers"
    ),
    ("SwivelWheel", "control"): (
        "name of the control of the fork's angle [rad, left positive], by a position motor; "
        "empty: a free caster"
    ),
    ("ArticulatedSteering", "drive"): (
        "control of the angle [rad], of the rate [rad/s] up to the torque `capacity`, or of the torque; "
        '"cylinders": no control, for cylinders of `bodies.hydraulics`'
    ),
    ("HubDrives", "full_load"): (
        "(speed, torque) of a wheel at the command 1; the wheels' inertia includes the rotors"
    ),
    (
        "FinalDrive",
        "differential",
    ): '"open", "locked", "torque-sensing", or the control of a lock, 0 to 1',
    (
        "CentreDifferential",
        "differential",
    ): '"open", "locked", "torque-sensing", or the control of a lock, 0 to 1',
    ("FinalDrive", "output"): (
        "output shaft of one side, centre of the left one; left out: the part drives the wheels of the "
        "axle with its name"
    ),
    (
        "HalfShafts",
        "inner",
    ): "joints of the left side, the outer one on the steering axis",
    ("HalfShafts", "outer"): "joints of the left side, the outer one on the steering axis",
    ("LoadCar", "load"): (
        '"pull": the control "pull" is the retarding force [N]; "speed": the control "load_speed" is '
        "the car's speed [m/s]"
    ),
    ("WheelContact", "base"): (
        "soil whose pressure-sinkage relation gives the normal force, also the stresses of a stress law "
        "for a cone index; left out: the wheel's soil, or sandy loam for a cone index"
    ),
    ("WheelContact", "law"): ("ground law, a name in `contact.LAWS` or a table"),
    ("WheelContact", "regularisation"): (
        "[scheme](how_the_step_works.md#the-five-schemes), a name in `contact.REGULARISATIONS`"
    ),
    ("WheelContact", "damping_time"): ("normal damping over normal stiffness, eta_n of eq 22"),
    ("WheelContact", "ellipse"): ("thrust and lateral force share one friction ellipse, also at rest"),
    ("WheelContact", "combined"): (
        'combination of thrust and lateral force, "sliding" or "demand" '
        '([lateral forces](laws/lateral.md)); left out: "sliding", or "demand" with a relaxation length'
    ),
    ("WheelContact", "sinkage"): (
        'sinkage law, "bekker", "maclaurin" or "none"; left out: [by the soil](laws/sinkage.md)'
    ),
    ("WheelContact", "rolling_share"): (
        "decrease of the effective rolling radius over the tyre's deflection; 1: the loaded radius"
    ),
    ("WheelContact", "trail"): ("aligning moment of the lateral force; left out: none"),
    ("WheelContact", "slip_sinkage"): (
        "whether the shear stress carries load (eq 9), so that a spinning wheel digs in; "
        'law "wong-reece" only'
    ),
    ("WheelContact", "relaxation_length"): (
        'relaxation length of the lateral force, only with "implicit" and "demand"; 0: none'
    ),
    ("Clay", "variant"): (
        'set of coefficients, "calibrated", "original" or "run-time", [compared here](laws/clay.md)'
    ),
    ("Tyre", "deflection_ratio"): (
        "deflection in the ground laws, over the section height, at any load"
    ),
    ("Tyre", "deflection"): ("deflection in the ground laws, at any load"),
    ("Tyre", "section_height"): ("section height H"),
    ("Piece", "inertia"): (
        "moments of inertia about the centre of mass, axes of the vehicle; of rods and shafts in their "
        "own axes, the third along the rod"
    ),
    ("AutomaticTransmission", "converter_capacity"): (
        "(speed ratio, torque of the pump over its speed squared), the last 0: 1/K^2 of the "
        "capacity factor K"
    ),
    ("AutomaticTransmission", "upshift"): (
        "(throttle, speed of the input) above which the gearbox shifts up"
    ),
    ("AutomaticTransmission", "downshift"): (
        "(throttle, speed of the input in the next lower gear) below which the gearbox shifts down"
    ),
    ("TillageTool", "tool"): ("name of the tool's row in the table of D497"),
    ("SoilMemory", "x"): ("limits (lower, upper) of the area with ruts"),
    ("ConeIndexSinkage", "coefficient"): ("factor and exponent of `z = coefficient D / N_CI^exponent`"),
    ("ConeIndexSinkage", "exponent"): ("factor and exponent of `z = coefficient D / N_CI^exponent`"),
}
HEAD = """# Every field of a vehicle's file

For authors of vehicle files. [Describe your own vehicle](describe_your_own_vehicle.md) builds a file;
[vehicles](vehicles.md) explains extensions of files.

<!-- measured: fields, by `python docs/vehicle_fields.py` -->

- An item has a key, the range of its value (none: any number), and its meaning. `key = value` is a key
  with its default; an *optional* key has no default; all other keys are needed.
- A key ends with its unit, SI but for rpm and g/s: `_m_s2` is m/s², `_N_s_m` N s/m, `_N_m_rad` N m/rad.
  `_N_m` is N m for torques (capacity, preload, torque over rpm), else N/m.
- Equation numbers (eq) are those of [the paper](index.md).
- *point*: `[x, y, z]`, x forward, y left, z up from the vehicle's origin, each within 100 m. Points of
  an axle or a side are those of the left side, mirrored for the right.
- *pairs*: `[[x, y], ...]` with rising x. *body*: [a table](#a-body-of-a-part), its centre in the axes
  of the vehicle. `(a, b]` excludes a. *Also*: keys that several tables share.
"""
TOP = """- `name`, text: name of the vehicle
- `about`, *optional*, text: description of the file
- `base`, *optional*, a vehicle's name, or a file beside this one: vehicle that this file changes
- `remove`, *optional*, names `table`, `table.part`, `table.part.key`: entries of the base to remove
- `origin_m = [0, 0, 0]`, point: origin of the vehicle in the world; `[x, y]`: on the ground there
- `heading_rad = 0`, [-2 pi, 2 pi]: angle of the vehicle's x-axis in the world
- `gravity_m_s2 = [0, 0, -9.80665]`, 3 numbers: gravity in world axes
- `[controls]`, *optional*, numbers or schedules by name: initial value, or values over time
- `[wheels.NAME]`, *optional*, tables below, keys of `[contact]`: values for one axle or wheel

A soil of `contact.SOILS` needs only its name: `[soil]` with `name = "sandy loam"`. The default `type` of
a soil is `cone_index_soil`, that of a lateral law `crolla`.
"""


BEARING = """`bearing_loss_N_m_s_rad` (≥ 0, default 0), here or under `[wheels.NAME]`: viscous friction
of the wheel bearing.
"""

#: Replacements (pattern, text) that shorten ranges, in the order of their application.
SHORTER = (
    (r"^3 numbers, at least -100, at most 100$", "point"), (r", neighbours apart$", ""),
    (r"^pairs of points, each pair apart$", "pairs of points"),
    (r"pairs, the first rising, the second not falling", "pairs, y not falling"),
    (r"pairs, the first rising", "pairs"), (r"the first (?:from|in) 0 to 1", "x in [0, 1]"),
    (r"the second at least", "y at least"),
    (r"at least (-?[\d.e+]+),? (?:and )?at most (-?[\d.e+]+)", r"[\1, \2]"),
    (r"above (-?[\d.e+]+),? (?:and )?at most (-?[\d.e+]+)", r"(\1, \2]"),
    (r"above (-?[\d.e+]+), below (-?[\d.e+]+)", r"(\1, \2)"),
    (r"numbers, (\[\S+ \S+\])", r"numbers in \1"), (r"numbers, at least 0", "numbers ≥ 0"),
    (r"^at least (?=-?\d)|(?<=y )at least (?=0)", "≥ "), (r"^above (?=-?\d)", "> "),
    (r"^at most (?=-?\d)", "≤ "),
    (r"a table of type ", "a table "), (r"a list of a text", "list of texts"), (r"\ba text\b", "text"),
    (r"^a list of numbers or a list of lists of numbers$", "3 numbers, or 3 x 3"),
    (r"^a list of pairs of numbers$", "pairs"), (r"^a body$", "body"), (r"^a (?=whole number)", ""),
    (r"a table `bekker_soil`, `cone_index_soil`, .*`reece_soil`$", "a [soil](#soil)"),
    (r"a table `bekker_soil`, `pressure.*`reece_soil`$", "a [soil](#soil) but `cone_index_soil`"),
    (r"a table `brixius`, .*`wong_reece`$", "a [law](#law-of-contact)"),
    (r"a table `brixius_lateral`, .*`wong_reece_lateral`$", "a [lateral law](#lateral)"),
    (r"^(\"subsoiler, narrow point\") or .*", r"a tool of `vehicle.d497.TOOLS`, as \1"),
)  # fmt: skip
#: Phrases left out of the meanings, since the head of the page explains them once for all fields.
ABOVE = (
    ", centres in the axes of the vehicle", "; centres in the axes of the vehicle",
    "; centre in the axes of the vehicle", ", centre in the axes of the vehicle",
    "; all points in the axes of the vehicle", ", in the axes of the vehicle",
    ", axes of the vehicle", "; all points mirrored for the right", "; mirrored for the right",
    ", mirrored for the right", "; mirrored", "; may be left out", "; may be empty",
    "of the left side, ", ", in [0, pi/2)", ", each other than 0",
)  # fmt: skip
