"""``wheelground identify``: parameters of a soil from a wheel test, with confidence intervals."""

from __future__ import annotations

from pathlib import Path

from ..reports.cli import console, refuse_bad_input, writable_directory


def identify(
    file: Path,
    *,
    radius: float,
    width: float,
    pull_noise: float | None = None,
    side_noise: float | None = None,
    torque_noise: float | None = None,
    sinkage_noise: float | None = None,
    unit_weight: float = 15e3,
    unknown: tuple[str, ...] = (),
    column: tuple[str, ...] = (),
    out: Path = Path("out"),
) -> int:
    """Fit Wong and Reece's soil to a wheel test: slip, load [N], pull [N], torque [N m], sinkage [m].

    A test at slip angles also has slip_angle [rad] and side. The file is a CSV; with --column it may be
    an MF4, MCAP or ROS 2 bag.

    Parameters
    ----------
    file
        Measured rows; lines that begin with # are left out.
    radius
        Radius of the wheel [m].
    width
        Width of the wheel [m].
    pull_noise
        Standard deviation of the measured pull and of the law's error [N].
    side_noise
        Standard deviation of the side force [N].
    torque_noise
        Standard deviation of the torque [N m].
    sinkage_noise
        Standard deviation of the sinkage [m].
    unit_weight
        Unit weight of the soil that a wheel at slip angles pushes aside [N/m^3].
    unknown
        NAME:START:LOW:HIGH, with :log for a logarithmic scale, such as soil.k_phi:8e5:1e4:1e9:log; may
        be repeated. Default: ten numbers of soil and law, at slip angles eleven.
    column
        NAME=HEADER, such as slip=WheelSlip or pull=/rig:force.x, for each of the names above that the
        file has; may be repeated. Default: the headers of a CSV are these names.
    out
        Directory for the figure, with error bars, and a page with the residuals.
    """
    with refuse_bad_input(TypeError, ModuleNotFoundError):
        writable_directory(out)
        import numpy as np

        from contact import BekkerSoil, WongReeceLateral
        from contact.laws.wong_reece import WongReece
        from identify import WheelTest, fit
        from identify.unknown import PLOUGHING, WONG_REECE
        from identify.wheel_test import QUANTITIES

        from ..reports.measured.figures import draw
        from ..reports.measured.sources import MeasuredRows

        given = {"pull": pull_noise, "side": side_noise, "torque": torque_noise}
        given["sinkage"] = sinkage_noise
        noise = {name: value for name, value in given.items() if value is not None}
        test = WheelTest.from_file(file, radius, width, noise, dict(map(_column, column)) or None)
        usual = PLOUGHING if np.any(test.slip_angle) else WONG_REECE
        wanted = dict(map(_unknown, unknown)) or usual
        lateral = WongReeceLateral(unit_weight=unit_weight, ploughing=True)
        screen = console()
        with screen.status("fitting (the first run compiles the law)"):
            soil = BekkerSoil(0.0, 8e5, 1.0)
            found = fit(test, WongReece(exit_share=0.3), soil, wanted, lateral=lateral)
        predicted = test.predicted(found.law, found.soil, found.lateral)
        rows = [
            MeasuredRows(
                file.stem,
                "wheel",
                name,
                QUANTITIES[name],
                "slip [-]",
                test.slip,
                values,
                predicted[name],
                "",
                np.broadcast_to(noise[name], values.shape),
            )
            for name, values in test.measured.items()
        ]
    screen.print(found.report(), soft_wrap=True, markup=False)
    picture = draw(rows, out / "identify.png", f"{file.stem}: {found.verdict}")
    screen.print(f"figure: {picture}", soft_wrap=True)
    screen.print(f"residuals: {found.save_html(out / 'identify.html')}", soft_wrap=True)
    return 0 if found.verdict != "law rejected" else 1


def _column(text: str) -> tuple[str, str]:
    """Split the option text NAME=HEADER into name and header."""
    name, equals, header = text.partition("=")
    if not equals or not header:
        raise ValueError(f"--column {text!r} must be NAME=HEADER")
    return name, header


def _unknown(text: str) -> tuple:
    """Make a name and its ``Unknown`` from the option text NAME:START:LOW:HIGH[:log].

    Raises:
        ValueError: any other text.
    """
    from identify import Unknown

    name, *words = text.split(":")
    log = len(words) == 4 and words[3] == "log"
    try:
        start, low, high = (float(word) for word in (words[:3] if log else words))
    except ValueError:
        raise ValueError(
            f"--unknown {text!r} must be NAME:START:LOW:HIGH or NAME:START:LOW:HIGH:log"
        ) from None
    return name, Unknown(start, low, high, log)
