"""Command lines as a person types them, without a process of their own for each."""

import io
import runpy
import subprocess
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def typed(module, *words):
    """What ``python -m module words`` ends with and prints, run in this process from the root.

    Anything but an exit, which would be a traceback, is raised.
    """
    words, code = [*map(str, words)], 0
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [module, *words])
        patch.chdir(ROOT)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "(?s).*found in sys.modules", RuntimeWarning)
            warnings.filterwarnings("ignore", "Cyclopts application invoked", UserWarning)
            try:
                runpy.run_module(module, run_name="__main__")
            except SystemExit as end:
                code = end.code or 0
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())
