"""A robot on wheeled legs in MuJoCo: it crosses a soft side slope and keeps its body level by its legs.

Every leg is a hip, a knee that folds twice as far, and a driven wheel; the legs' lengths follow from
roll and pitch.
"""

from __future__ import annotations

try:
    import mujoco
except ModuleNotFoundError:
    raise SystemExit("this needs MuJoCo: pip install 'wheelground[mujoco]'") from None

from pathlib import Path

import numpy as np

from contact import ConeIndexSoil, Crolla, Tyre, WheelContact
from contact.hosts.mujoco import MujocoGround
from contact.terrain import Slope

RADIUS, LINK, SPEED = 0.12, 0.25, 0.6  # m, m, m/s
GRADE, SECONDS = 0.2, 4.0  # rise over run of the slope, the left side higher [-]; duration [s]
HIPS = {"fl": (0.3, 0.25), "fr": (0.3, -0.25), "rl": (-0.3, 0.25), "rr": (-0.3, -0.25)}  # x, y [m]
LEG = """<body name="{0}" pos="{1} {2} 0"><joint name="{0} hip" axis="0 1 0" damping="2"/>
 <geom type="capsule" fromto="0 0 0 0 0 -{3}" size="0.03" mass="1"/>
 <body pos="0 0 -{3}"><joint name="{0} knee" axis="0 1 0" damping="2"/>
  <geom type="capsule" fromto="0 0 0 0 0 -{3}" size="0.025" mass="0.7"/>
  <body pos="0 0 -{3}"><joint name="{0} wheel" axis="0 1 0" armature="0.01"/>
   <geom type="cylinder" size="{4} 0.03" euler="90 0 0" mass="1.5"/></body></body></body>"""
MOTORS = """<position joint="{0} hip" kp="800"/><position joint="{0} knee" kp="800"/>
 <velocity joint="{0} wheel" kv="5"/>"""


def robot() -> mujoco.MjModel:
    """MuJoCo model of the robot: twelve motors, no contacts of MuJoCo."""
    legs = "".join(LEG.format(name, *place, LINK, RADIUS) for name, place in HIPS.items())
    motors = "".join(MOTORS.format(name) for name in HIPS)
    return mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="0.002" integrator="implicitfast"/>
        <default><geom contype="0" conaffinity="0"/></default><worldbody>
        <body name="body" pos="0 0 0.55"><freejoint/>
        <geom type="box" size="0.35 0.18 0.06" mass="18"/>{legs}</body></worldbody>
        <actuator>{motors}</actuator></mujoco>"""
    )


def drive(levels: bool) -> np.ndarray:
    """Time [s], roll, pitch [rad], slip of the left front wheel [-], y [m]: a row for every 10 ms."""
    tyre = Tyre(diameter=2.0 * RADIUS, width=0.06, section_height=0.03, pressure=5e4)
    wheel = WheelContact(tyre, ConeIndexSoil(2e5), lateral=Crolla())
    model = robot()
    data = mujoco.MjData(model)
    ground = MujocoGround(model, {f"{name} wheel": wheel for name in HIPS}, Slope(grade_y=GRADE))
    x, y = np.array(list(HIPS.values())).T
    length = np.full(4, 0.38)  # from hip to wheel [m]
    seen = []
    for k in range(round(SECONDS / 0.002)):
        w, i, j, l = data.qpos[3:7]  # noqa: E741
        roll = np.arctan2(2 * (w * i + j * l), 1 - 2 * (i * i + j * j))
        pitch = np.arcsin(2 * (w * j - l * i))
        if levels:
            length = np.clip(length + 0.002 * 2.0 * (pitch * x - roll * y), 0.2, 0.48)
        bend = np.arccos(length / (2.0 * LINK))
        data.ctrl[0::3], data.ctrl[1::3] = -bend, 2.0 * bend
        data.ctrl[2::3] = SPEED / RADIUS * min(1.0, 0.002 * k)
        ground.step(data)
        if k % 5 == 0:
            seen.append((data.time, roll, pitch, ground.ground.slip[0], data.qpos[1]))
    return np.array(seen)


def main(picture: Path | None = None) -> float:
    """Return the reduction of the roll by the legs in 4 s, relative to stiff legs [-]."""
    level, stiff = drive(levels=True), drive(levels=False)
    if picture is not None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.0, 3.4), layout="constrained")
        axes = figure.subplots()
        for run, label in ((stiff, "stiff legs"), (level, "controlled legs")):
            axes.plot(run[:, 0], np.degrees(run[:, 1]), label=label)
        axes.axhline(np.degrees(np.arctan(GRADE)), color="0.6", label="the slope")
        axes.set(xlabel="time [s]", ylabel="roll of the body [deg]")
        axes.legend()
        figure.savefig(picture, dpi=150)
    return float(1.0 - level[-1, 1] / stiff[-1, 1])


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    print(f"share of the roll that the legs take away: {main(Path('out/host_mujoco_legs.png')):.3f}")
    print("picture: out/host_mujoco_legs.png")
