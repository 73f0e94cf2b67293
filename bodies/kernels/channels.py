"""Stage "solve contacts" and its detection: the channels of the reduced contact problem."""

from __future__ import annotations

from mlcp.jit import kernel


@kernel
def detect_contacts(F, I):
    """Find contact points and wheel frames (none yet)."""


@kernel
def solve_contacts(F, I):
    """Solve the reduced problem (none yet)."""
