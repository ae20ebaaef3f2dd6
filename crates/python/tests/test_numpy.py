"""Results equal numpy's, in random calls: of every dtype, operator, shape and axis."""

from __future__ import annotations

import os
from typing import Any

import hypothesis.extra.numpy as arrays
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import rasterscan as rs

DTYPES = ["uint32", "int32", "uint64", "int64"]
NARROW = ["bool", "uint8", "int8", "uint16", "int16"]
OPERATORS = {
    "sum": np.add,
    "prod": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}
calls = settings(
    max_examples=int(os.environ.get("RASTERSCAN_CALLS", "200")) // 5,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


@st.composite
def some(draw: st.DrawFn, dtypes: list[str] = DTYPES + NARROW, least: int = 0) -> np.ndarray[Any, Any]:
    """An array of up to three dimensions: contiguous, strided, or of foreign byte order."""
    shape = draw(arrays.array_shapes(max_dims=3, min_side=max(least, 1), max_side=40))
    array = draw(arrays.arrays(draw(st.sampled_from(dtypes)), shape))
    way = draw(st.sampled_from(["plain", "transposed", "strided", "foreign"]))
    if way == "transposed":
        return array.T
    if way == "strided":
        return array[::-1]
    return array.astype(array.dtype.newbyteorder()) if way == "foreign" else array


def widened(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """As the package takes it: native, and of 32 bits at least."""
    kind = array.dtype.kind
    if kind in "bu":
        return array.astype(np.uint64 if array.dtype.itemsize == 8 else np.uint32)
    return array.astype(np.int64 if array.dtype.itemsize == 8 else np.int32)


def axis_of(data: st.DataObject, array: np.ndarray[Any, Any]) -> int | None:
    return data.draw(st.none() | st.integers(-array.ndim, array.ndim - 1))


def same(got: Any, expected: Any) -> None:
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.dtype == expected.dtype
    np.testing.assert_array_equal(got, expected)


@calls
@given(some(), st.data())
def test_scans(array: np.ndarray[Any, Any], data: st.DataObject) -> None:
    axis, op = axis_of(data, array), data.draw(st.sampled_from(sorted(OPERATORS)))
    wide = widened(array)
    flat, along = (wide.reshape(-1), 0) if axis is None else (wide, axis)
    expected = OPERATORS[op].accumulate(flat, axis=along, dtype=wide.dtype)
    same(rs.scan(array, axis=axis, op=op), expected)
    backwards = np.flip(OPERATORS[op].accumulate(np.flip(flat, along), axis=along, dtype=wide.dtype), along)
    same(rs.scan(array, axis=axis, op=OPERATORS[op], reverse=True), backwards)


@calls
@given(some(), st.data())
def test_reductions(array: np.ndarray[Any, Any], data: st.DataObject) -> None:
    axis, op = axis_of(data, array), data.draw(st.sampled_from(sorted(OPERATORS)))
    wide = widened(array)
    same(rs.reduce(array, axis=axis, op=op), OPERATORS[op].reduce(wide, axis=axis, dtype=wide.dtype))
    found = rs.reduce(array, axis=axis, op="argmax")
    np.testing.assert_array_equal(found.indices, np.argmax(wide, axis=axis))
    same(found.values, np.max(wide, axis=axis))


@calls
@given(some(), st.data())
def test_compactions(array: np.ndarray[Any, Any], data: st.DataObject) -> None:
    wide = widened(array).reshape(-1)
    same(rs.compact(array), wide[wide != 0])
    limit = int(data.draw(st.sampled_from(wide.tolist())))
    same(rs.compact(array, f">={limit}"), wide[wide >= limit])
    flags = data.draw(arrays.arrays(bool, wide.shape))
    same(rs.compress(flags, array), np.compress(flags, wide))
    np.testing.assert_array_equal(rs.compact(array, moves="indices"), np.flatnonzero(wide))


@calls
@given(some(), st.data())
def test_sorts(array: np.ndarray[Any, Any], data: st.DataObject) -> None:
    axis, wide = axis_of(data, array), widened(array)
    same(rs.sort(array, axis=axis), np.sort(wide, axis=axis, kind="stable"))
    np.testing.assert_array_equal(rs.argsort(array, axis=axis), np.argsort(wide, axis=axis, kind="stable"))


@calls
@given(some(), st.data())
def test_what_is_made_of_several(array: np.ndarray[Any, Any], data: st.DataObject) -> None:
    axis, wide = axis_of(data, array), widened(array)
    np.testing.assert_array_equal(rs.argmin(array, axis), np.argmin(wide, axis))
    np.testing.assert_array_equal(rs.argmax(array, axis), np.argmax(wide, axis))
    np.testing.assert_array_equal(rs.flatnonzero(array), np.flatnonzero(wide))
    values, counts = np.unique(wide, return_counts=True)
    found = rs.unique(array, return_counts=True)
    same(found.values, values)
    np.testing.assert_array_equal(found.lengths, counts)
    same(rs.unique(array), values)
    runs = rs.run_length(array % 3)
    assert (np.diff(runs.values.astype(np.int64)) != 0).all() and runs.lengths.min() > 0
    same(rs.repeat(runs.values, runs.lengths), widened(array % 3).reshape(-1))
    same(rs.repeat(array, 3), np.repeat(wide, 3))


@calls
@given(arrays.arrays("float64", st.integers(2, 9), elements=st.floats(-100, 100)), st.sampled_from(["float32", "int32"]))
def test_edges_between_numbers(edges: np.ndarray[Any, Any], dtype: str) -> None:
    """Each bin has the numbers that it has among exact edges, even next to them."""
    edges = np.unique(edges)
    near = edges.astype(dtype)
    a = np.concatenate([near - near.dtype.type(1), near, near + near.dtype.type(1)])
    if dtype == "float32":
        a = np.concatenate([a, np.nextafter(near, np.float32(-np.inf)), np.nextafter(near, np.float32(np.inf))])
    exact = a.astype(np.float64)
    expected = [int(((low <= exact) & (exact < high)).sum()) for low, high in zip(edges, edges[1:])]
    try:
        assert rs.histogram(a, edges).tolist() == expected
    except rs.RequestError as error:
        # Nothing of this dtype lies between two edges.
        assert "ascend" in str(error) and 0 in expected or len(edges) < 2


@pytest.mark.parametrize("span", [None, (0, 8)])
def test_even_bins(span: Any) -> None:
    a = np.float32([0.5, 3, 1, 7, 6.5, 1])
    np.testing.assert_array_equal(rs.histogram(a, 5, range=span), np.histogram(a, 5, span)[0])


@calls
@given(some(["uint32", "int32", *NARROW]), st.data())
def test_segments_and_bins(array: np.ndarray[Any, Any], data: st.DataObject) -> None:
    wide = widened(array).reshape(-1)
    starts = data.draw(st.sets(st.integers(1, wide.size), max_size=5).map(sorted))
    parts = np.split(wide, [start for start in starts if start < wide.size])
    offsets = [0, *(start for start in starts if start < wide.size)]
    same(rs.segmented_scan(array, offsets=offsets), np.concatenate([part.cumsum(dtype=wide.dtype) for part in parts]))
    same(rs.segmented_reduce(array, offsets=offsets), np.array([part.sum(dtype=wide.dtype) for part in parts]))
    same(rs.segmented_sort(array, offsets=offsets), np.concatenate([np.sort(part) for part in parts]))
    edges = np.unique(data.draw(arrays.arrays(wide.dtype, st.integers(2, 9))))
    if edges.size > 1:
        # numpy's last bin has its last edge, too.
        counts = np.histogram(wide[wide != edges[-1]], edges)[0]
        np.testing.assert_array_equal(rs.histogram(array, edges), counts)


@calls
@given(arrays.arrays("float32", arrays.array_shapes(max_dims=2, max_side=40), elements=st.floats(-1e3, 1e3, width=32)))
def test_floats(array: np.ndarray[Any, Any]) -> None:
    rs.scan(array, verify=True)
    np.testing.assert_allclose(rs.reduce(array), array.sum(dtype=np.float64), rtol=1e-4, atol=1e-1)
    same(rs.reduce(array, op="max"), array.max())
    np.testing.assert_array_equal(rs.sort(array), np.sort(array))


@pytest.mark.parametrize("axis", range(-3, 3))
def test_axes(axis: int) -> None:
    array = np.random.default_rng(7).integers(0, 99, (4, 5, 6), dtype=np.uint32)
    same(rs.scan(array, axis=axis), array.cumsum(axis=axis, dtype=np.uint32))
    same(rs.reduce(array, axis=axis), array.sum(axis=axis, dtype=np.uint32))
    np.testing.assert_array_equal(rs.reduce(array, axis=axis, op="argmax").indices, array.argmax(axis=axis))
    np.testing.assert_array_equal(rs.reduce(array, axis=axis, op="argmin").indices, array.argmin(axis=axis))
    same(rs.sort(array, axis=axis), np.sort(array, axis=axis))
    np.testing.assert_array_equal(rs.argsort(array, axis=axis), np.argsort(array, axis=axis, kind="stable"))
    pairs = rs.scan(array[..., :2], axis=min(axis % 3, 1), op="affine")
    assert pairs.shape == (4, 5, 2)


@pytest.mark.parametrize("size", [0, 1, 100_000])
def test_lengths(size: int) -> None:
    array = np.arange(size, dtype=np.uint32)
    same(rs.scan(array), array.cumsum(dtype=np.uint32))
    same(rs.scan(array, exclusive=True), array.cumsum(dtype=np.uint32) - array)
    same(rs.sort(array[::-1]), array)
    same(rs.compact(array, ">7"), array[array > 7])
    same(rs.reduce(array), array.sum(dtype=np.uint32))
    assert rs.histogram(array.tolist()).sum() == min(size, 256)
