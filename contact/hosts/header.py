"""Writer of ``wheelground.h``, the C interface, from names, numbers and comments of ``kernels.layout``.

python -m contact.hosts.header
"""

from __future__ import annotations

import inspect
import re
import textwrap
from pathlib import Path

from .kernels import layout as L

PLACE = Path(__file__).with_name("wheelground.h")
COLUMN, WIDTH = 26, 100  # columns of a comment's start and end

_TEXT = """\
/* The ground solve for C and C++: one function on two blocks of memory that Python laid out once.
 * Written by python -m contact.hosts.header.
 *
 *     wg_step step = ...;            address from contact.hosts.kernels.entry.address()
 *     double *F; int64_t *N;         WheelsOnGround.floats and .ints
 *     wg_array(F, N, WG_POSITION)[0] = x;  ...
 *     if (step(F, N, WG_ALL) != WG_DONE) ...   nothing has changed then
 *     wg_array(F, N, WG_WRENCH)[0]   force on wheel 0 along x [N]
 *
 * No Python frame, no allocation, no lock. One pair of blocks a thread. SI units, world axes, z up;
 * W wheels, C = 4 W channels, matrices row by row. */
#ifndef WHEELGROUND_H
#define WHEELGROUND_H
#include <stdint.h>

typedef int64_t (*wg_step)(double *F, int64_t *N, int64_t stages);

{enums}
static inline double *wg_array(double *F, const int64_t *N, int k) {{
    return F + N[WG_TABLE + 2 * k];
}}

#endif
"""
_ENUMS = {
    "Numbers in N.": "TABLE WHEELS CULPRIT ONLY_PYTHON",
    "Stages of a call, to be added up.": "DETECT PROJECT CHECK SOLVE REPORT ALL",
    "Arrays that the host writes before a call.": "STEP POSITION AXIS TWIST FREE_TWIST MOBILITY",
    "Arrays that it reads afterwards.": "WRENCH POINT FRAME STATE VERDICT",
    "What WG_DETECT and WG_PROJECT make; a host that writes B, u, u_free leaves out WG_PROJECT.": (
        "MAP GAP B U U_FREE"
    ),
    "Columns of WG_STATE.": "SLIP LOAD SINKAGE COMPRESSION SLIDING SPEED LATERAL STATES",
    "What a call returns; N[WG_CULPRIT] is the wheel.": (
        "DONE BAD_BLOCK BAD_STEP NOT_FINITE TOO_DEEP NOT_DEFINITE BAD_AXIS NOT_FROM_C"
    ),
}


def header() -> str:
    """Text of ``wheelground.h``."""
    said = dict(re.findall(r"^(\w+) = .*?  # (.*)$", inspect.getsource(L), re.MULTILINE))
    enums = []
    for title, names in _ENUMS.items():
        lines = [f"/* {title} */", "enum {"]
        for name in names.split():
            start = f"    WG_{name} = {getattr(L, name)}{'' if name == names.split()[-1] else ','}"
            comment = textwrap.wrap(said.get(name, ""), WIDTH - COLUMN - len("/*  */"))
            for k, part in enumerate(comment):
                opening, closing = "   " if k else "/* ", " */" if k + 1 == len(comment) else ""
                lines.append(f"{'' if k else start:<{COLUMN}}{opening}{part}{closing}")
            if not comment:
                lines.append(start)
        enums.append("\n".join([*lines, "};\n"]))
    return _TEXT.format(enums="\n".join(enums))


if __name__ == "__main__":
    PLACE.write_text(header(), encoding="utf-8")
    print(PLACE)
