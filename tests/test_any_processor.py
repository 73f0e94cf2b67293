"""The tests that are not marked slow, with the round-off of other processors.

OpenBLAS has kernels for each type of processor, Numba compiles for the present one, and NumPy and the C
library use fused multiply-add if available. Environment variables make them use the code of another
processor. Results of chattering and chaotic motion then differ in their first digits, and their tests
check a range; all other results differ in the last digits.
"""

import platform

import numpy as np
import pytest

from tests.commands import printed

CONFIG = np.show_config(mode="dicts")
FOUND = CONFIG["SIMD Extensions"].get("found", [])
HAS_512 = any(name.startswith(("AVX512", "X86_V4")) for name in FOUND)
USES_OPENBLAS = "openblas" in CONFIG["Build Dependencies"]["blas"]["name"].lower()
IS_X86 = platform.machine().lower() in ("x86_64", "amd64")

#: Environment variables for the code of another processor.
PROCESSORS = {
    "Prescott": {"OPENBLAS_CORETYPE": "Prescott"},
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell"},  # AMD's Zen uses the same kernels
    "SkylakeX": {"OPENBLAS_CORETYPE": "SkylakeX"},
    "generic": {
        "NUMBA_CPU_NAME": "generic",
        "NPY_DISABLE_CPU_FEATURES": " ".join(FOUND),
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-FMA,-FMA4",
    },
}


@pytest.mark.slow  # each case runs all tests that are not slow
@pytest.mark.parametrize("processor", PROCESSORS)
def test_the_everyday_suite_passes_on(processor):
    settings = PROCESSORS[processor]
    if "OPENBLAS_CORETYPE" in settings and not (IS_X86 and USES_OPENBLAS):
        pytest.skip("NumPy's linear algebra here is not OpenBLAS for x86")
    if processor == "SkylakeX" and not HAS_512:
        pytest.skip("this processor has no AVX-512")
    printed("-m", "pytest", "-n", 2, "-p", "no:cacheprovider", timeout=7200, **settings)
