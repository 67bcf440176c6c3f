"""Alignment with the conventions of scikit-learn, for rows that belong together: row i of X to row i of Y.

scikit-learn itself is not needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from . import _core
from ._arguments import float_rows
from .alignment import align, methods
from .errors import Error, UsageError
from .lexicon import Lexicon
from .mapping import Mapping
from .vectors import WordVectors

if TYPE_CHECKING:
    from .vectors import FloatArray

__all__ = ["Aligner", "LeastSquares", "NotFittedError", "Procrustes", "RCSLS", "Smith", "VecMap"]


class NotFittedError(Error, ValueError, AttributeError):
    """fit() comes first."""


class Aligner:
    """An estimator over one method: ``Aligner("procrustes").fit(X, Y).transform(X)``.

    ``normalize`` names other steps than the method's; ``unit``: rows come out with length 1; other keyword arguments
    are the options of the method. After fit(), ``mapping_`` is the :class:`Mapping`.
    """

    _method: Optional[str] = None

    def __init__(self, method: str = "procrustes", *, normalize: Optional[str] = None, unit: bool = False,
                 threads: int = 0, seed: int = 1, **options: Any) -> None:
        self.method = method
        self.normalize = normalize
        self.unit = unit
        self.threads = threads
        self.seed = seed
        known = self._option_names(method)
        for name in options:
            if name not in known:
                raise TypeError(f"{type(self).__name__}: there is no option '{name}' of {method}")
        for name in known:
            setattr(self, name, options.get(name))

    @staticmethod
    def _option_names(method: str) -> "list[str]":
        found = methods().get(method)
        return [] if found is None else [option.name for option in found.options]

    def _names(self) -> "list[str]":
        own = [] if self._method is not None else ["method"]
        return [*own, "normalize", "unit", "threads", "seed", *self._option_names(self.method)]

    def get_params(self, deep: bool = True) -> "dict[str, Any]":
        """All settings by name."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **settings: Any) -> "Aligner":
        """Changes some settings; ValueError for an unknown one."""
        for name, value in settings.items():
            if name not in self._names():
                raise UsageError(f"there is no setting '{name}' of {type(self).__name__}")
            setattr(self, name, value)
        return self

    def fit(self, X: Any, Y: Any) -> "Aligner":
        """Learns the map by which rows of X come near to the rows of Y."""
        x, y = float_rows("X", X), float_rows("Y", Y)
        if len(x) != len(y):
            raise UsageError(f"X and Y have {len(x)} and {len(y)} rows: each row of X belongs to one of Y")
        names = [str(row) for row in range(len(x))]
        source, target = WordVectors(names, x, threads=self.threads), WordVectors(names, y, threads=self.threads)
        pairs = _core.look_up_lexicon(_core.Run(1, 1, None), [(name, name, 1.0) for name in names], source._core,
                                      target._core, _core.LexiconSettings("", False, False, False, False))
        options = {name: getattr(self, name) for name in self._option_names(self.method)}
        self.mapping_: Mapping = align(source, target, Lexicon(pairs), method=self.method, normalize=self.normalize,
                                       threads=self.threads, seed=self.seed, **options)
        self.n_features_in_ = x.shape[1]
        return self

    def _fitted(self) -> Mapping:
        if not hasattr(self, "mapping_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet: fit(X, Y) comes first")
        return self.mapping_

    def transform(self, X: Any) -> "FloatArray":
        """Rows of the source side in the common space."""
        return self._fitted().transform(float_rows("X", X), unit=self.unit, threads=self.threads)

    def transform_target(self, Y: Any) -> "FloatArray":
        """Rows of the target side in the common space."""
        return self._fitted().transform(float_rows("Y", Y), side="target", unit=self.unit, threads=self.threads)

    def fit_transform(self, X: Any, Y: Any) -> "FloatArray":
        """fit(X, Y).transform(X)"""
        return self.fit(X, Y).transform(X)

    def score(self, X: Any, Y: Any) -> float:
        """The mean cosine of the mapped rows with those that they belong to; larger is better."""
        mapping = self._fitted()
        x = mapping.transform(float_rows("X", X), threads=self.threads)
        y = mapping.transform(float_rows("Y", Y), side="target", threads=self.threads)
        return float(np.einsum("ij,ij->i", x, y, dtype=np.float64).mean())

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "mapping_")

    def __repr__(self) -> str:
        changed = [f"{name}={value!r}" for name, value in self.get_params().items()
                   if value not in (None, False) and (name, value) not in (("threads", 0), ("seed", 1))]
        return f"{type(self).__name__}({', '.join(changed)})"


class _OfMethod(Aligner):
    """An estimator whose class names the method."""

    def __init__(self, *, normalize: Optional[str] = None, unit: bool = False, threads: int = 0, seed: int = 1,
                 **options: Any) -> None:
        assert self._method is not None
        super().__init__(self._method, normalize=normalize, unit=unit, threads=threads, seed=seed, **options)


class Procrustes(_OfMethod):
    """Orthogonal Procrustes: the rotation that brings X next to Y.

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> X = rng.standard_normal((50, 4))
    >>> Y = X @ np.linalg.qr(rng.standard_normal((4, 4)))[0]
    >>> round(Procrustes().fit(X, Y).score(X, Y), 4)
    1.0
    """

    _method = "procrustes"


class LeastSquares(_OfMethod):
    """The linear map with the least squared error."""

    _method = "least-squares"


class RCSLS(_OfMethod):
    """The map that minimizes the relaxed CSLS loss (Joulin et al. 2018); neighbors are looked for among the rows."""

    _method = "rcsls"


class VecMap(_OfMethod):
    """VecMap's supervised map of both sides, with whitening and re-weighting."""

    _method = "vecmap"


class Smith(_OfMethod):
    """Smith's orthogonal maps of both sides, which may leave out the last dimensions."""

    _method = "smith"
