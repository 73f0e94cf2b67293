"""Build a functional mock-up unit from a Python description, for FMI 3 or 2, without a compiler.

    python -m contact.hosts.fmu --out WheelOnSoftGround.fmu [--fmi 2]

The unit holds no interpreter: the machine that runs it needs Python with this package installed.
"""

from __future__ import annotations

import importlib
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Literal, Protocol

#: What lies in the archive: the class that the FMI library looks for, and how it finds the unit.
SCRIPT = '''"""{title}"""

from {library} import {base}

from contact.hosts.fmu import connect
from {module} import {unit}


class {unit}Unit({base}):
    def __init__(self, **arguments):
        super().__init__(**arguments)
        self.modelName = "{unit}"
        self.description = "{title}"
        self.own = {unit}()
        connect(self, self.own, {fmi})

    def exit_initialization_mode(self):
        self.own.start()

    def do_step(self, current_time, step_size):
        self.own.step(current_time, step_size)
        return True
'''
LIBRARIES = {3: ("pythonfmu3", "Fmi3Slave"), 2: ("pythonfmu", "Fmi2Slave")}


class Unit(Protocol):
    """What can be built: tables of variables, ``name: (start, unit, description)``, and a step.

    ``values`` holds every variable by name. ``start()`` is called once the parameters are set,
    ``step(time, h)`` advances to time + h: it reads inputs and writes outputs in ``values``.
    """

    title: str
    parameters: dict[str, tuple[Any, str, str]]
    inputs: dict[str, tuple[float, str, str]]
    outputs: dict[str, tuple[float, str, str]]
    values: dict[str, Any]

    def start(self) -> None:
        """The parameters are set."""

    def step(self, time: float, h: float) -> None:
        """Go from ``time`` to ``time + h``."""


def connect(slave: Any, unit: Unit, fmi: int) -> None:
    """Register every variable of a unit with an FMI library's slave."""
    library = "pythonfmu3" if fmi == 3 else "pythonfmu"
    enums, variables = (importlib.import_module(f"{library}.{name}") for name in ("enums", "variables"))
    if fmi == 3:
        causalities, variabilities = enums.Fmi3Causality, enums.Fmi3Variability
        number, text = variables.Float64, variables.String
        time = number("time", causality=causalities.independent, getter=lambda: 0.0)
        slave.register_variable(time)
    else:
        causalities, variabilities = enums.Fmi2Causality, enums.Fmi2Variability
        number, text = variables.Real, variables.String
    values = unit.values
    # pythonfmu writes no list of initial unknowns, so for FMI 2 outputs begin at a known value.
    known = {} if fmi == 3 else {"initial": enums.Fmi2Initial.exact}
    for causality, variability, table in (
        (causalities.parameter, variabilities.fixed, unit.parameters),
        (causalities.input, variabilities.continuous, unit.inputs),
        (causalities.output, variabilities.continuous, unit.outputs),
    ):
        for name, (start, measure, said) in table.items():
            values[name] = start
            kind = text if isinstance(start, str) else number
            slave.register_variable(
                kind(
                    name,
                    causality=causality,
                    variability=variabilities.fixed if kind is text else variability,
                    description=f"{said} [{measure}]" if measure else said,
                    getter=lambda name=name: values[name],
                    setter=lambda value, name=name: values.__setitem__(name, value),
                    **(known if table is unit.outputs else {}),
                )
            )


def build(unit: str, out: Path, fmi: int = 3) -> Path:
    """Write the unit ``"module:Class"`` to the file ``out``; returns it.

    Raises:
        ModuleNotFoundError: the FMI library is missing. ValueError: an FMI version other than 2, 3.
    """
    if fmi not in LIBRARIES:
        raise ValueError(f"fmi = {fmi} must be 3 or 2")
    library, base = LIBRARIES[fmi]
    try:
        builder = __import__(f"{library}.builder", fromlist=["FmuBuilder"]).FmuBuilder
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            f"building FMI {fmi} needs {library}: pip install 'wheelground[fmi]'"
        ) from None
    module, name = unit.split(":")
    described = getattr(__import__(module, fromlist=[name]), name)
    if not out.absolute().parent.is_dir():
        raise ValueError(f"--out {out}: the directory {out.absolute().parent} does not exist")
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / f"{name.lower()}_fmi{fmi}.py"
        script.write_text(
            SCRIPT.format(
                title=described.title, library=library, base=base, module=module, unit=name, fmi=fmi
            )
        )
        try:
            made = builder.build_FMU(script, dest=folder)
        finally:
            sys.modules.pop(script.stem, None)  # the libraries import the script under its name
        shutil.copyfile(made, out)
    return out


def main(out: Path = Path("WheelOnSoftGround.fmu"), *, fmi: Literal["2", "3"] = "3") -> None:
    """Build the wheel on soft ground as a co-simulation unit.

    Parameters
    ----------
    out
        File to write.
    fmi
        Version of the standard, 3 or 2.
    """
    try:
        print(build("contact.hosts.wheel_unit:WheelOnSoftGround", out, int(fmi)))
    except (ValueError, OSError, ModuleNotFoundError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from None


if __name__ == "__main__":
    import cyclopts

    cyclopts.run(main)
