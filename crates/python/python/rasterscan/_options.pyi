"""The options of each function, for editors and type checkers. The classes are made from the library's own
(`UPDATE_TABLES=1 cargo test --test docs`)."""

from typing import Literal, TypedDict

import numpy as np
import numpy.typing as npt

from ._native import Operator

# numpy's names, its functions, and operators of one's own.
Operation = Operator | np.ufunc | Literal["sum", "prod", "multiply", "minimum", "maximum", "bitwise_and", "bitwise_or", "bitwise_xor"]
# Texts with a grammar, and values that are written as such.
Text = str | int | tuple[float, float] | range

class Common(TypedDict, total=False):
    algorithm: str | None
    dtype: npt.DTypeLike

# <!-- options: scan -->
class ScanOptions(Common, total=False):
    op: Literal["add", "mul", "min", "max", "and", "or", "xor", "affine", "argmin", "argmax"] | Operation | None
    exclusive: bool | None
    order: int | None
    tuple: int | None
    recurrence: Text | None
    channels: bool | None
    rows: int | None
    columns: int | None
    segments: npt.ArrayLike | None
    offsets: npt.ArrayLike | None
    keys: npt.ArrayLike | None
    reverse: bool | None
    seed_value: npt.ArrayLike | None

# <!-- end -->

# <!-- options: compact -->
class CompactOptions(Common, total=False):
    keep: Text | None
    mask: npt.ArrayLike | None
    moves: Literal["values", "indices", "both"] | None

# <!-- end -->

# <!-- options: reduce -->
class ReduceOptions(Common, total=False):
    op: Literal["add", "mul", "min", "max", "and", "or", "xor", "affine", "argmin", "argmax"] | Operation | None
    tuple: int | None
    rows: int | None
    columns: int | None
    segments: npt.ArrayLike | None
    offsets: npt.ArrayLike | None
    keys: npt.ArrayLike | None

# <!-- end -->

# <!-- options: sort -->
class SortOptions(Common, total=False):
    descending: bool | None
    moves: Literal["values", "indices", "both"] | None
    bits: Text | None
    rows: int | None
    segments: npt.ArrayLike | None
    offsets: npt.ArrayLike | None
    payload: npt.ArrayLike | None

# <!-- end -->

# <!-- options: histogram -->
class HistogramOptions(Common, total=False):
    bins: int | None
    range: Text | None

# <!-- end -->
