"""Jacobian rows and position errors of all joints, from the files in ``bodies/joints/kernels``.

Signs: the error of a row is "b minus a", so that ``d error/dt = J v``. Errors at the moved pose are
measured along the row directions of the start of the step, taken from the Jacobian: the projection is
then SHAKE, with multipliers along the old Jacobian.
"""

from __future__ import annotations

from mlcp.compiled.choice import choice
from mlcp.jit import kernel

from .codes import JOINTS

_FILES = [f"bodies.joints.kernels.{name}" for name in JOINTS]
joint_rows = choice(_FILES, "rows", "joint, run")
joint_error = choice(_FILES, "error", "joint, run")


@kernel
def assemble_joints(run):
    """Jacobian, compliance and bias of every joint at the pose of the start of the step."""
    joints = run.joints
    for j in range(len(joints)):
        joint = joints[j]
        joint_rows(joint.kind, joint, run)


@kernel
def measure_joints(run):
    """Position error of every joint at the current pose, along the assembled rows."""
    joints = run.joints
    for j in range(len(joints)):
        joint = joints[j]
        joint_error(joint.kind, joint, run)
