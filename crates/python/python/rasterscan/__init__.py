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
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

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

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CompactOptions, HistogramOptions, ReduceOptions, ScanOptions, SortOptions

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


class Results(tuple[Array, ...]):
    """Several results of a call: in their order, and by their names, of which it has those that were asked for."""

    values: Array
    indices: Array
    payload: Array
    keys: Array
    lengths: Array

    def __new__(cls, **results: Array) -> Results:
        self = super().__new__(cls, results.values())
        self.__dict__.update(results)
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Array]]:
        return (), self.__dict__

    def __repr__(self) -> str:
        return f"Results({', '.join(f'{name}={found!r}' for name, found in self.__dict__.items())})"


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

    def scan(
        self, a: npt.ArrayLike, *, axis: Optional[int] = None, verify: bool = False, **options: Unpack[ScanOptions]
    ) -> Array:
        """The scan of an array: result i combines items 0 to i, by default to their sum.

        As many numbers as ``a`` has, of its shape along ``axis``, flat without one. Integers wrap.
        """
        op, keywords, items = _operator(options)
        array, parts, shape = _along(a, axis, items, _names("scan"))
        scanned: Array = _one(self.solve("scan", array, {**keywords, **parts, "op": op}, verify), shape)
        return scanned

    def reduce(
        self, a: npt.ArrayLike, *, axis: Optional[int] = None, verify: bool = False, **options: Unpack[ReduceOptions]
    ) -> Any:
        """All items of an array combined, by default to their sum: a number, or without ``axis`` the shape of the others.

        With ``op="argmin"`` or ``"argmax"``, indices and values: ``Results``.
        """
        op, keywords, items = _operator(options)
        array, parts, shape = _along(a, axis, items, _names("reduce"))
        results = self.solve("reduce", array, {**keywords, **parts, "op": op}, verify)
        if "indices" in results and parts:
            results["indices"] = _in_part(results["indices"], array.size, parts)
        whole = not any(options.get(name) is not None for name in ("segments", "offsets", "keys", "tuple"))
        return _one(results, (lambda found: found.reshape(shape.reduced)[()]) if whole else lambda found: found)

    def argmin(self, a: npt.ArrayLike, axis: Optional[int] = None) -> Any:
        """The index of the first smallest number, along ``axis`` if there is one, as uint32; of no numbers 4294967295."""
        return self.reduce(a, axis=axis, op="argmin").indices

    def argmax(self, a: npt.ArrayLike, axis: Optional[int] = None) -> Any:
        """The index of the first largest number, as ``argmin``."""
        return self.reduce(a, axis=axis, op="argmax").indices

    def compact(
        self, a: npt.ArrayLike, condition: Any = None, *, verify: bool = False, **options: Unpack[CompactOptions]
    ) -> Any:
        """The elements that meet a condition, in their order: ``nonzero``, ``">2"`` and so on, or flags as an array.

        With ``moves="indices"`` their indices, with ``"both"`` the two: ``Results``.
        """
        if condition is not None and options.keys() & {"mask", "keep"}:
            raise RequestError("a compaction has one condition: give the second argument, mask or keep")
        flags = condition is not None and not isinstance(condition, str)
        keywords = {"mask": condition} if flags else {"keep": condition}
        array = np.asarray(a).reshape(-1)
        return _one(self.solve("compact", array, {**keywords, **options}, verify))

    def compress(self, condition: npt.ArrayLike, a: npt.ArrayLike, **options: Unpack[CompactOptions]) -> Any:
        """As ``numpy.compress`` without an axis: the elements whose flag is set."""
        return self.compact(a, condition, **options)

    def flatnonzero(self, a: npt.ArrayLike) -> Array:
        """As ``numpy.flatnonzero``: the indices of the elements that are not zero, as uint32."""
        indices: Array = self.compact(a, moves="indices")
        return indices

    def sort(
        self, a: npt.ArrayLike, *, axis: Optional[int] = -1, verify: bool = False, **options: Unpack[SortOptions]
    ) -> Any:
        """A sorted copy of an array, stable. Floats go by IEEE 754's total order: NaN whose sign bit is set comes first, other
        NaN last, and -0.0 before 0.0. With ``moves="both"``, or with a payload, ``Results``."""
        array, parts, shape = _along(a, axis, 1, _names("sort"))
        results = self.solve("sort", array, {**options, **parts}, verify)
        if "indices" in results and parts:
            results["indices"] = _in_part(results["indices"], array.size, parts)
        return _one(results, shape)

    def argsort(
        self, a: npt.ArrayLike, *, axis: Optional[int] = -1, verify: bool = False, **options: Unpack[SortOptions]
    ) -> Array:
        """The indices that sort an array, as uint32; of equal keys the first one comes first. Options are those of ``sort``.

        Unlike in numpy, NaN whose sign bit is set comes first, which on x86 is what 0/0 and sqrt(-1) give, and -0.0 before 0.0.
        """
        keywords: dict[str, Any] = {**options, "moves": "indices"}
        indices: Array = self.sort(a, axis=axis, verify=verify, **keywords)
        return indices

    def unique(self, a: npt.ArrayLike, return_counts: bool = False) -> Any:
        """As ``numpy.unique``: the distinct numbers in ascending order, and with ``return_counts`` how often each is there. Floats
        are equal if their bits are."""
        found = self.run_length(self.sort(a, axis=None))
        return found if return_counts else found.values

    def run_length(self, a: npt.ArrayLike) -> Results:
        """The number of each run of equal ones, and the lengths of the runs: ``values`` and ``lengths``. Floats are equal if their
        bits are."""
        array = np.asarray(a).reshape(-1)
        found = self.reduce(np.ones(array.size, np.uint32), keys=array)
        return Results(values=found.keys, lengths=found.values)

    def repeat(self, a: npt.ArrayLike, repeats: npt.ArrayLike) -> Array:
        """As ``numpy.repeat`` without an axis: each number as often as ``repeats`` says, one number or as many. Undoes ``run_length``.

        Errors: ``NoDevice`` where kernels run.
        """
        return self.expand(np.asarray(a), np.full(np.size(a), repeats) if np.ndim(repeats) == 0 else repeats)

    def histogram(
        self, a: npt.ArrayLike, edges: Any = None, *, verify: bool = False, **options: Unpack[HistogramOptions]
    ) -> Array:
        """The number of items from each edge on, up to the next one, which is excluded, the last one, too.

        A number of bins in place of ``edges``, or ``bins=20, range=(0, 1)``, makes even bins as numpy does: the last one includes
        its end. With neither there are 256 bins, from 0 to 256. An edge between two numbers of the array's dtype is taken as the
        next one, so that each bin has the same numbers. An array of 64-bit integers is counted as one of 32 bits; numbers that do
        not fit are refused.
        """
        array = np.asarray(a).reshape(-1)
        keywords: dict[str, Any] = {"edges": edges, **options}
        if isinstance(edges, (int, np.integer)):
            keywords = {"bins": int(edges), **options}
        if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
            keywords = {"dtype": f"{array.dtype.kind}4", **keywords}
        if keywords.get("edges") is not None:
            wanted = keywords.get("dtype")
            keywords["edges"] = _next_numbers(keywords["edges"], array.dtype if wanted is None else np.dtype(wanted))
        counts: Array = _one(self.solve("histogram", array, keywords, verify))
        return counts

    def segmented_scan(self, a: npt.ArrayLike, **options: Unpack[ScanOptions]) -> Array:
        """The scan of each segment: ``segments`` flags first items, ``offsets`` has their indices, without the length at the end,
        and equal ``keys`` that follow each other are one segment. Other options are those of ``scan``."""
        _check_segmented(options)
        return self.scan(a, **options)

    def segmented_reduce(self, a: npt.ArrayLike, **options: Unpack[ReduceOptions]) -> Any:
        """The reduction of each segment, as ``segmented_scan`` has them; with ``keys`` a pair of values and keys."""
        _check_segmented(options)
        return self.reduce(a, **options)

    def segmented_sort(self, a: npt.ArrayLike, **options: Unpack[SortOptions]) -> Any:
        """The sort of each segment, by ``segments`` or ``offsets``."""
        _check_segmented(options)
        return self.sort(a, axis=None, **options)

    def record(self, job: str, a: Optional[npt.ArrayLike] = None, **options: Any) -> Recording:
        """A recording of a job of at most 65,536 items: every texture after every pass.

        ``rs.record("scan values:3,1,7 -a hybrid")``, as the program has it, or ``rs.record("scan", a, algorithm="hybrid")``.
        """
        if a is None and not options:
            return self.record_job(shlex.split(job))
        op, keywords, _ = _operator(options)
        return self.record_array(job, np.asarray(a), {**keywords, "op": op} if op is not None else keywords)

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


def _operator(options: Mapping[str, Any]) -> tuple[Any, dict[str, Any], int]:
    """The operator by the library's name, the other options, and the numbers in an item."""
    others = dict(options)
    op = others.pop("op", None)
    op = op.__name__ if isinstance(op, np.ufunc) else op
    op = _NUMPY.get(op, op) if isinstance(op, str) else op
    return op, others, _native.arity(op)


def _check_segmented(options: Mapping[str, Any]) -> None:
    if all(options.get(name) is None for name in ("segments", "offsets", "keys")):
        raise RequestError("a segmented call needs segments, offsets or keys")


def _next_numbers(edges: Any, dtype: np.dtype[Any]) -> Any:
    """Edges of floats as the least numbers of a dtype that are not less: as many numbers lie before each."""
    if isinstance(edges, str) or (found := np.asarray(edges)).dtype.kind != "f":
        return edges
    if dtype.kind in "biu":
        up = np.ceil(found)
        return up.astype(np.int64) if (np.abs(up) < 2.0**63).all() else found
    with np.errstate(over="ignore"):
        nearest = found.astype(np.float32)
    return np.where(nearest < found, np.nextafter(nearest, np.float32(np.inf)), nearest)


_SEGMENTED = ("segmented_scan", "segmented_reduce", "segmented_sort")


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
    return Results(**shaped)


def algorithms(problem: str) -> dict[str, str]:
    """The algorithms of ``scan``, ``compact``, ``reduce``, ``sort`` or ``histogram``: each with a sentence, and its parameters with
    their defaults, as ``algorithm="hybrid:reduce=9"`` sets them."""
    return dict(_native.algorithms(problem))


def _describe() -> None:
    """Adds the library's options to the texts and signatures of the functions that take them."""
    for name in ("scan", "reduce", "compact", "sort", "histogram", "argsort", *_SEGMENTED):
        problem = "sort" if name == "argsort" else name.split("_")[-1]
        method = getattr(Gpu, name)
        names = ", ".join(known for known, _ in _native.algorithms(problem))
        options = [
            *_native.options(problem),
            ("algorithm", "auto", f"{names}, with parameters after a colon; rs.algorithms({problem!r}) describes them"),
            ("dtype", "", "uint32, int32, float32, uint64 or int64, exactly; that of the array without it"),
        ]
        if name == problem:
            lines = [
                f"    {option}{f' [default: {default}]' if default else ''}: {errors.in_python(about)}"
                for option, default, about in options
            ]
            method.__doc__ = "\n".join([inspect.cleandoc(method.__doc__), "", "Options:", *lines])
        signature = inspect.signature(method)
        own = [own for own in signature.parameters.values() if own.kind != inspect.Parameter.VAR_KEYWORD]
        values = [(option, int(default) if default.isdigit() else default or None) for option, default, _ in options]
        more = [
            inspect.Parameter(option, inspect.Parameter.KEYWORD_ONLY, default=value)
            for option, value in values
            if option not in signature.parameters
        ]
        method.__signature__ = signature.replace(parameters=[*own, *more])


_describe()
atexit.register(_native.close)
_default = _Unopened()
scan = _default.scan
reduce = _default.reduce
argmin = _default.argmin
argmax = _default.argmax
compact = _default.compact
compress = _default.compress
flatnonzero = _default.flatnonzero
sort = _default.sort
argsort = _default.argsort
unique = _default.unique
run_length = _default.run_length
repeat = _default.repeat
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
    "Results",
    "ShaderError",
    "Stream",
    "Unsupported",
    "WrongResult",
    "WrongThread",
    "algorithms",
    "argmax",
    "argmin",
    "argsort",
    "compact",
    "compare",
    "compress",
    "errors",
    "flatnonzero",
    "histogram",
    "record",
    "reduce",
    "repeat",
    "run_length",
    "scan",
    "segmented_reduce",
    "segmented_scan",
    "segmented_sort",
    "selftest",
    "sort",
    "unique",
    "__version__",
]
