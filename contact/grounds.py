"""From terrain to what the kernels need of it: soils by number, patches, and the memory of ruts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kernels import ground as at
from .terrain import Terrain
from .wheel import WheelContact

_CLEAR = 1.5  # cells beyond a wheel's radius after which a place is remembered


def soils_of(wheel: WheelContact, terrain: Terrain | None) -> list[WheelContact]:
    """The wheel on every soil that it can find: for each soil of the map, after 0, 1, 2... passes."""
    if terrain is None:
        return [wheel]
    soils = [(wheel.soil, None)]
    if terrain.soil_map is not None:
        of_map = terrain.soil_map
        soils = [(of_map.ground, of_map.base), *((p.soil, p.base) for p in of_map.patches)]
    found = []
    for soil, base in soils:
        there = replace(wheel, soil=soil, base=wheel.base if base is None else base)
        found.append(there)
        if terrain.memory is not None:
            after = terrain.memory.after
            found += [
                replace(there, soil=after(there.soil, n), base=after(there.base, n))
                for n in range(1, terrain.memory.passes + 1)
            ]
    return found


def most_soils(terrain: Terrain | None) -> int:
    """How many of these a wheel can stand on at once."""
    patches = 0
    if terrain is not None and terrain.soil_map is not None:
        patches = len(terrain.soil_map.patches)
    return (1 + patches) * (1 if terrain is None or terrain.memory is None else 2)


def varies(terrains: Sequence[Terrain | None]) -> bool:
    """Whether the ground under any wheel has a map or a memory."""
    return any(t is not None and (t.soil_map or t.memory) is not None for t in terrains)


def grounds_of(
    wheels: Sequence[WheelContact], terrains: Sequence[Terrain | None]
) -> dict[str, NDArray[Any]]:
    """The arrays of ``Grounds`` by name; wheels whose terrains have equal memories share one."""
    count = len(wheels)
    ints, floats = np.zeros((count, at.GROUND_INTS), np.int64), np.zeros((count, at.GROUND_FLOATS))
    patches: list[tuple[float, ...]] = []
    grids: dict = {}
    size, variant = 0, 0
    for i, (wheel, terrain) in enumerate(zip(wheels, terrains, strict=True)):
        ints[i, at.FIRST_PATCH], ints[i, at.FIRST_VARIANT] = len(patches), variant
        ints[i, at.LEVELS], ints[i, at.GRIDS] = 1, -1
        variant += len(soils_of(wheel, terrain))
        floats[i, at.HALF_WIDTH] = 0.5 * wheel.tyre.width
        floats[i, at.TYRE_STIFFNESS] = wheel.tyre.stiffness
        if terrain is None:
            continue
        if terrain.soil_map is not None:
            blend = terrain.soil_map.blend
            patches += [(*p.x, *p.y, blend) for p in terrain.soil_map.patches]
            ints[i, at.PATCHES] = len(terrain.soil_map.patches)
        memory = terrain.memory
        if memory is None:
            continue
        columns, rows = memory.shape
        if memory not in grids:
            grids[memory] = size
            size += 3 * columns * rows
        ints[i, at.LEVELS], ints[i, at.GRIDS] = memory.passes + 1, grids[memory]
        ints[i, at.COLUMNS], ints[i, at.ROWS] = columns, rows
        clear = max(wheel.tyre.radius, floats[i, at.HALF_WIDTH]) + _CLEAR * memory.cell
        ints[i, at.MOST] = int(6.0 * clear / memory.cell) + 6
        floats[i, : at.HALF_WIDTH] = memory.x[0], memory.y[0], memory.cell
        floats[i, at.CLEAR] = clear
    for i in range(count):  # the trails lie behind all areas
        if ints[i, at.GRIDS] >= 0:
            ints[i, at.TRAIL] = size
            size += at.TRAIL_HEAD + at.PLACE * int(ints[i, at.MOST])
    table = np.array(patches, float).reshape(-1, at.PATCH_FLOATS)
    return dict(ints=ints, floats=floats, patches=table, memory=np.zeros(size), rut=np.zeros(count))


def check_memory(
    who: str, memory: NDArray[np.float64], ints: NDArray[np.int64], error: type[ValueError] = ValueError
) -> None:
    """Refuse a memory whose counts the kernels could not follow: they are places in arrays.

    Arguments:
        who: begins the sentence. memory: as ``Grounds.memory``, finite. ints: ``Grounds.ints``.
        error: what to raise.

    Raises:
        error: passes below 0, or a trail of more places than it can hold.
    """
    for ground in ints:
        start = int(ground[at.GRIDS])
        if start < 0:
            continue
        passes = memory[start : start + int(ground[at.COLUMNS] * ground[at.ROWS])]
        trail = int(ground[at.TRAIL])
        held = memory[trail + at.HELD]
        if np.any(passes < 0.0) or not 0.0 <= held <= ground[at.MOST] or held != np.floor(held):
            raise error(f"{who}: its memory of the ground counts what cannot be; it is damaged")
