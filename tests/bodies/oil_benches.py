"""Hydraulic circuits on a test bench (cylinders without a mechanism), for several tests."""

import bodies.hydraulics as H

IMPLICIT = ("backward", "centred", "auto")
BETA = H.Fluid().modulus
SHUT = ((0.05, 0.0), (1.0, 60e-6))


def ram(**changes):
    given = {"bore": 0.12, "rod": 0.065, "stroke": 0.8, "extension": 0.35, "damping": 2e4}
    return H.HydraulicCylinder(**({"name": "ram"} | given | changes))


def valve(command=0.0, **changes):
    given = {"inlet": SHUT, "outlet": ((0.05, 0.0), (1.0, 90e-6))}
    return H.SpoolValve(command=command, **(given | changes))


def circuit(*branches, pump=None, **changes):
    return H.Circuit(name="test", branches=branches, pump=pump or H.LoadSensingPump(), **changes)


def one(force=0.0, command=0.0, mass=1000.0, cylinder=None, speed=None, pressures=None, **changes):
    """Bench with one cylinder; ``changes``: fields of its branch, such as a relief valve."""
    branch = H.Branch(valve=changes.pop("valve", valve(command)), cylinder=cylinder or ram(), **changes)
    rod = H.Rod(mass=mass, force=force, speed=speed, pressures=pressures)
    return H.Bench(circuit(branch), (rod,))


def fed(pump):
    """Circuit of one cylinder, fed by the given pump."""
    return circuit(H.Branch(valve=valve(), cylinder=ram()), pump=pump)


def stiffness(cylinder, length):
    """Stiffness [N/m] of a cylinder with closed ports, extended by ``length`` [m]: sum of beta a^2/V.

    beta: bulk modulus of the oil; a, V: piston area and volume of each of the two chambers.
    """
    head, rod = cylinder.areas
    left = cylinder.stroke - length
    dead = cylinder.dead_volume
    return BETA * (head**2 / (dead + head * length) + rod**2 / (dead + rod * left))


def five(pumps, **changes):
    levers = (0.5, -0.4, 0.8, 0.0, -0.9)
    branches = tuple(
        H.Branch(
            valve=valve(y, leakage=1e-13),
            compensator=H.Compensator(),
            cylinder=ram(name=f"c{k}", leakage=1e-13, **changes),
            relief=H.Relief(pressure=28e6),
            make_up=H.MakeUp(pressure=9e4),
        )
        for k, y in enumerate(levers)
    )
    rods = tuple(H.Rod(mass=2000.0 * (k + 1), force=-2e4 * (k + 1)) for k in range(5))
    return H.Bench(circuit(*branches, pumps=pumps), rods)
