"""Checks of what callers give, before the library sees it."""

from __future__ import annotations

import operator
from typing import Any, Iterable, Optional, Tuple

import numpy as np

from .errors import UsageError

Pairs = "list[tuple[str, str, float]]"


def whole(name: str, value: Any, least: int = 0) -> int:
    """A whole number from ``least`` up."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: a whole number is wanted, not {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: a whole number is wanted, not {value!r}") from None
    if not least <= number < 2**63:
        raise UsageError(f"{name}: a number from {least} up is wanted, not {number}")
    return number


def real(name: str, value: Any) -> float:
    """A number that is not NaN."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name}: a number is wanted, not {value!r}")
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: a number is wanted, not {value!r}") from None
    if number != number:
        raise UsageError(f"{name}: a number is wanted, not NaN")
    return number


def text(name: str, value: Any) -> str:
    """A str."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: a str is wanted, not {type(value).__name__}")
    return value


def words_of(name: str, values: Any) -> "list[str]":
    """A list of str from anything that can be gone through."""
    if isinstance(values, (str, bytes)):
        raise TypeError(f"{name}: a list of words is wanted, not one {type(values).__name__}")
    words = list(values)
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"{name}: words are str, not {type(word).__name__}")
    # Subclasses of str, such as NumPy's, are strings as well.
    return [str(word) for word in words]


def float_rows(name: str, values: Any) -> "np.ndarray[Any, np.dtype[np.float32]]":
    """Rows and columns of float32 without gaps: the array itself where it is one, else a converted copy."""
    array = np.asarray(values)
    if not (np.issubdtype(array.dtype, np.floating) or np.issubdtype(array.dtype, np.integer)):
        raise TypeError(f"{name}: an array of numbers is wanted, not of {array.dtype}")
    if array.ndim != 2:
        raise UsageError(f"{name}: an array with rows and columns is wanted, not one of {array.ndim} dimensions")
    with np.errstate(over="ignore"):  # what is too large for float32 is found as not finite
        return np.require(array, dtype=np.float32, requirements=["C", "A"])


def written_pairs(name: str, values: Any) -> "list[tuple[str, str, float]]":
    """Pairs of words, with a weight where there is a third: from a list of tuples, a dict or a pandas frame."""
    if hasattr(values, "itertuples"):  # a frame: its first two or three columns
        values = values.itertuples(index=False, name=None)
    elif hasattr(values, "items"):
        values = values.items()
    pairs = []
    for row in values:
        row = tuple(row) if not isinstance(row, (str, bytes)) else (row,)
        if len(row) not in (2, 3) or not isinstance(row[0], str) or not isinstance(row[1], str):
            raise TypeError(f"{name}: pairs (source, target) or (source, target, weight) are wanted, not {row!r}")
        pairs.append((str(row[0]), str(row[1]), real("the weight of a pair", row[2]) if len(row) == 3 else 1.0))
    return pairs


def is_path(value: Any) -> bool:
    """Whether it names a file."""
    return isinstance(value, (str, bytes)) or hasattr(value, "__fspath__")


def paths_of(name: str, values: Any) -> "list[Any]":
    """One path or several."""
    paths = [values] if is_path(values) else list(values)
    for path in paths:
        if not is_path(path):
            raise TypeError(f"{name}: a path is wanted, not {type(path).__name__}")
    if not paths:
        raise UsageError(f"{name}: a file is wanted")
    return paths


def path_of(name: str, value: Any) -> Any:
    """A path."""
    if not is_path(value):
        raise TypeError(f"{name}: a path is wanted, not {type(value).__name__}")
    return value


def optional_path(name: str, value: Any) -> Optional[Any]:
    """A path or None."""
    return None if value is None else path_of(name, value)


def rank_range(ranks: Optional[Iterable[int]]) -> Tuple[int, int]:
    """The words of frequency ranks (first, last), counted from 1 and both included, as [first, last) from 0."""
    if ranks is None:
        return 0, 0
    first, last = (whole("ranks", rank, 1) for rank in ranks)
    if first > last:
        raise UsageError(f"ranks: there are no words from rank {first} up to rank {last}")
    return first - 1, last
