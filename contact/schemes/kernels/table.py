"""The table of schemes, and the one kernel through which the step asks them."""

from __future__ import annotations

from mlcp.compiled.choice import choice

#: Every scheme: its name and its file here. Its number in the compiled step is its place.
SCHEMES = {
    "set-valued": "set_valued",
    "global": "global_",
    "local": "local",
    "local-current": "local_current",
    "implicit": "implicit",
}

#: ``(number, Sliding) -> Line``
scheme_line = choice(
    [f"contact.schemes.kernels.{file}" for file in SCHEMES.values()], "line", "at", returns=True
)
