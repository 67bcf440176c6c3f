"""Learned mappings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Optional, Tuple, overload

import numpy as np

from . import _core, _display
from ._arguments import float_rows, numbers, path_of, table_reading, text, whole
from ._running import ProgressLike, start
from .errors import warn
from .reports import Report
from .vectors import WordVectors, as_vectors, counts_of

if TYPE_CHECKING:
    from .vectors import FloatArray, Path

__all__ = ["Mapping", "import_matrix"]

_NOTHING_LOST = 1e-4  # of cosines, by rounding to floats


class Mapping:
    """A learned alignment: a source vector x goes to W s(x), a target vector y to V t(y), where s and t normalize.

    :func:`align` learns one, ``Mapping.load`` reads one; it pickles as its file's bytes.
    """

    __slots__ = ("_core", "_described")

    def __init__(self, core: _core.Mapping) -> None:
        if not isinstance(core, _core.Mapping):
            raise TypeError("align() learns a Mapping, Mapping.load() reads one")
        self._core = core
        self._described: Optional["dict[str, Any]"] = None

    @staticmethod
    def load(path: "Path") -> "Mapping":
        """Reads a file that :meth:`save` or the program wrote (.wbmap)."""
        return Mapping(_core.read_mapping(start(), path_of("path", path)))

    def save(self, path: "Path") -> None:
        """Writes the file (.wbmap); it appears whole or not at all."""
        _core.write_mapping(start(), self._core, path_of("path", path))

    @property
    def W(self) -> "FloatArray":
        """The map of the source side, (common dimension) x (source dimension); to be read only."""
        return np.asarray(self._core.matrix("source"))

    @property
    def V(self) -> "Optional[FloatArray]":
        """The map of the target side; None where it stays where it is."""
        table = self._core.matrix("target")
        return None if table is None else np.asarray(table)

    @property
    def common_dimension(self) -> int:
        """Of the space that both languages share."""
        return self._core.common_dimension

    def input_dimension(self, side: str = "source") -> int:
        """Of the vectors that a side takes."""
        return self._core.input_dimension(text("side", side))

    def normalization(self, side: str = "source") -> str:
        """What vectors of a side go through before the map: "unit", "unit,center", "none", ..."""
        return self._core.normalization(text("side", side))

    @property
    def has_reranker(self) -> bool:
        """Whether it carries a re-ranker, which then ranks translations where nothing else is asked for."""
        return self._core.has_reranker

    def describe(self) -> "dict[str, Any]":
        """Everything but the values, as the file's header holds it."""
        if self._described is None:
            self._described = json.loads(self._core.describe())
        copy: "dict[str, Any]" = json.loads(json.dumps(self._described))
        return copy

    @property
    def provenance(self) -> "dict[str, Any]":
        """Where it comes from: version, method, options, seed, both vectors with their checksums, the lexicon, metrics,
        and details of how it went."""
        provenance: "dict[str, Any]" = self.describe()["provenance"]
        return provenance

    @property
    def method(self) -> str:
        """The method that learned it."""
        return str(self.provenance["method"])

    def log(self, *, verbose: bool = False) -> "list[str]":
        """How the learning went, line by line."""
        return self._core.report_lines(bool(verbose))

    @property
    def training(self) -> "list[dict[str, Any]]":
        """The steps of the last training (epoch, loss, step, outcome, norm); empty where nothing was trained."""
        steps: "list[dict[str, Any]]" = self.provenance.get("details", {}).get("iterations", [])
        return steps

    def inspect(self) -> Report:
        """What ``wordbridge inspect`` prints of it, singular values included."""
        return Report._parse(self._core.inspect("mapping"))

    @overload
    def transform(  # type: ignore[misc]
            self, vectors: WordVectors, *, side: str = ..., unit: bool = ..., threads: int = ...,
            progress: ProgressLike = ...) -> WordVectors: ...

    @overload
    def transform(self, vectors: Any, *, side: str = ..., unit: bool = ..., threads: int = ...,
                  progress: ProgressLike = ...) -> "FloatArray": ...

    def transform(self, vectors: Any, *, side: str = "source", unit: bool = True, threads: int = 0,
                  progress: ProgressLike = None) -> Any:
        """Vectors of one side in the common space, of length 1 unless ``unit=False``: what goes in comes out. An array
        gives an array, one vector gives one; :class:`WordVectors` give WordVectors (whose words outside the vocabulary
        are mapped, too), gensim's KeyedVectors give KeyedVectors, and a frame gives a frame with the same index."""
        run = start(threads, progress=progress)
        if isinstance(vectors, WordVectors):
            core = _core.transform_vectors(run, self._core, vectors._core, text("side", side), bool(unit))
            return WordVectors._wrap(core, vectors._max_words)
        if hasattr(vectors, "index_to_key") or hasattr(vectors, "wv"):
            mapped = self.transform(WordVectors(vectors), side=side, unit=unit, threads=threads, progress=progress)
            return mapped.to_gensim(copy=True, counts=counts_of(vectors))
        frame = vectors if hasattr(vectors, "to_numpy") and hasattr(vectors, "columns") else None
        rows = numbers("vectors", vectors if frame is None else frame.to_numpy())
        one = rows.ndim == 1
        rows = float_rows("vectors", rows[None] if one else rows)
        result = np.asarray(_core.transform(run, self._core, rows, text("side", side), bool(unit)))
        if frame is not None:
            return type(frame)(result, index=frame.index, copy=False)
        return result[0] if one else result

    def transform_file(self, source: "Path", target: "Path", *, side: str = "source", unit: bool = True,
                       approximate: bool = False, lenient: bool = False, vocabulary: Optional["Path"] = None,
                       ids: Optional["Path"] = None, source_format: Optional[str] = None,
                       format: Optional[str] = None, part: "Tuple[int, int]" = (1, 1), resume: bool = False,
                       threads: int = 0, progress: ProgressLike = None) -> str:
        """``wordbridge apply``: maps a file of any size into another, a block at a time. A fastText model becomes a
        model where the target is a .bin file. Of tables of numbers, ``part=(3, 16)`` maps the third of 16 parts, and
        ``resume`` keeps finished rows when the work is stopped, and goes on behind those that are there. ``format`` is
        the target's, as in :meth:`WordVectors.save`. Gives a remark for people, usually none."""
        return _core.apply_file(start(threads, progress=progress), self._core, path_of("source", source),
                                path_of("target", target), text("side", side), bool(unit), bool(approximate),
                                bool(lenient), table_reading(vocabulary, ids, source_format),
                                "" if format is None else text("format", format),
                                (whole("part", part[0], 1), whole("part", part[1], 1)), bool(resume))

    def invert(self) -> "Mapping":
        """The way back: from the target language to the source language. A warning says how much a map that is not
        orthogonal loses."""
        return _derived(_core.invert(start(), self._core))

    def compose(self, second: "Mapping") -> "Mapping":
        """Joins two mappings by the language that they share: first this one, then ``second``."""
        return _derived(_core.compose(start(), self._core, _mapping("second", second)._core))

    def export(self, path: Optional["Path"] = None, *, side: str = "source", header: bool = True,
               transpose: bool = False) -> str:
        """The matrix as plain text for other programs, written to a file where one is named. Without a header it is
        M = Wᵀ, for programs that compute x M; ``transpose`` turns either around."""
        plain = self._core.plain_text(text("side", side), bool(header), bool(transpose))
        if path is not None:
            _core.write_text(path_of("path", path), plain)
        return plain

    def plot_training(self, ax: Any = None) -> Any:
        """The course of the training, with matplotlib."""
        from .plots import plot_training

        return plot_training(self, ax)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and self._core.to_bytes() == other._core.to_bytes()

    def __hash__(self) -> int:
        return hash(self._core.to_bytes())

    def __repr__(self) -> str:
        rows, columns = self.W.shape
        return f"<Mapping by {self.method}: {rows} x {columns}>"

    def _repr_html_(self) -> str:
        provenance = self.provenance
        rows = [(key, provenance[key]) for key in ("method", "lexicon", "criterion", "seed", "version")]
        rows += [(key, value) for key, value in provenance["metrics"].items()]
        chart = _display.line_chart([step["loss"] for step in self.training if step["loss"] is not None],
                                    "loss by epoch")
        return _display.table(["mapping", f"{self.W.shape[0]} x {self.W.shape[1]}"], rows) + chart

    def __reduce__(self) -> Any:
        return _restored, (self._core.to_bytes(),)


def _restored(data: bytes) -> Mapping:
    return Mapping(_core.parse_mapping(data))


def _mapping(name: str, value: Any) -> Mapping:
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a Mapping, not {type(value).__name__}")
    return value


def _derived(result: "Tuple[_core.Mapping, float]") -> Mapping:
    core, distortion = result
    if distortion > _NOTHING_LOST:
        warn(f"a map that is not orthogonal was turned around: cosines of two directions change by {distortion:.3f} on "
             "average; evaluate it, or align this way")
    return Mapping(core)


def import_matrix(path: "Path", *, target_matrix: Optional["Path"] = None, normalize: str = "unit",
                  header: Optional[bool] = None, transpose: bool = False, criterion: str = "csls",
                  source: Optional[WordVectors] = None, target: Optional[WordVectors] = None,
                  threads: int = 0) -> Mapping:
    """A mapping from a plain-text matrix of another program. ``normalize`` is what vectors go through before it; to
    center, give the vectors of both sides, whose means are subtracted."""
    options = {"normalize": text("normalize", normalize)}
    if target_matrix is not None:
        options["target-matrix"] = _name_of(path_of("target_matrix", target_matrix))
    if header is not None:
        options["header" if header else "no-header"] = "true"
    if transpose:
        options["transpose"] = "true"
    en = None if source is None else as_vectors("source", source)
    es = None if target is None else as_vectors("target", target)
    most = max((vectors._max_words for vectors in (en, es) if vectors is not None), default=0)
    return Mapping(_core.import_matrix(start(threads), path_of("path", path), options, text("criterion", criterion),
                                       None if en is None else en._core, None if es is None else es._core,
                                       whole("max_words", most)))


def _name_of(path: Any) -> str:
    import os

    return os.fsdecode(path)
