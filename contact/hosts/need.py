"""Hosts are extras: loaded on first use, and a sentence when they are not there."""

from __future__ import annotations

import importlib
from types import ModuleType

#: Module to import and extra that installs it, by the name of the host.
MODULES = {
    "mujoco": ("mujoco", "mujoco"),
    "exudyn": ("exudyn", "exudyn"),
    "pinocchio": ("pinocchio", "pinocchio"),
    "drake": ("pydrake.all", "drake"),
}


def install_command(host: str) -> str:
    """The command that installs a host."""
    return f"pip install 'wheelground[{MODULES[host][1]}]'"


def need(host: str) -> ModuleType:
    """The host's module; ``ModuleNotFoundError`` with the install command where it is missing."""
    module = MODULES[host][0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != module.split(".")[0]:
            raise
        raise ModuleNotFoundError(
            f"this needs {host}, which is not installed: {install_command(host)}"
        ) from None
