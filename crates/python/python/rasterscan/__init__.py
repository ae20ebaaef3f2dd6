"""Scans, compactions, reductions, sorts and histograms of numpy arrays on the GPU.

>>> import rasterscan as rs
>>> rs.scan([3, 1, 7, 0, 4, 1, 6, 3])
array([ 3,  4, 11, 11, 15, 16, 22, 25])

The functions of this module run on one ``Gpu``, which the first call opens. ``Gpu()`` opens another, on a device of your
choice, and has the same functions. Without a driver, kernels in Rust run.
"""

from __future__ import annotations

import atexit
import functools
import inspect
import json
import math
import shlex
from collections import namedtuple
from typing import Any, Callable, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _native, errors
from ._native import Operator, Prepared, Recording, Stream, __version__
from .errors import (
    ContextError,
    ContextLost,
    Error,
    NoDevice,
    NoDriverWarning,
    OutOfMemory,
    RequestError,
    ShaderError,
    Unsupported,
    WrongResult,
    WrongThread,
)

Array = npt.NDArray[Any]

#: numpy's names of operators, and the library's.
_NUMPY = {
    "sum": "add",
    "prod": "mul",
    "multiply": "mul",
    "minimum": "min",
    "maximum": "max",
    "bitwise_and": "and",
    "bitwise_or": "or",
    "bitwise_xor": "xor",
}


class Gpu(_native.Gpu):
    """An OpenGL context without a window, or kernels in Rust.

    ``device`` is ``auto``, ``hardware``, ``software``, a number, or ``cpu``, which needs no driver. ``api`` is ``gl`` or
    ``gles``, with a version nothing newer is used: ``gles3.0`` runs as a browser does. Without either, the variables
    RASTERSCAN_DEVICE and RASTERSCAN_API count; if they are not set, and there is no driver, kernels run, with a warning.

    A thread of its own has the context. Any thread may call, and the GIL is released meanwhile.
    """

    def __init__(self, device: Optional[str] = None, api: Optional[str] = None) -> None:
        self.engine

    def __repr__(self) -> str:
        return f"<rasterscan.Gpu: {self.renderer}>"

    @classmethod
    def current(cls) -> Gpu:
        """A ``Gpu`` in the context that is current on this thread: moderngl's, or another's.

        It restores the state that it changes. Only this thread may call it, while that context is current; the GIL is
        held.

        Errors: ``ContextError`` if no context is current; later ``WrongThread`` on another thread.
        """
        return _Unopened.adopt()

    def scan(self, a: npt.ArrayLike, *, axis: Optional[int] = None, verify: bool = False, **options: Any) -> Any:
        """The scan of an array: result i combines items 0 to i, by default to their sum.

        As many numbers as ``a`` has, of its shape along ``axis``, flat without one. Integers wrap.
        """
        op, options, items = _operator(options)
        array, parts, shape = _along(a, axis, items, _names("scan"))
        results = self.solve("scan", array, {**options, **parts, "op": op}, verify)
        return _one(results, shape)

    def reduce(self, a: npt.ArrayLike, *, axis: Optional[int] = None, verify: bool = False, **options: Any) -> Any:
        """All items of an array combined, by default to their sum: a number, or without ``axis`` the shape of the others.

        With ``op="argmin"`` or ``"argmax"``, indices and values.
        """
        op, options, items = _operator(options)
        array, parts, shape = _along(a, axis, items, _names("reduce"))
        results = self.solve("reduce", array, {**options, **parts, "op": op}, verify)
        if "indices" in results and parts:
            results["indices"] = _in_part(results["indices"], array.size, parts)
        whole = not any(options.get(name) is not None for name in ("segments", "offsets", "keys", "tuple"))
        return _one(results, (lambda found: found.reshape(shape.reduced)[()]) if whole else lambda found: found)

    def compact(self, a: npt.ArrayLike, condition: Any = None, *, verify: bool = False, **options: Any) -> Any:
        """The elements that meet a condition, in their order: ``nonzero``, ``">2"`` and so on, or flags as an array.

        With ``moves="indices"`` their indices, with ``"both"`` the two.
        """
        if condition is not None and options.keys() & {"mask", "keep"}:
            raise RequestError("a compaction has one condition: give the second argument, mask or keep")
        flags = condition is not None and not isinstance(condition, str)
        keywords = {"mask": condition} if flags else {"keep": condition}
        array = np.asarray(a).reshape(-1)
        return _one(self.solve("compact", array, {**keywords, **options}, verify))

    def compress(self, condition: npt.ArrayLike, a: npt.ArrayLike, **options: Any) -> Any:
        """As ``numpy.compress`` without an axis: the elements whose flag is set."""
        return self.compact(a, condition, **options)

    def sort(self, a: npt.ArrayLike, *, axis: Optional[int] = -1, verify: bool = False, **options: Any) -> Any:
        """A sorted copy of an array, stable. Floats go by IEEE 754's total order: NaN whose sign bit is set comes first, other
        NaN last, and -0.0 before 0.0."""
        array, parts, shape = _along(a, axis, 1, _names("sort"))
        results = self.solve("sort", array, {**options, **parts}, verify)
        if "indices" in results and parts:
            results["indices"] = _in_part(results["indices"], array.size, parts)
        return _one(results, shape)

    def argsort(self, a: npt.ArrayLike, *, axis: Optional[int] = -1, verify: bool = False, **options: Any) -> Any:
        """The indices that sort an array, as uint32; of equal keys the first one comes first. Options are those of ``sort``.

        Unlike in numpy, NaN whose sign bit is set comes first, which on x86 is what 0/0 and sqrt(-1) give, and -0.0 before 0.0.
        """
        return self.sort(a, axis=axis, verify=verify, moves="indices", **options)

    def histogram(self, a: npt.ArrayLike, edges: Any = None, *, verify: bool = False, **options: Any) -> Array:
        """The number of items from each edge on, up to the next one, which is excluded, the last one, too.

        A number of bins in place of ``edges``, or ``bins=20, range=(0, 1)``, makes even bins as numpy does: the last one includes
        its end. With neither there are 256 bins, from 0 to 256. Edges are rounded to the array's dtype. An array of 64-bit
        integers is counted as one of 32 bits; numbers that do not fit are refused.
        """
        array = np.asarray(a).reshape(-1)
        if isinstance(edges, (int, np.integer)):
            edges, options = None, {"bins": int(edges), **options}
        if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
            options = {"dtype": f"{array.dtype.kind}4", **options}
        counts: Array = _one(self.solve("histogram", array, {"edges": edges, **options}, verify))
        return counts

    def segmented_scan(self, a: npt.ArrayLike, **options: Any) -> Any:
        """The scan of each segment: ``segments`` flags first items, ``offsets`` has their indices, without the length at the end,
        and equal ``keys`` that follow each other are one segment. Other options are those of ``scan``."""
        return self.scan(a, **_segmented(options))

    def segmented_reduce(self, a: npt.ArrayLike, **options: Any) -> Any:
        """The reduction of each segment, as ``segmented_scan`` has them; with ``keys`` a pair of values and keys."""
        return self.reduce(a, **_segmented(options))

    def segmented_sort(self, a: npt.ArrayLike, **options: Any) -> Any:
        """The sort of each segment, by ``segments`` or ``offsets``."""
        return self.sort(a, axis=None, **_segmented(options))

    def record(self, job: str, a: Optional[npt.ArrayLike] = None, **options: Any) -> Recording:
        """A recording of a job of at most 65,536 items: every texture after every pass.

        ``rs.record("scan values:3,1,7 -a hybrid")``, as the program has it, or ``rs.record("scan", a, algorithm="hybrid")``.
        """
        if a is None and not options:
            return self.record_job(shlex.split(job))
        op, options, _ = _operator(options)
        keywords = {**options, "op": op} if op is not None else options
        return self.record_array(job, np.asarray(a), keywords)

    def compare(
        self,
        problem: str = "scan",
        *,
        sizes: Union[int, list[int], tuple[int, ...]] = 1 << 20,
        dtype: Optional[npt.DTypeLike] = None,
        algorithms: Optional[list[str]] = None,
        seconds: float = 10.0,
    ) -> list[dict[str, Any]]:
        """The times of algorithms on random numbers, each verified first; ``ms`` is a median. ``seconds`` is for all sizes.

        A row for each that runs here; those that cannot are left out.
        """
        lengths = [sizes] if isinstance(sizes, int) else list(sizes)
        rows: list[dict[str, Any]] = []
        for length in lengths:
            measured = json.loads(self.measure(problem, length, dtype, algorithms, seconds / len(lengths)))
            rows += measured["rows"]
        return rows

    def selftest(self, seconds: float = 10.0) -> dict[str, Any]:
        """The report of as many cases of conformance as fit into this time; ``wrong`` is empty if all are right."""
        report: dict[str, Any] = json.loads(self.check(seconds)[0])
        return report


class _Unopened(Gpu):
    """Opened by its first call, or in a context that is there already."""

    def __init__(self) -> None:
        pass


def _operator(options: dict[str, Any]) -> tuple[Any, dict[str, Any], int]:
    """The operator by the library's name, the other options, and the numbers in an item."""
    options = dict(options)
    op = options.pop("op", None)
    op = op.__name__ if isinstance(op, np.ufunc) else op
    op = _NUMPY.get(op, op) if isinstance(op, str) else op
    return op, options, _native.arity(op)


def _segmented(options: dict[str, Any]) -> dict[str, Any]:
    if all(options.get(name) is None for name in ("segments", "offsets", "keys")):
        raise RequestError("a segmented call needs segments, offsets or keys")
    return options


@functools.lru_cache(maxsize=None)
def _names(problem: str) -> frozenset[str]:
    return frozenset(name for name, _, _ in _native.options(problem))


class _Shape:
    """How flat results become an array again."""

    def __init__(self, moved: tuple[int, ...], axis: int, reduced: tuple[int, ...]) -> None:
        self.moved, self.axis, self.reduced = moved, axis, reduced

    def __call__(self, found: Array) -> Array:
        return np.moveaxis(found.reshape(self.moved), -1, self.axis) if self.axis >= 0 else found.reshape(self.moved)


def _along(
    a: npt.ArrayLike, axis: Optional[int], items: int, names: frozenset[str]
) -> tuple[Array, dict[str, int], _Shape]:
    """The flat array, the option for its rows or columns, and the shape of results. Of items of several numbers the last
    axis is that of an item, if the array has one for it."""
    array = np.asarray(a)
    inner = array.shape[array.ndim - 1 :] if items > 1 and array.ndim > 1 else ()
    outer = array.shape[: array.ndim - len(inner)]
    if axis is None:
        return array.reshape(-1), {}, _Shape((-1, *inner), -1, inner or ((items,) if items > 1 else ()))
    if not -len(outer) <= axis < len(outer):
        raise RequestError(f"axis {axis} is out of bounds for an array of {len(outer)} dimensions")
    axis %= len(outer)
    reduced = outer[:axis] + outer[axis + 1 :] + inner
    if len(outer) == 1:
        return array.reshape(-1), {}, _Shape(array.shape, -1, reduced)
    if axis == 0 and "columns" in names:
        return array.reshape(-1), {"columns": math.prod(outer[1:])}, _Shape(array.shape, -1, reduced)
    moved = array if axis == len(outer) - 1 else np.moveaxis(array, axis, len(outer) - 1)
    place = -1 if axis == len(outer) - 1 else axis
    return moved.reshape(-1), {"rows": outer[axis]}, _Shape(moved.shape, place, reduced)


def _in_part(indices: Array, size: int, parts: dict[str, int]) -> Array:
    """Indices in the whole stream as those in their row or column, as numpy counts them."""
    if "rows" in parts:
        return indices % np.uint32(parts["rows"])
    return indices // np.uint32(parts["columns"])


def _one(results: dict[str, Array], shape: Callable[[Array], Any] = lambda found: found) -> Any:
    """The only result, or several by their names."""
    shaped = {name: shape(found) for name, found in results.items()}
    if len(shaped) == 1:
        return next(iter(shaped.values()))
    return namedtuple("Results", list(shaped))(**shaped)


def _describe() -> None:
    """Adds the library's options to the texts of the functions that take them."""
    for name in ("scan", "reduce", "compact", "sort", "histogram"):
        method = getattr(Gpu, name)
        lines = [
            f"    {option}{f' [default: {default}]' if default else ''}: {about}"
            for option, default, about in _native.options(name)
        ]
        algorithm = "    algorithm: one of `rasterscan list`, with its parameters: hybrid:reduce=9 [default: auto]"
        dtype = "    dtype: uint32, int32, float32, uint64 or int64, exactly [default: that of the array]"
        method.__doc__ = "\n".join([inspect.cleandoc(method.__doc__), "", "Options:", *lines, algorithm, dtype])


_describe()
atexit.register(_native.close)
_default = _Unopened()
scan = _default.scan
reduce = _default.reduce
compact = _default.compact
compress = _default.compress
sort = _default.sort
argsort = _default.argsort
histogram = _default.histogram
segmented_scan = _default.segmented_scan
segmented_reduce = _default.segmented_reduce
segmented_sort = _default.segmented_sort
record = _default.record
compare = _default.compare
selftest = _default.selftest

__all__ = [
    "ContextError",
    "ContextLost",
    "Error",
    "Gpu",
    "NoDevice",
    "NoDriverWarning",
    "Operator",
    "OutOfMemory",
    "Prepared",
    "Recording",
    "RequestError",
    "ShaderError",
    "Stream",
    "Unsupported",
    "WrongResult",
    "WrongThread",
    "argsort",
    "compact",
    "compare",
    "compress",
    "errors",
    "histogram",
    "record",
    "reduce",
    "scan",
    "segmented_reduce",
    "segmented_scan",
    "segmented_sort",
    "selftest",
    "sort",
    "__version__",
]
