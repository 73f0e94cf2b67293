"""From terrain to what the kernels need of it: soils by number, patches, and the memory of ruts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlcp.compiled.records import Records

from .kernels import ground as at
from .kernels.data import Patch, WheelGround
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
                replace(
                    there,
                    soil=after(there.soil, n),
                    base=after(there.base, n),
                    sinkage=terrain.memory.further(there.bearing, n) or there.sinkage,
                )
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


def grounds_of(wheels: Sequence[WheelContact], terrains: Sequence[Terrain | None]) -> dict[str, Any]:
    """What ``Grounds`` holds, by name; wheels whose terrains have equal memories share one."""
    count = len(wheels)
    each = Records.of(WheelGround, count)
    patches: list[tuple[float, ...]] = []
    grids: dict = {}
    size, variant = 0, 0
    for i, (wheel, terrain) in enumerate(zip(wheels, terrains, strict=True)):
        under = each[i]
        under.first_patch, under.first_variant = len(patches), variant
        under.levels, under.grids = 1, -1
        variant += len(soils_of(wheel, terrain))
        under.half_width, under.tyre_stiffness = 0.5 * wheel.tyre.width, wheel.tyre.stiffness
        if terrain is None:
            continue
        if terrain.soil_map is not None:
            blend = terrain.soil_map.blend
            patches += [(*p.x, *p.y, blend) for p in terrain.soil_map.patches]
            under.patches = len(terrain.soil_map.patches)
        memory = terrain.memory
        if memory is None:
            continue
        columns, rows = memory.shape
        if memory not in grids:
            grids[memory] = size
            size += 3 * columns * rows
        under.levels, under.grids = memory.passes + 1, grids[memory]
        under.columns, under.rows = columns, rows
        under.clear = max(wheel.tyre.radius, under.half_width) + _CLEAR * memory.cell
        under.most = int(6.0 * under.clear / memory.cell) + 6
        under.x_0, under.y_0, under.cell = memory.x[0], memory.y[0], memory.cell
    for i in range(count):  # the trails lie behind all areas
        under = each[i]
        if under.grids >= 0:
            under.trail = size
            size += at.TRAIL_HEAD + at.PLACE * under.most
    of_maps = Records.of(Patch, [Patch(np.array(p, float)) for p in patches])
    return dict(each=each, patches=of_maps, memory=np.zeros(size), rut=np.zeros(count))


def check_memory(
    who: str, memory: NDArray[np.float64], each: Any, error: type[ValueError] = ValueError
) -> None:
    """Refuse a memory whose counts the kernels could not follow: they are places in arrays.

    Arguments:
        who: begins the sentence. memory: as ``Grounds.memory``, finite. each: ``Grounds.each``.
        error: what to raise.

    Raises:
        error: passes below 0, or a trail of more places than it can hold.
    """
    for i in range(len(each)):
        ground = each[i]
        if ground.grids < 0:
            continue
        passes = memory[ground.grids : ground.grids + ground.columns * ground.rows]
        held = memory[ground.trail + at.HELD]
        if np.any(passes < 0.0) or not 0.0 <= held <= ground.most or held != np.floor(held):
            raise error(f"{who}: its memory of the ground counts what cannot be; it is damaged")
