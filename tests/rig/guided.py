"""Blocks of rigs that follow a path, for tests."""

#: Blocks that steer without delay; guidance or an operator gives the direction.
STEERED = {"chassis": "kinematic", "steering": "perfect", "steering_controller": "proportional"}
GUIDED = STEERED | {"guidance": "look-ahead", "gnss": "perfect"}
TRACTOR = {
    "chassis": "bicycle",
    "steering": "third-order valve",
    "steering_controller": "proportional",
    "guidance": "look-ahead",
    "gnss": "rtk",
}
