"""Optional hosts: loaded on first use, with a message if not installed."""

from __future__ import annotations

import importlib
from types import ModuleType

#: Module and extra of a host, by its name.
MODULES = {
    "mujoco": ("mujoco", "mujoco"),
    "exudyn": ("exudyn", "exudyn"),
    "pinocchio": ("pinocchio", "pinocchio"),
    "drake": ("pydrake.all", "drake"),
}


def install_command(host: str) -> str:
    """Command to install a host."""
    return f"pip install 'wheelground[{MODULES[host][1]}]'"


def need(host: str) -> ModuleType:
    """Module of a host; ``ModuleNotFoundError`` with the install command if not installed."""
    module = MODULES[host][0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != module.split(".")[0]:
            raise
        raise ModuleNotFoundError(
            f"this needs {host}, which is not installed: {install_command(host)}"
        ) from None
