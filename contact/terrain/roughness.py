"""Random rough ground of a given ISO 8608 class."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from mlcp.kinds import Range, at_least, checked

from .. import checks
from .memory import SoilMemory
from .shapes import SmoothHeightField
from .soil_map import SoilMap

#: Displacement power spectral density at n_0 = 0.1 cycles/m, geometric mean of the class [m^3].
CLASSES = {name: 16e-6 * 4.0**k for k, name in enumerate("ABCDEFGH")}
#: Largest length of a profile over its spacing.
MOST = 100_000


Length = Annotated[float, Range(0.0, 1e7, "m", open_low=True)]


@checked
def profile_spectrum(frequency: NDArray[np.float64], iso_class: str) -> NDArray[np.float64]:
    """One-sided density ``G(n) = G(n_0) (n / n_0)^-2`` [m^3] at spatial frequencies n [1/m].

    Arguments:
        frequency: n [1/m], any shape.
        iso_class: "A" (a good road) to "H".

    Raises:
        ValueError: an unknown class.

    Source: ISO 8608:2016.
    """
    checks.known("ISO 8608 class", iso_class, CLASSES)
    return CLASSES[iso_class] * (np.asarray(frequency, float) / 0.1) ** -2.0


@checked
def rough_profile(
    iso_class: str,
    length: Length,
    spacing: Length = 0.05,
    seed: Annotated[int, at_least(0)] = 0,
    wavelengths: tuple[Length, Length] = (0.35, 90.0),
) -> NDArray[np.float64]:
    """Heights [m] of a random profile every ``spacing`` [m] over ``length`` [m].

    The profile is a sum of cosines at frequencies n in equal steps dn, with amplitudes
    ``sqrt(2 G(n) dn)`` and random phases. The same seed gives the same ground.

    Source: ISO 8608:2016; G is the geometric mean of the class.

    Arguments:
        iso_class: "A" to "H".
        length: length of the profile [m], above 0. spacing: distance of its heights [m], above 0.
        seed: seed of the random phases.
        wavelengths: shortest and longest in the sum [m].

    Raises:
        ValueError: an unknown class, a length or spacing not above 0 or too many heights, a seed that is
            no whole number.
    """
    checks.known("ISO 8608 class", iso_class, CLASSES)
    points = length / spacing
    if not 1.0 <= points <= MOST:
        raise ValueError(
            f"rough_profile: length = {length:g} m is {points:.3g} times the spacing of {spacing:g} m; "
            f"it must be at least 1 and at most {MOST} times"
        )
    low, high = 1.0 / wavelengths[1], 1.0 / wavelengths[0]
    step = min(1.0 / length, low)
    frequency = np.arange(low, high, step)
    size = np.sqrt(2.0 * profile_spectrum(frequency, iso_class) * step)
    phase = np.random.default_rng(seed).uniform(0.0, 2.0 * np.pi, frequency.size)
    count = np.arange(0.0, length + 0.5 * spacing, spacing).size
    return _waves(size * np.exp(1j * phase), low, step, spacing, count)


def _waves(
    c: NDArray[np.complex128], low: float, step: float, spacing: float, count: int
) -> NDArray[np.float64]:
    """Sum of waves, ``sum_k Re(c_k exp(2 pi i (low + k step) j spacing))`` at j = 0 ... count - 1.

    The sum is computed as a convolution, by ``2 k j = k^2 + j^2 - (j - k)^2``, in a time of n log n.

    Source: Bluestein (1970), IEEE Trans. Audio Electroacoust. 18, 451.
    """
    k, j = np.arange(c.size, dtype=float), np.arange(count, dtype=float)
    turns = 0.5 * step * spacing

    def turned(by: NDArray[np.float64]) -> NDArray[np.complex128]:
        return np.exp(2j * np.pi * (by - np.rint(by)))

    longest = max(c.size, count)
    size = 1 << (c.size + count - 2).bit_length()
    chirp = turned(-turns * np.arange(longest, dtype=float) ** 2)
    kernel = np.zeros(size, complex)
    kernel[:count] = chirp[:count]
    kernel[size - c.size + 1 :] = chirp[c.size - 1 : 0 : -1]
    waves = np.fft.ifft(np.fft.fft(c * turned(turns * k * k), size) * np.fft.fft(kernel))[:count]
    return np.ascontiguousarray((turned(turns * j * j) * turned(low * spacing * j) * waves).real)


@checked
def rough_ground(
    iso_class: str,
    length: Length,
    width: Length = 4.0,
    spacing: Length = 0.1,
    seed: Annotated[int, at_least(0)] = 0,
    soil_map: SoilMap | None = None,
    memory: SoilMemory | None = None,
) -> SmoothHeightField:
    """Height field, rough along x like ``rough_profile``, constant across its width (parallel tracks).

    ``soil_map`` and ``memory`` are those of a ``Terrain``.

    Arguments:
        iso_class: class of ISO 8608, "A" to "H".
        length: extent along x [m]. width: extent along y [m].
        spacing: distance of the heights along x [m].
        seed: seed of the random phases.

    Raises:
        ValueError: as in ``rough_profile``.
    """
    profile = rough_profile(iso_class, length, spacing, seed)
    heights = np.stack([profile, profile])
    origin = (0.0, -0.5 * width)
    return SmoothHeightField(heights, (spacing, width), origin, soil_map, memory)
