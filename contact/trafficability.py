"""Mobility index of wheeled vehicles on fine-grained soil, and vehicle cone index for 1 or 50 passes."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.checks import shown
from mlcp.kinds import above, at_least, checked

INCH, PSI = 0.0254, 6894.757293168361


@checked
def mobility_index(
    mass: Annotated[float, above(0.0, "kg")],
    axles: Annotated[int, at_least(1)],
    wheels: Annotated[int, at_least(1)],
    tyre_width: Annotated[float, above(0.0, "m")],
    tyre_diameter: Annotated[float, above(0.0, "m")],
    clearance: Annotated[float, at_least(0.0, "m")],
    power: Annotated[float, above(0.0, "W")],
    automatic: bool = True,
    chains: bool = False,
) -> float:
    """Mobility index MI [-] of a wheeled vehicle.

        MI = (contact pressure * weight / (tyre * grouser) + wheel load - clearance)
             * engine * transmission

    in pounds and inches, with n wheels: contact pressure W / (b D/2 n); weight, by the load x on an axle
    in kips, 0.553 x below 2, 0.033 x + 1.05 to 13.5, 0.142 x - 0.42 to 20, 0.278 x - 3.115 beyond; tyre
    (10 + b)/100; grouser 1.05 with chains; wheel load in kips; clearance/10; engine 1.05 below 10 hp per
    ton; transmission 1.05 for a manual gearbox; else 1.

    Arguments:
        mass: mass of the vehicle [kg].
        axles, wheels: numbers of axles and wheels.
        tyre_width, tyre_diameter: b and D [m].
        clearance: ground clearance below the hull [m].
        power: power of the engine [W].
        automatic: whether the gearbox is automatic, not manual.
        chains: whether the driven wheels have chains.

    Raises: ValueError: naming the field, its value and the allowed range.

    Source: U.S. Army Field Manual 5-430-00-1; Priddy and Willoughby (2006), J. Terramechanics 43.
    """
    pounds, inches = mass / 0.45359237, tyre_width / INCH
    pressure = pounds / (inches * 0.5 * tyre_diameter / INCH * wheels)
    kips = pounds / axles / 1e3
    if kips < 2.0:
        weight = 0.553 * kips
    elif kips < 13.5:
        weight = 0.033 * kips + 1.05
    elif kips < 20.0:
        weight = 0.142 * kips - 0.42
    else:
        weight = 0.278 * kips - 3.115
    tyre = (10.0 + inches) / 100.0
    # factor 1.05 below 10 horsepower a short ton
    engine = 1.0 if power / 745.6998715823 / (pounds / 2000.0) >= 10.0 else 1.05
    inner = pressure * weight / (tyre * (1.05 if chains else 1.0)) + pounds / 1e3 / wheels
    inner -= clearance / INCH / 10.0
    return inner * engine * (1.0 if automatic else 1.05)


@checked
def vehicle_cone_index(
    index: ArrayLike, passes: int = 1, deflection_ratio: ArrayLike = 0.15
) -> NDArray[np.float64] | np.float64:
    """Vehicle cone index [Pa]: least cone index of fine-grained soil for 1 or 50 passes of a vehicle.

        VCI_1  = (11.48 + 0.2 MI - 39.2 / (MI + 3.74)) (0.15 h / delta)^0.25   [psi], MI <= 115
                 4.1 MI^0.446 (0.15 h / delta)^0.25                            beyond
        VCI_50 = 28.23 + 0.43 MI - 92.67 / (MI + 3.67)                         [psi]

    Arguments: index: ``mobility_index``, above 0, any shape; passes: 1 or 50; deflection_ratio: the
        tyres' delta / h on hard ground, in (0, 1], for one pass; at 0.15 the factor is 1.
    Source: that of ``mobility_index``.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """
    index = np.asarray(index, dtype=float)
    if not (np.isfinite(index).all() and (index > 0.0).all()):
        raise ValueError(f"vehicle_cone_index: index = {shown(index)} must be above 0")
    if passes == 1:
        ratio = np.asarray(deflection_ratio, dtype=float)
        if not np.all((ratio > 0.0) & (ratio <= 1.0)):
            raise ValueError(
                f"vehicle_cone_index: deflection_ratio = {shown(deflection_ratio)} must be in (0, 1]"
            )
        usual = 11.48 + 0.2 * index - 39.2 / (index + 3.74)
        factor = (0.15 / ratio) ** 0.25
        return (np.where(index <= 115.0, usual, 4.1 * index**0.446) * factor * PSI)[()]
    if passes == 50:
        if np.any(np.asarray(deflection_ratio) != 0.15):
            raise ValueError(
                f"vehicle_cone_index: deflection_ratio = {shown(deflection_ratio)} is of one pass; "
                "passes = 50"
            )
        return ((28.23 + 0.43 * index - 92.67 / (index + 3.67)) * PSI)[()]
    raise ValueError(f"vehicle_cone_index: passes = {passes!r} must be 1 or 50")
