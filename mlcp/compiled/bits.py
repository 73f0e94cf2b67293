"""Exponent and significand of a number or of each number of a lane, for elementary functions.

A lane is several numbers, one a vehicle, in one SIMD register.
"""

from __future__ import annotations

import math
from typing import Any

from llvmlite import ir
from numba import types

from .extension import compiled_as
from .lanes import Lane

_LONG = ir.IntType(64)
_SHIFT, _BIAS, _FRACTION = 52, 1023, 2**52 - 1
_WHOLE = 0x4338000000000000  # bits of 1.5 * 2^52; the low bits of 1.5 * 2^52 + k are the integer k
_LARGE = 0x4330000000000000  # bits of 2^52; with an integer k in the low bits: the float 2^52 + k
_KINDS = (Lane,), (types.Float,)


def _kind(x: Any) -> Any:
    return x if isinstance(x, Lane | types.Float) else None


def two_to(n: Any) -> Any:
    """Return 2^n for an integral float n, -1022 <= n <= 1023."""
    return math.ldexp(1.0, int(n))


def significand(x: Any) -> tuple[Any, Any]:
    """Return ``(m, n)`` with x = m 2^n, 1 <= m < 2, for x >= 2^-1022."""
    m, n = math.frexp(x)
    return 2.0 * m, n - 1.0


def _words(value: Any) -> tuple[Any, Any]:
    """Integer type for the bits of a number or lane, and a function that makes its constants."""
    if not isinstance(value.type, ir.VectorType):
        return _LONG, lambda k: ir.Constant(_LONG, k)
    count = value.type.count
    kind = ir.VectorType(_LONG, count)
    return kind, lambda k: ir.Constant(kind, [k] * count)


@compiled_as(two_to, lambda n: _kind(n), *_KINDS)
def _code_of_two_to(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    whole, constant = _words(args[0])
    real = args[0].type
    there = builder.fadd(args[0], builder.bitcast(constant(_WHOLE), real))
    exponent = builder.add(builder.bitcast(there, whole), constant(_BIAS))
    return builder.bitcast(builder.shl(exponent, constant(_SHIFT)), real)


@compiled_as(significand, lambda x: _kind(x) and types.Tuple((x, x)), *_KINDS)
def _code_of_significand(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    whole, constant = _words(args[0])
    real = args[0].type
    bits = builder.bitcast(args[0], whole)
    fraction = builder.or_(builder.and_(bits, constant(_FRACTION)), constant(_BIAS << _SHIFT))
    exponent = builder.or_(builder.lshr(bits, constant(_SHIFT)), constant(_LARGE))
    number = builder.fsub(
        builder.bitcast(exponent, real), builder.sitofp(constant(2**_SHIFT + _BIAS), real)
    )
    made = [builder.bitcast(fraction, real), number]
    return context.make_tuple(builder, sig.return_type, made)
