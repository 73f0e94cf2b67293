"""Catalogue of blocks by category and name, as in ``Rig(chassis="bicycle")``."""

from __future__ import annotations

import importlib
from typing import Any, TypeVar

from . import bus
from .block import Block
from .errors import RigError, checked, known

Kind = TypeVar("Kind", bound=Block)

#: Shipped modules, imported with the package: each registers its blocks.
_MODULES = (
    "operator", "drive_train", "chassis.kinematic", "chassis.bicycle", "chassis.four_wheel",
    "chassis.towing", "backhoe", "machine", "chassis.hub_driven",
    "chassis.implement",
    "steering.perfect", "steering.first_order", "steering.third_order_valve", "steering.hydraulic",
    "steering.controller",
    "guidance.look_ahead", "guidance.stanley", "guidance.off_track", "gnss.receiver",
)  # fmt: skip

#: Classes of all registered blocks, by category and name.
BLOCKS: dict[str, dict[str, type[Block]]] = {}


@checked
def register(kind: type[Kind]) -> type[Kind]:
    """Class decorator: enter ``kind``, a class of blocks, in ``BLOCKS`` by its category and name.

    Raises:
        RigError: an empty name, or one already used in the category.
    """
    kinds = BLOCKS.setdefault(kind.category, {})
    if not kind.name or kinds.get(kind.name, kind) is not kind:
        raise RigError(f"a {kind.category} block needs a name of its own, got {kind.name!r}")
    kinds[kind.name] = kind
    return kind


@checked
def make(category: str, block: Any, **parameters: Any) -> Block:
    """Make a block from its category and name; a ready block is returned unchanged.

    Arguments:
        category: category of the bus table.
        block: name in the catalogue, or a block.
        parameters: numbers and options of the block, each in the unit of its port [SI].

    Raises:
        RigError: an unknown name (the message has the nearest known one), a block of another category, a
            bad parameter.
    """
    if isinstance(block, Block):
        if block.category != category:
            raise RigError(f"{block.title} is no {category} block; give it as {block.category}=")
        return block
    kinds = BLOCKS.get(category, {})
    known(f"unknown {category}", block, kinds)
    kind = kinds[block]
    for key in parameters:
        fields = getattr(kind, "__dataclass_fields__", {})
        known(f"{category} {block!r} has no parameter", key, fields)
    return kind(**parameters)


def load() -> None:
    """Import every shipped block."""
    for module in _MODULES:
        importlib.import_module(f"rig.{module}")
    for category in bus.core().order:
        BLOCKS.setdefault(category, {})
