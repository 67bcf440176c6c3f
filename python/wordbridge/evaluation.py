"""Results of evaluations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence, Tuple

from . import _core
from ._arguments import path_of, paths_of, real, text, whole
from ._running import ProgressLike, start
from .errors import UsageError
from .reports import Report, Table

if TYPE_CHECKING:
    from .vectors import Path

__all__ = ["TestedWord", "TranslationResult", "drift", "evaluate_analogies", "evaluate_similarity"]


class TestedWord(NamedTuple):
    """What became of one source word of a test lexicon."""

    word: str
    covered: bool  #: the word and a translation are in the vocabularies
    rank: int  #: of the best right translation, from 1; 0: none among the first ten
    gold: "list[str]"
    predictions: "list[str]"
    scores: "list[float]"


class TranslationResult(Report):
    """Precision of word translation, in percent. A source word is right at rank n if one of its translations is among
    the n best."""

    def __init__(self, core: _core.Measured) -> None:
        self._core = core
        json_text, shown = core.report([])
        super().__init__(json.loads(json_text), shown)

    def precision(self, rank: int = 1, *, covered: bool = False) -> float:
        """P@1, P@5 or P@10: over all source words of the lexicon (those that are not covered count as wrong), or over
        the covered ones."""
        shares = self["precision"]["covered" if covered else "all"]
        if str(rank) not in shares:
            raise UsageError(f"rank {rank} is none of {', '.join(shares)}")
        return float(shares[str(rank)])

    @property
    def mrr(self) -> float:
        """Mean of 1/rank over all source words, 0 beyond rank 10."""
        return float(self["mrr_at_10"])

    @property
    def coverage(self) -> float:
        """Share of the source words that are covered."""
        return float(self["coverage"])

    @property
    def criterion(self) -> str:
        """What ranked."""
        return str(self["criterion"])

    @property
    def words(self) -> Table:
        """What became of each word, a table of :class:`TestedWord`."""
        return Table([TestedWord(*row[:6]) for row in self._core.words()], TestedWord)

    def bands(self, bounds: Sequence[int]) -> Report:
        """Precision by the frequency rank of the source word: a band up to each bound, and one for what is beyond."""
        return Report._parse(self._core.report([whole("bounds", bound, 1) for bound in bounds]))

    def compare(self, other: "TranslationResult", *, samples: int = 10_000, seed: int = 1,
                threads: int = 0) -> "dict[str, Any]":
        """How much better or worse ``other`` is on the same words, and how sure that is: paired bootstrap."""
        if not isinstance(other, TranslationResult):
            raise TypeError(f"other must be a TranslationResult, not {type(other).__name__}")
        return _core.compare(start(threads, seed), self._core, other._core, whole("samples", samples, 1))

    def save_words(self, path: "Path") -> None:
        """Writes what became of each word, tab-separated, as ``--details`` of the program does."""
        _core.write_text(path_of("path", path), self._core.to_tsv())

    def to_pandas(self) -> Any:
        """A frame with a row for each word."""
        return self.words.to_pandas()

    def __reduce__(self) -> Any:
        return _restored, (self._core.pickled(),)


def _restored(state: Any) -> TranslationResult:
    return TranslationResult(_core.unpickled_measurement(state))


def named_spaces(spaces: "Sequence[Any]") -> "list[Tuple[str, _core.Space]]":
    """Spaces with the names that reports give them: the first is the original one, where there are two."""
    names = ["original", "aligned"] if len(spaces) == 2 else ["aligned" if _is_mapped(spaces[0]) else "original"]
    return [(name, space._core) for name, space in zip(names, spaces)]


def _is_mapped(space: Any) -> bool:
    from .mapping import Mapping

    return isinstance(space._parts[0], Mapping)


def _before_and_after(vectors: Any, mapping: Any, side: str, threads: int) -> "list[Tuple[str, _core.Space]]":
    from .mapping import _mapping
    from .vectors import as_vectors

    core = as_vectors("vectors", vectors)._core
    spaces = [("original", _core.space_of_one(start(threads), core, None, "source"))]
    if mapping is not None:
        aligned = _core.space_of_one(start(threads), core, _mapping("mapping", mapping)._core, text("side", side))
        spaces.append(("aligned", aligned))
    return spaces


def evaluate_analogies(vectors: Any, questions: Any, *, mapping: Any = None, side: str = "source",
                       method: str = "3cosadd", limit: int = 0, case: str = "lower", lenient: bool = False,
                       threads: int = 0, progress: ProgressLike = None) -> Report:
    """Analogies answered by vectors as they are and, with a mapping, as it makes them, side by side.

    >>> en = read_vectors("data/sample/en.vec.xz", max_words=2000)
    >>> report = evaluate_analogies(en, "data/sample/analogies.en.txt")
    >>> sorted(report["spaces"])
    ['original']
    """
    spaces = _before_and_after(vectors, mapping, side, threads)
    return Report._parse(_core.analogies(start(threads, progress=progress), spaces, paths_of("questions", questions),
                                         text("method", method), whole("limit", limit), text("case", case),
                                         bool(lenient)))


def evaluate_similarity(vectors: Any, sets: Any, *, mapping: Any = None, side: str = "source", case: str = "lower",
                        average_phrases: bool = False, lenient: bool = False, threads: int = 0,
                        progress: ProgressLike = None) -> Report:
    """Agreement of cosines with what people say, of vectors as they are and, with a mapping, as it makes them.
    ``CommonSpace.similarity`` measures pairs between two languages.

    >>> en = read_vectors("data/sample/en.vec.xz")
    >>> evaluate_similarity(en, "data/sample/similarity.en.tsv")[0]["set"]
    'similarity.en.tsv'
    """
    spaces = _before_and_after(vectors, mapping, side, threads)
    return Report._parse(_core.similarities(start(threads, progress=progress), spaces, paths_of("sets", sets), False,
                                            text("case", case), bool(average_phrases), bool(lenient)))


def drift(older: Any, newer: Any, *, count: int = 20, neighbors: int = 10, like_words: int = 1_000,
          false_discoveries: float = 0.05, threads: int = 0, progress: ProgressLike = None) -> Report:
    """The words whose neighbors changed most between two tables of one language, of other times or domains, with
    neighbors before and after. An orthogonal map, fitted so that changed words do not bend it, brings one table to the
    other; ``p`` is the chance of a word that did not change to lie as far off, by the words of like frequency, and
    ``q`` the share of false discoveries up to that word. ``count=0`` gives all words.

    >>> en = read_vectors("data/sample/en.vec.xz", max_words=2000)
    >>> drift(en, en)["significant"]
    0
    """
    from .vectors import as_vectors

    share = real("false_discoveries", false_discoveries)
    if not 0 < share < 1:
        raise UsageError("false_discoveries: a share between 0 and 1 is wanted")
    return Report._parse(_core.drift(start(threads, progress=progress), as_vectors("older", older)._core,
                                     as_vectors("newer", newer)._core, whole("count", count),
                                     whole("neighbors", neighbors, 1), whole("like_words", like_words, 10), share))
