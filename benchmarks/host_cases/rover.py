"""Four sprung wheels under a free chassis in MuJoCo: time of our wheel-ground contact in a step."""

from __future__ import annotations

import time

import numpy as np

from contact import ConeIndexSoil, Tyre, WheelContact
from contact.hosts.mujoco import MujocoGround
from contact.lateral import BrixiusLateral

CORNER = """<body pos="{x} {y} -0.2"><joint name="strut {n}" type="slide" axis="0 0 1"
 stiffness="30000" damping="3000"/><inertial pos="0 0 0" mass="20" diaginertia="1 1 1"/>
<body><joint name="hub {n}" type="hinge" axis="0 1 0"/>
<inertial pos="0 0 0" mass="20" diaginertia="1 2 1"/></body></body>"""
ROVER = """<mujoco><option timestep="0.001" gravity="0 0 -9.81"/><worldbody>
<body name="chassis" pos="0 0 0.52"><freejoint/>
<inertial pos="0 0 0" mass="840" diaginertia="300 900 1000"/>{corners}</body></worldbody></mujoco>"""
PLACES = ((1.4, 0.8), (1.4, -0.8), (-1.4, 0.8), (-1.4, -0.8))
BLOCK = 200


def build(lateral: bool = False):
    """Model, data and ground of the rover, with or without lateral force."""
    import mujoco

    corners = "".join(CORNER.format(n=n, x=x, y=y) for n, (x, y) in enumerate(PLACES))
    model = mujoco.MjModel.from_xml_string(ROVER.format(corners=corners))
    tyre = Tyre(diameter=0.762, width=0.2, section_height=0.14)
    wheel = WheelContact(tyre, ConeIndexSoil(4e5), lateral=BrixiusLateral() if lateral else None)
    return model, mujoco.MjData(model), MujocoGround(model, {f"hub {n}": wheel for n in range(4)})


def cost(lateral: bool = False, blocks: int = 25) -> tuple[float, float, float]:
    """Times of a step: (MuJoCo alone [us], added by our ground [us]), and slip of the first wheel [-].

    Blocks of steps with and without our ground alternate in one run; medians over the steps.
    """
    import mujoco

    model, data, ground = build(lateral)
    for _ in range(2000):
        ground.step(data)
    data.qfrc_applied[[7, 9, 11, 13]] = 200.0
    for _ in range(2000):
        ground.step(data)
    clock, alone, together = time.perf_counter, [], []
    for _ in range(blocks):
        for _ in range(BLOCK):
            start = clock()
            ground.step(data)
            together.append(clock() - start)
        kept = data.qpos.copy(), data.qvel.copy()
        data.qfrc_applied += ground.force
        for _ in range(BLOCK):
            start = clock()
            mujoco.mj_step(model, data)
            alone.append(clock() - start)
        data.qfrc_applied -= ground.force
        data.qpos[:], data.qvel[:] = kept
    host = 1e6 * float(np.median(alone))
    return host, 1e6 * float(np.median(together)) - host, float(ground.ground.slip[0])
