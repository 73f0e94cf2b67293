"""Command lines of a user, in this process or in a new one."""

import io
import os
import runpy
import subprocess
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def python(*words, cwd=ROOT, timeout=1800, **environment):
    """Exit code and output of ``python words`` in a new process, from the root."""
    return subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        text=True,
        timeout=timeout,
    )


def printed(*words, **more):
    """Output of ``python words``, which must end with code 0."""
    run = python(*words, **more)
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
    return run.stdout


def typed(module, *words):
    """Exit code and output of ``python -m module words`` in this process, from the root.

    Exceptions other than an exit are raised.
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
