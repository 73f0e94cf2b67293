"""A wheel on soft ground in Drake: the ground is one more system of the diagram."""

try:
    from pydrake.all import (
        DiagramBuilder,
        FixedOffsetFrame,
        MultibodyPlant,
        PrismaticJoint,
        RevoluteJoint,
        RigidTransform,
        Simulator,
        SpatialInertia,
        UnitInertia,
    )
except ModuleNotFoundError:
    raise SystemExit("this needs Drake: pip install 'wheelground[drake]'") from None

from contact import ConeIndexSoil, Tyre, WheelContact
from contact.hosts.drake import DrakeGround


def quarter_vehicle(step: float) -> MultibodyPlant:
    """Model of a carrier, which slides ahead and up, with a wheel on it."""
    plant = MultibodyPlant(step)

    def body(name, mass, xx, yy):
        unit = UnitInertia(xx / mass, yy / mass, xx / mass)
        return plant.AddRigidBody(name, SpatialInertia(mass, [0.0, 0.0, 0.0], unit))

    lifted = RigidTransform([0.0, 0.0, 0.36])
    start = plant.AddFrame(FixedOffsetFrame("start", plant.world_frame(), lifted))
    slide, carrier = body("slide", 1e-9, 1e-9, 1e-9), body("carrier", 230.0, 10.0, 10.0)
    wheel = body("wheel", 20.0, 4.0, 6.0)
    plant.AddJoint(PrismaticJoint("ahead", start, slide.body_frame(), [1, 0, 0]))
    plant.AddJoint(PrismaticJoint("up", slide.body_frame(), carrier.body_frame(), [0, 0, 1]))
    plant.AddJoint(RevoluteJoint("hub", carrier.body_frame(), wheel.body_frame(), [0, 1, 0]))
    plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -9.81])
    plant.Finalize()
    return plant


def main(duration: float = 12.0, step: float = 1e-3) -> float:
    """Drive with 400 N m against a force of 50 v^2 [N], speed v [m/s]; return the final slip ratio."""
    tyre = Tyre(diameter=0.762, width=0.2, section_height=0.14, deflection_ratio=0.2)
    wheel = WheelContact(tyre, ConeIndexSoil(4e5), regularisation="implicit")
    builder = DiagramBuilder()
    plant = builder.AddSystem(quarter_vehicle(step))
    ground = DrakeGround(plant, {"hub": wheel})
    system = builder.AddSystem(ground.system())
    builder.Connect(plant.get_state_output_port(), system.GetInputPort("state"))
    builder.Connect(system.get_output_port(), plant.get_applied_spatial_force_input_port())
    diagram = builder.Build()
    context = diagram.CreateDefaultContext()
    own, seen = plant.GetMyContextFromRoot(context), system.GetMyContextFromRoot(context)
    simulator = Simulator(diagram, context)
    for k in range(1, round(duration / step) + 1):
        speed = plant.GetVelocities(own)[0]
        force = [-50.0 * speed * abs(speed), 0.0, 400.0]
        plant.get_applied_generalized_force_input_port().FixValue(own, force)
        system.GetInputPort("generalized_force").FixValue(seen, force)
        simulator.AdvanceTo(k * step)
    return float(ground.ground.slip[0])


if __name__ == "__main__":
    print(f"slip ratio {main():.6f}")
