"""Jacobian rows and position errors of all joints, from the files in ``bodies/joints/kernels``.

Signs: the error of a row is "b minus a", so that ``d error/dt = J v`` (J: Jacobian, v: velocities). The
errors at the end of a step are measured along the row directions of its start, taken from the Jacobian:
the projection is then SHAKE, whose multipliers act along the Jacobian of the start.
"""

from mlcp.compiled.choice import choice
from mlcp.jit import kernel

from .codes import JOINTS

_FILES = [f"bodies.joints.kernels.{name}" for name in JOINTS]
joint_rows = choice(_FILES, "rows", "joint, run")
joint_error = choice(_FILES, "error", "joint, run")


@kernel
def assemble_joints(run):
    """Write Jacobian, compliance and bias of every joint at the pose of the start of the step."""
    joints = run.joints
    for j in range(len(joints)):
        joint = joints[j]
        joint_rows(joint.kind, joint, run)


@kernel
def measure_joints(run):
    """Write the position errors of every joint at the current pose, along the step's row directions."""
    joints = run.joints
    for j in range(len(joints)):
        joint = joints[j]
        joint_error(joint.kind, joint, run)
