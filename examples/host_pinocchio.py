"""A wheel on soft ground with Pinocchio's dynamics and a semi-implicit step."""

try:
    import pinocchio as pin
except ModuleNotFoundError:
    raise SystemExit("this needs Pinocchio: pip install 'wheelground[pinocchio]'") from None

import numpy as np

from contact import ConeIndexSoil, Tyre, WheelContact
from contact.hosts.pinocchio import PinocchioGround


def quarter_vehicle() -> pin.Model:
    """Model of a carrier, which slides ahead and up, with a wheel on it."""
    model, here = pin.Model(), pin.SE3.Identity()
    forward = model.addJoint(0, pin.JointModelPX(), here, "ahead")
    up = model.addJoint(forward, pin.JointModelPZ(), here, "up")
    hub = model.addJoint(up, pin.JointModelRY(), here, "hub")
    carrier = pin.Inertia(230.0, np.zeros(3), np.diag([10.0, 10.0, 10.0]))
    wheel = pin.Inertia(20.0, np.zeros(3), np.diag([4.0, 6.0, 4.0]))
    model.appendBodyToJoint(up, carrier, here)
    model.appendBodyToJoint(hub, wheel, here)
    return model


def main(duration: float = 12.0, step: float = 1e-3) -> float:
    """Drive with 400 N m against a force of 50 v^2 [N], speed v [m/s]; return the final slip ratio."""
    tyre = Tyre(diameter=0.762, width=0.2, section_height=0.14, deflection_ratio=0.2)
    wheel = WheelContact(tyre, ConeIndexSoil(4e5), regularisation="implicit")
    model = quarter_vehicle()
    ground = PinocchioGround(model, {"hub": wheel})
    q, v = np.array([0.0, 0.36, 0.0]), np.zeros(3)
    for _ in range(round(duration / step)):
        tau = np.array([-50.0 * v[0] * abs(v[0]), 0.0, 400.0])
        q, v = ground.step(q, v, tau, step)
    return float(ground.ground.slip[0])


if __name__ == "__main__":
    print(f"slip ratio {main():.6f}")
