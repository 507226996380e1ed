"""Arrays that stay where they are, and what NumPy and DLPack get of them."""

import futi
import numpy as np
import pytest

SOURCE = """
entry double [n] (xs: [n]f32) : [n]f32 = map (* 2) xs
entry same [n] (xs: [n]u8) : [n]u8 = xs
entry sum [n] (xs: [n]f32) : f32 = f32.sum xs
entry wide (a: []i32) (b: []i64) (c: []i64) (d: []f64) (e: []bool) : ([]i32, []i64, []i64, []f64, []bool) = (a, b, c, d, e)
"""

# not all of them are on the GPU yet
NARROW = """
entry types (a: []i8) (b: []u16) (c: []i64) (d: []f16) (e: []bool) : ([]i8, []u16, []i64, []f16, []bool) = (a, b, c, d, e)
"""


def test_they_stay_where_they_are(backend):
    m = futi.compile(SOURCE, backend=backend, device_arrays=True)
    x = m.put(np.arange(4, dtype=np.float32))
    y = m.double(x)
    z = m.double(y).block_until_ready()
    assert isinstance(z, futi.Array)
    assert (z.shape, z.ndim, len(z), z.dtype) == ((4,), 1, 4, np.float32)
    np.testing.assert_array_equal(np.asarray(z), [0, 4, 8, 12])
    np.testing.assert_array_equal(z.numpy() + 1, [1, 5, 9, 13])
    np.testing.assert_array_equal(np.from_dlpack(z), [0, 4, 8, 12])
    assert float(m.sum(z)) == 24.0
    assert repr(z) == f"<futi.Array [4]f32 on {backend}>"
    # what another model has is brought here
    other = futi.compile(SOURCE)
    assert other.sum(z) == 24.0
    with pytest.raises(futi.ArgumentError, match="an array of f32 is given for one of u8"):
        m.same(z)


def same_types(entry, given):
    for got, x in zip(entry(*given), given):
        assert got.dtype == x.dtype
        np.testing.assert_array_equal(got, x)


def test_wide_types(backend):
    given = [np.array([-1, 2], np.int32), np.array([7]), np.array([2**62, -1]), np.array([0.5, -2]), np.array([True, False])]
    same_types(futi.compile(SOURCE, backend=backend).wide, given)


def test_narrow_types():
    given = [
        np.array([-1, 2], np.int8),
        np.array([65535], np.uint16),
        np.array([2**62, -1], np.int64),
        np.array([0.5, -2], np.float16),
        np.array([True, False, True]),
    ]
    same_types(futi.compile(NARROW).types, given)



def test_no_result_is_somebody_elses():
    m = futi.compile(SOURCE)
    x = np.arange(3, dtype=np.uint8)
    y = m.same(x)
    y[0] = 9
    assert list(x) == [0, 1, 2] and list(m.same(x)) == [0, 1, 2]
    kept = m.put(x)
    z = m.same(kept)
    z[0] = 7
    assert list(kept.numpy()) == [0, 1, 2]
