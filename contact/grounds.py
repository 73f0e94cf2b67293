"""Build the contact kernels' ground arrays from terrains: soils by number, patches, memory of ruts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlcp.compiled.records import Records

from .kernels.ground import ground as at
from .kernels.wheel.data import Patch, WheelGround
from .soil import cone_index_of
from .terrain import SoilMap, Terrain
from .wheel import WheelContact

Floats = NDArray[np.float64]


def soils_of(wheel: WheelContact, terrain: Terrain | None) -> list[WheelContact]:
    """Copies of the wheel, one for each soil of the map after each number 0, 1, 2... of earlier passes
    of wheels over this soil."""
    if terrain is None:
        return [wheel]
    found = []
    for there in [wheel] if terrain.soil_map is None else terrain.soil_map.wheels(wheel):
        found.append(there)
        if terrain.memory is not None:
            after = terrain.memory.after
            found += [
                replace(
                    there,
                    soil=after(there.soil, n),
                    base=after(there.bekker, n),
                    sinkage=terrain.memory.further(there.bearing, n) or there.sinkage,
                )
                for n in range(1, terrain.memory.passes + 1)
            ]
    return found


def most_soils(terrain: Terrain | None) -> int:
    """Largest number of soils that a wheel can stand on at once: several near borders in the soil map,
    and each soil twice where ruts are kept, for two numbers of earlier passes of wheels."""
    patches = 0
    if terrain is not None and terrain.soil_map is not None:
        patches = len(terrain.soil_map.patches)
    return (1 + patches) * (1 if terrain is None or terrain.memory is None else 2)


def check_validity(
    wheel: WheelContact, terrain: Any, slip: Floats, load: Floats, x: Floats, y: Floats
) -> None:
    """Warn (``OutsideValidity``) if a wheel has left its law's range of validity in a run.

    On a soil map each soil is checked separately, as before any pass, at the points that are on this
    soil alone: no source covers mixtures of two soils, or soils after passes.

    Arguments: a terrain of any kind, and n samples of a run: driving slip [-], load [N], x, y [m].
    """
    soil_map = getattr(terrain, "soil_map", None)
    if soil_map is None:
        wheel.check(slip, load)
        return
    number = soil_map.number_at(x, y)
    for k, there in enumerate(soil_map.wheels(wheel)):
        there.check(slip[number == k], load[number == k])


def count_of_mixtures(terrain: Terrain | None) -> int:
    """Number of parameter sets of a wheel's laws that each step interpolates between two cone indices of
    a raster: 0 without a raster, 2 with a memory of ruts (for two numbers of passes), else 1."""
    if terrain is None or terrain.soil_map is None or terrain.soil_map.strength is None:
        return 0
    return 1 if terrain.memory is None else 2


def varies(terrains: Sequence[Terrain | None]) -> bool:
    """Whether the soil under any wheel varies, by a soil map or by earlier passes of wheels."""
    return any(t is not None and (t.soil_map or t.memory) is not None for t in terrains)


class _Maps:
    """Patches and rasters of all soil maps; maps used by several wheels are stored once."""

    def __init__(self) -> None:
        self.patches: list[tuple[tuple[float, ...], tuple[int, int]]] = []
        self.corners: list[float] = []
        self.strength: list[NDArray[np.float64]] = []
        self.size = 0
        self.known: dict[int, tuple[int, int]] = {}

    def put(self, under: Any, of_map: SoilMap) -> None:
        """Store a soil map if it is new; write its offsets and sizes to ``under`` (``WheelGround``)."""
        if id(of_map) not in self.known:
            self.known[id(of_map)] = len(self.patches), self.size
            for p in of_map.patches:
                corners = () if p.outline is None else p.outline
                floats = (*p.x, *p.y, of_map.blend)
                self.patches.append((floats, (len(self.corners), len(corners))))
                self.corners += [value for corner in corners for value in corner]
            self._add_raster(of_map)
        under.first_patch, under.strength = self.known[id(of_map)]
        under.patches = len(of_map.patches)
        raster = of_map.strength
        if raster is not None:
            under.levels_of_strength = len(of_map.cone_indices)
            under.strength_rows, under.strength_columns = raster.grid.shape
            under.strength_x, under.strength_y = raster.origin
            under.strength_dx, under.strength_dy = raster.spacing

    def _add_raster(self, of_map: SoilMap) -> None:
        if of_map.strength is not None:
            cells = of_map.strength.filled(cone_index_of("SoilMap", of_map.ground))
            self.strength += [np.array(of_map.cone_indices), cells.ravel()]
            self.size += len(of_map.cone_indices) + cells.size

    def arrays(self) -> dict[str, Any]:
        """Arrays of all maps by their names in the kernels' class ``Grounds``."""
        found = [Patch(np.array(f), np.array(i)) for f, i in self.patches]
        return dict(
            patches=Records.of(Patch, found),
            corners=np.array(self.corners),
            strength=np.concatenate(self.strength) if self.strength else np.zeros(0),
        )


def grounds_of(wheels: Sequence[WheelContact], terrains: Sequence[Terrain | None]) -> dict[str, Any]:
    """Arrays of the kernels' class ``Grounds`` (soil maps and ruts) by name.

    Wheels on terrains with equal descriptions of the memory of ruts write to the same memory.
    """
    count = len(wheels)
    each = Records.of(WheelGround, count)
    of_maps = _Maps()
    grids: dict = {}
    size, variant = 0, 0
    for i, (wheel, terrain) in enumerate(zip(wheels, terrains, strict=True)):
        under = each[i]
        under.first_variant = variant
        under.levels, under.grids = 1, -1
        variant += len(soils_of(wheel, terrain)) + count_of_mixtures(terrain)
        under.between = variant - count_of_mixtures(terrain)
        under.half_width, under.tyre_stiffness = 0.5 * wheel.tyre.width, wheel.tyre.stiffness
        if terrain is None:
            continue
        if terrain.soil_map is not None:
            of_maps.put(under, terrain.soil_map)
        memory = terrain.memory
        if memory is None:
            continue
        columns, rows = memory.shape
        if memory not in grids:
            grids[memory] = size
            size += 3 * columns * rows
        under.levels, under.grids = memory.passes + 1, grids[memory]
        under.columns, under.rows = columns, rows
        # distance of the wheel at which a point of its trail is entered in the grids
        under.clear = max(wheel.tyre.radius, under.half_width) + 1.5 * memory.cell
        under.most = int(6.0 * under.clear / memory.cell) + 6
        under.x_0, under.y_0, under.cell = memory.x[0], memory.y[0], memory.cell
    for i in range(count):  # the trails (points whose rut is not yet written) follow all grids
        under = each[i]
        if under.grids >= 0:
            under.trail = size
            size += at.TRAIL_HEAD + at.PLACE * under.most
    return dict(each=each, **of_maps.arrays(), memory=np.zeros(size))


def check_memory(
    who: str, memory: NDArray[np.float64], each: Any, error: type[ValueError] = ValueError
) -> None:
    """Refuse a memory of ruts with invalid counts, which the kernels use as offsets.

    Arguments:
        who: start of the error message. memory: finite array of the size of ``Grounds.memory``.
        each: records of the wheels' grounds.
        error: class of the exception to raise.

    Raises:
        error: passes below 0; a trail's number of points, or the number of its point at the wheel, that
            is not whole or exceeds the trail.
    """
    for i in range(len(each)):
        ground = each[i]
        if ground.grids < 0:
            continue
        passes = memory[ground.grids : ground.grids + ground.columns * ground.rows]
        count, here = memory[ground.trail + at.TRAIL_COUNT], memory[ground.trail + at.AT]
        fits = 0.0 <= here <= count <= ground.most and count % 1.0 == here % 1.0 == 0.0
        if np.any(passes < 0.0) or not fits:
            raise error(
                f"{who}: the counts in its memory of the ground are impossible; the file is damaged"
            )
