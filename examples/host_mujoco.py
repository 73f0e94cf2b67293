"""A wheel on soft ground in MuJoCo: ``ground.step(data)`` instead of ``mj_step``."""

try:
    import mujoco
except ModuleNotFoundError:
    raise SystemExit("this needs MuJoCo: pip install 'wheelground[mujoco]'") from None

from contact import ConeIndexSoil, Tyre, WheelContact
from contact.hosts.mujoco import MujocoGround

MODEL = """<mujoco><option timestep="0.001" gravity="0 0 -9.81"/><worldbody>
  <body name="carrier" pos="0 0 0.36">
    <joint name="ahead" type="slide" axis="1 0 0"/>
    <joint name="up" type="slide" axis="0 0 1"/>
    <inertial pos="0 0 0" mass="230" diaginertia="10 10 10"/>
    <body name="wheel">
      <joint name="hub" type="hinge" axis="0 1 0"/>
      <inertial pos="0 0 0" mass="20" diaginertia="4 6 4"/>
    </body>
  </body>
</worldbody></mujoco>"""


def main(duration: float = 12.0) -> float:
    """Drive with 400 N m against a force of 50 v^2 [N], speed v [m/s]; return the final slip ratio."""
    tyre = Tyre(diameter=0.762, width=0.2, section_height=0.14, deflection_ratio=0.2)
    wheel = WheelContact(tyre, ConeIndexSoil(4e5), regularisation="implicit")
    model = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(model)
    ground = MujocoGround(model, {"hub": wheel})  # "hub": the wheel's hinge joint; flat ground
    while data.time < duration:
        speed = data.qvel[0]
        data.qfrc_applied[:] = -50.0 * speed * abs(speed), 0.0, 400.0
        ground.step(data)
    return float(ground.ground.slip[0])


if __name__ == "__main__":
    print(f"slip ratio {main():.6f}")
