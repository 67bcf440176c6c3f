"""Words and their vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Optional, Tuple, Union

import numpy as np

from . import _core, _display
from ._arguments import float_rows, is_path, optional_path, path_of, text, whole, words_of
from ._running import ProgressLike, start
from .reports import Report

if TYPE_CHECKING:
    from os import PathLike

    Path = Union[str, bytes, "PathLike[str]", "PathLike[bytes]"]
    FloatArray = np.ndarray[Any, np.dtype[np.float32]]

__all__ = ["WordVectors", "convert", "read_vectors"]


class WordVectors:
    """Words and their vectors: row i of ``array`` belongs to ``words[i]``.

    From a list of words and any array of numbers, from gensim's KeyedVectors, or from a pandas frame whose index holds
    the words. An array of float32 without gaps is not copied: it must not be changed afterwards.

    >>> import numpy as np
    >>> en = WordVectors(["night", "day"], np.array([[1, 0, 2], [0, 3, 0]], dtype=np.float32))
    >>> len(en), en.dimension, "night" in en, en.words
    (2, 3, True, ('night', 'day'))
    >>> en["day"]
    array([0., 3., 0.], dtype=float32)
    >>> en.array.flags.writeable
    False
    """

    __slots__ = ("_core", "_array", "_words", "_max_words")

    def __init__(self, words: Any, array: Any = None, *, name: str = "", threads: int = 0) -> None:
        if array is None:
            words, array = _taken_apart(words)
        rows = float_rows("array", array)
        run = start(threads)
        self._set(_core.make_vectors(run, words_of("words", words), rows, text("name", name), 0), 0)

    def _set(self, core: _core.Vectors, max_words: int) -> None:
        self._core = core
        self._array: Optional[FloatArray] = None
        self._words: Optional[Tuple[str, ...]] = None
        self._max_words = max_words

    @classmethod
    def _wrap(cls, core: _core.Vectors, max_words: int = 0) -> "WordVectors":
        vectors = cls.__new__(cls)
        vectors._set(core, max_words)
        return vectors

    @property
    def words(self) -> Tuple[str, ...]:
        """All words, usually the most frequent first. A byte that is not UTF-8 is a lone surrogate."""
        if self._words is None:
            self._words = tuple(self._core.words(0, len(self._core)))
        return self._words

    @property
    def array(self) -> "FloatArray":
        """The vectors, one a row: float32, without a copy, to be read only."""
        if self._array is None:
            self._array = np.asarray(self._core.array())
        return self._array

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return self._core.dimension

    @property
    def has_subwords(self) -> bool:
        """Whether words outside the vocabulary have vectors, made of their subwords (fastText models)."""
        return self._core.has_subwords

    @property
    def path(self) -> str:
        """The file that they were read from; empty where there is none."""
        return str(self._core.summary()["path"])

    @property
    def summary(self) -> "dict[str, Any]":
        """How the file was read: what was mended, set aside or skipped is counted there."""
        return self._core.summary()

    def __len__(self) -> int:
        return len(self._core)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._core.find(word) is not None

    def __getitem__(self, word: Union[str, "list[str]"]) -> "FloatArray":
        """The vector of a word, or the vectors of several; KeyError for a word without one."""
        if not isinstance(word, str):
            return np.stack([self[one] for one in words_of("words", word)])
        vector: Optional[FloatArray] = self.get(word)
        if vector is None:
            raise KeyError(word)
        return vector

    def get(self, word: str, default: Any = None) -> Any:
        """The vector of a word, by its subwords where the vocabulary does not have it; else ``default``.

        >>> import numpy as np
        >>> print(WordVectors(["night"], np.ones((1, 2))).get("knight"))
        None
        """
        row = self._core.find(text("word", word))
        if row is not None:
            return self.array[row]
        if self.has_subwords:
            made = _core.subword_vector(start(1), self._core, word)
            if made is not None:
                return np.asarray(made)[0]
        return default

    def index(self, word: str) -> int:
        """The row of a word; KeyError where the vocabulary does not have it."""
        row = self._core.find(text("word", word))
        if row is None:
            raise KeyError(word)
        return row

    def first(self, count: int) -> "WordVectors":
        """The first words alone, on the same memory.

        >>> import numpy as np
        >>> WordVectors(["a", "b"], np.ones((2, 3))).first(1).words
        ('a',)
        """
        count = min(whole("count", count, 1), len(self))
        part = WordVectors(self.words[:count], self.array[:count], name=self.path)
        part._max_words = count
        return part

    def save(self, path: "Path", *, format: Optional[str] = None, threads: int = 0,
             progress: ProgressLike = None) -> None:
        """Writes a file: text (.vec .txt, also with .gz .zst .xz .bz2), word2vec binary (.w2v .bin), NumPy (.npy, the
        words beside it) or wordbridge's own (.wbvec), by its extension or by ``format``: "text", "word2vec", "npy",
        "native"."""
        name = "" if format is None else text("format", format)
        _core.write_vectors(start(threads, progress=progress), self._core, path_of("path", path), name)

    def checksum(self, *, threads: int = 0) -> str:
        """SHA-256 of words and values: the same for the same vectors in any format."""
        return _core.vectors_checksum(start(threads), self._core)

    def inspect(self, *, threads: int = 0, seed: int = 1, progress: ProgressLike = None) -> Report:
        """What a look at the vectors tells, as ``wordbridge inspect`` prints it: lengths, letter case, what looks
        wrong."""
        return Report._parse(_core.inspect_vectors(start(threads, seed, progress), self._core))

    def to_gensim(self) -> Any:
        """gensim's KeyedVectors on the same memory (which is to be read only)."""
        from gensim.models import KeyedVectors

        keyed = KeyedVectors(self.dimension, count=0)
        keyed.index_to_key = list(self.words)
        keyed.key_to_index = {word: row for row, word in enumerate(keyed.index_to_key)}
        keyed.vectors = self.array
        keyed.norms = None
        return keyed

    def to_pandas(self) -> Any:
        """A frame with a row for each word."""
        import pandas

        return pandas.DataFrame(self.array, index=pandas.Index(self.words, name="word"), copy=False)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.array if dtype is None else self.array.astype(dtype, copy=bool(copy))

    def __repr__(self) -> str:
        where = f" of {self.path}" if self.path else ""
        subwords = ", with subwords" if self.has_subwords else ""
        return f"<WordVectors{where}: {len(self)} words x {self.dimension}{subwords}>"

    def _repr_html_(self) -> str:
        shown = min(len(self), 5)
        rows = [[word, *map(float, vector[:6]), "..."] for word, vector in zip(self.words[:shown], self.array)]
        headings = ["word", *map(str, range(min(6, self.dimension))), ""]
        return _display.table(headings, rows, f"{len(self)} words x {self.dimension} {self.path}")

    def __reduce__(self) -> Any:
        # A file with subwords is read again: a model is more than words and vectors.
        if self.has_subwords and self._core.summary()["format"]:
            return _read_again, (self.path, self._max_words)
        return _restored, (list(self.words), self.array, self.path, self._max_words, self._core.space)


def _restored(words: "list[str]", array: Any, name: str, max_words: int, space: int) -> WordVectors:
    return WordVectors._wrap(_core.make_vectors(start(), words, float_rows("array", array), name, space), max_words)


def _read_again(path: str, max_words: int) -> WordVectors:
    return read_vectors(path, max_words=max_words or None)


def _taken_apart(vectors: Any) -> Tuple[Any, Any]:
    """Words and array of an object that holds both."""
    if isinstance(vectors, WordVectors):
        return vectors.words, vectors.array
    if hasattr(vectors, "wv"):  # a model of gensim
        vectors = vectors.wv
    if hasattr(vectors, "index_to_key"):
        return vectors.index_to_key, vectors.vectors
    if hasattr(vectors, "to_numpy") and hasattr(vectors, "index"):
        return list(vectors.index), vectors.to_numpy()
    raise TypeError("words and an array are wanted, or gensim's KeyedVectors, or a frame whose index holds the words")


def read_vectors(path: "Path", *, max_words: Optional[int] = None, lenient: bool = False,
                 vocabulary: Optional["Path"] = None, threads: int = 0, progress: ProgressLike = None) -> WordVectors:
    """Reads a file of word vectors in any known format, which is recognized by its content: text (fastText, word2vec,
    GloVe; plain or compressed), word2vec binary, fastText model, NumPy .npy with a list of words (``vocabulary``),
    wordbridge's own .wbvec. What is harmless is mended and counted (``summary``); damage is an :class:`InputError`,
    unless ``lenient`` asks to skip it.

    >>> en = read_vectors("data/sample/en.vec.xz", max_words=1000)
    >>> en
    <WordVectors of data/sample/en.vec.xz: 1000 words x 100>
    >>> en.words[:3]
    ('the', 'to', 'a')
    """
    most = 0 if max_words is None else whole("max_words", max_words)
    core = _core.read_vectors(start(threads, progress=progress), path_of("path", path), most, bool(lenient),
                              optional_path("vocabulary", vocabulary))
    return WordVectors._wrap(core, most)


def convert(source: "Path", target: "Path", *, format: Optional[str] = None, max_words: Optional[int] = None,
            lenient: bool = False, vocabulary: Optional["Path"] = None, threads: int = 0,
            progress: ProgressLike = None) -> None:
    """Writes a file of vectors in another format, a block at a time: files may be larger than memory."""
    most = 0 if max_words is None else whole("max_words", max_words)
    _core.convert(start(threads, progress=progress), path_of("source", source), path_of("target", target), most,
                  bool(lenient), optional_path("vocabulary", vocabulary),
                  "" if format is None else text("format", format))


def as_vectors(name: str, value: Any) -> WordVectors:
    """Vectors as they are, or made of what holds some."""
    if isinstance(value, WordVectors):
        return value
    if is_path(value):
        raise TypeError(f"{name}: WordVectors are wanted, not a path: read_vectors() reads it")
    return WordVectors(value)
