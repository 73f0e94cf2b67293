"""Writer of mechanisms to TOML files."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import numpy as np

from mlcp.writing import write_text

from .. import checks
from ..checks import checked
from ..mechanism import Mechanism
from ..signals import Schedule
from ..units import key
from .document import check_size
from .vocabulary import NAMES, TABLES


@checked
def write_mechanism(mechanism: Mechanism, path: str | Path) -> None:
    """Write a mechanism to a TOML file at ``path``, from which an equal mechanism can be read.

    Raises:
        MechanismError: an object that files cannot describe (a user's law or scheme), or too
            many numbers for a file.
    """
    text = mechanism_to_toml(mechanism)
    write_text(path, text)


@checked
def mechanism_to_toml(mechanism: Mechanism) -> str:
    """TOML text of a mechanism: elements are grouped by class; if the mechanism's order differs, the key
    ``order`` lists it. Raises as :func:`write_mechanism`."""
    lines = [
        f"name = {_text(mechanism.name)}",
        f"gravity_m_s2 = {_text(mechanism.gravity.acceleration)}",
    ]
    names = [element.name for element in mechanism.elements]
    grouped = [e.name for cls in TABLES.values() for e in mechanism.elements if type(e) is cls]
    if names != grouped:
        lines += [f"order = {_text(names)}"]
    if mechanism.inputs:
        lines += ["", "[inputs]"]
        lines += [f"{_text(k)} = {_text(float(v))}" for k, v in mechanism.inputs.items()]
    groups = [*mechanism.bodies, *mechanism.elements, *mechanism.contacts, *mechanism.wheels]
    for name, cls in TABLES.items():
        for item in groups:
            if type(item) is cls:
                lines += ["", f"[[{name}]]"]
                lines += [f"{k} = {v}" for k, v in _fields(item)]
    text = "\n".join(lines) + "\n"
    check_size(f"mechanism {mechanism.name!r}", len(text.encode("utf-8")))
    return text


def _fields(item: Any) -> list[tuple[str, str]]:
    """Pairs (key, TOML text) of an object's fields that differ from their defaults."""
    pairs = []
    for f in dataclasses.fields(item):
        if not f.init:
            continue
        value = getattr(item, f.name)
        default = f.default
        if f.default_factory is not dataclasses.MISSING:
            default = f.default_factory()
        if value is None or (default is not dataclasses.MISSING and _same(value, default)):
            continue
        pairs.append((key(type(item).__name__, f.name), _text(value)))
    return pairs


def _same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and value == default


#: Characters of a TOML text that need an escape.
_ESCAPED = {ord('"'): '\\"', ord("\\"): "\\\\", ord("\n"): "\\n"} | {
    k: f"\\u{k:04x}" for k in (*range(32), 127) if k != ord("\n")
}


def _text(value: Any) -> str:
    """TOML text of a value; floats with full precision."""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, str):
        if any(0xD800 <= ord(c) <= 0xDFFF for c in value):
            raise checks.MechanismError(
                f"the text {checks.shown(value)} holds half a character, no file can."
            )
        return f'"{value.translate(_ESCAPED)}"'
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        return repr(float(value)) if math.isfinite(value) else ("inf" if value > 0 else "-inf")
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, tuple | list):
        return "[" + ", ".join(_text(v) for v in value) + "]"
    if type(value) not in NAMES:
        raise checks.MechanismError(
            f"{checks.shown(value)}, a {type(value).__name__}, cannot be written to a file; give one of "
            "those that have a name."
        )
    kind = {} if isinstance(value, Schedule) else {"type": NAMES[type(value)]}
    pairs = [*((k, _text(v)) for k, v in kind.items()), *_fields(value)]
    return "{ " + ", ".join(f"{k} = {v}" for k, v in pairs) + " }"
