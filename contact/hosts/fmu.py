"""Build functional mock-up units (FMI 3 or 2) from a Python description, without a compiler.

    python -m contact.hosts.fmu --out WheelOnSoftGround.fmu [--fmi 2]

The unit contains no interpreter: it needs Python with this package on the machine.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any, Literal, Protocol
from xml.etree import ElementTree

from mlcp.neighbours import need

#: Template of the script in the FMU archive: it wraps the unit in a class of the FMI library.
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
    """Interface of a unit: tables of variables, ``name: (start, unit, description)``, and a step.

    ``values`` has the present value of every variable by name. ``start()`` is called after the
    parameters are set; ``step(time, h)`` reads inputs and writes outputs in ``values``.
    """

    title: str
    parameters: dict[str, tuple[Any, str, str]]
    inputs: dict[str, tuple[float, str, str]]
    outputs: dict[str, tuple[float, str, str]]
    values: dict[str, Any]

    def start(self) -> None:
        """Initialise the unit from its parameters."""

    def step(self, time: float, h: float) -> None:
        """Advance from ``time`` to ``time + h``."""


def connect(slave: Any, unit: Unit, fmi: int) -> None:
    """Register every variable of a unit with an FMI library's slave."""
    library, _ = LIBRARIES[fmi]
    enums, variables = (importlib.import_module(f"{library}.{name}") for name in ("enums", "variables"))
    causalities, variabilities = (getattr(enums, f"Fmi{fmi}{k}") for k in ("Causality", "Variability"))
    number, text = variables.Float64 if fmi == 3 else variables.Real, variables.String
    if fmi == 3:
        time = number("time", causality=causalities.independent, getter=lambda: 0.0)
        slave.register_variable(time)
    values = unit.values
    # pythonfmu writes no list of initial unknowns, so FMI 2 outputs are declared as known initially
    known = {} if fmi == 3 else {"initial": enums.Fmi2Initial.exact}
    for causality, variability, table in (
        (causalities.parameter, variabilities.fixed, unit.parameters),
        (causalities.input, variabilities.continuous, unit.inputs),
        (causalities.output, variabilities.continuous, unit.outputs),
    ):
        for name, (start, _, said) in table.items():
            values[name] = start
            kind = text if isinstance(start, str) else number
            slave.register_variable(
                kind(
                    name,
                    causality=causality,
                    variability=variabilities.fixed if kind is text else variability,
                    description=said,
                    getter=lambda name=name: values[name],
                    setter=lambda value, name=name: values.__setitem__(name, value),
                    **(known if table is unit.outputs else {}),
                )
            )


def build(unit: str, out: Path, fmi: int = 3) -> Path:
    """Write the unit of the class ``"module:Class"`` to the file ``out``; return ``out``.

    Raises:
        ModuleNotFoundError: no FMI library.
        ValueError: an FMI version other than 2 and 3, or a directory that does not exist.
    """
    if fmi not in LIBRARIES:
        raise ValueError(f"fmi = {fmi} must be 3 or 2")
    library, base = LIBRARIES[fmi]
    builder = need(f"{library}.builder", f"building FMI {fmi}", "fmi").FmuBuilder
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
            sys.modules.pop(script.stem, None)  # the FMI library imported the script under this name
        _write_units(Path(made), described, out)
    return out


# Exponents of the SI base units in each unit, for the UnitDefinitions of FMI.
UNITS: dict[str, dict[str, int]] = {
    "m": {"m": 1}, "m/s": {"m": 1, "s": -1}, "m/s2": {"m": 1, "s": -2}, "s": {"s": 1},
    "rad": {"rad": 1}, "rad/s": {"rad": 1, "s": -1}, "kg": {"kg": 1}, "kg m^2": {"kg": 1, "m": 2},
    "N": {"kg": 1, "m": 1, "s": -2}, "N m": {"kg": 1, "m": 2, "s": -2},
    "N s^2/m^2": {"kg": 1, "m": -1}, "Pa": {"kg": 1, "m": -1, "s": -2},
}  # fmt: skip


def _write_units(made: Path, unit: type[Unit], out: Path) -> None:
    """Copy the FMU ``made`` to ``out`` and add the units of its variables: the FMI libraries write them
    for one version of FMI only."""
    units = {
        name: measure
        for table in (unit.parameters, unit.inputs, unit.outputs)
        for name, (_, measure, _) in table.items()
        if measure in UNITS
    }
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for item in old.infolist():
            content = old.read(item)
            if item.filename == "modelDescription.xml":
                content = _with_units(content, units)
            new.writestr(item, content)


def _with_units(text: bytes, units: dict[str, str]) -> bytes:
    """Add ``UnitDefinitions`` and the variables' ``unit`` to the model description ``text``."""
    root = ElementTree.fromstring(text)
    for element in root.iter():
        measure = units.get(element.get("name", ""))
        if measure is not None and element.tag in ("ScalarVariable", "Float64"):
            number = element if element.tag == "Float64" else element.find("Real")
            if number is not None:
                number.set("unit", measure)
    defined = ElementTree.Element("UnitDefinitions")
    for measure in sorted(set(units.values())):
        one = ElementTree.SubElement(defined, "Unit", name=measure)
        powers = {base: str(power) for base, power in UNITS[measure].items()}
        ElementTree.SubElement(one, "BaseUnit", powers)
    kinds = [element.tag for element in root]
    interface = ("ModelExchange", "CoSimulation", "ScheduledExecution")
    place = 1 + max(k for k, tag in enumerate(kinds) if tag in interface)
    root.insert(place, defined)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


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
