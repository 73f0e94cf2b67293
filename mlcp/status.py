"""Status of a solve. The value of each member is its message to the user."""

from enum import Enum


class Status(Enum):
    """Verdict on a solution, decided by the residual recomputed from the problem."""

    SOLVED = "Solved: the natural residual recomputed from the problem is within the tolerance."
    ITERATION_LIMIT = (
        "Stopped at the iteration limit with the natural residual above the tolerance. Usual "
        "causes: (a) redundant rows or mass ratios that slow an iterative solver down, (b) a "
        "tolerance below what the method reaches, (c) A is not positive semidefinite. Try the "
        "solver 'direct', more iterations, or a small compliance on the diagonal of A."
    )
    TIME_LIMIT = (
        "Stopped at the time limit with the natural residual above the tolerance. Usual causes: (a) "
        "a large dense problem, (b) redundant rows that slow an iterative solver down. Try the solver "
        "'direct', a sparse or structured problem, or a longer time_limit of the solver."
    )
    INFEASIBLE = (
        "No solution exists up to the bound of the search, |z_i| sqrt(a_ii) at most 1e8 times the "
        "largest |b_i| / sqrt(a_ii): a direction was found along which the bounds never stop z while w "
        "keeps its wrong sign. Usual causes: (a) bilateral rows that contradict each other, (b) a "
        "contact that is pushed together from both sides by prescribed motion. Try a small "
        "compliance on the diagonal of A, or finite bounds."
    )
    OUT_OF_CLASS = (
        "Stopped without an answer, and A is outside the classes for which one is certain: it is "
        "neither a P-matrix nor positive semidefinite as far as could be verified, so whether a "
        "solution exists is not known. Usual causes: (a) a sign error in A, (b) friction or "
        "feedback that makes A indefinite. Try the solver 'newton', another start z0, or a "
        "compliance on the diagonal of A."
    )
    INACCURATE = (
        "The solver believed it had finished, but the natural residual recomputed from the "
        "problem is above the tolerance. Usual causes: (a) A is close to singular or badly scaled, so "
        "that z is 1e6 times b or more and its rounding alone costs the tolerance, (b) the back-end's "
        "own tolerance is looser than the one asked for. Try the solver 'direct', tighter back-end "
        "settings, or a larger tol."
    )
    NOT_A_NUMBER = (
        "The iteration ended in numbers that are not finite. Usual causes: (a) A is not positive "
        "semidefinite, (b) an over-relaxed sweep diverged, (c) entries near the largest float. Try "
        "the solver 'direct', relaxation <= 1, or other units."
    )
    BACKEND_FAILED = (
        "The back-end gave up without an answer. Usual causes: (a) A is not positive "
        "semidefinite, (b) the problem has no solution. Try the solver 'direct': its status separates "
        "the causes."
    )
