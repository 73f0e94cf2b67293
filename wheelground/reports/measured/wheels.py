"""Single wheels on sand and simulants, compared with the law of Wong and Reece."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from contact import (
    BekkerSoil,
    GroundContact,
    OutsideValidity,
    Tyre,
    WheelContact,
    WongReeceLateral,
    driving_slip,
)
from contact.laws.wong_reece import WongReece
from identify import Fit, Unknown, WheelTest, fit
from identify.unknown import PLOUGHING

from .sources import MeasuredRows, table

RADIUS, WIDTH = 0.058, 0.050  # radius and width of the wheel of Carnegie Mellon [m]
SLIDING_SPEED = 1.0  # speed of travel at slip angles [m/s]; the laws are independent of it
STEP = 1e-3  # step length [s]
UNIT_WEIGHT = 13e3  # measured unit weight of the sand [N/m^3]
STEEL = 0.76  # friction angle of dry sand on rough steel over friction angle of the sand (Potyondy 1961)
# Sinkage behind the axle over sinkage in front (``exit_share``), fitted without priors to both wheels of
# Carnegie Mellon, driven straight ahead
EXIT_IN_SAND = 0.34
# Ratio of the shear modulus K fitted to the driven wheels of Carnegie Mellon with EXIT_IN_SAND (5.9 mm
# smooth, 8.3 mm with grousers) to the 15 mm of SAND. With exit_share = 0.9 the fit gives K = 16 mm: the
# measurements hardly determine exit and K together.
SHEAR_UNDER_SMOOTH, SHEAR_UNDER_LUGS = 0.40, 0.55

#: Sand of the Carnegie Mellon testbed: modulus k, exponent n and friction angle phi as measured, no
#: cohesion, shear modulus K usual for dry sand.
SAND = BekkerSoil(0.0, 8e6, 1.46, 0.0, math.radians(29.0), 0.015)
#: Unknowns of a rigid wheel in this sand. Priors: the measured soil, K of 10 to 25 mm; usual values of
#: dry sand for exit and place of the largest stress (c_1, c_2); softening of the soil by slip, 1 +- 1.
IN_SAND = {
    "soil.k_phi": Unknown(8e6, 1e4, 1e9, log=True, prior=0.5),
    "soil.n": Unknown(1.46, 0.3, 2.5, prior=0.15),
    "soil.friction_angle": Unknown(math.radians(29.0), 0.2, 0.9, prior=math.radians(3.0)),
    "soil.shear_modulus": Unknown(0.015, 0.001, 0.1, log=True, prior=0.5),
    "soil.c_1": Unknown(0.4, 0.0, 1.0, prior=0.15),
    "soil.c_2": Unknown(0.2, 0.0, 1.0, prior=0.15),
    "law.exit_share": Unknown(0.3, 0.0, 0.9, prior=0.2),
    "law.slip_softening": Unknown(1.0, 0.0, 5.0, prior=1.0),
    "law.skid_softening": Unknown(1.0, 0.0, 5.0, prior=1.0),
}
#: Simulant of Ding et al., Table 2.
SIMULANT = BekkerSoil(15.6e3, 2407.4e3, 1.10, 250.0, math.radians(31.9), 0.011)
#: FJS-1 of Hurrell et al.: phi the angle of repose, c of Ozaki et al. (2023), moduli of Kanamori (1998).
FJS = BekkerSoil(1.37e3, 820e3, 1.0, 2400.0, math.radians(38.0), 0.015)


def straight_test(rows: np.ndarray) -> WheelTest:
    """Rows of a wheel straight ahead, with a noise of 0.05 of the load and of 3 mm sinkage."""
    load, depth = rows["load_N"], 1e-3 * rows["sinkage_mm"]
    return WheelTest(
        RADIUS, WIDTH, rows["slip"], load, {"pull": 0.05 * load, "sinkage": 3e-3},
        pull=rows["F_x_N"], sinkage=depth,
    )  # fmt: skip


def fitted(rows: np.ndarray, unknown: Mapping[str, Unknown] = IN_SAND) -> tuple[Fit, WheelTest]:
    """Fit one soil to the rows of a wheel straight ahead."""
    test = straight_test(rows)
    return fit(test, WongReece(exit_share=0.3), SAND, unknown), test


def sideways_test(rows: np.ndarray) -> WheelTest:
    """Make a ``WheelTest`` of rows at slip angles, with noise of 0.15 of the load and 4 mm sinkage."""
    load, beta = rows["load_N"], np.radians(rows["slip_angle_deg"])
    rim, v_x = rows["rim_speed_mm_s"], 10.0 * np.cos(beta)
    noise = {"pull": 0.15 * load, "side": 0.15 * load, "sinkage": 4e-3}
    return WheelTest(
        RADIUS, WIDTH, driving_slip(v_x, rim, 1.0), load, noise, pull=rows["F_x_N"],
        side=np.where(beta > 0.0, rows["F_y_N"], np.nan), sinkage=1e-3 * rows["sinkage_mm"],
        slip_angle=beta,
    )  # fmt: skip


def fitted_at_angles(rows: np.ndarray) -> tuple[Fit, WheelTest]:
    """Fit one soil, with ploughing, to the rows of a wheel at slip angles."""
    test, lateral = sideways_test(rows), WongReeceLateral(unit_weight=UNIT_WEIGHT, ploughing=True)
    return fit(test, WongReece(exit_share=0.3), SAND, PLOUGHING, lateral=lateral), test


def straight() -> Iterator[MeasuredRows]:
    """Rows of Carnegie Mellon's wheels straight ahead: soil as measured, and fitted to each wheel."""
    rows = table("cmu_wheels")
    for name in ("smooth", "grousers"):
        of = rows[(rows["wheel"] == name) & (rows["slip_angle_deg"] == 0)]
        load, slip, pull = of["load_N"], of["slip"], of["F_x_N"]
        plain = WongReece().wheel(SAND, RADIUS, WIDTH, load, slip)
        found, test = fitted(of)
        best = test.predicted(found.law, found.soil)
        measured = (
            "k 8 MN/m^3.46, n 1.46 and phi 29 deg measured; "
            "c 0, K 15 mm, c_1 and c_2 as usual for dry sand"
        )
        by_fit = "nine numbers of law and soil fitted to these rows, with the measured soil as prior"
        for origin, about, fx, z in (
            ("as measured", measured, np.asarray(plain.drawbar_pull), np.asarray(plain.sinkage)),
            ("fitted", by_fit, best["pull"], best["sinkage"]),
        ):
            case = f"{name} wheel, {origin}"
            yield MeasuredRows(
                "Pavlov", case, "pull", "N", "slip [-]", slip, pull, fx, about, of["sd_F_x_N"]
            )
            yield MeasuredRows(
                "Pavlov", case, "sinkage", "mm", "slip [-]", slip, of["sinkage_mm"], 1e3 * z, about,
                of["sd_sinkage_mm"],
            )  # fmt: skip


def steady_forces(wheel: WheelContact, rows: np.ndarray) -> np.ndarray:
    """Compute pull and side force [N] of a wheel in the steady motions ``rows`` (n,); shape (2, n)."""
    channels = np.array([[0, 0, 1.0, 0], [1.0, 0, 0, -RADIUS], [0, 1.0, 0, 0], [1.0, 0, 0, 0]])
    immobile = channels @ (1e-10 * channels.T)  # inverse mass: forces hardly change v
    found = []
    for row in rows:
        beta, rim = math.radians(row["slip_angle_deg"]), SLIDING_SPEED * row["rim_speed_mm_s"] / 10.0
        v = channels @ np.array([math.cos(beta), math.sin(beta), 0.0, rim / RADIUS])
        ground = GroundContact([wheel])
        ground.solve(STEP, [-wheel.static_compression(row["load_N"])], immobile, v, v)
        forces = ground.forces(STEP)
        scale = row["load_N"] / forces["load"][0]
        pull = forces["traction"][0] - forces["resistance"][0]
        found.append((scale * pull, -scale * forces["lateral"][0]))
    return np.array(found).T


def at_angles() -> Iterator[MeasuredRows]:
    """Rows of wheels at slip angles: soil as measured, and, with ploughing, fitted to each wheel."""
    rows = table("cmu_wheels")
    tyre = Tyre(2 * RADIUS, WIDTH, 0.5 * RADIUS, deflection_ratio=0.0)
    plain = WheelContact(tyre, SAND, law="wong-reece", lateral=WongReeceLateral(unit_weight=UNIT_WEIGHT))
    measured = "measured soil; Ishigami's bulldozing in soil of 13 kN/m^3"
    by_fit = (
        "eleven numbers of law and soil fitted to the rows of 0, 30, 60 deg; "
        "ploughing in soil of 13 kN/m^3"
    )
    for name in ("smooth", "grousers"):
        of_wheel = rows[rows["wheel"] == name]
        fit_rows = of_wheel[of_wheel["slip_angle_deg"] < 90]
        found, test = fitted_at_angles(fit_rows)
        depth = 1e3 * test.predicted(found.law, found.soil, found.lateral)["sinkage"]
        ploughs = WheelContact(tyre, found.soil, law=found.law, lateral=found.lateral)
        for angle in (30, 60, 90):
            of = of_wheel[of_wheel["slip_angle_deg"] == angle]
            if of.size == 0:
                continue
            case = f"{name} wheel, {angle} deg"
            for wheel, origin, about in ((plain, "as measured", measured), (ploughs, "fitted", by_fit)):
                predicted = steady_forces(wheel, of)
                for quantity, column, values in zip(
                    ("pull", "side force"), ("F_x_N", "F_y_N"), predicted, strict=True
                ):
                    yield MeasuredRows(
                        "Pavlov", f"{case}, {origin}", quantity, "N", "slip [-]", of["slip"],
                        of[column], values, about, of[f"sd_{column}"],
                    )  # fmt: skip
            if angle < 90:
                yield MeasuredRows(
                    "Pavlov", f"{case}, fitted", "sinkage", "mm", "slip [-]", of["slip"],
                    of["sinkage_mm"], depth[fit_rows["slip_angle_deg"] == angle], by_fit,
                    of["sd_sinkage_mm"],
                )  # fmt: skip


def simulants() -> Iterator[MeasuredRows]:
    """Rows of wheels of Ding et al. and Hurrell et al. on soils of their papers, which are not fitted.

    Dry sand flows back behind a wheel; ruts in these cohesive soils stand, as their depth is far below
    the critical height of a cut, 4 c / gamma tan(45 deg + phi / 2), 0.11 and 1.2 m (Terzaghi 1943).
    """
    rows = table("rigid_wheels")
    for name, source, case, soil, radius, width in (
        ("ding", "Ding", "smooth wheel", SIMULANT, 0.15735, 0.165),
        ("lugged", "Ding", "30 lugs of 10 mm", SIMULANT, 0.15735, 0.165),
        ("rashid", "Hurrell", "14 grousers of 20 mm", FJS, 0.100, 0.080),
    ):
        rim, share = (STEEL, SHEAR_UNDER_SMOOTH) if name == "ding" else (1.0, SHEAR_UNDER_LUGS)
        of = rows[rows["wheel"] == name]
        origin_of_soil = "soil of the source" + (
            ", its moduli from a catalogue, K assumed" if soil is FJS else ""
        )
        sheared = replace(soil, shear_modulus=share * soil.shear_modulus)
        alike = "smooth wheel; rim_friction 0.76" if name == "ding" else "wheel with grousers"
        for law, ground, origin, about in (
            (WongReece(), soil, "usual law", origin_of_soil),
            (
                WongReece(rim_friction=rim),
                sheared,
                "shear of wheels",
                f"K times {share:.2f}, the factor of Pavlov's {alike}",
            ),
        ):
            wheel = law.wheel(ground, radius, width, of["load_N"], of["slip"])
            for quantity, unit, column, values in (
                ("pull", "N", "pull_N", wheel.drawbar_pull),
                ("sinkage", "mm", "sinkage_mm", 1e3 * np.asarray(wheel.sinkage)),
            ):
                yield MeasuredRows(
                    source, f"{case}, {origin}", quantity, unit, "slip [-]", of["slip"], of[column],
                    np.asarray(values), about,
                )  # fmt: skip


def rows() -> list[MeasuredRows]:
    """All rows of single wheels."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OutsideValidity)
        return [*straight(), *at_angles(), *simulants()]
