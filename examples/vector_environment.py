"""Many vehicles as one Gymnasium vector environment, for reinforcement learning.

    envs = gymnasium.make_vec("wheelground/Drive-v0", num_envs=256)

after ``import vector_environment``. Needs ``pip install gymnasium``; wheelground itself does not.
"""

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError:
    raise SystemExit("this needs Gymnasium: pip install gymnasium") from None

import numpy as np

from bodies import Batch, compile, vehicle

STEP, EVERY, LAST = 0.01, 10, 60  # s, steps per action, actions per episode
SOFT, FIRM = 2.5e5, 5e5  # Pa, range of the cone index
LOW, HIGH = 1e5, 2e5  # Pa, range of the tyres' pressure
DRIVEN = "rear_left"


class Drive(gymnasium.vector.VectorEnv):
    """Vehicles on soil of unknown strength; the reward is the distance less a penalty for slip.

    Action: throttle and brake, 0 to 1. Observation: speed [m/s], slip of a driven wheel [-], pitch
    [rad]. Each episode draws cone index, tyre pressure and start, at rest or rolling, and is truncated
    after 6 s; it terminates if the simulation of its vehicle fails.
    """

    def __init__(
        self, num_envs: int = 1, autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP
    ) -> None:
        self.num_envs, self.mode = num_envs, AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.mode}
        self.single_action_space = gymnasium.spaces.Box(0.0, 1.0, (2,), np.float64)
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (3,), np.float64)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        model = compile(vehicle.load("hmmwv", controls={"gear": 2}))
        self.batch = Batch(model, num_envs, STEP)
        self.batch.equilibrium(inputs={"brake": 1.0}, patient=False)
        rest = self.batch.snapshot()
        self.batch.set_input("throttle", np.linspace(0.0, 1.0, num_envs))
        self.batch.set_input("brake", 0.0)
        self.batch.run(100)  # the first vehicle is at rest, the last has driven for a second
        self.starts = self.batch.snapshot()
        self.batch.restore(rest)
        self.steps = np.zeros(num_envs, int)
        self.ended = np.zeros(num_envs, bool)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        chosen = (options or {}).get("reset_mask", np.ones(self.num_envs, bool))
        self.begin(np.asarray(chosen, bool))
        return self.observe(), {}

    def begin(self, chosen: np.ndarray) -> None:
        """Begin an episode of the chosen vehicles."""
        start = self.np_random.integers(self.num_envs, size=self.num_envs)
        soil = self.np_random.uniform(SOFT, FIRM, self.num_envs)
        pressure = self.np_random.uniform(LOW, HIGH, self.num_envs)
        self.batch.restore(self.starts.taken(start), lanes=chosen)
        drawn = {"soil.cone_index": soil[chosen], "tyre.pressure": pressure[chosen]}
        self.batch.vary(drawn, lanes=chosen)
        self.steps[chosen], self.ended[chosen] = 0, False

    def step(self, actions):
        fresh = self.ended.copy() if self.mode == AutoresetMode.NEXT_STEP else np.zeros_like(self.ended)
        actions = np.asarray(actions, float)
        if actions.shape != self.action_space.shape:
            raise ValueError(
                f"actions have shape {actions.shape}; they are {self.action_space.shape}: throttle and "
                "brake of each vehicle."
            )
        throttle, brake = np.clip(actions, 0.0, 1.0).T
        self.batch.set_input("throttle", throttle)
        self.batch.set_input("brake", brake)
        before = self.batch.position("frame")[:, 0].copy()
        self.batch.run(EVERY)
        if fresh.any():
            self.begin(fresh)  # the call of step after the end of an episode resets the vehicle
        self.steps += ~fresh
        seen = self.observe()
        stopped = np.isin(np.arange(self.num_envs), list(self.batch.stopped))
        reward = self.batch.position("frame")[:, 0] - before - 0.01 * np.abs(seen[:, 1])
        reward = np.where(stopped | fresh, 0.0, reward)
        truncated, info = (self.steps >= LAST) & ~stopped, {}
        self.ended = stopped | truncated
        if self.mode == AutoresetMode.SAME_STEP and self.ended.any():
            info = {"final_obs": seen, "_final_obs": self.ended.copy()}
            self.begin(self.ended.copy())
            seen = self.observe()
        return seen, reward, stopped, truncated, info

    def observe(self) -> np.ndarray:
        """Observations of all vehicles: speed, slip, pitch; shape (num_envs, 3)."""
        q = self.batch.quaternion("frame")
        pitch = np.arcsin(2.0 * (q[:, 0] * q[:, 2] - q[:, 3] * q[:, 1]))
        slip = self.batch.wheel(DRIVEN).slip
        return np.stack([self.batch.velocity("frame")[:, 0], slip, pitch], axis=1)


gymnasium.register("wheelground/Drive-v0", vector_entry_point=Drive)


def main() -> float:
    """Return the difference in final speed [m/s] of one vehicle simulated among eight and alone."""
    drive = gymnasium.make_vec("wheelground/Drive-v0", num_envs=8).unwrapped
    drive.reset(seed=0)
    alone, ended = drive.batch[3].simulation(), False
    while not ended:
        seen, _, _, last, _ = drive.step(np.tile([0.5, 0.0], (8, 1)))
        alone.set_input("throttle", 0.5)
        alone.set_input("brake", 0.0)
        alone.run(EVERY)
        ended = bool(last.all())
    print(f"speeds at half throttle: {np.sort(seen[:, 0]).round(2)} m/s")
    return float(abs(seen[3, 0] - alone.velocity("frame")[0]))


if __name__ == "__main__":
    print(f"one of them alone is {main():g} m/s off")
