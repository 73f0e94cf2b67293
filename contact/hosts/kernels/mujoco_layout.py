"""What the MuJoCo adapter hands to its compiled part."""

from __future__ import annotations

# What the adapter hands over: sizes, then addresses. One array of int64.
(
    FREEDOMS, BODIES, COUNT, ROWS, SPARSE, TERMS, DAMPED, ENTRIES, M_SIZE,
    GROUND, FLOATS, INTS,
    XPOS, XMAT, CDOF, SUBTREE_COM, MASS, QVEL, SMOOTH, LAST, APPLIED, OWN,
    EFC_J, EFC_D, EFC_AREF, EFC_FLOSS, EFC_TYPE, EFC_NNZ, EFC_ADR, EFC_COL,
    DAMPING, TERM, TERM_ROW, FORCE, PARENT, WHEELS, PLACES, A_ROWS, PUSH, LISTED, LISTS, TARGETS,
    CAPACITY, PLAN, WORK, FRESH, METRIC, METRIC_DIAGONAL, METRIC_FORCE, METRIC_TENDONS,
    METRIC_SCALE, METRIC_TENDON,
) = range(52)  # fmt: skip
SOURCES = 52
SOURCE = 4  # of each kind of damping term: values, non-zeros, first, columns; tendons, actuators
PLAN_AT = SOURCES + 2 * SOURCE  # where each list of the plan begins, and after the last its end

# Lists of the plan. V is M + E in the order of least fill, K is M + h D in that of the tree.
(
    ORDER, PLACE, FIRST, ROW, START_AT, INTO, SLOT, M_SLOT,
    FIRST_K, ROW_K, START_K, INTO_K, M_SLOT_K,
    PATH_AT, PATH, PATH_PLACE, PATH_PLACE_K,  # freedoms from each wheel to its root
    REACH_AT, REACH, REACH_AT_K, REACH_K,  # places that forward substitution fills in each panel
    SHARED_AT, SHARED,  # what two panels i >= j both fill
    NEEDED, NEEDED_K,  # places that backward substitution must visit, for the damped freedoms
    SUPPORT, SUPPORT_K,  # places of the damped freedoms
    DAMPER_ROW, DAMPER_COL, DAMPER_SLOT_K, DAMPER_AT,  # entries of D
    COUNTING,  # 0, 1, 2 ...
) = range(32)  # fmt: skip
LISTS_OF_PLAN = 32
WORK_AT = PLAN_AT + LISTS_OF_PLAN + 1  # where each working array begins and ends
V, K, LEAST, Y, Z, Y_K, Z_K, Q, X, T, T_FREE, FREE, FREE_SOME, DAMPERS, SEEN, SEEN_FREE = range(16)
ARRAYS_OF_WORK = 16
HANDED = WORK_AT + 2 * ARRAYS_OF_WORK

APPLY = 1 << 16  # a stage of ours: add the ground's force to qfrc_applied, whose own part is kept
START = 1 << 17  # and: let MuJoCo's constraint solver start from the acceleration found
GREW = 99  # code: an entry of a matrix lies outside the plan
CROWDED = 98  # code: the lists of the constraint rows need more room
