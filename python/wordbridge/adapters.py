"""Adapters between embedding models: new queries for an old index.

Row i of one array belongs to row i of the other, as in scikit-learn, which is not needed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Iterable, Optional, Tuple

import numpy as np

from . import _core
from ._arguments import float_rows, path_of, real, row_pairs, text, whole
from ._running import ProgressLike, start
from .errors import UsageError
from .estimators import NotFittedError
from .mapping import Mapping
from .vectors import WordVectors

if TYPE_CHECKING:
    from .vectors import FloatArray, Path

__all__ = ["Adapter", "adapt"]

_FEW = 16  # rows that are mapped at once, without threads


class Adapter:
    """Brings vectors of a new embedding model into the coordinates of an old one: ``Adapter().fit(X, Y).transform(X)``.

    ``map`` is one of "procrustes", "low-rank", "ridge", "contrastive", or "auto": the simplest that none beats beyond
    chance on held-out pairs, by the ``criterion``: "own" (the own item comes first among all), "neighbors" (the items
    that the old index would have returned are returned) or "both". Settings that are None are chosen on held-out pairs.
    With ``map="both-sides"`` queries and items meet in a space of their own: the stored vectors are written anew by
    :meth:`transform_items` (nothing is embedded again), and found better. After fit(), ``mapping_`` is the :class:`Mapping` and ``report_`` the comparison.

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> X = rng.standard_normal((200, 4))
    >>> Y = 3 * X @ np.linalg.qr(rng.standard_normal((4, 4)))[0] + [1, 2, 3, 4]
    >>> adapter = Adapter(passes=2).fit(X, Y)
    >>> adapter.report_["chosen"]
    'procrustes'
    >>> bool(np.allclose(adapter.transform(X), Y, atol=1e-3))
    True
    """

    def __init__(self, *, map: str = "auto", criterion: str = "both", neighbors: int = 10, sample: int = 100_000,
                 passes: int = 12, temperature: Optional[float] = None, smoothing: Optional[float] = None,
                 dropout: Optional[float] = None, negatives: int = 2000, decay: float = 0.0, backward: float = 0.0,
                 unit: bool = False, threads: int = 0, seed: int = 1, progress: ProgressLike = None) -> None:
        self.map = map
        self.criterion = criterion
        self.neighbors = neighbors
        self.sample = sample
        self.passes = passes
        self.temperature = temperature
        self.smoothing = smoothing
        self.dropout = dropout
        self.negatives = negatives
        self.decay = decay
        self.backward = backward
        self.unit = unit
        self.threads = threads
        self.seed = seed
        self.progress = progress

    _NAMES = ("map", "criterion", "neighbors", "sample", "passes", "temperature", "smoothing", "dropout", "negatives",
              "decay", "backward", "unit", "threads", "seed", "progress")

    def get_params(self, deep: bool = True) -> "dict[str, Any]":
        """All settings by name."""
        return {name: getattr(self, name) for name in self._NAMES}

    def set_params(self, **settings: Any) -> "Adapter":
        """Changes some settings; ValueError for an unknown one."""
        for name, value in settings.items():
            if name not in self._NAMES:
                raise UsageError(f"there is no setting '{name}' of Adapter")
            setattr(self, name, value)
        return self

    def _settings(self) -> "dict[str, Any]":
        settings: "dict[str, Any]" = {"map": text("map", self.map), "criterion": text("criterion", self.criterion)}
        for name in ("neighbors", "sample", "passes", "negatives"):
            settings[name] = whole(name, getattr(self, name))
        for name in ("decay", "backward"):
            settings[name] = real(name, getattr(self, name))
        for name in ("temperature", "smoothing", "dropout"):
            if getattr(self, name) is not None:
                settings[name] = real(name, getattr(self, name))
        return settings

    def fit(self, X: Any, Y: Any, pairs: Optional[Iterable[Tuple[int, int]]] = None) -> "Adapter":
        """Learns from vectors of the same items by the new model (X) and the old one (Y): row by row, or by ``pairs``
        of rows (then all of Y is the index)."""
        rows = None if pairs is None else row_pairs("pairs", pairs)
        x, y = float_rows("X", X), float_rows("Y", Y)
        core, report = _core.adapt(start(self.threads, self.seed, self.progress), x, y, rows, self._settings())
        self.mapping_: Mapping = Mapping(core)
        self.report_: "dict[str, Any]" = json.loads(report)
        self.n_features_in_ = x.shape[1]
        return self

    def _fitted(self) -> Mapping:
        if not hasattr(self, "mapping_"):
            raise NotFittedError("this Adapter is not fitted yet: fit(X, Y) comes first")
        return self.mapping_

    def transform(self, X: Any) -> "FloatArray":
        """Rows of the new model, or one vector, in the old one's coordinates; of length 1 with ``unit=True``. One query
        takes microseconds, and the interpreter's lock is released meanwhile."""
        mapping = self._fitted()
        array = np.asarray(X)
        rows = float_rows("X", array[None, :] if array.ndim == 1 else array)
        if len(rows) <= _FEW:
            result: "FloatArray" = np.asarray(_core.transform_few(mapping._core, rows, bool(self.unit)))
        else:
            result = mapping.transform(rows, unit=self.unit, threads=self.threads)
        if array.ndim == 1:
            result = result[0]
        return result

    def transform_items(self, Y: Any) -> "FloatArray":
        """Stored vectors of the old model as the queries of transform() want them, of length 1: other ones with
        ``map="both-sides"`` only."""
        return self._fitted().transform(float_rows("Y", Y), side="target", unit=True, threads=self.threads)

    predict = transform

    def fit_transform(self, X: Any, Y: Any) -> "FloatArray":
        """fit(X, Y).transform(X)"""
        return self.fit(X, Y).transform(X)

    def score(self, X: Any, Y: Any) -> float:
        """The share of rows of X whose own row of Y has the largest cosine of all rows of Y."""
        x, y = float_rows("X", self.transform(float_rows("X", X))), self.transform_items(Y)
        if len(x) != len(y):
            raise UsageError(f"X and Y have {len(x)} and {len(y)} rows: each row of X belongs to one of Y")
        own = [int((y @ row).argmax()) == i for i, row in enumerate(x)]
        return float(np.mean(own))

    @property
    def W(self) -> "FloatArray":
        """The map, (old dimension) x (new dimension): a vector x goes to W x + b."""
        return self._fitted().W

    @property
    def b(self) -> "FloatArray":
        """The intercept."""
        values = _core.intercept(self._fitted()._core)
        return np.asarray(values if values else np.zeros(len(self.W)), dtype=np.float32)

    def to_onnx(self, *, unit: bool = False) -> bytes:
        """The same map as an ONNX model: input x, output y."""
        return _core.onnx(self._fitted()._core, bool(unit))

    def save(self, path: "Path") -> None:
        """Writes it (.wbmap), for ``wordbridge apply`` and :meth:`load`."""
        self._fitted().save(path)

    @classmethod
    def load(cls, path: "Path", **settings: Any) -> "Adapter":
        """Reads what :meth:`save` or ``wordbridge adapt`` wrote."""
        adapter = cls(**settings)
        adapter.mapping_ = Mapping.load(path_of("path", path))
        adapter.report_ = {}
        adapter.n_features_in_ = adapter.mapping_.input_dimension()
        return adapter

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "mapping_")

    def __repr__(self) -> str:
        usual = Adapter().get_params()
        changed = [f"{name}={value!r}" for name, value in self.get_params().items() if value != usual[name]]
        return f"Adapter({', '.join(changed)})"


def adapt(new: Any, old: Any, pairs: Optional[Iterable[Tuple[int, int]]] = None, **settings: Any) -> Adapter:
    """Learns an :class:`Adapter` from vectors of the same items by a new and an old embedding model.

    Arrays are paired by row, :class:`WordVectors` by equal words (ids); or ``pairs`` names rows of both. Keyword
    arguments are the settings of :class:`Adapter`.

    >>> import numpy as np
    >>> X = np.random.default_rng(1).standard_normal((100, 3))
    >>> adapt(X, 2 * X[:, ::-1], map="ridge").report_["maps"][0]["own_first"]
    100.0
    """
    if isinstance(new, WordVectors) and isinstance(old, WordVectors) and pairs is None:
        rows = {word: row for row, word in enumerate(old.words)}
        pairs = [(row, rows[word]) for row, word in enumerate(new.words) if word in rows]
    arrays = [np.asarray(table) if isinstance(table, WordVectors) else table for table in (new, old)]
    return Adapter(**settings).fit(arrays[0], arrays[1], pairs)
