"""Figures of a run: a vehicle's main results, or chosen columns grouped by unit."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import checks

Panel = tuple[str, dict[str, np.ndarray]]
MOST = 10  # largest number of curves in one axes
PANELS = 8  # largest number of axes in one figure
LONG = 22  # longest label of an axes on one line [characters]
WHEEL_COLUMNS = {"slip": "slip [-]", "load": "load [N]", "traction": "traction [N]"}


def subplots(*counts: int, **settings: Any) -> Any:
    """Figure and axes of ``matplotlib.pyplot.subplots``.

    In a notebook, which shows a returned figure itself, the figure is closed in pyplot, so that it does
    not appear twice.

    Raises:
        ImportError: matplotlib's backend needs a window, but there is no display.
    """
    import matplotlib
    import matplotlib.pyplot as plt

    try:
        figure, axes = plt.subplots(*counts, **settings)
    except ImportError as error:
        raise ImportError(
            f"no window can be opened here ({error}). Set the environment variable MPLBACKEND=Agg "
            "and keep the picture with the figure's savefig('picture.png')."
        ) from None
    if "inline" in matplotlib.get_backend():
        plt.close(figure)
    return figure, axes


def draw(panels: list[Panel], time: np.ndarray, figure: Any = None) -> Any:
    """Draw panels (label, curves by name) over time [s], one below the other, in ``figure`` or a new
    figure; returns the figure."""
    size = (7.5, 0.7 + 1.75 * len(panels))
    if figure is None:
        figure, axes = subplots(
            len(panels), 1, sharex=True, squeeze=False, figsize=size, layout="constrained"
        )
    else:
        figure.set_size_inches(size)
        axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)
    for (label, curves), ax in zip(panels, axes[:, 0], strict=True):
        for name, values in curves.items():
            ax.plot(time, values, label=name, linewidth=1.1)
        if len(label) <= LONG:
            ax.set_ylabel(label)
        else:
            ax.set_ylabel(label.replace(" [", "\n["), fontsize="small")
        ax.margins(x=0.01)
        ax.grid(linewidth=0.3)
        if len(curves) > 1 or not label.startswith(next(iter(curves))):
            ax.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.03))
    axes[-1, 0].set_xlabel("time [s]")
    return figure


def main_panels(run: Any) -> list[Panel]:
    """Panels, at most ``PANELS``, of the heaviest body's speed and the wheels' slip, load and traction;
    without wheels of the joint coordinates; without these, too, of the bodies' speeds."""
    mechanism = run.model.mechanism
    leader = mechanism.heaviest.name
    speed = 3.6 * np.linalg.norm(run.velocity(leader), axis=1)
    wheels = {wheel.name: run.wheel(wheel.name) for wheel in mechanism.wheels}
    if wheels:
        panels: list[Panel] = [("speed [km/h]", {leader: speed})]
        for column, label in WHEEL_COLUMNS.items():
            curves = {name: getattr(record, column) for name, record in wheels.items()}
            panels += [(label, chunk) for chunk in _chunks(curves)]
        return panels[:PANELS]
    coordinates = list(run.model.coordinate_index)[: PANELS * MOST // 2]
    if coordinates:
        return chosen(run.columns(), tuple(coordinates))
    return [
        ("speed [m/s]", chunk)
        for chunk in _chunks(
            {
                b.name: np.linalg.norm(run.velocity(b.name), axis=1)
                for b in mechanism.bodies[: PANELS * MOST]
            }
        )
    ]


def chosen(columns: Mapping[str, np.ndarray], names: tuple[str, ...]) -> list[Panel]:
    """Panels of the columns with given names or patterns (``*.slip``), at least one for each unit.

    Raises:
        UnknownName: no column has the name; with the nearest name.
        MechanismError: more panels than fit into one figure.
    """
    bare = {key.rsplit(" [", 1)[0]: key for key in columns}
    wanted: dict[str, str] = {}
    for name in names:
        if name in columns:
            wanted[name.rsplit(" [", 1)[0]] = name
            continue
        found = [name] if name in bare else fnmatch.filter(bare, name)
        if not found:
            raise checks.UnknownName("plot: column", name, bare)
        wanted |= {base: bare[base] for base in found if base != "time"}
    units: dict[str, dict[str, np.ndarray]] = {}
    for base, key in wanted.items():
        units.setdefault(key.rsplit(" [", 1)[1][:-1], {})[base] = columns[key]
    panels: list[Panel] = []
    for unit, curves in units.items():
        groups: dict[str, dict[str, np.ndarray]] = {"": curves}
        if len(curves) > MOST:  # then one axes for each quantity (last part of a column's name)
            groups = {}
            for base, values in curves.items():
                groups.setdefault(base.rsplit(".", 1)[-1], {})[base] = values
        for quantity, group in groups.items():
            shared = {base.rsplit(".", 1)[-1] for base in group}
            quantity = shared.pop() if len(shared) == 1 else quantity
            alone = next(iter(group)) if len(group) == 1 else quantity
            panels += [(f"{alone} [{unit}]".strip(), chunk) for chunk in _chunks(group)]
    if len(panels) > PANELS:
        raise checks.MechanismError(
            f"plot: {len(wanted)} columns have these names and need {len(panels)} axes; at most "
            f"{PANELS} are drawn, name fewer columns"
        )
    return panels


def _chunks(curves: dict[str, np.ndarray]) -> list[dict[str, np.ndarray]]:
    names = list(curves)
    return [{n: curves[n] for n in names[k : k + MOST]} for k in range(0, len(names), MOST)]
