"""A wheel on soft ground in Exudyn: forces set before every step of its explicit Euler solver."""

try:
    import exudyn as exu
    from exudyn.itemInterface import MarkerKinematicTreeRigid, NodeGenericODE2, ObjectKinematicTree
except ModuleNotFoundError:
    raise SystemExit("this needs Exudyn: pip install 'wheelground[exudyn]'") from None

import numpy as np

from contact import ConeIndexSoil, Tyre, WheelContact
from contact.hosts.exudyn import ExudynGround


def quarter_vehicle(mbs) -> tuple[int, int]:
    """Add a carrier, which slides ahead and up, with a wheel on it; return tree and wheel's marker."""
    zero, unit = [0.0, 0.0, 0.0], np.eye(3)
    node = mbs.AddNode(
        NodeGenericODE2(
            numberOfODE2Coordinates=3,
            referenceCoordinates=zero,
            initialCoordinates=zero,
            initialCoordinates_t=zero,
        )
    )
    kinds = exu.JointType
    tree = mbs.AddObject(
        ObjectKinematicTree(
            nodeNumber=node,
            gravity=[0.0, 0.0, -9.81],
            linkParents=[-1, 0, 1],
            jointTypes=[kinds.PrismaticX, kinds.PrismaticZ, kinds.RevoluteY],
            jointTransformations=exu.Matrix3DList([unit] * 3),
            jointOffsets=exu.Vector3DList([[0.0, 0.0, 0.36], zero, zero]),
            linkMasses=[0.0, 230.0, 20.0],
            linkCOMs=exu.Vector3DList([zero] * 3),
            linkInertiasCOM=exu.Matrix3DList([0.0 * unit, 10.0 * unit, np.diag([4.0, 6.0, 4.0])]),
            jointForceVector=zero,
        )
    )
    hub = MarkerKinematicTreeRigid(objectNumber=tree, linkNumber=2, localPosition=zero)
    return tree, mbs.AddMarker(hub)


def main(duration: float = 12.0, step: float = 1e-3) -> float:
    """Drive with 400 N m against a force of 50 v^2 [N], speed v [m/s]; return the final slip ratio."""
    tyre = Tyre(diameter=0.762, width=0.2, section_height=0.14, deflection_ratio=0.2)
    wheel = WheelContact(tyre, ConeIndexSoil(4e5), regularisation="implicit")
    mbs = exu.SystemContainer().AddSystem()
    tree, hub = quarter_vehicle(mbs)
    ground = ExudynGround(mbs, {hub: wheel})  # must precede Assemble, since it adds loads to mbs
    mbs.Assemble()

    def drive(mbs, t):
        speed = mbs.systemData.GetODE2Coordinates_t()[0]
        force = [-50.0 * speed * abs(speed), 0.0, 400.0]
        mbs.SetObjectParameter(tree, "jointForceVector", force)

    ground.before_step = drive
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(duration / step)
    settings.timeIntegration.endTime = duration
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    ground.simulate(settings)
    return float(ground.ground.slip[0])


if __name__ == "__main__":
    print(f"slip ratio {main():.6f}")
