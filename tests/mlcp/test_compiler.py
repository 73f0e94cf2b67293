"""Results of the package's quick compiler equal Python's, for all forms of code that kernels may use."""

from typing import NamedTuple

import numpy as np
import pytest

from mlcp.jit import entry_point, kernel, part


class Bundle(NamedTuple):
    numbers: np.ndarray
    table: np.ndarray
    places: np.ndarray


@kernel
def indices(bundle, out):
    """Array indices: constant, negative, unsigned, computed; on one and two axes; read and written."""
    a, t, p = bundle.numbers, bundle.table, bundle.places
    last = t.shape[1] - 1
    out[0] = a[0] + a[-1]
    out[1] = t[1, 2] + t[-1, -2] + t[0, last]
    out[2] = a[p[1]] + a[np.uint64(p[0])] + t[p[-1] % 2, 0]
    t[0, -1] += 2.0
    a[-2] = a[1] * 3
    p[2] = a[2]
    out[-1] = p[2] + t[np.uint64(0), np.uint64(2)]
    row, part_of = t[1], a[1:3]
    out[3] = row[1] + part_of[0] + part_of[-1]
    part_of[1] = 7.5


@kernel
def loops(n, out):
    """Loops upward, from a start, downward, in steps of two, empty, left early, nested."""
    for i in range(n):
        out[0] += i
    for i in range(2, n):
        out[1] += i
    for i in range(n, 0, -1):
        out[2] += i * i
    for i in range(1, n, 2):
        out[3] += i
    for i in range(n, 2):
        out[4] += 1 + i
    for i in range(n):
        if i == 3:
            break
        if i == 1:
            continue
        for j in range(i):
            out[5] += i + 10 * j
    i = 0
    while i < n:
        i += 2
    out[6] = i
    for i in (3, n):
        out[7] += i


@kernel
def numbers(x, k, out):
    """Integers and floats, mixed; signs, powers, comparisons, choices in branches."""
    best, count = -1, 0
    if x > 0.5:
        best, count = k, 2
    elif x < -0.5:
        best = -k
    out[0], out[1] = best, count
    out[2] = k / 2 + k // 2 + k % 3 + (-k) // 2 + (-k) % 3 + x % 0.3 + x // 0.3
    out[3] = x**2 + k**2 + x**-1 + 2.0**k + abs(-k) + abs(x)
    out[4] = int(x < k) + int(k <= 3) + int(x != x) + int(not k == 4) + min(x, k) + max(k, 3)
    out[5] = (k << 2) + (k & 1) + (k | 8) + (k ^ 5) + -k
    y = x
    y += k
    y *= 2
    y /= 3
    out[6] = y
    out[7] = 1.0 / (x - x)


@kernel
def forward(bundle, out, shift):
    again = bundle
    if shift > 0:
        again = Bundle(bundle.numbers, bundle.table, bundle.places)
    indices(again, out)
    indices(out=out, bundle=bundle)
    return shift + 1, out[0]


@part
def made_here(a, t, p):
    return Bundle(a, t, p)


@entry_point("mlcp")
def all_of_them(a, t, p, x, k, out):
    bundle = made_here(a, t, p)
    more, first = forward(bundle, out[0], k)
    loops(k, out[1])
    numbers(x, k, out[2])
    again, _ = forward(bundle, out[3], 0)
    return more + again + first


def _plain(a, t, p, x, k, out):
    def plain_forward(bundle, out, shift):
        indices.py_func(bundle, out)
        indices.py_func(bundle, out)
        return shift + 1, out[0]

    bundle = Bundle(a, t, p)
    more, first = plain_forward(bundle, out[0], k)
    loops.py_func(k, out[1])
    with np.errstate(divide="ignore"):
        numbers.py_func(np.float64(x), k, out[2])
    again, _ = plain_forward(bundle, out[3], 0)
    return more + again + first


@pytest.mark.parametrize("x", [0.7, -0.9, 0.1])
@pytest.mark.parametrize("k", [1, 4, 5])
def test_compiled_kernels_do_to_the_last_bit_what_their_python_does(x, k):
    def run(function):
        a, t, p = np.arange(5.0) / 7.0, np.arange(6.0).reshape(2, 3) / 3.0, np.array([1, 3, 0])
        out = np.zeros((4, 8))
        result = function(a, t, p, x, k, out)
        return np.concatenate([[result], a, t.ravel(), p, out.ravel()])

    assert np.array_equal(run(all_of_them), run(_plain), equal_nan=True)


@kernel
def as_square(a, n):
    return a.reshape((n, n))[0, 0]


@entry_point("mlcp")
def first_of_square(a, n):
    return as_square(a, n)


def test_an_error_inside_a_kernel_still_reaches_python():
    assert first_of_square(np.ones(9), 3) == 1.0
    with pytest.raises(ValueError, match="total size"):
        first_of_square(np.ones(8), 3)
