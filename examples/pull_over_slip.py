"""How hard can a driven wheel pull on a given soil? Drawbar pull over slip by Wong and Reece.

The stresses under the rim are integrated: thrust of the shear less compaction resistance is the
drawbar pull.
"""

from math import radians
from pathlib import Path

import numpy as np

from contact import SOILS, BekkerSoil, WongReece

RADIUS, WIDTH, LOAD = 0.15, 0.10, 165.0  # m, m, N: a rover's wheel
# Wheel and soil of Azimi et al. (2013).
AZIMI = BekkerSoil(
    k_c=0.0, k_phi=4.1e5, n=0.8, cohesion=234.0, friction_angle=radians(30.0), shear_modulus=0.013,
    c_1=0.18, c_2=0.32,
)  # fmt: skip
NAMES = ("dry sand", "LETE sand", "sandy loam", "Grenville loam")


def main(picture: Path | None = None) -> float:
    """Return the drawbar pull at 20 % slip [N]."""
    law = WongReece()
    if picture is not None:
        from matplotlib.figure import Figure

        slip = np.linspace(0.0, 0.8, 81)
        figure = Figure(figsize=(6.0, 3.8), layout="constrained")
        axes = figure.subplots()
        soils = {"Azimi et al. 2013": AZIMI, **{n: SOILS[n].bekker for n in NAMES}}
        for name, soil in soils.items():
            axes.plot(slip, law.wheel(soil, RADIUS, WIDTH, LOAD, slip).drawbar_pull, label=name)
        axes.axhline(0.0, color="grey", linewidth=0.6)
        axes.set(xlabel="slip ratio [-]", ylabel="drawbar pull [N]", title=f"Load {LOAD:g} N")
        axes.legend(fontsize=8)
        figure.savefig(picture, dpi=150)
    return float(law.wheel(AZIMI, RADIUS, WIDTH, LOAD, 0.2).drawbar_pull)


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    print(f"drawbar pull at 20 % slip: {main(Path('out/pull_over_slip.png')):.4f} N")
    print("picture: out/pull_over_slip.png")
