"""Units in the key names of TOML files: ``mass`` is written ``mass_kg``."""

from __future__ import annotations

#: Names of fields by the unit in their keys.
_FIELDS = {
    "m": (
        "position position_b rod_length free_length radius width height length centre point "
        "origin spacing window heights diameter section_height deflection shear_modulus "
        "relaxation_length x_0 z_0 rise amplitude wavelength blend cell bore rod stroke extension "
        "lower_arm pivot kingpin knuckle_centre upper_arm upright_centre wheel_centre tie_rod "
        "damper spring mount start end inner outer pinion_radius ball pitman_pivot arm_end links "
        "panhard leaf_seat hitch link_end knuckle_end rocker_pivot bogie_pivot depth "
        "wheel_centres foot outline span hulls lower_link upper_link lift_arm lift_rod stabiliser"
    ),
    "Pa": (
        "pressure cone_index cohesion modulus pressures hose_modulus wall_modulus transition tank "
        "cavitation drop margin band"
    ),
    "N_m": (
        "stiffness carcass_stiffness sigma_0 capacity max_effort brake_capacity clutch_capacity "
        "lock_capacity lockup_capacity preload leaf_stiffness"
    ),
    "rad": (
        "friction_angle gamma heading phase exit_angle stribeck_angle stop_angle roll_stop rocker_stop "
        "bogie_stop"
    ),
    "m_s": "velocity wind v_0 v_min stribeck_velocity",
    "m2": "area inlet outlet largest orifice",
    "N_s_m": "damping sigma_1 sigma_2 leaf_damping",
    "rad_s": "angular_velocity upshift downshift",
    "m3": "dead_volume hose_volume displacement",
    "N_m_rad": "rotational_stiffness leaf_rotational_stiffness",
    "N_m_s_rad": "rotational_damping drag",
    "N": "nominal_load force_limit",
    "rad_s_N_m": "full_load motoring",
    "kg": "mass",
    "kg_m2": "inertia",
    "m_s2": "acceleration",
    "kg_m3": "density",
    "m_N": "spring_table",
    "m_s_N": "damper_table",
    "N_m_n_1": "k_c",
    "N_m_n_2": "k_phi",
    "s": "damping_time",
    "N_m3": "unit_weight",
    "rad_s_N_m_kg_s": "fuel_map",
    "m3_s_Pa": "leakage",
    "Hz": "bandwidth",
    "1_s": "fastest",
    "m2_s_Pa": "gain",
    "m_rad": "travel",
    "N_m_s2_rad2": "converter_capacity",
}
SUFFIX = {field: unit for unit, fields in _FIELDS.items() for field in fields.split()}
#: Fields of particular classes with other units. For quantities of a joint coordinate, which may be an
#: angle or a translation, the unit is "si": the SI unit of that coordinate's quantity.
_FIELDS_OF_KIND = {
    "si": (
        "JointSpring.stiffness JointSpring.damping JointSpring.spring_table "
        "JointSpring.damper_table JointSpring.rest Limit.lower Limit.upper Motor.target "
        "Motor.max_effort Torque.effort Draft.draft Brake.capacity Clutch.capacity"
    ),
    "m": (
        "Patch.outline Patch.x Patch.y MapPlace.x MapPlace.y SoilMemory.x SoilMemory.y "
        "ArticulatedSteering.cylinder"
    ),
    "": "TillageTool.width from_geotiff.band ReeceSoil.k_c ReeceSoil.k_phi",
    "rpm_N_m": (
        "CombustionEngine.full_load CombustionEngine.motoring HubDrives.full_load HubDrives.motoring"
    ),
    "N": "PointForce.effort HydraulicCylinder.friction AirSpring.load",
    "rad": "Crolla.gamma PneumaticTrail.angle",
    "Pa_s_m3": "Relief.slope MakeUp.slope",
    "N_m_rad": "HalfShaft.stiffness AntiRollBar.stiffness",
    "N_m_s_rad": "HalfShaft.damping AntiRollBar.damping",
    "rpm": "AutomaticTransmission.upshift AutomaticTransmission.downshift",
    "Pa": "PressureSinkageSoil.k_c",
    "Pa_m": "PressureSinkageSoil.k_phi",
    "rad_s": "LoadSensingPump.speed",
    "m3": "LoadSensingPump.line AirSpring.volume",
    "rpm_N_m_g_s": "CombustionEngine.fuel_map",
    "N_m_s2_rad2": "TorqueConverter.capacity",
}
OF_KIND = {
    tuple(field.split(".")): unit for unit, fields in _FIELDS_OF_KIND.items() for field in fields.split()
}


#: Largest magnitude of a number in a file by its unit; a larger number is an error of unit or typing.
LARGEST = {
    "kg": 1e9,
    "kg_m2": 1e12,
    "m": 1e7,
    "m_s": 1e5,
    "m_s2": 1e3,
    "rad": 1e5,
    "rad_s": 1e6,
    "s": 1e6,
    "Pa": 1e12,
    "N": 1e12,
    "N_m": 1e12,
    "N_s_m": 1e12,
    "N_m_rad": 1e12,
    "N_m_s_rad": 1e12,
    "m_N": 1e9,
    "m_s_N": 1e9,
    "rpm_N_m": 1e6,
    "rpm": 1e6,
}
# Largest magnitude of a number of any other unit, and least magnitude of a number other than 0.
LARGEST_VALUE, LEAST_VALUE = 1e15, 1e-150


def largest(unit: str) -> float:
    """Largest magnitude of a number with this unit in a file."""
    return LARGEST.get(unit, LARGEST_VALUE)


def key(kind: str, field: str) -> str:
    """Key of a field of the class ``kind`` in a file: the field's name with its unit."""
    suffix = OF_KIND.get((kind, field), SUFFIX.get(field, ""))
    return f"{field}_{suffix}" if suffix else field
