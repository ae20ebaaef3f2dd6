"""Scans and compactions of dask arrays. Each block is computed by rasterscan, in the worker that has it.

Nothing is computed before the result is. A worker opens a ``Gpu`` of its own: RASTERSCAN_DEVICE chooses its device.
"""

from __future__ import annotations

from typing import Any, Optional

import dask.array
import numpy as np

import rasterscan as rs

#: Not all of its functions have types.
da: Any = dask.array


def cumsum(x: Any, axis: Optional[int] = None) -> Any:
    """As ``numpy.cumsum``, the dtype of the sums included: of the flat array without an axis. Chunks stay as they are.

    Errors: ``TypeError`` for elements other than integers, bool and float32.
    """
    x, axis = (_taken(x).ravel(), 0) if axis is None else (_taken(x), range(np.ndim(x))[axis])
    sums = np.cumsum(np.empty(0, x.dtype)).dtype
    last = (slice(None),) * axis + (slice(-1, None),)
    one_each = tuple((1,) * len(chunks) if i == axis else chunks for i, chunks in enumerate(x.chunks))

    scanned = _blocks(lambda block: rs.scan(block.astype(sums), axis=axis), x.chunks, sums, x)
    # The last sums of each block, or 0 of an empty one; in one chunk, to add up those before; in a chunk each again.
    totals = _blocks(lambda block: block[last].sum(axis, sums, keepdims=True), one_each, sums, scanned)
    totals = totals.rechunk({axis: -1})
    carries = _blocks(lambda block: block.cumsum(axis, sums) - block, totals.chunks, sums, totals)
    return _blocks(np.add, x.chunks, sums, scanned, carries.rechunk({axis: 1}))


def compress(condition: Any, x: Any) -> Any:
    """As ``numpy.compress`` without an axis: the elements whose flag is set. How many a chunk keeps is not known before.

    Errors: as ``cumsum``; ``ValueError`` if there are not as many flags as elements.
    """
    x, flags = _taken(x).ravel(), da.asarray(condition).ravel()
    if not np.isnan(x.shape + flags.shape).any():
        if flags.shape != x.shape:
            raise ValueError(f"{flags.size} flags for {x.size} elements")
        flags = flags.rechunk(x.chunks)

    def keep(block: Any, flags: Any) -> Any:
        # What comes from another worker may lie anywhere.
        return rs.compress(flags.astype(bool), np.require(block, requirements="A")).astype(block.dtype)

    return _blocks(keep, ((np.nan,) * x.numblocks[0],), x.dtype, x, flags)


def _taken(x: Any) -> Any:
    x = da.asarray(x)
    if x.dtype.kind not in "biu" and x.dtype != np.float32:
        raise TypeError(f"elements are integers, bool or float32, not {x.dtype}")
    return x


def _blocks(function: Any, chunks: Any, dtype: Any, *arrays: Any) -> Any:
    """Applies a function to each block. Dask, told the ``meta``, does not try it on an empty one now."""
    return da.map_blocks(function, *arrays, chunks=chunks, meta=np.empty((0,) * len(chunks), dtype))
