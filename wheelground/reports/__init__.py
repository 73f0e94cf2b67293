"""Programs that print tables and draw pictures, run by ``wheelground`` and ``benchmarks``.

The import exits with one sentence and exit code 2 for an old Python, a missing package, or a foreign
package with the name of one of wheelground's.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_CHECKOUT = (_ROOT / "pyproject.toml").is_file()
_INSTALL = "python -m pip install " + ("-e " + str(_ROOT) if _CHECKOUT else "wheelground")


def _trouble():
    """Message on the first obstacle to a run; None without one."""
    if sys.version_info < (3, 11):  # noqa: UP036 - pip refuses an old Python; a checkout cannot
        return (
            f"wheelground needs Python 3.11 or later; this is Python {sys.version_info[0]}."
            f"{sys.version_info[1]} ({sys.executable}). Make a virtual environment with a later "
            "one: python3.11 -m venv .venv"
        )
    for name in ("mlcp", "contact", "bodies", "identify", "rig", "mobility"):
        spec = find_spec(name)
        found = None if spec is None or spec.origin is None else Path(spec.origin).resolve()
        if found is None or found.parent.parent != _ROOT:
            return (
                f"the package {name!r} that Python finds first is not wheelground's: {found}. "
                f"Run the command in {_ROOT}, or remove or rename what hides it"
            )
    for name in ("numpy", "scipy", "numba", "matplotlib", "rich", "cyclopts"):
        if find_spec(name) is None:
            return f"{name} is not installed for {sys.executable}. Install with: {_INSTALL}"
    return None


_sentence = _trouble()
if _sentence is not None:
    print("error: " + _sentence, file=sys.stderr)
    raise SystemExit(2)
