"""The wheel on soft ground as a co-simulation unit: built, checked and driven with FMPy."""

try:
    import fmpy
    import fmpy.validation
    from fmpy.fmi3 import FMU3Slave
except ModuleNotFoundError:
    raise SystemExit("this needs FMPy: pip install 'wheelground[fmi]'") from None

import tempfile
from pathlib import Path

from contact.hosts.fmu import build

MASS, SPIN, TORQUE, STEP = 250.0, 6.0, 400.0, 1e-3  # kg, kg m^2, N m, s
INPUTS = ("position_x", "position_z", "velocity_x", "velocity_z", "rate_y",
          "other_force_x", "other_force_z", "other_torque_y")  # fmt: skip
OUTPUTS = ("force_x", "force_z", "torque_y", "slip")


def main(duration: float = 12.0) -> float:
    """Drive with 400 N m against a force of 50 v^2 [N], speed v [m/s]; return the final slip ratio."""
    with tempfile.TemporaryDirectory() as folder:
        unit = build("contact.hosts.wheel_unit:WheelOnSoftGround", Path(folder) / "wheel.fmu")
        if problems := fmpy.validation.validate_fmu(str(unit)):
            raise RuntimeError(f"the unit does not meet the standard: {problems}")
        return drive(fmpy.extract(unit, folder), fmpy.read_model_description(unit), duration)


def drive(folder: str, description, duration: float) -> float:
    """Drive the wheel's unit with a mass on it, by semi-implicit Euler steps; return the final slip."""
    at = {variable.name: variable.valueReference for variable in description.modelVariables}
    unit = FMU3Slave(
        guid=description.guid,
        unzipDirectory=folder,
        instanceName="wheel",
        modelIdentifier=description.coSimulation.modelIdentifier,
    )
    unit.instantiate()
    unit.enterInitializationMode()
    unit.setFloat64([at["deflection_ratio"]], [0.2])
    unit.exitInitializationMode()
    x, z, v_x, v_z, omega, slip = 0.0, 0.36, 0.0, 0.0, 0.0, 0.0
    inputs, outputs = [at[name] for name in INPUTS], [at[name] for name in OUTPUTS]
    for k in range(round(duration / STEP)):
        pull = -50.0 * v_x * abs(v_x)
        unit.setFloat64(inputs, [x, z, v_x, v_z, omega, pull, -9.81 * MASS, TORQUE])
        unit.doStep(currentCommunicationPoint=k * STEP, communicationStepSize=STEP)
        force_x, force_z, torque, slip = unit.getFloat64(outputs)
        v_x += STEP * (pull + force_x) / MASS
        v_z += STEP * (force_z / MASS - 9.81)
        omega += STEP * (TORQUE + torque) / SPIN
        x, z = x + STEP * v_x, z + STEP * v_z
    unit.terminate()
    unit.freeInstance()
    return slip


if __name__ == "__main__":
    print(f"slip ratio {main():.6f}")
