"""Elementary functions without a branch, with the same bits for a number and in a lane.

Lanes are several vehicles side by side in one SIMD register. The functions are sums and products in a
fixed order, so their bits are the same on every machine, unlike those of libm.
Errors stay below two units in the last place, except those of ``power``. Polynomials are Taylor's where
few terms suffice, else Chebyshev interpolants.

W. J. Cody, W. Waite, Software Manual for the Elementary Functions (1980): reduction of arguments.
"""

import math

from mlcp.compiled.bits import significand, two_to
from mlcp.compiled.branches import where
from mlcp.jit import kernel

_ROUND = 6755399441055744.0  # 1.5 * 2^52: adding it rounds to an integer
_LOG2_E, _SQRT_2 = 1.0 / math.log(2.0), math.sqrt(2.0)
_LN2, _LN2_LOW = float.fromhex("0x1.62e42fee00000p-1"), float.fromhex("0x1.a39ef35793c76p-33")
_TWO_OVER_PI = 2.0 / math.pi
# pi / 2 in three parts, the first two of 33 bits: their products with integers of 20 bits are exact
_QUARTER = float.fromhex("0x1.921fb544p+0")
_QUARTER_2 = float.fromhex("0x1.0b4611a6p-34")
_QUARTER_3 = float.fromhex("0x1.3198a2e037073p-69")
_PI, _PI_LOW = math.pi, float.fromhex("0x1.1a62633145c07p-53")
_LOWEST, _HIGHEST = -708.0, 709.7  # range of x for which exp(x) is a normal number
_STEEP = math.sqrt(2.0) - 1.0  # tan(pi / 8), end of the interval of the polynomial of atan
_E2, _E3, _E4, _E5, _E6, _E7 = (1.0 / math.factorial(k) for k in range(2, 8))
_E8, _E9, _E10, _E11, _E12, _E13 = (1.0 / math.factorial(k) for k in range(8, 14))
_S3, _S5, _S7, _S9 = (-((-1.0) ** (k // 2 - 1)) / math.factorial(k) for k in (3, 5, 7, 9))
_S11, _S13, _S15, _S17 = (-((-1.0) ** (k // 2 - 1)) / math.factorial(k) for k in (11, 13, 15, 17))
_C4, _C6, _C8, _C10 = ((-1.0) ** (k // 2) / math.factorial(k) for k in (4, 6, 8, 10))
_C12, _C14, _C16 = ((-1.0) ** (k // 2) / math.factorial(k) for k in (12, 14, 16))
# (atan(t) / t - 1) / t^2 over t^2 up to tan(pi / 8)^2
_A = (
    -0.3333333333333333, 0.1999999999999552, -0.14285714284666542, 0.11111111015256361,
    -0.09090904578123903, 0.07692183190826087, -0.06664511447381948, 0.0585814891280221,
    -0.0508544973794026, 0.03923165829558719, -0.01917688711906226,
)  # fmt: skip
_L1, _L2, _L3, _L4, _L5 = (2.0 / k for k in (3, 5, 7, 9, 11))
_L6, _L7, _L8, _L9, _L10 = (2.0 / k for k in (13, 15, 17, 19, 21))


@kernel
def _whole(x):
    """Integer nearest to x, |x| < 2^51, as a float."""
    return (x + _ROUND) - _ROUND


@kernel
def _exponential(x):
    """Return ``(exp(r) - 1, n)`` of exp(x) = exp(r) 2^n, |r| <= ln(2) / 2."""
    n = _whole(x * _LOG2_E)
    r = (x - n * _LN2) - n * _LN2_LOW
    q = r * r
    s = q * q
    low = (_E2 + r * _E3) + q * (_E4 + r * _E5)
    high = (_E6 + r * _E7) + q * (_E8 + r * _E9)
    top = (_E10 + r * _E11) + q * (_E12 + r * _E13)
    return r + q * (low + s * (high + s * top)), n


@kernel
def exp(x):
    """e^x; 0 for a subnormal result."""
    less, n = _exponential(min(max(x, _LOWEST), _HIGHEST))
    half = two_to(n - 1.0)
    value = 2.0 * (half + half * less)
    return where(x > _HIGHEST, math.inf, where(x < _LOWEST, 0.0, value))


@kernel
def expm1(x):
    """e^x - 1, accurate for small x too."""
    less, n = _exponential(min(max(x, -60.0), _HIGHEST))
    half = two_to(n - 1.0)
    value = 2.0 * ((half - 0.5) + half * less)
    return where(x > _HIGHEST, math.inf, value)


@kernel
def log(x):
    """Natural logarithm of x; for a subnormal x the logarithm of 2^-1022."""
    m, n = significand(max(x, 2.0**-1022))
    upper = m > _SQRT_2
    f = where(upper, 0.5 * m, m) - 1.0
    n = where(upper, n + 1.0, n)
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    low = (_L1 + z * _L2) + w * (_L3 + z * _L4)
    high = (_L5 + z * _L6) + w * (_L7 + z * _L8)
    rest = z * (low + (w * w) * (high + (w * w) * (_L9 + z * _L10)))
    half = 0.5 * f * f
    value = n * _LN2 - ((half - (s * (half + rest) + n * _LN2_LOW)) - f)
    value = where(x > 0.0, value, where(x == 0.0, -math.inf, math.nan))
    return where(x == math.inf, x, value)


@kernel
def power(x, y):
    """x^y of a positive x; relative error some |y log(x)| units in the last place."""
    return exp(y * log(x))


@kernel
def _turned(x):
    """Return ``(sin(r), cos(r), n mod 4)`` of x = r + n pi / 2, |r| <= pi / 4; |x| < 2^20 pi / 2."""
    n = _whole(x * _TWO_OVER_PI)
    r = ((x - n * _QUARTER) - n * _QUARTER_2) - n * _QUARTER_3
    u = r * r
    w = u * u
    low = (_S3 + u * _S5) + w * (_S7 + u * _S9)
    high = (_S11 + u * _S13) + w * (_S15 + u * _S17)
    sine = r + r * (u * (low + (w * w) * high))
    low = (_C4 + u * _C6) + w * (_C8 + u * _C10)
    high = (_C12 + u * _C14) + w * _C16
    cosine = (1.0 - 0.5 * u) + w * (low + (w * w) * high)
    return sine, cosine, n - 4.0 * _whole(0.25 * n - 0.375)


@kernel
def sin_cos(x):
    """Return ``(sin(x), cos(x))``, |x| < 1e6."""
    sine, cosine, quadrant = _turned(x)
    across = (quadrant == 1.0) | (quadrant == 3.0)
    one, other = where(across, cosine, sine), where(across, sine, cosine)
    behind = (quadrant == 1.0) | (quadrant == 2.0)
    return where(quadrant >= 2.0, -one, one), where(behind, -other, other)


@kernel
def sin(x):
    """sin(x), |x| < 1e6."""
    return sin_cos(x)[0]


@kernel
def cos(x):
    """cos(x), |x| < 1e6."""
    return sin_cos(x)[1]


@kernel
def atan2(y, x):
    """The angle of (x, y), from -pi to pi."""
    opposite, adjacent = abs(y), abs(x)
    large, small = max(adjacent, opposite), min(adjacent, opposite)
    steep = small > _STEEP * large
    t = where(steep, small - large, small) / where(steep, small + large, where(large > 0.0, large, 1.0))
    u = t * t
    w = u * u
    low = (_A[0] + u * _A[1]) + w * (_A[2] + u * _A[3])
    high = (_A[4] + u * _A[5]) + w * (_A[6] + u * _A[7])
    top = (_A[8] + u * _A[9]) + w * _A[10]
    angle = t + t * (u * (low + (w * w) * (high + (w * w) * top)))
    angle = where(steep, 0.25 * _PI + (angle + 0.25 * _PI_LOW), angle)
    angle = where(opposite > adjacent, 0.5 * _PI - (angle - 0.5 * _PI_LOW), angle)
    angle = where(math.copysign(1.0, x) < 0.0, _PI - (angle - _PI_LOW), angle)
    return where(y == y, math.copysign(angle, y), y)


@kernel
def atan(x):
    """Arc tangent of x."""
    return atan2(x, 1.0)
