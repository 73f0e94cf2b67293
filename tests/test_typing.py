"""The public API is typed: every parameter and result of a public function has a known type."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# Kernels are typed by Numba, whose own classes are not; nor are the objects that adapters hand on.
UNTYPED = (".kernels", "mlcp.jit", "mlcp.compiler", "contact.hosts", "bodies.mjcf", "bodies.view")
INFERRED = ("variable", "type alias", "constant")  # an attribute is what its class assigns


@pytest.mark.skipif(
    find_spec("basedpyright") is None, reason="pip install 'wheelground[test]' brings basedpyright"
)
@pytest.mark.parametrize("package", ["mlcp", "contact", "bodies"])
def test_every_public_function_has_known_types(package):
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable]
    run = subprocess.run(
        [*command, "--verifytypes", package, "--ignoreexternal", "--outputjson"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    report = json.loads(run.stdout)["typeCompleteness"]
    assert Path(report["packageRootDirectory"]) == ROOT / package, "no py.typed, or another package"
    assert len(report["symbols"]) > 200
    unknown = [
        f"{symbol['name']}: {fault['message'].splitlines()[0]}"
        for symbol in report["symbols"]
        if not symbol["isTypeKnown"] and symbol["category"] not in INFERRED
        if not any(part in symbol["name"] for part in UNTYPED)
        for fault in symbol["diagnostics"]
        if fault.get("severity") == "error"
    ]
    assert not unknown, "\n".join(unknown)
