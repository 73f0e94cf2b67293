"""What a whole step costs:  python -m benchmarks.step_cost

The vehicle-like mechanism (45 bodies, 64 joints and couplings, 4 wheels) on bumps at 5 m/s with
`direct`, in rounds interleaved with SciPy factoring and solving the same KKT matrix once. The low
percentile of the rounds counts, since machines are noisy, and the ratio of the two.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np

import bodies as B
from bodies.kernels import layout as L

from . import vehicle_like

ROUNDS, STEPS, PERCENTILE = 60, 300, 5.0
GOAL_US = 40.0


def kkt_matrix(sim: B.Simulation) -> Any:
    """The matrix [M J'; J -E] of the present step, sparse (CSC)."""
    import scipy.sparse as sp

    work, structure = sim.work, sim.model.structure
    work.stage("detect", "assemble")
    J, _ = structure.dense_rows(work.f(L.JACOBIAN)[:structure.jac_size])
    blocks = work.f(L.MASS_BLOCK).reshape(-1, 6, 6)
    floor = work.f(L.SCALE)[:structure.rows]
    E = np.maximum(work.f(L.COMPLIANCE), floor)
    return sp.bmat([[sp.block_diag(list(blocks)), sp.csc_matrix(J.T)],
                    [sp.csc_matrix(J), sp.diags(-E)]], format="csc")


def measure() -> dict[str, Any]:
    """Low percentiles of a step and of SciPy's factorisation, and what the run was."""
    from scipy.sparse.linalg import splu

    model = B.compile(vehicle_like.mechanism(ground=vehicle_like.bumps(), speed=5.0))
    sim = B.Simulation(model, 1e-3)
    sim.run(3000)
    start = sim.state()
    K = kkt_matrix(sim)
    rhs = np.ones(K.shape[0])
    ours, rival = [], []
    for _ in range(ROUNDS):
        sim.restore(start)
        t = time.perf_counter()
        sim.run(STEPS)
        ours.append((time.perf_counter() - t) / STEPS)
        t = time.perf_counter()
        splu(K).solve(rhs)
        rival.append(time.perf_counter() - t)
    step = float(np.percentile(ours, PERCENTILE) * 1e6)
    scipy = float(np.percentile(rival, PERCENTILE) * 1e6)
    return {"bodies": len(model.body_index), "rows": model.structure.rows,
            "channels": model.structure.channel_rows, "us_per_step": step,
            "scipy_factor_us": scipy, "ratio": step / scipy, "residual": sim.residual(),
            "missed_steps": sim.missed, "real_time_factor": 1000.0 / step,
            "passed": bool(step <= GOAL_US and sim.residual() <= 1e-10)}


def main(json_file: Path | None = None) -> None:
    """Print the measurement."""
    from rich.console import Console
    from rich.table import Table

    result = measure()
    table = Table(title="Cost of a step", show_header=False)
    for key, value in result.items():
        table.add_row(key, f"{value:.4g}" if isinstance(value, float) else str(value))
    Console().print(table)
    if json_file:
        json_file.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    import cyclopts

    app = cyclopts.App(help=__doc__)

    @app.default
    def command(*, json: Path | None = None) -> None:
        main(json)

    app()
