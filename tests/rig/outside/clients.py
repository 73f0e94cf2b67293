"""Requests of test clients to a server, and waiting for the answers."""

import time

from rig.outside.net.schema import Hello

VALUES = {"position": (1.0, 2.0, 3.0), "yaw_rate": 0.25}
VIEW = Hello("view", signals=("position", "yaw_rate"), rate=1000.0)


def wait(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.002)
    assert condition()


def read_to_the_end(client):
    while True:
        client.frame(1.0)
