"""Many vehicles as one Gymnasium vector environment, as learning code wants it.

Needs ``pip install gymnasium``; wheelground itself does not.
"""

try:
    import gymnasium
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError:
    raise SystemExit("this needs Gymnasium: pip install gymnasium") from None

from typing import ClassVar

import numpy as np

from bodies import Batch, compile, vehicle

STEP, EVERY, LAST = 0.01, 10, 60  # s, steps an action, actions an episode
SOFT, FIRM = 2.5e5, 5e5  # Pa, range of the cone index that an episode draws


class Drive(gymnasium.vector.VectorEnv):
    """Vehicles at rest on soil of unknown strength; the reward is the way made, less a price for slip.

    Action: throttle and brake, 0 to 1. Observation: speed [m/s], slip of driven wheels [-], pitch [rad].
    An episode ends after 6 s; all vehicles begin again together.
    """

    metadata: ClassVar = {"autoreset_mode": gymnasium.vector.AutoresetMode.DISABLED}

    def __init__(self, num_envs: int) -> None:
        self.num_envs = num_envs
        self.single_action_space = gymnasium.spaces.Box(0.0, 1.0, (2,), np.float64)
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (3,), np.float64)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.batch = Batch(compile(vehicle.load("hmmwv", controls={"gear": 2})), num_envs, STEP)
        self.batch.equilibrium(inputs={"brake": 1.0}, patient=False)
        self.start = [one.state() for one in self.batch]

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        for one, state in zip(self.batch, self.start, strict=True):
            one.restore(state)
        self.batch.set("soil.cone_index", self.np_random.uniform(SOFT, FIRM, self.num_envs))
        self.done = 0
        return self.observe(), {}

    def step(self, actions):
        throttle, brake = np.clip(np.asarray(actions, float), 0.0, 1.0).T
        self.batch.set_input("throttle", throttle)
        self.batch.set_input("brake", brake)
        before = self.batch.position("frame")[:, 0].copy()
        self.batch.run(EVERY)
        self.done += 1
        seen = self.observe()
        reward = self.batch.position("frame")[:, 0] - before - 0.01 * np.abs(seen[:, 1])
        stopped = np.isin(np.arange(self.num_envs), list(self.batch.stopped))
        return (
            seen,
            np.where(stopped, 0.0, reward),
            stopped,
            np.full(self.num_envs, self.done >= LAST),
            {},
        )

    def observe(self) -> np.ndarray:
        """Speed, slip, pitch; (num_envs, 3)."""
        batch = self.batch
        v, w = batch.velocity("frame")[:, 0], batch.angular_velocity("rear_left wheel")[:, 1]
        rim, q = 0.47 * w, batch.quaternion("frame")
        slip = (rim - v) / np.maximum(np.maximum(np.abs(rim), np.abs(v)), 0.1)
        return np.stack([v, slip, np.arcsin(2.0 * (q[:, 0] * q[:, 2] - q[:, 3] * q[:, 1]))], axis=1)


def main() -> float:
    """Largest difference in speed [m/s] between an episode of eight and one of them alone."""
    drive, alone, ended = Drive(8), None, False
    drive.reset(seed=0)
    while not ended:
        alone = drive.batch[3].simulation() if alone is None else alone
        seen, _, _, last, _ = drive.step(np.tile([0.5, 0.0], (8, 1)))
        alone.set_input("throttle", 0.5)
        alone.set_input("brake", 0.0)
        alone.run(EVERY)
        ended = bool(last.all())
    print(f"speeds at half throttle: {np.sort(seen[:, 0]).round(2)} m/s")
    return float(abs(seen[3, 0] - alone.velocity("frame")[0]))


if __name__ == "__main__":
    print(f"one of them alone is {main():g} m/s off")
