"""What the MuJoCo adapter hands to its compiled part."""

from __future__ import annotations

# What the adapter hands over: sizes, then addresses. One array of int64.
(
    FREEDOMS, BODIES, COUNT, ROWS, SPARSE, TERMS, DAMPED, SIZE, UPDATES,
    GROUND, FLOATS, INTS,
    XPOS, XMAT, CDOF, SUBTREE_COM, MASS, QVEL, SMOOTH, LAST, APPLIED, OWN,
    EFC_J, EFC_D, EFC_AREF, EFC_FLOSS, EFC_TYPE, EFC_NNZ, EFC_ADR, EFC_COL, ENTRIES,
    DAMPING, TERM, TERM_ROW, FORCE, SOURCES, PARENT, M_NNZ, M_ADR, M_COL, M_SIZE,
    ORDER, FIRST, ROW, START_AT, INTO, SLOT, M_SLOT, WHEELS, PLACES, A_ROWS, PUSH, WORK, LISTS, LISTED,
) = range(55)  # fmt: skip
SOURCE = 4  # of each kind of damping term: values, non-zeros, first, columns; tendons, actuators
HANDED = 55 + 2 * SOURCE

APPLY = 1 << 16  # a stage of ours: add the ground's force to qfrc_applied, whose own part is kept
START = 1 << 17  # and: let MuJoCo's constraint solver start from the acceleration found
GREW = 99  # code: an entry of the matrix lies outside the pattern
