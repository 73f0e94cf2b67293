"""Several robots for learning code: a differential drive on soft ground in MuJoCo, episodes and resets.

Every environment has its own ``MjData`` and its own ground; one model serves all. The two driven wheels
stand on our soil, the caster slides on MuJoCo's floor. A ground can be pickled, for pools of processes.
"""

from __future__ import annotations

try:
    import mujoco
except ModuleNotFoundError:
    raise SystemExit("this needs MuJoCo: pip install 'wheelground[mujoco]'") from None

import pickle

import numpy as np

from contact import ConeIndexSoil, Crolla, Tyre, WheelContact
from contact.hosts.mujoco import MujocoGround

RADIUS, FASTEST, STEPS = 0.15, 8.0, 5  # m, rad/s, steps of 2 ms per action
ROBOT = """<mujoco><option timestep="0.002" integrator="implicitfast"/><worldbody>
<geom type="plane" size="50 50 1"/>
<body name="robot" pos="0 0 0.145"><freejoint/>
 <geom type="box" size="0.25 0.15 0.05" pos="-0.05 0 0.05" mass="10" contype="0" conaffinity="0"/>
 <geom type="sphere" size="0.05" pos="-0.28 0 -0.095" mass="0.5" friction="0.01 0 0"/>
 <body pos="0.1 0.22 0"><joint name="left" axis="0 1 0" armature="0.01"/>
  <geom type="cylinder" size="0.15 0.04" euler="90 0 0" mass="2" contype="0" conaffinity="0"/></body>
 <body pos="0.1 -0.22 0"><joint name="right" axis="0 1 0" armature="0.01"/>
  <geom type="cylinder" size="0.15 0.04" euler="90 0 0" mass="2" contype="0" conaffinity="0"/></body>
</body></worldbody>
<actuator><velocity joint="left" kv="5"/><velocity joint="right" kv="5"/></actuator></mujoco>"""


class Environment:
    """A robot with ``reset()`` and ``step(action)``, the interface of learning code."""

    def __init__(self, model: mujoco.MjModel) -> None:
        tyre = Tyre(diameter=2.0 * RADIUS, width=0.08, section_height=0.04, pressure=5e4)
        wheel = WheelContact(tyre, ConeIndexSoil(2e5), lateral=Crolla())
        self.model, self.data = model, mujoco.MjData(model)
        self.ground = MujocoGround(model, {"left": wheel, "right": wheel})
        self.start = self.ground.ground.state()

    def reset(self) -> np.ndarray:
        """Return to the start; returns the observation."""
        mujoco.mj_resetData(self.model, self.data)
        self.ground.ground.restore(self.start)
        return np.zeros(4)  # observation of a robot at rest

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float]:
        """Drive 10 ms; ``action``: both wheels' speeds over ``FASTEST``. Returns observation, distance
        ahead [m]."""
        self.data.ctrl[:] = FASTEST * np.clip(action, -1.0, 1.0)
        start = float(self.data.qpos[0])
        for _ in range(STEPS):
            self.ground.step(self.data)
        return self.observe(), float(self.data.qpos[0]) - start

    def observe(self) -> np.ndarray:
        """Forward speed [m/s], yaw rate [rad/s], slips of both wheels."""
        v, w = self.data.qvel[0], self.data.qvel[5]
        return np.array([v, w, *self.ground.ground.slip])


def episode(environment: Environment, seed: int, actions: int = 100) -> np.ndarray:
    """Observations of a second of random actions."""
    choose = np.random.default_rng(seed)
    seen = [environment.reset()]
    action = np.zeros(2)
    for _ in range(actions):
        action = 0.9 * action + 0.3 * choose.normal(size=2) + 0.05
        seen.append(environment.step(action)[0])
    return np.array(seen)


def main() -> float:
    """Largest difference between the episodes of three robots and their repetitions.

    The second robot repeats its episode with a pickled copy of its ground.
    """
    model = mujoco.MjModel.from_xml_string(ROBOT)
    robots = [Environment(model) for _ in range(3)]
    # first episodes are not compared: every compared one begins with the reset of a robot that has moved
    for seed, robot in enumerate(robots):
        episode(robot, seed)
    first = [episode(robot, seed) for seed, robot in enumerate(robots)]
    robots[1].ground = pickle.loads(pickle.dumps(robots[1].ground))
    again = [episode(robot, seed) for seed, robot in enumerate(robots)]
    if not 0.05 < np.abs(first[0][:, 0]).max() < 1.5:
        raise AssertionError("the robot does not drive")
    return float(max(np.abs(a - b).max() for a, b in zip(first, again, strict=True)))


if __name__ == "__main__":
    print(f"largest difference between an episode and its repetition: {main():g}")
