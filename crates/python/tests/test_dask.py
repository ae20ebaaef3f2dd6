"""Dask's arrays beside numpy's, in processes."""

import re
from pathlib import Path

import dask.array as da
import distributed
import numpy as np
import pytest
import rasterscan.dask as rsd

TYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client


def numbers(shape, dtype):
    words = np.random.default_rng(7).integers(0, 2**64, shape, np.uint64)
    return words > 2**63 if dtype == "bool" else words.astype(dtype)


@pytest.mark.parametrize("dtype", TYPES)
def test_cumsum_is_numpys(client, dtype):
    a = numbers(1000, dtype)
    x = da.from_array(a, chunks=(1, 0, 300, 699))
    got = rsd.cumsum(x)
    assert got.chunks == x.chunks
    np.testing.assert_array_equal(got.compute(), np.cumsum(a), strict=True)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, None])
def test_cumsum_goes_along_an_axis(client, axis):
    a = numbers((7, 11, 13), "int32")
    x = da.from_array(a, chunks=(3, 4, (6, 7)))
    got = rsd.cumsum(x, axis)
    assert axis is None or got.chunks == x.chunks
    np.testing.assert_array_equal(got.compute(), np.cumsum(a, axis), strict=True)


def test_cumsum_of_floats_and_of_nothing(client):
    a = np.random.default_rng(8).random(5000, np.float32)
    got = rsd.cumsum(da.from_array(a, chunks=700)).compute()
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, np.cumsum(a.astype(np.float64)), rtol=1e-5)
    assert rsd.cumsum(da.from_array(np.uint32([]))).compute().shape == (0,)


@pytest.mark.parametrize("dtype", [*TYPES, "float32"])
def test_compress_is_numpys(client, dtype):
    a, flags = numbers(1000, dtype), numbers(1000, "bool")
    x = da.from_array(a, chunks=(1, 300, 699))
    got = rsd.compress(da.from_array(flags, chunks=500), x)
    assert np.isnan(got.chunks[0]).all() and len(got.chunks[0]) == 3
    np.testing.assert_array_equal(got.compute(), np.compress(flags, a), strict=True)
    np.testing.assert_array_equal(rsd.compress(flags, a).compute(), np.compress(flags, a), strict=True)


def test_what_is_kept_is_scanned(client):
    a = numbers(1000, "int64")
    x = da.from_array(a, chunks=300)
    got = rsd.cumsum(rsd.compress(x > 0, x))
    np.testing.assert_array_equal(got.compute(), np.cumsum(a[a > 0]), strict=True)


def test_nothing_is_computed_when_the_graph_is_built(monkeypatch):
    computed = []
    for name in ["scan", "compress"]:
        monkeypatch.setattr(rsd.rs, name, lambda *_, **__: computed.append(name))
    x = da.map_blocks(computed.append, chunks=((10, 10),), meta=np.empty(0, np.int32))
    rsd.cumsum(rsd.compress(x > 0, x))
    assert not computed


def test_the_readme_is_right():
    readme = (Path(__file__).parent.parent / "README.md").read_text()
    (block,) = re.findall(r"## Dask\n\n```py\n(.*?)```", readme, re.S)
    exec(block, {"a": np.uint32([3, 1, 7, 0, 4, 1, 6, 3])})


def test_other_elements_and_lengths_are_refused():
    with pytest.raises(TypeError, match="float64"):
        rsd.cumsum(da.ones(3))
    with pytest.raises(ValueError, match="2 flags for 3 elements"):
        rsd.compress([True, False], da.ones(3, dtype="int32"))
    with pytest.raises(IndexError):
        rsd.cumsum(da.ones(3, dtype="int32"), axis=1)
