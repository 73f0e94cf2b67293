"""Comparison of regularisations: scheme x step x solver x law, on five cases.

Run it with ``wheelground compare schemes``; ``--full`` runs the whole matrix.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from contact import LAWS, REGULARISATIONS, checks

from .. import cli

QUICK_LAWS = ("brixius", "dry", "wong-reece")
QUICK_STEPS = (1e-4, 1e-3, 1e-2, 1e-1)
FULL_STEPS = (1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 1e-1)
QUICK_SOLVERS = ("direct", "pgs", "newton", "osqp")
FULL_SOLVERS = (*QUICK_SOLVERS, "cvxpy")
QUICK_PATIENCE, FULL_PATIENCE = 0.5, 2.0  # longest expected time of a run [s]

app = App(name="wheelground compare schemes", help_format="markdown", version_flags=[])


@app.default
def main(
    *,
    full: Annotated[bool, Parameter(negative=())] = False,
    law: Annotated[tuple[str, ...], cli.Several] = (),
    regularisation: Annotated[tuple[str, ...], cli.Schemes] = (),
    solver: Annotated[tuple[str, ...], cli.Several] = (),
    step: Annotated[tuple[float, ...], cli.Several] = (),
    case: Annotated[tuple[str, ...], cli.Several] = (),
    patience: float | None = None,
    docs: Annotated[bool, Parameter(negative=())] = False,
    out: Path = Path("out"),
    json: cli.JsonFile = None,
) -> int:
    """Compare regularisations, steps, solvers and laws.

    The default takes one to two minutes after compilation: the first law over all steps and solvers,
    two more from 1 ms on with the first solver.

    Parameters
    ----------
    full
        Every law over ten steps and every solver: about twenty minutes.
    law
        Ground law: a name in contact.LAWS, a measured curve file.csv, or your own as module:name (a
        law, or a function f(slip, load) of arrays); repeat for several, the first is the main one.
    regularisation
        Scheme: a name in contact.REGULARISATIONS, or your own as module:name (a function from
        contact.Sliding to contact.Line, or a contact.Regularisation); repeat for several. Your own
        is added to the built-in ones when none of those is named.
    solver
        A name in mlcp.SOLVERS; repeat for several, the first is the main one.
    step
        Step size [s]; repeat for several.
    case
        quarter, torque step, braking, parking or vehicle; repeat for several.
    patience
        Longest expected time of a run [s], 0.5, with --full 2; longer runs are left out, except compiled
        ones of the main law with the main solver.
    docs
        Rewrite the measured tables and the picture of docs/how_to_choose_a_regularisation.md.
    out
        Directory for pictures and CSV.
    json
        File for the results.
    """
    with cli.refuse_bad_input():
        from mlcp import SOLVERS

        from .cases import CASES, cases
        from .matrix import Matrix, Named
        from .named import named_law, named_scheme

        for given in step:
            checks.within("regularisation", "step", given, 1e-5, 1.0, unit="s")
        if patience is not None:
            checks.within("regularisation", "patience", patience, 0.0, unit="s")
        laws = tuple(Named(n, named_law(n)) for n in law or (tuple(LAWS) if full else QUICK_LAWS))
        own = all(":" in name for name in regularisation)
        names = (*REGULARISATIONS, *regularisation) if own else regularisation
        schemes = tuple(Named(label(n), named_scheme(n)) for n in dict.fromkeys(names))
        solvers = tuple(checks.known("solver", name, SOLVERS) for name in solver)
        only = tuple(checks.known("case", name, CASES) for name in case)
        cli.writable(out, json)
        matrix = Matrix(
            laws=laws,
            schemes=schemes,
            solvers=solvers or (FULL_SOLVERS if full else QUICK_SOLVERS),
            steps=tuple(sorted(step)) or (FULL_STEPS if full else QUICK_STEPS),
            make_cases=cases,
            patience=patience if patience is not None else (FULL_PATIENCE if full else QUICK_PATIENCE),
            even=full,
            only=only,
        )
    from .report import compare

    with cli.refuse_bad_input():
        return compare(matrix, out, json, docs)


def label(name: str) -> str:
    """Name of a scheme in tables: ``name`` itself, or of a user's ``module:name`` the second part."""
    return name.rpartition(":")[2]
