"""A host in C calls the ground solve by its address; Python only allocates and fills the memory before.

The loop of steps is in ``host_in_c.c``. A C++ program can embed Python for the few lines that fill the
memory.
"""

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path

from contact import ConeIndexSoil, Tyre, WheelContact
from contact.hosts import WheelsOnGround, include
from contact.hosts.kernels import entry

TORQUE, STEP = 400.0, 1e-3  # N m, s


def compiled(folder: Path) -> ctypes.CDLL:
    """Shared library compiled from the C program."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise RuntimeError("this example needs a C compiler (cc, gcc or clang)")
    source, library = Path(__file__).with_suffix(".c"), folder / "host_in_c.so"
    command = [compiler, "-O2", "-shared", "-fPIC", f"-I{include()}", source, "-o", library]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(library))


def main(duration: float = 12.0) -> float:
    """Drive in C; returns the final slip ratio."""
    tyre = Tyre(diameter=0.762, width=0.2, section_height=0.14, deflection_ratio=0.2)
    wheel = WheelContact(tyre, ConeIndexSoil(4e5), regularisation="implicit")
    ground = WheelsOnGround([wheel])
    height = tyre.radius - wheel.static_compression(250.0 * 9.81)
    velocity = (ctypes.c_double * 3)()
    with tempfile.TemporaryDirectory() as folder:
        drive = compiled(Path(folder)).drive
        drive.restype = ctypes.c_int64
        code = drive(
            ctypes.c_void_p(entry.address()), ctypes.c_void_p(ground.floats.ctypes.data),
            ctypes.c_void_p(ground.ints.ctypes.data), ctypes.c_int64(round(duration / STEP)),
            ctypes.c_double(STEP), ctypes.c_double(TORQUE), ctypes.c_double(height), velocity,
        )  # fmt: skip
    if code:
        raise RuntimeError(ground.sentence(code))
    return 1.0 - velocity[0] / (velocity[2] * tyre.radius)


if __name__ == "__main__":
    print(f"slip ratio {main():.6f}")
