"""Alignment with the conventions of scikit-learn, for rows that belong together: row i of X to row i of y.

scikit-learn itself is not needed. The estimators, with their settings, are in :mod:`wordbridge.by_method`.
"""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any, Optional, TypeVar

import numpy as np

from . import _core
from ._arguments import nearest, numbers
from .alignment import learned, methods
from .errors import Error, UsageError
from .lexicon import Lexicon
from .mapping import Mapping
from .vectors import WordVectors

if TYPE_CHECKING:
    Rows = Any  # np.ndarray, whose operators mypy takes for Any

__all__ = ["NotFittedError", "RowAligner"]

Self = TypeVar("Self", bound="RowAligner")


class NotFittedError(Error, ValueError, AttributeError):
    """fit() comes first."""


#: Methods that minimize a squared error: over arrays they take rows as they are, and learn an intercept.
_OF_SQUARED_ERROR = ("procrustes", "least-squares")
#: Settings that are none of the library's options.
_OWN = ("method", "normalize", "fit_intercept", "into", "unit", "threads", "seed")
_TINY = 1e-30  # of a float32: nothing beside any number that means something


class RowAligner:
    """What all estimators share: ``fit(X, y)`` learns the map by which rows of X come near to the rows of y.

    ``transform(X)`` gives rows that are comparable with y as it is (``into="target"``), or rows in the space that both
    sides share (``into="common"``), where VecMap's and Smith's methods move y, too. ``transform_target(y)`` gives the
    other side of the same comparison; ``predict(X)`` is always in the coordinates of y. Rows keep their scale: a row
    twice as long comes out twice as long, unless ``unit=True`` brings all to length 1.

    After fit(): ``mapping_`` (the :class:`Mapping`, learned from centered rows where there is an intercept),
    ``n_features_in_``, and where the map is affine ``coef_`` and ``intercept_``, as scikit-learn's linear models have
    them.
    """

    method: str
    normalize: Optional[str]
    fit_intercept: Optional[bool] = None
    into: str
    unit: bool
    threads: int
    seed: int

    def _take(self, settings: "dict[str, Any]") -> None:
        for name, value in settings.items():
            if name not in ("self", "__class__"):
                setattr(self, name, value)

    @classmethod
    def _names(cls) -> "list[str]":
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> "dict[str, Any]":
        """All settings by name."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self: Self, **settings: Any) -> Self:
        """Changes some settings; ValueError for an unknown one."""
        for name, value in settings.items():
            if name not in self._names():
                raise UsageError(f"{type(self).__name__} has no setting '{name}'{nearest(name, self._names())}")
            setattr(self, name, value)
        return self

    def fit(self: Self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learns the map by which rows of X come near to the rows of y. ``sample_weight`` is what each pair of rows
        counts for; a pair of weight 0 takes no part in anything."""
        self._check_settings()
        if y is None:
            raise UsageError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        x, z = _table("X", X), _target_table(y)
        if len(x) != len(z):
            raise UsageError(f"X and y have {len(x)} and {len(z)} rows: each row of X belongs to one of y")
        weights = _weights(sample_weight, len(x))
        self._flat = np.asarray(y).ndim == 1  # then predict() is, too
        names = _column_names(X)
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.n_features_in_ = x.shape[1]
        kept = weights > 0
        self._learn(x[kept], z[kept], weights[kept])
        return self

    def _check_settings(self) -> None:
        info = methods().get(self.method)
        if info is None:
            raise UsageError(f"method: '{self.method}' is none of {', '.join(methods())}"
                             f"{nearest(str(self.method), methods())}")
        if not info.needs_lexicon:
            raise UsageError(f"method={self.method} learns without pairs: wordbridge.align() takes it")
        if self.into not in ("target", "common"):
            raise UsageError(f"into must be 'target' or 'common', not {self.into!r}")

    def _normalization(self) -> str:
        if self.normalize is not None:
            return str(self.normalize)
        return "none" if self.method in _OF_SQUARED_ERROR else methods()[self.method].normalization

    def _learn(self, x: "Rows", y: "Rows", weights: "Rows") -> None:
        squared = self.method in _OF_SQUARED_ERROR and self._normalization() == "none"
        centered = squared if self.fit_intercept is None else bool(self.fit_intercept) and squared
        if len(x) < 2 and (centered or "center" in self._normalization()):
            raise UsageError(f"1 sample is not enough: its mean is subtracted, and nothing is left (n_samples={len(x)})")
        for name, rows in (("X", x), ("y", y)):
            if rows.shape[1] == 1 and "center" in self._normalization() and "unit" in self._normalization():
                raise UsageError(f"{name} has 1 feature(s): normalize={self._normalization()} leaves nothing but signs "
                                 "of one; two are needed")
        shares = weights / weights.sum()
        self._x_mean = shares @ x if centered else np.zeros(x.shape[1])
        self._y_mean = shares @ y if centered else np.zeros(y.shape[1])
        x, y = x - self._x_mean, y - self._y_mean
        self._spread = _size(x - x.mean(axis=0)), _size(y - y.mean(axis=0))
        if self.method == "least-squares":
            # A pair with a zero row would be left out, though an error of y = 0 is an error like any other.
            y[~y.any(axis=1), 0] = _TINY
        # Rows are no words: names that no two of them share, so that nothing is learned from how they are written.
        source = WordVectors([f"x{i}" for i in range(len(x))], x, threads=self.threads)
        target = WordVectors([f"y{i}" for i in range(len(y))], y, threads=self.threads)
        pairs = [(f"x{i}", f"y{i}", float(weight)) for i, weight in enumerate(weights)]
        how = _core.LexiconSettings("", False, False, False, False)
        lexicon = Lexicon(_core.look_up_lexicon(_core.Run(1, 1, None), pairs, source._core, target._core, how))
        options = {name: getattr(self, name) for name in self._names() if name not in _OWN}
        # A re-ranker ranks words, which there are none of.
        options["no_rerank"] = True
        self.mapping_ = learned(source, target, lexicon, self.method, self._normalization(), self.threads, self.seed,
                                None, options)
        self._keep_scale(x, y, shares)
        self._keep_coefficients()

    def _keep_scale(self, x: "Rows", y: "Rows", shares: "Rows") -> None:
        """Methods that look at directions leave lengths to chance: a factor brings rows as near to y as can be."""
        self._scale = 1.0
        if not self._normalization().startswith("unit"):
            return
        guess = self._own(self._common(x, "source"), "target", _lengths(x))
        agreement, square = (float(shares @ np.einsum("ij,ij->i", guess, other)) for other in (y, guess))
        self._scale = agreement / square if agreement > 0 else _size(y) / (_size(guess) or 1.0)

    def _keep_coefficients(self) -> None:
        for name in ("coef_", "intercept_"):
            if hasattr(self, name):
                delattr(self, name)
        if self.mapping_.normalization() not in ("none", "unit") or self.into != "target":
            return
        w = self.mapping_.W.astype(np.float64)
        if self.mapping_.V is not None:
            w = np.linalg.pinv(self.mapping_.V.astype(np.float64)) @ w
        self.coef_ = w * self._scale
        self.intercept_ = self._y_mean - self.coef_ @ self._x_mean

    def _fitted(self) -> Mapping:
        if not hasattr(self, "mapping_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet: fit(X, y) comes first")
        return self.mapping_

    def _checked(self, X: Any) -> "Rows":
        self._fitted()
        names = _column_names(X)
        if names is not None and hasattr(self, "feature_names_in_") and list(names) != list(self.feature_names_in_):
            raise UsageError("the columns of X have other names, or another order, than in fit: "
                             f"{', '.join(names[:5])} instead of {', '.join(self.feature_names_in_[:5])}")
        x = _table("X", X)
        if x.shape[1] != self.n_features_in_:
            raise UsageError(f"X has {x.shape[1]} features, but {type(self).__name__} is expecting "
                             f"{self.n_features_in_} features as input")
        return x

    def _checked_target(self, y: Any) -> "Rows":
        self._fitted()
        rows = _target_table(y)
        if rows.shape[1] != len(self._y_mean):
            raise UsageError(f"y has {rows.shape[1]} columns, but had {len(self._y_mean)} in fit")
        return rows

    def _common(self, rows: "Rows", side: str) -> "Rows":
        """Rows of a side in the common space, as the mapping gives them."""
        mean = self._x_mean if side == "source" else self._y_mean
        mapped = self._fitted().transform(rows - mean, side=side, unit=False, threads=self.threads)
        return mapped.astype(np.float64)

    def _own(self, common: "Rows", side: str, lengths: "Rows") -> "Rows":
        """Rows of the common space in a side's own coordinates; the inverse of _common() but for their length, which
        `lengths` tells where the normalization takes it away."""
        mapping = self._fitted()
        matrix = mapping.W if side == "source" else mapping.V
        rows = common if matrix is None else common @ np.linalg.pinv(matrix.astype(np.float64)).T
        chain = mapping.normalization(side)
        if chain not in ("none", "unit"):
            spread = self._spread[0] if side == "source" else self._spread[1]
            rows = _before(chain, rows, mapping._core.means(side), spread)
        mean = self._x_mean if side == "source" else self._y_mean
        return rows * lengths[:, None] + mean if chain.startswith("unit") else rows + mean

    def _into_target(self, x: "Rows") -> "Rows":
        if hasattr(self, "coef_"):
            return x @ self.coef_.T + self.intercept_
        return self._own(self._common(x, "source"), "target", _lengths(x) * self._scale)

    def transform(self, X: Any) -> Any:
        """Rows of X, comparable with the rows of y as they are, or with ``into="common"`` with
        ``transform_target(y)``."""
        x = self._checked(X)
        result = self._common(x, "source") if self.into == "common" else self._into_target(x)
        return self._shown(_like(self._brought_to_length(result), X), X)

    def transform_target(self, y: Any) -> "Rows":
        """Rows of y where ``transform(X)`` has those of X: as they are, or with ``into="common"`` in the common
        space."""
        rows = self._checked_target(y)
        return _like(self._brought_to_length(self._common(rows, "target") if self.into == "common" else rows), y)

    def predict(self, X: Any) -> "Rows":
        """What rows of X are in the coordinates of y, whatever ``into`` and ``unit`` say."""
        rows = _like(self._into_target(self._checked(X)), X)
        return rows[:, 0] if self._flat else rows

    def inverse_transform(self, X: Any) -> "Rows":
        """The way back: from rows as transform() gives them to rows of the source side. Where the map loses dimensions,
        the nearest that it can tell."""
        self._fitted()
        rows = _table("X", X)
        if self.into == "common":
            if rows.shape[1] != self.mapping_.common_dimension:
                raise UsageError(f"X has {rows.shape[1]} columns; the common space has "
                                 f"{self.mapping_.common_dimension} dimensions")
            return _like(self._own(rows, "source", np.ones(len(rows))), X)
        if hasattr(self, "coef_"):
            back = (self._checked_target(X) - self._y_mean) @ np.linalg.pinv(self.coef_).T + self._x_mean
            return _like(back, X)
        common = self._common(self._checked_target(X), "target")
        return _like(self._own(common, "source", _lengths(rows) / self._scale), X)

    def fit_transform(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """fit(X, y).transform(X)"""
        return self.fit(X, y, sample_weight).transform(X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The mean cosine of the mapped rows with those that they belong to, where transform() and transform_target()
        put them; larger is better."""
        x, z = self._checked(X), self._checked_target(y)
        if len(x) != len(z):
            raise UsageError(f"X and y have {len(x)} and {len(z)} rows: each row of X belongs to one of y")
        one = self._common(x, "source") if self.into == "common" else self._into_target(x)
        other = self._common(z, "target") if self.into == "common" else z
        weights = _weights(sample_weight, len(x))
        return float(np.average(np.einsum("ij,ij->i", _of_length_1(one), _of_length_1(other)), weights=weights))

    def _brought_to_length(self, rows: "Rows") -> "Rows":
        return _of_length_1(rows) if self.unit else rows

    def get_feature_names_out(self, input_features: Any = None) -> "np.ndarray[Any, Any]":
        """Names of the columns that transform() gives: "procrustes0", "procrustes1", ..."""
        mapping = self._fitted()
        width = mapping.common_dimension if self.into == "common" else len(self._y_mean)
        return np.array([f"{type(self).__name__.lower()}{i}" for i in range(width)], dtype=object)

    def set_output(self: Self, *, transform: Optional[str] = None) -> Self:
        """What transform() gives: "pandas", a frame with the index of X, or "default", an array."""
        if transform not in (None, "default", "pandas"):
            raise UsageError(f"transform must be 'default' or 'pandas', not {transform!r}")
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}
        return self

    def _shown(self, rows: "Rows", X: Any) -> Any:
        wanted = getattr(self, "_sklearn_output_config", {}).get("transform")
        if wanted is None and "sklearn" in sys.modules:
            wanted = sys.modules["sklearn"].get_config().get("transform_output")
        if wanted != "pandas":
            return rows
        import pandas

        index = X.index if isinstance(X, pandas.DataFrame) else None
        return pandas.DataFrame(rows, index=index, columns=self.get_feature_names_out(), copy=False)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "mapping_")

    def _more_tags(self) -> "dict[str, Any]":
        return {"requires_y": True, "multioutput": True, "multioutput_only": True,
                "preserves_dtype": [np.float64, np.float32]}

    def __repr__(self) -> str:
        defaults = {name: one.default for name, one in inspect.signature(type(self).__init__).parameters.items()}
        changed = [f"{name}={value!r}" for name, value in self.get_params().items()
                   if value is not defaults[name] and not (isinstance(value, (str, int)) and value == defaults[name])]
        return f"{type(self).__name__}({', '.join(changed)})"


def _table(name: str, values: Any) -> "Rows":
    """Finite numbers in rows and columns, as float64."""
    array = values if _is_odd(values) else np.asarray(values)
    if getattr(array, "dtype", None) is not None and np.issubdtype(array.dtype, np.complexfloating):
        raise UsageError(f"Complex data not supported: {name} is of {array.dtype}")
    array = numbers(name, array)
    if array.ndim != 2:
        raise UsageError(f"{name} must have rows and columns, not {array.ndim} dimensions. Reshape your data: "
                         "array.reshape(-1, 1) makes a column, array.reshape(1, -1) a row")
    if array.shape[0] < 1:
        raise UsageError(f"{name} has 0 sample(s) (shape={array.shape}) while a minimum of 1 is required.")
    if array.shape[1] < 1:
        raise UsageError(f"{name} has 0 feature(s) (shape={array.shape}) while a minimum of 1 is required.")
    table = array.astype(np.float64)
    if not np.isfinite(table).all():
        row = int(np.flatnonzero(~np.isfinite(table).all(axis=1))[0])
        kind = "NaN" if np.isnan(table[row]).any() else "infinity (inf)"
        raise UsageError(f"{name} contains {kind} in row {row}")
    return table


def _is_odd(values: Any) -> bool:
    """Sparse or masked: NumPy would make something else of it."""
    return hasattr(values, "tocsr") or isinstance(values, np.ma.MaskedArray)


def _target_table(y: Any) -> "Rows":
    """As _table(); one number a row is one column."""
    return _table("y", np.asarray(y)[:, None] if not _is_odd(y) and np.asarray(y).ndim == 1 else y)


def _weights(given: Any, count: int) -> "Rows":
    if given is None:
        return np.ones(count)
    weights = numbers("sample_weight", given).astype(np.float64)
    if weights.ndim == 0:
        weights = np.full(count, float(weights))
    if weights.shape != (count,):
        raise UsageError(f"sample_weight has the shape {weights.shape}; a number for each of {count} rows is needed")
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise UsageError("sample_weight must be 0 or more, and finite")
    if not weights.any():
        raise UsageError("sample_weight is 0 for all rows")
    return weights


def _column_names(X: Any) -> "Optional[np.ndarray[Any, Any]]":
    """The names of a frame's columns, where all are str."""
    columns = list(getattr(X, "columns", []))
    return np.array(columns, dtype=object) if columns and all(isinstance(c, str) for c in columns) else None


def _like(rows: "Rows", given: Any) -> "Rows":
    """float32 where that was given, else float64."""
    return rows.astype(np.float32 if getattr(given, "dtype", None) == np.float32 else np.float64, copy=False)


def _lengths(rows: "Rows") -> "Rows":
    return np.sqrt(np.einsum("ij,ij->i", rows, rows))


def _size(rows: "Rows") -> float:
    """The root of the mean square of the rows' lengths."""
    return float(np.sqrt(np.mean(np.einsum("ij,ij->i", rows, rows))))


def _of_length_1(rows: "Rows") -> "Rows":
    lengths = _lengths(rows)
    return rows / np.where(lengths > 0, lengths, 1)[:, None]


def _before(chain: str, rows: "Rows", means: "list[list[float]]", spread: float) -> "Rows":
    """Rows from which a chain of normalization steps makes rows in the direction of these: of length 1 where it begins
    with `unit`; `spread` from the mean where `center,unit` took their length away."""
    steps = chain.split(",")
    left = list(means)
    for place in reversed([i for i, step in enumerate(steps) if step == "center"]):
        mean = np.asarray(left.pop(), dtype=np.float64)
        if "unit" in steps[place + 1:]:
            rows = _of_length_1(rows)
            if place > 0:  # mean + r row is on the unit sphere for one r > 0, as the mean is within
                along = rows @ mean
                rows = rows * (np.sqrt(np.maximum(along**2 + 1 - mean @ mean, 0)) - along)[:, None]
            else:
                rows = rows * spread
        rows = rows + mean
    return rows
