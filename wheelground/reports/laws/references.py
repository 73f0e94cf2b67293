"""Reference numbers of every ground law, compared with the numbers that this package computes.

The references were computed independently of this code, from the published equations or by the
original program; the sources print few numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from contact import (
    BekkerSoil,
    Brixius,
    Clay,
    ConeIndexSoil,
    MagicFormula,
    PressureSinkageSoil,
    Sand,
    Tyre,
    WongReece,
    crolla,
    mobility_index,
    vehicle_cone_index,
)
from contact.kernels.wheel.lugre import advance_bristle

INCH, POUND, PSI, MAVS_PSI = 0.0254, 4.4482216152605, 6894.757293168361, 6894.76


@dataclass(frozen=True)
class LawReference:
    """Reference and computed value of one number, which must agree in all digits of the reference."""

    law: str
    case: str
    quantity: str
    reference: float
    computed: float
    digit: float  # unit of the last digit of the reference

    @property
    def error(self) -> float:
        """Absolute error, in the unit of the quantity."""
        return abs(self.computed - self.reference)

    @property
    def passed(self) -> bool:
        """Whether the error is at most one unit of the last digit (MAVS: of single precision)."""
        return self.error <= self.digit

    def as_dict(self) -> dict:
        """Dictionary of this comparison for the JSON file."""
        numbers = asdict(self)
        del numbers["digit"]
        return {**numbers, "error": self.error, "passed": self.passed}


def references() -> list[LawReference]:
    """All references with the computed values, in the order of the laws."""
    return [*brixius(), *wong_reece(), *mavs(), *others()]


def brixius() -> Iterator[LawReference]:
    """Mobility numbers and steady states of Peiret et al., Table 1, and ratios for another tyre."""
    law, soil = Brixius("bias"), ConeIndexSoil(4e5)
    for load, ratio, number in (
        (2452.5, 0.0, 13.906371),
        (2452.5, 0.2, 27.812742),
        (9810.0, 0.2, 6.953185),
    ):
        tyre = Tyre(0.762, 0.2, 0.14, deflection_ratio=ratio)
        mine = float(law.mobility_number(tyre, soil, load))
        yield LawReference("brixius", f"{load:g} N, delta/H {ratio}", "b_m", number, mine, 1e-6)
    for load, ratio, slip, resistance in (
        (2452.5, 0.0, 0.322534, 380.517),
        (2452.5, 0.2, 0.174294, 226.805),
        (9810.0, 0.2, 0.042573, 1882.456),
    ):
        tyre = Tyre(0.762, 0.2, 0.14, deflection_ratio=ratio)
        root = _root(lambda s, t=tyre, f=load: float(law.thrust_ratio(s, f, t, soil)) * f - 600 / 0.381)
        case = f"600 N m, {load:g} N, delta/H {ratio}"
        yield LawReference("brixius", case, "slip", slip, root, 1e-6)
        mine = float(law.resistance_ratio(root, load, tyre, soil)) * load
        yield LawReference("brixius", case, "F_c [N]", resistance, mine, 1e-3)
    tyre, soil, load = Tyre(0.704, 0.226, 0.15, deflection=0.1), ConeIndexSoil(310e3), 3892.0
    mine = float(law.mobility_number(tyre, soil, load))
    yield LawReference("brixius", "worked case", "b_m", 27.9741355, mine, 1e-7)
    for slip, thrust, resistance in (
        (0.02, 0.1151037627, 0.07763800246),
        (0.10, 0.4360091380, 0.08520078572),
        (0.30, 0.7392520603, 0.1041077439),
    ):
        mu = float(law.thrust_ratio(slip, load, tyre, soil)) - 0.04
        yield LawReference("brixius", f"worked case, s {slip}", "mu - R_0", thrust, mu, 1e-10)
        gamma = float(law.resistance_ratio(slip, load, tyre, soil))
        yield LawReference("brixius", f"worked case, s {slip}", "gamma", resistance, gamma, 1e-10)


def wong_reece() -> Iterator[LawReference]:
    """Compact sand of Wong and Reece, Part I, and Azimi's soil; references are computed integrals."""
    soil = PressureSinkageSoil(
        20 * PSI, 2.5 * PSI / INCH, 0.47, 0.10 * PSI, math.radians(33.3), 1.5 * INCH, 0.43, 0.32
    )
    for slip, angle, sinkage, pull, torque in (
        (0.1, 36.44633, 4.83098, 151.4674, 19065.930),
        (0.4, 37.05992, 4.98926, 373.0623, 25056.944),
    ):
        wheel = WongReece().wheel(soil, 24.7 * INCH, 6 * INCH, 2006 * POUND, slip)
        case = f"compact sand, s {slip}"
        degrees = math.degrees(float(wheel.entry_angle))
        yield LawReference("wong-reece", case, "theta_1 [deg]", angle, degrees, 1e-5)
        yield LawReference("wong-reece", case, "z [in]", sinkage, float(wheel.sinkage) / INCH, 1e-5)
        mine = float(wheel.drawbar_pull) / POUND
        yield LawReference("wong-reece", case, "pull [lbf]", pull, mine, 1e-4)
        mine = float(wheel.torque) / POUND / INCH
        yield LawReference("wong-reece", case, "torque [lbf in]", torque, mine, 1e-3)
    size = (soil, 24.7 * INCH, 6 * INCH, 2006 * POUND)
    towed = WongReece().towed(*size, 0.1)
    case = "compact sand, towed, skid 0.1"
    mine = -float(towed.drawbar_pull) / POUND
    yield LawReference("wong-reece", case, "pull [lbf]", 488.07, mine, 1e-2)
    mine = float(towed.torque) / POUND / INCH
    yield LawReference("wong-reece", case, "torque [lbf in]", 2328.06, mine, 1e-2)
    case = "compact sand, rolling free"
    for name, wheel_at in (
        ("towed", lambda i: WongReece().towed(*size, i)),
        ("the law", lambda i: WongReece().wheel(*size, -i / (1.0 + i))),
    ):
        skid = _root(lambda i, at=wheel_at: float(at(i).torque))
        yield LawReference("wong-reece", f"{case}, {name}", "skid", 0.17208, skid, 1e-5)
        mine = -float(wheel_at(skid).drawbar_pull) / POUND
        yield LawReference("wong-reece", f"{case}, {name}", "pull [lbf]", 631.89, mine, 1e-2)
    azimi = BekkerSoil(0.0, 4.1e5, 0.8, 234.0, math.radians(30.0), 0.013, 0.18, 0.32)
    wheel = WongReece().wheel(azimi, 0.15, 0.1, 165.0, 0.2)
    for quantity, reference, mine, digit in (
        ("theta_1 [rad]", 0.662195, wheel.entry_angle, 1e-6),
        ("z [m]", 0.031703, wheel.sinkage, 1e-6),
        ("pull [N]", 15.6228, wheel.drawbar_pull, 1e-4),
        ("torque [N m]", 9.42284, wheel.torque, 1e-5),
        ("thrust r [N m]", 9.028, wheel.thrust * 0.15, 1e-3),
    ):
        yield LawReference("wong-reece", "Azimi, s 0.2", quantity, reference, float(mine), digit)


def mavs() -> Iterator[LawReference]:
    """Hard ground, clay and sand of the MAVS vehicle-terrain interface; Crolla's lateral law."""
    tyre, soil = Tyre(0.934, 0.254, 0.3, deflection=0.06), ConeIndexSoil(40 * MAVS_PSI)
    slips = (0.05, 0.10, 0.50)
    for surface, ratios in (
        ("dry", (0.7356194, 0.9558421, 0.9593748)),
        ("wet", (0.7449265, 0.8171163, 0.6674574)),
    ):
        law = MagicFormula.surface(surface)
        for slip, ratio in zip(slips, ratios, strict=True):
            mine = float(law.thrust_ratio(slip, 8e3, tyre, soil))
            yield LawReference(surface, f"s {slip}", "mu", ratio, mine, 1e-7)
    clay = Clay("run-time")
    number, powered, resistance = (float(x) for x in clay.numbers(tyre, soil, 8e3))
    yield LawReference("clay-run-time", "8 kN, 40 psi", "N_c", 9.542949, number, 1e-6)
    yield LawReference("clay-run-time", "8 kN, 40 psi", "S_sp", 0.07464708, powered, 1e-8)
    yield LawReference("clay-run-time", "8 kN, 40 psi", "R", 0.13876985, resistance, 1e-8)
    for slip, net in zip(slips, (-0.2311850, -0.0713407, 0.2998063), strict=True):
        mine = float(clay.net_ratio(slip, 8e3, tyre, soil))
        yield LawReference("clay-run-time", f"8 kN, 40 psi, s {slip}", "net", net, mine, 1e-7)
    sand = Sand()
    mine = float(sand.numeric(tyre, soil, 8e3))
    yield LawReference("sand", "8 kN, 40 psi", "N_s", 9.03913, mine, 1e-5)
    for slip, thrust in zip(slips, (0.216097, 0.306864, 0.462164), strict=True):
        mine = float(sand.thrust_ratio(slip, 8e3, tyre, soil))
        yield LawReference("sand", f"8 kN, 40 psi, s {slip}", "mu", thrust, mine, 1e-6)
    for angle, ratio in ((0.05, 0.1738558), (0.1, 0.3174857), (0.2, 0.5341743)):
        mine = float(crolla(angle, math.radians(15.0)))
        yield LawReference("crolla", f"gamma 15 deg, alpha {angle}", "mu_y", ratio, mine, 1e-7)


def others() -> Iterator[LawReference]:
    """LuGre's bristle, and the mobility index of one vehicle by the published equations of the index."""
    mine = advance_bristle(0.005, 0.5, 0.5, 3200.0, 3e5, 0.005)
    yield LawReference("lugre", "v 0.5, h 0.005", "z+ [m]", 6.075949367e-3, mine, 1e-12)
    index = mobility_index(
        36320 * 0.45359237, 4, 8, 22 * INCH, 45 * INCH, 21 * INCH, 350 * 745.6998715823
    )
    yield LawReference("mobility index", "36 320 lb, 8 wheels", "MI", 41.12286, index, 1e-5)
    mine = float(vehicle_cone_index(index)) / PSI
    yield LawReference("mobility index", "36 320 lb, 8 wheels", "VCI_1 [psi]", 18.8308, mine, 1e-4)


def _root(f) -> float:
    from scipy.optimize import brentq

    return float(brentq(f, 1e-9, 1.0, xtol=1e-14))
