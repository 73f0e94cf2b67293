"""The quarter vehicle with co-simulation units, run with FMPy."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from contact.hosts.fmu import build

from .quarter import GRAVITY, HostRun, Quarter

WHEEL = "contact.hosts.wheel_unit:WheelOnSoftGround"
VEHICLE = "benchmarks.host_cases.quarter_unit:QuarterVehicleUnit"
_IN = ("position_x", "position_z", "velocity_x", "velocity_z", "rate_y", "other_force_x",
       "other_force_z", "other_torque_y")  # fmt: skip
_OUT = ("force_x", "force_z", "torque_y", "residual", "missed")


def unit(which: str, fmi: int, folder: str):
    """Build, check and instantiate a unit; returns (FMPy's instance, value references by name)."""
    import fmpy
    from fmpy.fmi2 import FMU2Slave
    from fmpy.fmi3 import FMU3Slave
    from fmpy.validation import validate_fmu

    path = build(which, Path(folder) / f"unit{fmi}.fmu", fmi)
    if problems := validate_fmu(str(path)):
        raise RuntimeError(f"the unit does not meet FMI {fmi}: {problems}")
    description = fmpy.read_model_description(path)
    kind = FMU3Slave if fmi == 3 else FMU2Slave
    made = kind(
        guid=description.guid,
        unzipDirectory=fmpy.extract(path, str(Path(folder) / "unit")),
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="unit",
    )
    made.instantiate()
    if fmi == 2:
        made.setupExperiment(startTime=0.0)
        made.setFloat64, made.getFloat64 = made.setReal, made.getReal
    return made, {variable.name: variable.valueReference for variable in description.modelVariables}


def _strings(made, at: dict[str, int], values: dict[str, str]) -> None:
    for name, value in values.items():
        made.setString([at[name]], [value])


def wheel(quarter: Quarter, steps: int, fmi: int = 3) -> HostRun:
    """Run of the wheel unit, which carries a mass computed in plain Python."""
    h, contact = quarter.step, quarter.wheel
    out, worst, spent = np.zeros((steps, 3)), 0.0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        made, at = unit(WHEEL, fmi, folder)
        made.enterInitializationMode()
        numbers = {
            "deflection_ratio": contact.tyre.deflection_ratio,
            "carried_mass": quarter.mass,
            "spin_inertia": quarter.inertia,
        }
        made.setFloat64([at[name] for name in numbers], list(numbers.values()))
        _strings(made, at, {"regularisation": contact.regularisation})
        made.exitInitializationMode()
        inputs, outputs = [at[name] for name in _IN], [at[name] for name in _OUT]
        x, z, v_x, v_z, omega, missed = 0.0, quarter.height, 0.0, 0.0, 0.0, 0.0
        begun = time.perf_counter()
        for k in range(steps):
            pull, torque = -quarter.resistance(v_x), quarter.torque(k)
            start = time.perf_counter()
            made.setFloat64(inputs, [x, z, v_x, v_z, omega, pull, -quarter.load, torque])
            made.doStep(currentCommunicationPoint=k * h, communicationStepSize=h)
            force_x, force_z, moment, residual, missed = made.getFloat64(outputs)
            spent += time.perf_counter() - start
            v_x += h * (pull + force_x) / quarter.mass
            v_z += h * (force_z / quarter.mass - GRAVITY)
            omega += h * (torque + moment) / quarter.inertia
            x, z = x + h * v_x, z + h * v_z
            out[k] = v_x, v_z, omega
            worst = max(worst, residual)
        total = time.perf_counter() - begun
        made.terminate()
        made.freeInstance()
    return HostRun(out, 1e6 * (total - spent) / steps, 1e6 * spent / steps, worst, int(missed))


def vehicle(quarter: Quarter, steps: int, fmi: int = 3) -> HostRun:
    """Run of the quarter-vehicle unit under its drive torque."""
    h, out, worst, missed = quarter.step, np.zeros((steps, 3)), 0.0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        made, at = unit(VEHICLE, fmi, folder)
        made.enterInitializationMode()
        _strings(made, at, {"regularisation": quarter.wheel.regularisation})
        made.exitInitializationMode()
        outputs = [at[name] for name in ("v_x", "v_z", "omega", "residual", "missed")]
        begun = time.perf_counter()
        for k in range(steps):
            made.setFloat64([at["drive_torque"]], [quarter.torque(k)])
            made.doStep(currentCommunicationPoint=k * h, communicationStepSize=h)
            *out[k], residual, missed = made.getFloat64(outputs)
            worst = max(worst, residual)
        total = time.perf_counter() - begun
        made.terminate()
        made.freeInstance()
    return HostRun(out, float("nan"), 1e6 * total / steps, worst, int(missed))
