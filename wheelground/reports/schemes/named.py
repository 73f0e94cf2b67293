"""Laws and schemes by name: built-in names, and objects of a user's module as ``module:name``."""

from __future__ import annotations

import importlib
import os
import sys
from dataclasses import fields
from typing import Any

from numba.extending import is_jitted

from contact import LAWS, REGULARISATIONS, Line, Regularisation, Sliding, Tabulated, UserLaw, checks
from contact.laws.base import KernelLaw
from mlcp.checks import shown


def named_law(text: str) -> str | KernelLaw:
    """Find a ground law by a name in ``LAWS``, a measured curve ``file.csv``, or ``module:name``.

    ``name`` is a law, a class of laws, or a function f(slip, load) of arrays.

    Raises:
        ValueError: an unknown name, with the nearest known one; an object of another kind.
    """
    if text.endswith(".csv"):
        return Tabulated.from_csv(text)
    if ":" not in text:
        return checks.known("law", text, LAWS)
    found = imported("law", text)
    if isinstance(found, type) and issubclass(found, KernelLaw):
        found = found()
    if isinstance(found, KernelLaw):
        return found
    if callable(found):
        return UserLaw(found)
    raise ValueError(f"law {text!r} is {found!r}: neither a law nor a function f(slip, load)")


def named_scheme(text: str) -> str | Regularisation:
    """Find a scheme by a name in ``REGULARISATIONS``, or ``module:name``.

    ``name`` is a ``contact.Regularisation``, or a function for ``Regularisation.own``: from
    ``contact.Sliding`` to ``contact.Line``, or compiled by Numba.

    Raises:
        ValueError: an unknown name, with the nearest known one; an object of another kind.
    """
    if ":" not in text:
        return checks.known("regularisation", text, REGULARISATIONS)
    found = imported("regularisation", text)
    if isinstance(found, Regularisation):
        return found
    if is_jitted(found):
        return Regularisation.own(found)
    if callable(found):
        tried(text, found)
        return Regularisation.own(found)
    raise ValueError(
        f"regularisation {text!r} is {found!r}: neither a contact.Regularisation nor a function"
    )


#: State of a driven wheel, for a trial of a user's scheme before compilation.
TRIAL = Sliding(
    step=1e-3, load=2452.5, v_t=-0.2, v_x=1.0, v_max=1.2, v_0=1e-3, slip=1.0 / 6.0, force=1200.0,
    slope=5000.0, peak=1900.0, locked=1900.0, coulomb=98.0,
)  # fmt: skip


def tried(text: str, scheme: Any) -> None:
    """Call a user's scheme once on the state ``TRIAL``.

    Raises:
        ValueError: the scheme raises an error, or returns no ``contact.Line``.
    """
    names = [f.name for f in fields(Sliding)]
    try:
        line = scheme(TRIAL)
    except Exception as error:  # any error of a user's function becomes a message
        known = ", ".join([*names, "tangent", "secant"])
        raise ValueError(
            f"regularisation {text!r}: a trial call raised {type(error).__name__}: {error} (a Sliding "
            f"has {known})"
        ) from None
    if not isinstance(line, Line):
        raise ValueError(
            f"regularisation {text!r}: a trial call returned {shown(line)}; it must return a "
            "contact.Line"
        )


def imported(kind: str, text: str) -> Any:
    """Import the object ``module:name``; the module may be in the current directory."""
    module_name, _, name = text.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except Exception as error:  # any error of a user's module becomes a message
        raise ValueError(
            f"{kind} {text!r}: module {module_name!r} cannot be imported: {error}"
        ) from None
    if not hasattr(module, name):
        public = [n for n in vars(module) if not n.startswith("_")]
        checks.known(f"name in {module_name}", name, public)
    return getattr(module, name)
