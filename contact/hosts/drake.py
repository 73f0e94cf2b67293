"""Wheels on soil in Drake: a system with the plant's state as input and spatial forces as output."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlcp.neighbours import need

from ..terrain import Terrain
from ..wheel import WheelContact
from .copies import HostError, Unique
from .generic import GenericHost
from .wheels_on_ground import WheelsOnGround


class DrakeGround(Unique):
    """The wheels of a discrete ``MultibodyPlant`` on soil.

    ``forces(context)`` solves the plant's next step and returns the value of the plant's port
    ``applied_spatial_force``; ``system()`` returns a LeafSystem for a diagram. The plant's step is
    ``(M + h D) (v+ - v) = h (tau + f_g + f_e - C v - D v)`` plus the ground's impulses, with actuation
    tau, gravity f_g, force elements f_e, velocity-dependent inertia forces C v, joint damping D and mass
    matrix M.

    Arguments:
        plant: finalised, with a time step above 0; a kinematic tree without Drake's contact at wheels.
        wheels: ``WheelContact`` by the name of the wheel's revolute joint.
        terrain: shape of the ground in world axes, a plane at z = 0 by default.
        left: the vehicle's left in the default pose, world axes; opposed spin axes are reversed.
        settings: of ``WheelsOnGround``.

    Raises:
        ModuleNotFoundError: Drake is not installed.
        HostError: the plant is continuous, or has no joint of a name in ``wheels``.
    """

    def __init__(
        self,
        plant: Any,
        wheels: Mapping[str, WheelContact],
        terrain: Terrain | None = None,
        left: tuple[float, float, float] = (0.0, 1.0, 0.0),
        **settings: Any,
    ) -> None:
        self._drake = need("pydrake.all", "DrakeGround", "drake")
        if not plant.time_step() > 0.0:
            raise HostError("DrakeGround: the plant must be discrete; give it a time_step above 0 s")
        self.plant, self.step = plant, plant.time_step()
        self.ground = WheelsOnGround(tuple(wheels.values()), terrain, **settings)
        n = plant.num_velocities()
        self.host = GenericHost(self.ground, n)
        self._damping = np.zeros(n)
        for index in plant.GetJointIndices():
            joint = plant.get_joint(index)
            first, count = joint.velocity_start(), joint.num_velocities()
            self._damping[first : first + count] = joint.default_damping_vector()
        self._still, self._origin = np.zeros(n), np.zeros(3)
        self._diagonal = self.host.M.reshape(-1)[:: n + 1]  # a view of M's diagonal
        self._world = plant.world_frame()
        self._elements = self._drake.MultibodyForces(plant)
        self._joints, self._applied = [], []
        context = plant.CreateDefaultContext()
        for name in wheels:
            if not plant.HasJointNamed(name):
                raise HostError(f"DrakeGround: no joint {name!r} in the plant")
            joint = plant.GetJointByName(name)
            frame = joint.frame_on_child()
            turn = frame.CalcPoseInWorld(context).rotation().matrix()
            axis = np.asarray(joint.revolute_axis())
            sign = -1.0 if (turn @ axis) @ np.asarray(left) < 0.0 else 1.0
            self._joints.append((frame, sign * axis))
            one = self._drake.ExternallyAppliedSpatialForce()
            one.body_index = joint.child_body().index()
            one.p_BoBq_B = frame.GetFixedPoseInBodyFrame().translation()
            self._applied.append(one)

    def solve(self, context: Any, force: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Solve the plant's next step; return the ground's wrenches on the W wheels, (W, 6), as a view.

        Arguments:
            context: context of the plant at the start of the step.
            force: generalised forces from actuation, (nv,) [N, N m]; None: none.
        """
        plant, host, ground = self.plant, self.host, self.ground
        elements, kind = self._elements, self._drake.JacobianWrtVariable.kV
        host.v[...] = plant.GetVelocities(context)
        host.M[...] = plant.CalcMassMatrix(context)
        self._diagonal += self.step * self._damping
        elements.SetZero()
        plant.CalcForceElementsContribution(context, elements)  # includes gravity and dampers
        # inverse dynamics at zero acceleration: C v minus the forces
        np.negative(plant.CalcInverseDynamics(context, self._still, elements), out=host.force)
        if force is not None:
            host.force += force
        world = self._world
        for i, (frame, axis) in enumerate(self._joints):
            pose = frame.CalcPoseInWorld(context)
            ground.position[i] = pose.translation()
            ground.axis[i] = pose.rotation().matrix() @ axis
            J = plant.CalcJacobianSpatialVelocity(context, kind, frame, self._origin, world, world)
            host.J[6 * i : 6 * i + 3], host.J[6 * i + 3 : 6 * i + 6] = J[3:], J[:3]
        change = host.call(self.step, by_force=True)
        self.v_end = host.v_free + change
        return ground.wrench

    def forces(self, context: Any, force: NDArray[np.float64] | None = None) -> list[Any]:
        """Solve the step; return its list of ``ExternallyAppliedSpatialForce``, one a wheel."""
        wrench, kind = self.solve(context, force), self._drake.SpatialForce
        for one, one_wrench in zip(self._applied, wrench, strict=True):
            one.F_Bq_W = kind(one_wrench[3:], one_wrench[:3])
        return list(self._applied)

    def system(self) -> Any:
        """LeafSystem that computes the spatial forces from the plant's state and generalised forces.

        Connect ``state`` to the plant's state port, ``generalized_force`` to the source of its
        ``applied_generalized_force``, and ``spatial_force`` to ``applied_spatial_force``.
        """
        drake, own = self._drake, self
        n = self.plant.num_positions() + self.plant.num_velocities()

        class Ground(drake.LeafSystem):
            def __init__(self) -> None:
                super().__init__()
                self.context = own.plant.CreateDefaultContext()
                self.DeclareVectorInputPort("state", n)
                self.DeclareVectorInputPort("generalized_force", own.plant.num_velocities())
                kind = drake.Value[drake.List[drake.ExternallyAppliedSpatialForce]]
                self.DeclareAbstractOutputPort("spatial_force", kind, self.write)

            def write(self, context, output) -> None:
                own.plant.SetPositionsAndVelocities(self.context, self.get_input_port(0).Eval(context))
                output.set_value(own.forces(self.context, self.get_input_port(1).Eval(context)))

        return Ground()
