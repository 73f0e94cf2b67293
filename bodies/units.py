"""Units in the key names of TOML files: ``mass`` is written ``mass_kg``."""

from __future__ import annotations

SUFFIX = {
    "mass": "kg",
    "inertia": "kg_m2",
    "position": "m",
    "position_b": "m",
    "velocity": "m_s",
    "angular_velocity": "rad_s",
    "rod_length": "m",
    "free_length": "m",
    "radius": "m",
    "width": "m",
    "height": "m",
    "length": "m",
    "centre": "m",
    "point": "m",
    "origin": "m",
    "spacing": "m",
    "heights": "m",
    "acceleration": "m_s2",
    "area": "m2",
    "density": "kg_m3",
    "wind": "m_s",
    "stiffness": "N_m",
    "damping": "N_s_m",
    "spring_table": "m_N",
    "damper_table": "m_s_N",
    "rotational_stiffness": "N_m_rad",
    "rotational_damping": "N_m_s_rad",
    "diameter": "m",
    "section_height": "m",
    "pressure": "Pa",
    "deflection": "m",
    "cone_index": "Pa",
    "k_c": "N_m_n_1",
    "k_phi": "N_m_n_2",
    "cohesion": "Pa",
    "friction_angle": "rad",
    "shear_modulus": "m",
    "v_0": "m_s",
    "v_min": "m_s",
    "damping_time": "s",
    "gamma": "rad",
    "x_0": "m",
    "z_0": "m",
    "rise": "m",
    "amplitude": "m",
    "wavelength": "m",
    "heading": "rad",
    "phase": "rad",
    "blend": "m",
    "cell": "m",
    "exit_angle": "rad",
    "unit_weight": "N_m3",
    "sigma_0": "N_m",
    "sigma_1": "N_s_m",
    "sigma_2": "N_s_m",
    "v_hold": "m_s",
    "capacity": "N_m",
    "full_load": "rad_s_N_m",
    "motoring": "rad_s_N_m",
    "max_effort": "N_m",
    # parts of a vehicle
    "lower_arm": "m",
    "upper_arm": "m",
    "upright_centre": "m",
    "wheel_centre": "m",
    "tie_rod": "m",
    "damper": "m",
    "spring": "m",
    "mount": "m",
    "start": "m",
    "end": "m",
    "inner": "m",
    "outer": "m",
    "pinion_radius": "m",
    "ball": "m",
    "pitman_pivot": "m",
    "arm_end": "m",
    "brake_capacity": "N_m",
    "clutch_capacity": "N_m",
    "lock_capacity": "N_m",
    "force_limit": "N",
    "drag": "N_m_s_rad",
}
# where a kind of object has other units
OF_KIND = {
    # a joint coordinate may be an angle or a translation: SI units of whichever it is
    ("JointSpring", "stiffness"): "si",
    ("JointSpring", "damping"): "si",
    ("JointSpring", "spring_table"): "si",
    ("JointSpring", "damper_table"): "si",
    ("JointSpring", "rest"): "si",
    ("Limit", "lower"): "si",
    ("Limit", "upper"): "si",
    ("Motor", "target"): "si",
    ("Motor", "max_effort"): "si",
    ("Torque", "effort"): "si",
    ("Brake", "capacity"): "si",
    ("Clutch", "capacity"): "si",
    ("Patch", "x"): "m",
    ("Patch", "y"): "m",
    ("SoilMemory", "x"): "m",
    ("SoilMemory", "y"): "m",
    ("Crolla", "gamma"): "rad",
    ("ReeceSoil", "k_c"): "",
    ("ReeceSoil", "k_phi"): "",
    ("PressureSinkageSoil", "k_c"): "Pa",
    ("PressureSinkageSoil", "k_phi"): "Pa_m",
    ("HalfShaft", "stiffness"): "N_m_rad",
    ("HalfShaft", "damping"): "N_m_s_rad",
    ("CombustionEngine", "full_load"): "rpm_N_m",
    ("CombustionEngine", "motoring"): "rpm_N_m",
}


#: Largest size that a number in a file may have, by its unit: beyond, it is a slip of the unit or pen.
LARGEST = {
    "kg": 1e9,
    "kg_m2": 1e12,
    "m": 1e7,
    "m_s": 1e5,
    "m_s2": 1e5,
    "rad": 1e5,
    "rad_s": 1e6,
    "s": 1e6,
    "Pa": 1e12,
}
LARGEST_OF_ALL, LEAST_OF_ALL = 1e15, 1e-150


def largest(unit: str) -> float:
    """Largest size that a number of a unit may have in a file."""
    return LARGEST.get(unit, LARGEST_OF_ALL)


def key(kind: str, field: str) -> str:
    """Key of a field of a class in a file."""
    suffix = OF_KIND.get((kind, field), SUFFIX.get(field, ""))
    return f"{field}_{suffix}" if suffix else field
