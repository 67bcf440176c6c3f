"""Bilingual lexicons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Optional, Tuple

from . import _core, _display
from ._arguments import is_path, real, text, whole, written_pairs
from ._running import start
from .vectors import WordVectors, as_vectors

if TYPE_CHECKING:
    from .vectors import Path

__all__ = ["Coverage", "Lexicon", "identical_words", "read_lexicon"]


class Coverage:
    """How much of a lexicon two vocabularies cover. The counts are attributes: ``pairs``, ``source_words``,
    ``missing_source``, ``missing_target``, ``missing_both``, ``duplicates``, ...; its text is one line for people."""

    def __init__(self, counts: "dict[str, Any]") -> None:
        self._counts = counts

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._counts:
            raise AttributeError(name)
        return self._counts[name]

    def __dir__(self) -> "list[str]":
        return [*super().__dir__(), *self._counts]

    def to_dict(self) -> "dict[str, Any]":
        """All counts."""
        return dict(self._counts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Coverage) and self._counts == other._counts

    def __hash__(self) -> int:
        return hash(self._counts["line"])

    def __str__(self) -> str:
        return str(self._counts["line"])

    def __repr__(self) -> str:
        return f"<Coverage: {self}>"


class Lexicon:
    """Pairs of words that both vocabularies have, as :func:`read_lexicon` found them."""

    __slots__ = ("_core", "_pairs")

    def __init__(self, core: _core.Lexicon) -> None:
        if not isinstance(core, _core.Lexicon):
            raise TypeError("read_lexicon() makes a Lexicon of a file, pairs or a frame")
        self._core = core
        self._pairs: Optional[Tuple[Tuple[str, str], ...]] = None

    @property
    def name(self) -> str:
        """The file that it was read from; empty where there is none."""
        return self._core.name

    @property
    def coverage(self) -> Coverage:
        """How much of the pairs given the vocabularies cover."""
        return Coverage(self._core.coverage())

    @property
    def pairs(self) -> Tuple[Tuple[str, str], ...]:
        """The pairs as the vocabularies spell them."""
        if self._pairs is None:
            self._pairs = tuple((row[3], row[4]) for row in self._core.pickled()[0])
        return self._pairs

    @property
    def weights(self) -> "list[float]":
        """What each pair counts for in training."""
        return [row[2] for row in self._core.pickled()[0]]

    def split(self, share: float = 0.1, *, seed: int = 1, rare: bool = False) -> "Tuple[Lexicon, Lexicon]":
        """Training and validation: a share of the source words, drawn with the seed, take all their pairs to the
        second; with ``rare``, only the rarer half of the words is drawn from."""
        train, validation = _core.split_lexicon(self._core, real("share", share), whole("seed", seed), bool(rare))
        return Lexicon(train), Lexicon(validation)

    def __len__(self) -> int:
        return len(self._core)

    def __iter__(self) -> Iterator[Tuple[str, str]]:
        return iter(self.pairs)

    def __getitem__(self, index: Any) -> Any:
        """A pair, or the pairs of a slice."""
        return self.pairs[index]

    def to_pandas(self) -> Any:
        """A frame with source, target and weight."""
        import pandas

        return pandas.DataFrame({"source": [s for s, _ in self.pairs], "target": [t for _, t in self.pairs],
                                 "weight": self.weights})

    def __repr__(self) -> str:
        return f"<Lexicon {self.name + ': ' if self.name else ''}{self.coverage}>"

    def _repr_html_(self) -> str:
        return _display.table(["source", "target"], self.pairs[:10], f"{self.name} {self.coverage}")

    def __reduce__(self) -> Any:
        return _restored, (self._core.pickled(),)


def _restored(state: Any) -> Lexicon:
    return Lexicon(_core.unpickled_lexicon(state))


def settings(case: Optional[str], checked: bool, swap: bool, drop_identical: bool,
             lenient: bool) -> _core.LexiconSettings:
    """How words are looked up."""
    return _core.LexiconSettings("" if case is None else text("case", case), bool(checked), bool(swap),
                                 bool(drop_identical), bool(lenient))


def read_lexicon(pairs: Any, source: Any, target: Any, *, case: Optional[str] = None, checked: bool = True,
                 swap: bool = False, drop_identical: bool = False, lenient: bool = False) -> Lexicon:
    """The pairs whose words are in the two vocabularies: of a file (a pair a line), of a list of pairs
    ``(source, target)`` or ``(source, target, weight)``, of a dict, or of a pandas frame.

    ``case`` tells what to try for words not found as written: "exact", "lower", then "title". A lexicon that seems to
    be swapped, of other languages or in another letter case is an :class:`InputError`; with ``checked=False`` what
    there is is used, and ``swap=True`` reads it the other way round.

    >>> en, es = (read_vectors(f"data/sample/{language}.vec.xz") for language in ("en", "es"))
    >>> lexicon = read_lexicon("data/sample/en-es.train.txt", en, es)
    >>> len(lexicon), str(lexicon.coverage)
    (1692, '1260 of 1260 source words, 1692 of 1692 pairs')
    >>> read_lexicon([("night", "noche"), ("zyx", "nada")], en, es).pairs
    (('night', 'noche'),)
    """
    en, es = as_vectors("source", source), as_vectors("target", target)
    how = settings(case, checked, swap, drop_identical, lenient)
    if is_path(pairs):
        return Lexicon(_core.read_lexicon(start(), pairs, en._core, es._core, how))
    return Lexicon(_core.look_up_lexicon(start(), written_pairs("pairs", pairs), en._core, es._core, how))


def identical_words(source: WordVectors, target: WordVectors, *, numerals: bool = False,
                    max_rank: int = 0) -> Lexicon:
    """A lexicon without a file: the words that both vocabularies have, or only those made of digits (``numerals``),
    among the first ``max_rank`` words of each (0: all)."""
    en, es = as_vectors("source", source), as_vectors("target", target)
    return Lexicon(_core.shared_words(start(), en._core, es._core, bool(numerals), whole("max_rank", max_rank)))
