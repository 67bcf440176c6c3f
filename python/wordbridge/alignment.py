"""Learning mappings."""

from __future__ import annotations

import difflib
import os
import re
from typing import Any, NamedTuple, Optional, Tuple

from . import _core, _display
from ._arguments import text
from ._running import ProgressLike, start
from .errors import UsageError
from .lexicon import Lexicon, read_lexicon
from .mapping import Mapping
from .vectors import as_vectors

__all__ = ["Criterion", "Method", "Option", "align", "criteria", "methods"]


class Option(NamedTuple):
    """An option of a method or a criterion."""

    name: str  #: as a keyword argument: "learning_rate"
    kind: str  #: "flag", "whole", "real", "text", "choice", "wholes" or "reals" (several numbers)
    default: str  #: as text; empty where none is needed
    help: str
    choices: Tuple[str, ...]
    min: Optional[float]
    max: Optional[float]

    @classmethod
    def _of(cls, info: "dict[str, Any]") -> "Option":
        return cls(_keyword(info["name"]), info["kind"], info["default"], info["help"], tuple(info["choices"]),
                   info["min"], info["max"])


class _Listed:
    """Something with a name, a summary and options."""

    def __init__(self, info: "dict[str, Any]") -> None:
        self.name: str = info["name"]
        self.summary: str = info["summary"]
        self.options: Tuple[Option, ...] = tuple(Option._of(option) for option in info["options"])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {self.summary}>"

    def _repr_html_(self) -> str:
        rows = [(option.name, option.default, option.help) for option in self.options]
        return _display.table(["option", "default", "help"], rows, f"{self.name}: {self.summary}")


class Method(_Listed):
    """A method of alignment, as :func:`methods` lists it."""

    def __init__(self, info: "dict[str, Any]") -> None:
        super().__init__(info)
        self.normalization: str = info["normalization"]
        self.criterion: str = info["criterion"]
        self.needs_lexicon: bool = info["needs_lexicon"]


class Criterion(_Listed):
    """A way to rank translations, as :func:`criteria` lists it."""


def _keyword(name: str) -> str:
    return name.replace("-", "_")


def methods() -> "dict[str, Method]":
    """All methods by name, the default first, with their options: what :func:`align` takes.

    >>> list(methods())[:3]
    ['auto', 'rcsls', 'procrustes']
    >>> methods()["rcsls"].options[0].name
    'learning_rate'
    """
    return {info["name"]: Method(info) for info in _core.methods()}


def criteria() -> "dict[str, Criterion]":
    """All criteria by which translations are ranked.

    >>> list(criteria())
    ['nn', 'csls', 'isf', 'gc', 'rerank']
    """
    return {info["name"]: Criterion(info) for info in _core.criteria()}


def _option_text(name: str, value: Any) -> str:
    """A value as a user would type it."""
    if isinstance(value, str):
        return value
    if hasattr(value, "__fspath__"):
        return os.fsdecode(value)
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)) or hasattr(value, "tolist") and getattr(value, "ndim", 0) == 1:
        return ",".join(_option_text(name, one) for one in value)
    if isinstance(value, int) or hasattr(value, "__index__"):
        return str(int(value))
    try:
        return repr(float(value))
    except (TypeError, ValueError):
        raise TypeError(f"{name}: a number, a text or a list of numbers is wanted, not {value!r}") from None


def option_texts(options: "dict[str, Any]", known: "set[str]") -> "dict[str, str]":
    """Options by the library's names. UsageError, with the nearest ones, for a name that is none."""
    texts = {}
    for name, value in options.items():
        dashed = name.replace("_", "-")
        if dashed not in known:
            near = difflib.get_close_matches(_keyword(dashed), sorted(map(_keyword, known)), n=3, cutoff=0.5)
            hint = f"; the nearest are {', '.join(near)}" if near else ""
            raise UsageError(f"there is no option '{name}'{hint}; methods() lists all")
        if value is not None:
            texts[dashed] = _option_text(name, value)
    return texts


def in_python(message: str, known: "set[str]") -> str:
    """An error of the library, with the options as Python spells them.

    >>> in_python("--learning-rate belongs to --method rcsls", {"learning-rate"})
    'learning_rate belongs to method rcsls'
    """
    names = known | {"method", "normalize", "lexicon", "approximate", "criterion"}
    return re.sub(r"--([a-z0-9-]+)", lambda m: _keyword(m[1]) if m[1] in names else m[0], message)


def align(source: Any, target: Any, lexicon: Any = None, *, method: str = "auto", normalize: Optional[str] = None,
          threads: int = 0, seed: int = 1, progress: ProgressLike = None, **options: Any) -> Mapping:
    """Learns a mapping from the vectors of two languages and a lexicon.

    ``lexicon`` is a :class:`Lexicon`, or what :func:`read_lexicon` makes one of; None for methods that learn without.
    Keyword arguments are the options of the method, as :func:`methods` lists them; ``normalize`` names other steps
    than the method's ("unit", "unit,center", "none"). ``progress`` is True for a bar, or a function.

    >>> en, es = (read_vectors(f"data/sample/{language}.vec.xz") for language in ("en", "es"))
    >>> mapping = align(en, es, "data/sample/en-es.train.txt", method="procrustes")
    >>> mapping
    <Mapping by procrustes: 100 x 100>
    >>> align(en, es, "data/sample/en-es.train.txt", method="rcsls", lerning_rate=10)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    wordbridge.errors.UsageError: there is no option 'lerning_rate'; the nearest are learning_rate, ...
    """
    en, es = as_vectors("source", source), as_vectors("target", target)
    known = {option["name"] for info in _core.methods() for option in info["options"]}
    texts = option_texts(options, known)
    run = start(threads, seed, progress)
    if lexicon is not None and not isinstance(lexicon, Lexicon):
        lexicon = read_lexicon(lexicon, en, es)
    most = 0 if 0 in (en._max_words, es._max_words) else max(en._max_words, es._max_words)
    try:
        return Mapping(_core.align(run, en._core, es._core, None if lexicon is None else lexicon._core,
                                   text("method", method), texts,
                                   "" if normalize is None else text("normalize", normalize), most))
    except UsageError as error:
        raise UsageError(in_python(str(error), known)) from None
