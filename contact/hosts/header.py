"""Write ``wheelground.h``, the C interface, from the declarations of ``kernels.block``.

python -m contact.hosts.header
"""

from __future__ import annotations

import textwrap
from pathlib import Path

from .kernels import layout as L
from .kernels.block import HostBlock, Sensed

PLACE = Path(__file__).with_name("wheelground.h")
COLUMN, WIDTH = 26, 100  # columns at which a comment in the header begins and ends

_TEXT = """\
/* The ground solve for C and C++: one function on two blocks of memory that Python laid out once.
 * Written by python -m contact.hosts.header.
 *
 *     wg_step step = ...;            address from contact.hosts.kernels.entry.address()
 *     double *F; int64_t *N;         WheelsOnGround.floats and .ints
 *     wg_array(F, N, WG_POSITION)[0] = x;  ...
 *     if (step(F, N, WG_ALL) != WG_DONE) ...   no state has changed then
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
    "Arrays that the host writes before a call.": "step position axis twist free_twist mobility",
    "Arrays that the host reads after a call.": "wrench point frame state verdict",
    "Results of WG_DETECT and WG_PROJECT; a host that writes B, u, u_free leaves out WG_PROJECT.": (
        "map contact.gap B u u_free"
    ),
    "Columns of WG_STATE.": " ".join([*Sensed.fields, "STATES"]),
    "Codes that a call returns; N[WG_CULPRIT] is the wheel.": (
        "DONE BAD_BLOCK BAD_STEP NOT_FINITE TOO_DEEP NOT_DEFINITE BAD_AXIS NOT_FROM_C"
    ),
}


def _described(name: str) -> tuple[int, str]:
    """Return the number and the meaning of the array, state column or constant called ``name``."""
    if name in Sensed.fields:
        field = Sensed.fields[name]
        return field.offset, f"{field.meaning} [{field.unit}]"
    if name in HostBlock.leaves:
        entry = HostBlock.leaves[name].entry
        unit = f" [{entry.unit}]" if entry.unit.strip("-") else ""
        return HostBlock.leaves[name].floats, entry.meaning + unit
    if name == "STATES":
        return Sensed.FLOATS, "number of columns"
    return getattr(L, name), L.MEANINGS.get(name, "")


def header() -> str:
    """Text of ``wheelground.h``."""
    enums = []
    for title, listed in _ENUMS.items():
        lines, names = [f"/* {title} */", "enum {"], listed.split()
        for name in names:
            value, meaning = _described(name)
            end = "" if name == names[-1] else ","
            start = f"    WG_{name.rpartition('.')[2].upper()} = {value}{end}"
            comment = textwrap.wrap(meaning, WIDTH - COLUMN - len("/*  */"))
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
