"""The public API is typed: every function, attribute and constant has a known type."""

import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# Modules without complete types: Numba types the kernels when it compiles them, and the classes of Numba
# and of other simulation codes have no types.
UNTYPED = (".kernels", "mlcp.jit", "mlcp.compiled", "contact.hosts", "bodies.mjcf", "bodies.view")
# Pages with fully typed code; other pages define functions without annotations, for brevity.
PAGES = (
    "README.md",
    "docs/vehicles.md",
    "docs/how_to_choose_a_step_and_a_solver.md",
    "docs/solvers.md",
)


needs_pyright = pytest.mark.skipif(
    find_spec("basedpyright") is None, reason="pip install 'wheelground[test]' brings basedpyright"
)


def pyright(*words):
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, *words]
    # The option `--verifytypes` uses the first Python of PATH, which would not have NumPy otherwise.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    run = subprocess.run(
        [*command, "--outputjson"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    return json.loads(run.stdout)


def told(fault):
    return f"{Path(fault['file']).name}:{fault['range']['start']['line'] + 1}: {fault['message']}"


@needs_pyright
@pytest.mark.parametrize("package", ["mlcp", "contact", "bodies", "rig", "mobility"])
def test_every_public_name_has_a_known_type(package):
    report = pyright("--verifytypes", package, "--ignoreexternal")["typeCompleteness"]
    assert Path(report["packageRootDirectory"]) == ROOT / package, "no py.typed, or another package"
    assert len(report["symbols"]) > 200
    unknown = [
        f"{symbol['name']}: {fault['message'].splitlines()[0]}"
        for symbol in report["symbols"]
        if not symbol["isTypeKnown"]
        if not any(part in symbol["name"] for part in UNTYPED)
        for fault in symbol["diagnostics"]
        if fault.get("severity") == "error"
    ]
    assert not unknown, "\n".join(unknown)


@needs_pyright
@pytest.mark.slow  # more than a minute; the forge's workflow runs it beside ruff
def test_the_packages_are_clean_under_pyright_as_pyproject_declares():
    """Pyright finds no error, whichever extras are installed: optional packages are imported untyped."""
    found = pyright()
    assert found["summary"]["filesAnalyzed"] > 250
    wrong = [told(fault) for fault in found["generalDiagnostics"] if fault["severity"] == "error"]
    assert not wrong, "\n".join(wrong)


@needs_pyright
def test_a_users_program_is_clean_under_pyright_strict(tmp_path):
    """Pyright knows the type of each result and accepts the arguments that the documentation shows."""
    (tmp_path / "program.py").write_text((ROOT / "tests" / "typed_program.py").read_text())
    for page in map(Path, PAGES):
        code = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)
        (tmp_path / f"{page.stem.lower()}_page.py").write_text("\n".join(code))
    settings = {"include": ["."], "typeCheckingMode": "strict", "extraPaths": [str(ROOT)]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    found = pyright("-p", str(tmp_path))
    assert found["summary"]["filesAnalyzed"] == 1 + len(PAGES)
    wrong = [told(fault) for fault in found["generalDiagnostics"] if fault["severity"] == "error"]
    assert not wrong, "\n".join(wrong)
