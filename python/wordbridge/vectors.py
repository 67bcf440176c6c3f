"""Words and their vectors."""

from __future__ import annotations

import operator
import os
import tempfile
import zipfile
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any, Iterator, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core, _display
from ._arguments import float_rows, is_path, listed, numbers, path_of, table_reading, text, whole, words_of
from ._running import ProgressLike, start
from .errors import InputError, UsageError, warn
from .reports import Report

if TYPE_CHECKING:
    from os import PathLike

    Path = Union[str, bytes, "PathLike[str]", "PathLike[bytes]"]
    FloatArray = np.ndarray[Any, np.dtype[np.float32]]

__all__ = ["WordVectors", "convert", "read_vectors"]


class WordVectors:
    """Words and their vectors: row i of ``array`` belongs to ``words[i]``.

    From a list of words and any array of numbers, from gensim's KeyedVectors, from a dict of vectors by word, or from a
    pandas frame whose index holds the words. An array of float32 without gaps is not copied: it must not be changed
    afterwards.

    >>> import numpy as np
    >>> en = WordVectors(["night", "day"], np.array([[1, 0, 2], [0, 3, 0]], dtype=np.float32))
    >>> len(en), en.dimension, "night" in en, en.words
    (2, 3, True, ('night', 'day'))
    >>> en["day"]
    array([0., 3., 0.], dtype=float32)
    >>> en.array.flags.writeable
    False
    """

    __slots__ = ("_core", "_array", "_words", "_max_words", "_space")

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
        self._space: Any = None

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

    def __getitem__(self, word: Any) -> "FloatArray":
        """The vector of a word or of a row (``en["night"]``, ``en[0]``), or those of several (``en[["night", "day"]]``,
        ``en[:5]``); KeyError for a word without one, IndexError for a row that there is not."""
        if isinstance(word, slice):
            return self.array[word]
        if not isinstance(word, str):
            if hasattr(word, "__index__") and not isinstance(word, (bool, np.bool_, np.ndarray)):
                row: FloatArray = self.array[operator.index(word)]
                return row
            several = listed("words", word, "a word, a row, or several of them")
            return np.stack([self[one] for one in several]) if several else self.array[:0]
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

    def most_similar(self, word: Any, count: int = 10, *, topn: Optional[int] = None,
                     threads: int = 0) -> "list[tuple[str, float]]":
        """The words with the nearest vectors, by cosine: of a word, which is left out, or of a vector. ``topn`` is what
        gensim calls ``count``.

        >>> import numpy as np
        >>> WordVectors(["up", "high", "right"], [[0, 1], [0.6, 0.8], [1, 0]]).most_similar("up", 1)
        [('high', 0.800000011920929)]
        """
        from .space import CommonSpace

        count = count if topn is None else whole("topn", topn, 1)
        if self._space is None:
            self._space = CommonSpace(self, threads=threads)
        if isinstance(word, str):
            if self.get(word) is None:
                raise KeyError(word)
            found = self._space.neighbors(word, count, case="exact", threads=threads)
            if found.origin != "none":
                return [(one.word, one.score) for one in found]
            word = self[word]
        scores, rows = self._space.search(word, count, side="source", criterion="nn", threads=threads)
        return [(self.words[row], float(score)) for row, score in zip(rows.ravel(), scores.ravel()) if row >= 0]

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
        words beside it), numbers without a header (.f32 .f16, likewise) or wordbridge's own (.wbvec), by its extension
        or by ``format``: "text", "word2vec", "npy", "npy:f16", "raw:f32", "raw:f16", "native",
        "postgres" (text for COPY), "sqlite" (a script for its shell)."""
        name = "" if format is None else text("format", format)
        _core.write_vectors(start(threads, progress=progress), self._core, path_of("path", path), name)

    def checksum(self, *, threads: int = 0) -> str:
        """SHA-256 of words and values: the same for the same vectors in any format."""
        return _core.vectors_checksum(start(threads), self._core)

    def inspect(self, *, threads: int = 0, seed: int = 1, progress: ProgressLike = None) -> Report:
        """What a look at the vectors tells, as ``wordbridge inspect`` prints it: lengths, letter case, what looks
        wrong."""
        return Report._parse(_core.inspect_vectors(start(threads, seed, progress), self._core))

    def to_gensim(self, *, copy: bool = False, counts: Any = None) -> Any:
        """gensim's KeyedVectors: on the same memory, which is to be read only, or with ``copy`` on their own, to be
        trained on. ``counts`` says how often each word comes; without, they only tell the order, as gensim's own reader
        has it. Subwords do not come along: a warning says so."""
        from gensim.models import KeyedVectors

        if self.has_subwords:
            warn_of_lost_subwords("KeyedVectors hold words alone; save() keeps all of a model in a .bin file")
        keyed = KeyedVectors(self.dimension, count=0)
        keyed.index_to_key = list(self.words)
        keyed.key_to_index = {word: row for row, word in enumerate(keyed.index_to_key)}
        keyed.vectors = self.array.copy() if copy else self.array
        keyed.norms = None
        known = np.arange(len(self), 0, -1) if counts is None else numbers("counts", counts)
        if known.shape != (len(self),):
            raise UsageError(f"counts: there are {len(self)} words, and counts of the shape {known.shape}")
        keyed.expandos["count"] = known.astype(np.int64)
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
        if hasattr(vectors, "vectors_ngrams"):
            warn_of_lost_subwords("gensim.models.fasttext.save_facebook_model(model, 'x.bin'), then "
                                  "read_vectors('x.bin') keeps them")
        return vectors.index_to_key, vectors.vectors
    if hasattr(vectors, "to_numpy") and hasattr(vectors, "columns"):
        return list(vectors.index), vectors.to_numpy()
    if isinstance(vectors, Mapping) and vectors:
        return list(vectors), np.stack([numbers(f"the vector of {word!r}", row) for word, row in vectors.items()])
    raise TypeError("vectors are words and an array, gensim's KeyedVectors, a dict, or a frame whose index holds the "
                    f"words; not {type(vectors).__name__}")


def warn_of_lost_subwords(what_keeps_them: str) -> None:
    """Says that words outside the vocabulary have no vectors any more."""
    warn(f"the subwords of the model are left out, so words outside its vocabulary have no vectors: {what_keeps_them}")


def counts_of(keyed: Any) -> Any:
    """How often gensim says that each word comes; None where it does not."""
    keyed = getattr(keyed, "wv", keyed)
    return keyed.expandos.get("count") if hasattr(keyed, "expandos") else None


def read_vectors(path: "Union[Path, IO[Any]]", *, max_words: Optional[int] = None, lenient: bool = False,
                 vocabulary: "Union[Path, Sequence[str], None]" = None, ids: Optional["Path"] = None,
                 format: Optional[str] = None, threads: int = 0, progress: ProgressLike = None) -> WordVectors:
    """Reads a file of word vectors in any known format, which is recognized by its content: text (fastText, word2vec,
    GloVe; plain or compressed), word2vec binary, fastText model, wordbridge's own .wbvec, and tables of numbers (NumPy
    .npy or .npz, safetensors, and with ``format="raw:f16:1024"`` numbers without a header). The words of these are in
    ``vocabulary``, a file or a list, or in a file beside the table (a .npz may hold them itself); or rows have ids, from
    the file ``ids``, else their numbers. Many such files are one table: ``"old-*.npy"``, or ``"@LIST"``. A file object
    is read to its end. What is harmless is mended and counted (``summary``); damage is an :class:`InputError`,
    unless ``lenient`` asks to skip it.

    >>> en = read_vectors("data/sample/en.vec.xz", max_words=1000)
    >>> en
    <WordVectors of data/sample/en.vec.xz: 1000 words x 100>
    >>> en.words[:3]
    ('the', 'to', 'a')
    """
    most = 0 if max_words is None else whole("max_words", max_words)
    if hasattr(path, "read"):
        return _read_object(path, max_words=max_words, lenient=lenient, vocabulary=vocabulary, ids=ids, format=format,
                            threads=threads, progress=progress)
    first = _first_bytes(path_of("path", path))
    if vocabulary is not None and not is_path(vocabulary) and not first:
        vocabulary = None  # there is nothing to read: the library says why
    if first[:2] == b"PK" or vocabulary is not None and not is_path(vocabulary):
        return _read_arrays(path, first, vocabulary, most, threads)
    if first[:1] == b"\x80" and first[1:2] in (b"\2", b"\3", b"\4", b"\5"):
        raise InputError(os.fsdecode(path), 0, "this is a pickle, such as gensim's save() writes (.kv, .model): "
                         "gensim.models.KeyedVectors.load(path) reads it, and WordVectors() takes what it gives")
    core = _core.read_vectors(start(threads, progress=progress), path, most, bool(lenient),
                              table_reading(vocabulary, ids, format))
    return WordVectors._wrap(core, most)


def _first_bytes(path: Any) -> bytes:
    """Of a file that can be read twice; nothing else is touched."""
    try:
        if os.path.isfile(path):
            with open(path, "rb") as file:
                return file.read(6)
    except (OSError, ValueError):
        pass  # the library says what is wrong
    return b""


def _read_object(stream: Any, **settings: Any) -> WordVectors:
    name = getattr(stream, "name", None)
    suffix = os.path.splitext(name)[1] if isinstance(name, str) else ""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stream" + suffix)
        with open(path, "wb") as copy:
            while True:
                part = stream.read(1 << 20)
                if not part:
                    break
                copy.write(part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part)
        try:
            return read_vectors(path, **settings)
        except InputError as error:
            shown = name if isinstance(name, str) else "the file object"
            raise InputError(shown, error.line, error.reason) from None


def _read_arrays(path: Any, first: bytes, vocabulary: Any, most: int, threads: int) -> WordVectors:
    """NumPy's files whose words are in memory, or beside the array in a .npz."""
    name = os.fsdecode(path)
    if first != b"\x93NUMPY" and first[:2] != b"PK":
        raise UsageError(f"{name}: a list of words goes with NumPy's files (.npy, .npz); this is none")
    try:
        loaded = np.load(path, mmap_mode="r" if first[:2] != b"PK" else None, allow_pickle=False)
        arrays = {"": loaded} if isinstance(loaded, np.ndarray) else {key: loaded[key] for key in loaded.files}
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise InputError(name, 0, f"NumPy cannot read it: {error}") from None
    tables = [key for key, array in arrays.items() if array.ndim == 2 and array.dtype.kind in "fiu"]
    lists = [key for key, array in arrays.items() if array.ndim == 1 and array.dtype.kind in "US"]
    if len(tables) != 1 or vocabulary is None and len(lists) != 1:
        held = ", ".join(f"{key or 'array'} {array.dtype}{list(array.shape)}" for key, array in arrays.items())
        raise InputError(name, 0, f"one array of vectors and one of words are expected; there is {held or 'nothing'}")
    if vocabulary is None:
        words = [w.decode("utf-8", "surrogateescape") if isinstance(w, bytes) else str(w) for w in arrays[lists[0]]]
    elif is_path(vocabulary):
        with open(vocabulary, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            words = file.read().split("\n")
        words = words[:-1] if words[-1] == "" else words
    else:
        words = words_of("vocabulary", vocabulary)
    table = arrays[tables[0]]
    if len(words) != len(table):
        raise InputError(name, 0, f"there are {len(words)} words for {len(table)} vectors")
    count = min(len(words), most or len(words))
    vectors = WordVectors(words[:count], table[:count], name=name, threads=threads)
    vectors._max_words = most
    return vectors


def convert(source: "Path", target: "Path", *, format: Optional[str] = None, max_words: Optional[int] = None,
            lenient: bool = False, vocabulary: Optional["Path"] = None, ids: Optional["Path"] = None,
            source_format: Optional[str] = None, threads: int = 0, progress: ProgressLike = None) -> None:
    """Writes a file of vectors in another format, a block at a time: files may be larger than memory. ``format`` is that
    of the target, as in :meth:`WordVectors.save`; ``source_format`` as ``format`` of :func:`read_vectors`."""
    most = 0 if max_words is None else whole("max_words", max_words)
    _core.convert(start(threads, progress=progress), path_of("source", source), path_of("target", target), most,
                  bool(lenient), table_reading(vocabulary, ids, source_format),
                  "" if format is None else text("format", format))


def as_vectors(name: str, value: Any) -> WordVectors:
    """Vectors as they are, or made of what holds some."""
    if isinstance(value, WordVectors):
        return value
    if is_path(value):
        raise TypeError(f"{name} must be WordVectors, not a path: read_vectors() reads it")
    return WordVectors(value)
