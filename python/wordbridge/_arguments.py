"""Checks of what callers give, before the library sees it."""

from __future__ import annotations

import difflib
import operator
from typing import Any, Iterable, Optional, Sequence, Tuple

import numpy as np

from .errors import UsageError

def one_of(what: str, value: str, known: "Sequence[str]") -> str:
    """A name that is known; UsageError, with the nearest one, for any other."""
    if value in known:
        return value
    raise UsageError(f"{what} '{value}' is none of {', '.join(known)}{nearest(value, known)}")


def nearest(name: str, known: "Iterable[str]") -> str:
    """The end of a message about a slip of the pen; empty where no name is near.

    >>> nearest("lerning_rate", ["learning_rate", "epochs"])
    '; did you mean learning_rate?'
    """
    near = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]}?" if near else ""


def whole(name: str, value: Any, least: int = 0) -> int:
    """A whole number from ``least`` up."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    if number < least:
        raise UsageError(f"{name} must be {least} or more, not {number}")
    if number >= 2**63:
        raise UsageError(f"{name}: {number} is too large")
    return number


def real(name: str, value: Any) -> float:
    """A number that is not NaN."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name} must be a number, not {value!r}")
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {value!r}") from None
    if number != number:
        raise UsageError(f"{name} must be a number, not NaN")
    return number


def text(name: str, value: Any) -> str:
    """A str."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, not {type(value).__name__}")
    return value


def listed(name: str, values: Any, of: str) -> "list[Any]":
    """All that can be gone through, as a list."""
    try:
        return list(values)
    except TypeError:
        raise TypeError(f"{name} must be {of}, not {type(values).__name__}") from None


def words_of(name: str, values: Any) -> "list[str]":
    """A list of str from anything that can be gone through."""
    if isinstance(values, (str, bytes)):
        raise TypeError(f"{name} must be a list of words, not one {type(values).__name__}")
    words = listed(name, values, "words")
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"{name}: words are str, not {type(word).__name__}")
    # Subclasses of str, such as NumPy's, are strings as well.
    return [str(word) for word in words]


def numbers(name: str, values: Any) -> "np.ndarray[Any, Any]":
    """An array of numbers of any type and shape. What is masked or sparse would change its meaning without a word."""
    if isinstance(values, np.ma.MaskedArray):
        masked = int(np.asarray(np.ma.getmaskarray(values)).sum())  # type: ignore[no-untyped-call]
        if masked:
            raise UsageError(f"{name} is a masked array with {masked} masked values: fill them, or drop their rows")
        values = values.data
    if hasattr(values, "tocsr"):
        raise TypeError(f"{name} is a sparse matrix; a dense array is needed: {name}.toarray() makes one")
    array = np.asarray(values)
    if array.dtype == object and array.ndim and not any(value is None for value in array.flat):
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError):
            # scikit-learn's checks look for these words.
            raise TypeError(f"{name} must be numbers, but there are others among them: each argument must be a string "
                            f"that reads as a number, or a number, not {_first_odd(array)!r}") from None
    if not (np.issubdtype(array.dtype, np.floating) or np.issubdtype(array.dtype, np.integer)):
        raise TypeError(f"{name} must be an array of numbers, not of {array.dtype}")
    return array


def _first_odd(values: "np.ndarray[Any, Any]") -> Any:
    """The first of some objects that is no number."""
    for value in values.flat:
        try:
            float(value)
        except (TypeError, ValueError):
            return value if isinstance(value, (str, bytes)) else type(value).__name__
    return "a list among numbers"


def float_rows(name: str, values: Any) -> "np.ndarray[Any, np.dtype[np.float32]]":
    """Rows and columns of float32 without gaps: the array itself where it is one, else a converted copy."""
    array = numbers(name, values)
    if array.ndim != 2:
        raise UsageError(f"{name} must be an array with rows and columns, not of {array.ndim} dimensions")
    with np.errstate(over="ignore"):  # what is too large for float32 is found as not finite
        return np.require(array, dtype=np.float32, requirements=["C", "A"])


def written_pairs(name: str, values: Any) -> "list[tuple[str, str, float]]":
    """Pairs of words, with a weight where there is a third: from a list of tuples, a dict (to a word or to several) or a
    pandas frame."""
    if hasattr(values, "itertuples"):  # a frame: its first two or three columns
        values = values.itertuples(index=False, name=None)
    elif hasattr(values, "items"):
        values = [(word, one) for word, found in values.items()
                  for one in (found if isinstance(found, (list, tuple, set, frozenset)) else [found])]
    pairs = []
    for row in listed(name, values, "a file, a list of pairs, a dict or a frame"):
        row = tuple(row) if isinstance(row, (tuple, list, np.ndarray)) else (row,)
        if len(row) not in (2, 3) or not isinstance(row[0], str) or not isinstance(row[1], str):
            raise TypeError(f"{name}: pairs are (source, target) or (source, target, weight) with words that are str, "
                            f"not {row[0] if len(row) == 1 else row!r}")
        pairs.append((str(row[0]), str(row[1]), real("the weight of a pair", row[2]) if len(row) == 3 else 1.0))
    return pairs


def row_pairs(name: str, values: Any) -> "list[tuple[int, int]]":
    """Pairs of row numbers."""
    pairs = []
    for pair in listed(name, values, "pairs of row numbers"):
        both = listed(name, pair, "pairs of row numbers")
        if len(both) != 2:
            raise UsageError(f"{name} must be pairs of row numbers, not {len(both)} of them")
        pairs.append((whole(name, both[0]), whole(name, both[1])))
    return pairs


def is_path(value: Any) -> bool:
    """Whether it names a file."""
    return isinstance(value, (str, bytes)) or hasattr(value, "__fspath__")


def paths_of(name: str, values: Any) -> "list[Any]":
    """One path or several."""
    paths = [values] if is_path(values) else listed(name, values, "a path, or several")
    for path in paths:
        path_of(name, path)
    if not paths:
        raise UsageError(f"{name}: there is no file in the list")
    return paths


def path_of(name: str, value: Any) -> Any:
    """A path."""
    if not is_path(value):
        raise TypeError(f"{name} must be a path, not {type(value).__name__}")
    return value


def optional_path(name: str, value: Any) -> Optional[Any]:
    """A path or None."""
    return None if value is None else path_of(name, value)


def table_reading(vocabulary: Any, ids: Any, format: Any) -> Tuple[Optional[Any], Optional[Any], str]:
    """What a table of numbers does not say of itself."""
    return (optional_path("vocabulary", vocabulary), optional_path("ids", ids),
            "" if format is None else text("format", format))


def rank_range(ranks: Optional[Iterable[int]]) -> Tuple[int, int]:
    """The words of frequency ranks (first, last), counted from 1 and both included, as [first, last) from 0."""
    if ranks is None:
        return 0, 0
    both = listed("ranks", ranks, "a pair (first, last)")
    if len(both) != 2:
        raise UsageError(f"ranks must be a pair (first, last), not {len(both)} numbers")
    first, last = (whole("ranks", rank, 1) for rank in both)
    if first > last:
        raise UsageError(f"ranks: there are no words from rank {first} up to rank {last}")
    return first - 1, last
