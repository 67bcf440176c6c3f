"""Both languages in the space that they share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, List, NamedTuple, Optional, Sequence, Tuple, overload

import numpy as np

from . import _core, _display
from ._arguments import (float_rows, is_path, numbers, one_of, optional_path, path_of, paths_of, rank_range, real, text,
                         whole, words_of, written_pairs)
from ._running import ProgressLike, start
from .alignment import option_texts
from .errors import UsageError, warn
from .evaluation import TranslationResult, named_spaces
from .lexicon import Lexicon, settings
from .mapping import Mapping
from .reports import Report, Table
from .vectors import as_vectors

if TYPE_CHECKING:
    from .vectors import FloatArray, Path

__all__ = ["Candidate", "CommonSpace", "FalseFriend", "InducedPair", "Reason", "TranslationTable", "Translations"]


class Candidate(NamedTuple):
    """A translation, or a neighbor: larger scores are better."""

    word: str
    score: float


class InducedPair(NamedTuple):
    """A pair of an induced lexicon."""

    source: str
    target: str
    score: float
    rank: int
    margin: float


class FalseFriend(NamedTuple):
    """Two words that look alike and are no translations of each other."""

    source: str
    target: str
    cosine: float
    best_translation: str
    its_cosine: float


class Reason(NamedTuple):
    """What spoke for a candidate (above 0) or against it, compared with its best rival."""

    feature: str
    value: float
    contribution: float


class Translations(List[Candidate]):
    """The candidates for one word, best first: a list of :class:`Candidate`."""

    def __init__(self, candidates: "Sequence[Candidate]", query: str, word: str, origin: str,
                 known: "Sequence[bool]" = ()) -> None:
        super().__init__(candidates)
        self.query = query  #: as asked
        self.word = word  #: as the vocabulary spells it; empty where it does not have it
        self.origin = origin  #: "vocabulary", "subwords", "phrase" (by its words), "vector", "known", or "none": no candidates
        #: for each candidate whether it is known (from the mapping's lexicon, or as given) or guessed
        self.known = list(known) if known else [False] * len(self)

    @property
    def words(self) -> "list[str]":
        """The words alone."""
        return [candidate.word for candidate in self]

    @property
    def scores(self) -> "np.ndarray[Any, np.dtype[np.float64]]":
        """The scores alone."""
        return np.array([candidate.score for candidate in self], dtype=np.float64)

    def to_pandas(self) -> Any:
        """A frame with a row for each candidate: rank, word, score, known."""
        import pandas

        rows = [(rank, *candidate, known) for rank, (candidate, known) in enumerate(zip(self, self.known), 1)]
        return pandas.DataFrame(rows, columns=["rank", "word", "score", "known"])

    def _repr_html_(self) -> str:
        return _display.table(["word", "score"], self, self.query)

    def __reduce__(self) -> Any:
        return Translations, (list(self), self.query, self.word, self.origin, self.known)


class TranslationTable(Sequence[Translations]):
    """The candidates for several words, in the order asked."""

    def __init__(self, answers: "list[Translations]", count: int) -> None:
        self._answers = answers
        self._count = count

    @property
    def queries(self) -> "list[str]":
        """The words that were asked."""
        return [answer.query for answer in self._answers]

    @property
    def words(self) -> "list[list[str]]":
        """The candidates of each, best first."""
        return [answer.words for answer in self._answers]

    @property
    def scores(self) -> "np.ndarray[Any, np.dtype[np.float64]]":
        """Their scores, a row for each word; NaN where there are fewer candidates."""
        scores = np.full((len(self._answers), self._count), np.nan)
        for row, answer in zip(scores, self._answers):
            row[: len(answer)] = answer.scores
        return scores

    @overload
    def __getitem__(self, index: int) -> Translations: ...

    @overload
    def __getitem__(self, index: slice) -> "TranslationTable": ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return TranslationTable(self._answers[index], self._count)
        return self._answers[index]

    def __len__(self) -> int:
        return len(self._answers)

    def __iter__(self) -> Iterator[Translations]:
        return iter(self._answers)

    def to_dict(self) -> "dict[str, list[Candidate]]":
        """The candidates by word."""
        return {answer.query: list(answer) for answer in self._answers}

    def to_pandas(self) -> Any:
        """A frame with a row for each candidate: query, rank, word, score, known."""
        import pandas

        rows = [(answer.query, rank, *candidate, known) for answer in self
                for rank, (candidate, known) in enumerate(zip(answer, answer.known), 1)]
        return pandas.DataFrame(rows, columns=["query", "rank", "word", "score", "known"])

    def __repr__(self) -> str:
        return "\n".join(f"{answer.query}: {', '.join(answer.words) or '-'}" for answer in self._answers)

    def _repr_html_(self) -> str:
        rows = [[answer.query, *(f"{word} ({score:.4g})" for word, score in answer)] for answer in self._answers]
        return _display.table(["", *map(str, range(1, self._count + 1))], rows)


class CommonSpace:
    """The words of two languages with their vectors in the space that they share, all of length 1.

    ``CommonSpace(mapping, en, es)`` maps both sides; ``CommonSpace(en, es)`` takes vectors that share a space already;
    ``CommonSpace(en)`` holds one language. Search indexes and CSLS statistics are made when they are first needed, once;
    any number of threads may ask.

    >>> en, es = (read_vectors(f"data/sample/{language}.vec.xz") for language in ("en", "es"))
    >>> mapping = align(en, es, "data/sample/en-es.train.txt", method="procrustes")
    >>> space = CommonSpace(mapping, en, es)
    >>> space.translate("night", 3).words
    ['noche', 'calor', 'mañana']
    >>> space.translate(["night", "library"], 3, criterion="csls").scores.shape
    (2, 3)
    """

    def __init__(self, *parts: Any, threads: int = 0, progress: ProgressLike = None) -> None:
        run = start(threads, progress=progress)
        if parts and isinstance(parts[0], Mapping):
            if len(parts) != 3:
                raise TypeError(f"behind the mapping go the vectors of two languages, not {len(parts) - 1}")
            en, es = as_vectors("source", parts[1]), as_vectors("target", parts[2])
            self._core = _core.mapped_space(run, parts[0]._core, en._core, es._core)
        elif len(parts) == 2:
            en, es = as_vectors("source", parts[0]), as_vectors("target", parts[1])
            self._core = _core.shared_space(run, en._core, es._core)
        elif len(parts) == 1:
            self._core = _core.space_of_one(run, as_vectors("source", parts[0])._core, None, "source")
        else:
            raise TypeError("a space is made of a mapping and the vectors of two languages, or of vectors that share a "
                            "space")
        self._parts = parts

    @property
    def dimension(self) -> int:
        """Of the common space."""
        return self._core.dimension

    @property
    def mapping(self) -> Optional[Mapping]:
        """The mapping that it was made with; None where the vectors shared a space already."""
        return self._parts[0] if isinstance(self._parts[0], Mapping) else None

    @property
    def criterion(self) -> str:
        """What ranks translations where nothing else is asked for."""
        return self._core.criterion

    def size(self, side: str = "source") -> int:
        """How many words a side has."""
        return self._core.size(text("side", side))

    def words(self, side: str = "source") -> "list[str]":
        """All words of a side."""
        return self._core.words(text("side", side), 0, self.size(side))

    def array(self, side: str = "source") -> "FloatArray":
        """The vectors of a side, of length 1 (zero for a word without one): without a copy, to be read only."""
        return np.asarray(self._core.array(text("side", side)))

    @overload
    def translate(  # type: ignore[misc]
            self, words: str, count: int = ..., *, criterion: Optional[str] = ..., side: str = ...,
            case: str = ..., subwords: bool = ..., known: Any = ..., ignore_known: bool = ..., threads: int = ...,
            seed: int = ..., progress: ProgressLike = ..., **options: Any) -> Translations: ...

    @overload
    def translate(
            self, words: "np.ndarray[Any, Any]", count: int = ..., *, criterion: Optional[str] = ..., side: str = ...,
            case: str = ..., subwords: bool = ..., known: Any = ..., ignore_known: bool = ..., threads: int = ...,
            seed: int = ..., progress: ProgressLike = ..., **options: Any) -> Any: ...

    @overload
    def translate(self, words: "Sequence[str]", count: int = ..., *, criterion: Optional[str] = ..., side: str = ...,
                  case: str = ..., subwords: bool = ..., known: Any = ..., ignore_known: bool = ...,
                  threads: int = ..., seed: int = ..., progress: ProgressLike = ...,
                  **options: Any) -> TranslationTable: ...

    def translate(self, words: Any, count: int = 5, *, criterion: Optional[str] = None, side: str = "source",
                  case: str = "title", subwords: bool = True, known: Any = None, ignore_known: bool = False,
                  threads: int = 0, seed: int = 1, progress: ProgressLike = None, **options: Any) -> Any:
        """The ``count`` best translations of a word, or of each of several words. An array holds vectors of the
        language that is translated from, as they are before the mapping: a row or one for each of several.

        ``criterion`` is one of :func:`criteria`, with its options as keyword arguments (``neighbors=10``); ``side``
        is the language that is translated from; ``case`` tells what to try for words not found as written.

        What the lexicon of the mapping says of a word comes before what is guessed, and so do the pairs of ``known``, a
        file or pairs of words (of source and target, whatever ``side``); ``.known`` of the answer tells which are
        which, and the score of one that the criterion does not rank is NaN. ``ignore_known`` guesses everything."""
        if isinstance(words, np.ndarray) and words.dtype.kind in "fiu":
            return self._translate_vectors(words, whole("count", count, 1), criterion, text("side", side), threads,
                                           seed, progress, options)
        run = start(threads, seed, progress)
        asked = [words] if isinstance(words, str) else words_of("words", words)
        answers = _answers(_core.translate(run, self._core, asked, whole("count", count, 1),
                                           _retrieval(criterion, options), text("case", case), bool(subwords),
                                           text("side", side), *_known(known, "known"), bool(ignore_known)))
        _note_unknown(answers)
        return answers[0] if isinstance(words, str) else TranslationTable(answers, count)

    def _translate_vectors(self, vectors: Any, count: int, criterion: Optional[str], side: str, threads: int,
                           seed: int, progress: ProgressLike, options: "dict[str, Any]") -> Any:
        rows = vectors if self.mapping is None else self.mapping.transform(vectors, side=side, threads=threads)
        other = "source" if side == "target" else "target"
        scores, found = self.search(rows, count, side=other, criterion=criterion, threads=threads, seed=seed,
                                    progress=progress, **options)
        words = self.words(other)
        answers = [Translations([Candidate(words[i], float(score)) for i, score in zip(ids, of_one) if i >= 0],
                                f"row {row}", "", "vector")
                   for row, (ids, of_one) in enumerate(zip(np.atleast_2d(found), np.atleast_2d(scores)))]
        return answers[0] if vectors.ndim == 1 else TranslationTable(answers, count)

    def search(self, vectors: Any, count: int = 10, *, side: str = "target", criterion: Optional[str] = None,
               threads: int = 0, seed: int = 1, progress: ProgressLike = None,
               **options: Any) -> "Tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]":
        """The ``count`` best words of ``side`` for each row of an array in the common space (as ``array("source")`` or
        ``mapping.transform`` give them): scores, and the rows of the words in ``words(side)``, both best first, with a
        row for each vector. One vector gives one row; a zero vector finds nothing: NaN and -1. Re-ranking looks at
        words: where the mapping re-ranks, the criterion is "csls"."""
        rows = numbers("vectors", vectors)
        one = rows.ndim == 1
        rows = float_rows("vectors", rows[None] if one else rows)
        if criterion is None and self.criterion == "rerank":
            criterion = "csls"
        run = start(threads, seed, progress)
        found, ids, scores = _core.search(run, self._core, rows, whole("count", count, 1),
                                          _retrieval(criterion, options), text("side", side))
        shape = (len(rows), found)
        best = np.frombuffer(ids, dtype=np.uint32).astype(np.int64).reshape(shape)
        theirs = np.frombuffer(scores, dtype=np.float64).reshape(shape).copy()
        empty = ~rows.any(axis=1)
        best[empty], theirs[empty] = -1, np.nan
        return (theirs[0], best[0]) if one else (theirs, best)

    def explain(self, word: str, count: int = 5, *, threads: int = 0) -> "list[Tuple[Candidate, str, list[Reason]]]":
        """Why the re-ranker of the mapping ranks the candidates of a word so: for each the candidate, its best rival,
        and the reasons, the weightiest first."""
        rows = _core.explain(start(threads), self._core, text("word", word), whole("count", count, 1))
        return [(Candidate(found, probability), rival, [Reason(*reason) for reason in reasons])
                for found, probability, rival, reasons in rows]

    @overload
    def neighbors(  # type: ignore[misc]
            self, words: str, count: int = ..., *, side: str = ..., of: str = ..., case: str = ...,
            threads: int = ..., progress: ProgressLike = ...) -> Translations: ...

    @overload
    def neighbors(self, words: "Sequence[str]", count: int = ..., *, side: str = ..., of: str = ..., case: str = ...,
                  threads: int = ..., progress: ProgressLike = ...) -> TranslationTable: ...

    def neighbors(self, words: Any, count: int = 10, *, side: str = "source", of: str = "source",
                  case: str = "title", threads: int = 0, progress: ProgressLike = None) -> Any:
        """The words of ``side`` with the nearest vectors, by cosine; the words asked for are words of ``of``."""
        run = start(threads, progress=progress)
        asked = [words] if isinstance(words, str) else words_of("words", words)
        answers = _answers(_core.neighbors(run, self._core, asked, whole("count", count, 1), text("side", side),
                                           text("of", of), text("case", case)))
        _note_unknown(answers)
        return answers[0] if isinstance(words, str) else TranslationTable(answers, count)

    def induce(self, *, mutual: bool = False, count: int = 1, criterion: Optional[str] = None,
               direction: Optional[str] = None, threshold: Optional[float] = None, precision: Optional[float] = None,
               margin: float = 0, ranks: Optional[Tuple[int, int]] = None, only: str = "all", exclude: Any = None, threads: int = 0,
               seed: int = 1, progress: ProgressLike = None, **options: Any) -> "Table":
        """A lexicon of the best translations of the whole vocabulary, a table of :class:`InducedPair`.

        ``mutual``: only pairs in which each word is among the best of the other (``direction`` says it in full:
        "source-to-target", "target-to-source", "intersection", "union"); ``ranks=(1, 2000)``: only words of these
        frequency ranks; ``exclude``: a lexicon whose pairs are left out; ``only``: "new" (words that ``exclude`` does
        not have), "identical" or "cognates". ``precision=0.9``, where the mapping re-ranks: only
        pairs that are right with this probability at least, which is what ``threshold`` is then, too."""
        run = start(threads, seed, progress)
        if precision is not None:
            threshold = self._probability(precision, threshold, criterion)
        way = direction if direction is not None else "intersection" if mutual else "source-to-target"
        first, last = rank_range(ranks)
        how = _core.Induction(text("direction", way), whole("count", count, 1), first, last,
                              None if threshold is None else real("threshold", threshold), real("margin", margin))
        path, pairs = _known(exclude)
        columns = _core.induce(run, self._core, _retrieval(criterion, options), how, text("only", only), path, pairs)
        return Table([InducedPair(*row) for row in zip(*columns)], InducedPair)

    def _probability(self, precision: Any, threshold: Any, criterion: Optional[str]) -> float:
        """The threshold that ``precision`` stands for."""
        if (criterion or self.criterion) != "rerank":
            raise UsageError("precision needs the probabilities of criterion='rerank'")
        if threshold is not None:
            raise UsageError("threshold and precision exclude each other")
        if not 0 <= real("precision", precision) <= 1:
            raise UsageError(f"precision must be from 0 to 1, not {precision}")
        return float(precision)

    def false_friends(self, *, criterion: Optional[str] = None, ranks: Optional[Tuple[int, int]] = None,
                      exclude: Any = None, threads: int = 0, seed: int = 1, progress: ProgressLike = None,
                      **options: Any) -> "Table":
        """Words that are written alike and are no translations of each other, a table of :class:`FalseFriend`."""
        run = start(threads, seed, progress)
        first, last = rank_range(ranks)
        path, pairs = _known(exclude)
        rows = _core.false_friends(run, self._core, _retrieval(criterion, options), first, last, path, pairs)
        return Table([FalseFriend(*row) for row in rows], FalseFriend)

    def evaluate(self, lexicon: Any, *, criterion: Optional[str] = None, case: Optional[str] = None,
                 checked: bool = True, swap: bool = False, drop_identical: bool = False, lenient: bool = False,
                 threads: int = 0, seed: int = 1, progress: ProgressLike = None, **options: Any) -> TranslationResult:
        """Precision of word translation on a test lexicon: a file, pairs, a frame, or a :class:`Lexicon`."""
        run = start(threads, seed, progress)
        path = lexicon if is_path(lexicon) else None
        found = lexicon._core if isinstance(lexicon, Lexicon) else None
        pairs = None if path is not None or found is not None else written_pairs("lexicon", lexicon)
        how = settings(case, checked, swap, drop_identical, lenient)
        return TranslationResult(_core.evaluate(run, self._core, path, pairs, found, how,
                                                _retrieval(criterion, options)))

    def report(self, lexicon: Any = None, *, path: Optional["Path"] = None, criterion: Optional[str] = None,
               case: Optional[str] = None, checked: bool = True, swap: bool = False, lenient: bool = False,
               queries: int = 20_000, threads: int = 0, seed: int = 1, progress: ProgressLike = None,
               **options: Any) -> str:
        """Everything about the mapping of this space as one HTML page, with what to try next; ``lexicon`` is a test
        lexicon as :meth:`evaluate` takes it, ``path`` a file to write the page to."""
        if not (self._parts and isinstance(self._parts[0], Mapping)):
            raise UsageError("a space without a mapping has nothing to report")
        run = start(threads, seed, progress)
        file = lexicon if is_path(lexicon) else None
        found = lexicon._core if isinstance(lexicon, Lexicon) else None
        pairs = None if lexicon is None or file is not None or found is not None else written_pairs("lexicon", lexicon)
        how = settings(case, checked, swap, False, lenient)
        page = _core.report(run, self._core, self._parts[0]._core, file, pairs, found, how,
                            _retrieval(criterion, options), whole("queries", queries, 1), optional_path("path", path))
        return page

    def hubs(self, count: int = 10, *, criterion: Optional[str] = None, neighbors: int = 10, queries: int = 0,
             threads: int = 0, seed: int = 1, progress: ProgressLike = None) -> Report:
        """How much some target words are near to everything, by nearest neighbor and by ``criterion``: for each the
        skewness, the share of targets that nobody chooses, a histogram, and the ``count`` largest hubs."""
        run = start(threads, seed, progress)
        how = _core.Retrieval("" if criterion is None else text("criterion", criterion),
                              whole("neighbors", neighbors, 1), 30.0, 0)
        return Report._parse(_core.hubness(run, self._core, how, whole("count", count), whole("queries", queries)))

    def sentences(self, source_text: "Path", target_text: "Path", *, tokens: str = "words", candidates: int = 200_000,
                  queries: int = 2_000, idf_sentences: int = 300_000, neighbors: int = 10, threads: int = 0,
                  seed: int = 1, progress: ProgressLike = None) -> Report:
        """How often a sentence finds its translation among others, in both directions, by nearest neighbor and CSLS.
        The files hold a sentence a line; a sentence is the mean of its words' vectors, weighted by how rare they are.
        ``tokens`` are "words" or, where the text is tokenized already, "blanks"."""
        return Report._parse(_core.sentences(
            start(threads, seed, progress), self._core, path_of("source_text", source_text),
            path_of("target_text", target_text), text("tokens", tokens), whole("candidates", candidates, 1),
            whole("queries", queries, 1), whole("idf_sentences", idf_sentences), whole("neighbors", neighbors, 1)))

    def analogies(self, questions: Any, *, method: str = "3cosadd", limit: int = 0, case: str = "lower",
                  lenient: bool = False, threads: int = 0, progress: ProgressLike = None) -> Report:
        """Analogies in the source language, answered by the vectors of this space: files in Google's format, or
        tab-separated."""
        return Report._parse(_core.analogies(start(threads, progress=progress), named_spaces([self]),
                                             paths_of("questions", questions), text("method", method),
                                             whole("limit", limit), text("case", case), bool(lenient)))

    def similarity(self, sets: Any, *, across: Optional[bool] = None, case: str = "lower",
                   average_phrases: bool = False, lenient: bool = False, threads: int = 0,
                   progress: ProgressLike = None) -> Report:
        """Agreement of cosines with what people say: files of pairs of words with scores, within the source language,
        or with ``across`` between the two."""
        return Report._parse(_core.similarities(start(threads, progress=progress), named_spaces([self]),
                                                paths_of("sets", sets), bool(across), text("case", case),
                                                bool(average_phrases), bool(lenient)))

    def fit_beta(self, lexicon: Lexicon, *, threads: int = 0) -> float:
        """The ``beta`` of the inverted softmax (criterion "isf") under which a training lexicon is most likely."""
        if not isinstance(lexicon, Lexicon):
            raise TypeError(f"lexicon must be a Lexicon, not {type(lexicon).__name__}: read_lexicon() makes one")
        return _core.fit_beta(start(threads), self._core, lexicon._core)

    def plot(self, words: Any, count: int = 1, ax: Any = None) -> Any:
        """Words of the source language and their translations as a picture: the two principal axes of the common
        space, with matplotlib."""
        from .plots import plot_space

        return plot_space(self, words, count, ax)

    def __repr__(self) -> str:
        target = self.size("target")
        sides = f"{self.size('source')} and {target} words" if target else f"{self.size('source')} words"
        return f"<CommonSpace: {sides} x {self.dimension}>"

    def __reduce__(self) -> Any:
        return CommonSpace, self._parts


def _answers(rows: "list[Any]") -> "list[Translations]":
    return [Translations([Candidate(*pair) for pair in zip(words, scores)], query, word, origin, known)
            for query, word, origin, words, scores, known in rows]


def _note_unknown(answers: "list[Translations]") -> None:
    """A warning about words that nothing is known of, once for all of them."""
    unknown = [answer.query for answer in answers if answer.origin == "none"]
    if unknown:
        shown = ", ".join(f"'{word}'" for word in unknown[:3]) + (", ..." if len(unknown) > 3 else "")
        many = f"{len(unknown)} of {len(answers)} words have" if len(answers) > 1 else f"{shown} has"
        warn(f"{many} no vector" + (f": {shown}" if len(answers) > 1 else ""))


def _retrieval(criterion: Optional[str], options: "dict[str, Any]") -> _core.Retrieval:
    """A criterion with its options, checked against the registry."""
    if criterion is not None:
        one_of("criterion", text("criterion", criterion), [info["name"] for info in _core.criteria()])
    option_texts(options, {option["name"] for info in _core.criteria() for option in info["options"]})
    return _core.Retrieval("" if criterion is None else criterion, whole("neighbors", options.get("neighbors", 10), 1),
                           real("beta", options.get("beta", 30.0)), whole("sample", options.get("sample", 0)))


def _known(exclude: Any, name: str = "exclude") -> "Tuple[Any, Any]":
    """A lexicon of known pairs: its file, or the pairs."""
    if exclude is None:
        return None, None
    if is_path(exclude):
        return exclude, None
    return None, written_pairs(name, exclude.pairs if isinstance(exclude, Lexicon) else exclude)
