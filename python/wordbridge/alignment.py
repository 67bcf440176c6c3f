"""Learning mappings: what methods and options there are, and how they are handed to the library."""

from __future__ import annotations

import os
from typing import Any, NamedTuple, Optional, Tuple

from . import _core, _display
from ._arguments import nearest, text
from ._running import ProgressLike, start
from .errors import UsageError
from .lexicon import Lexicon, read_lexicon
from .mapping import Mapping
from .vectors import as_vectors

__all__ = ["Criterion", "Method", "Option", "criteria", "methods"]


class Option(NamedTuple):
    """An option of a method or a criterion."""

    name: str  #: as a keyword argument: "learning_rate"
    kind: str  #: "flag", "whole", "real", "text", "choice", "wholes" or "reals" (several numbers)
    default: str  #: as text; empty where none is needed
    help: str
    choices: Tuple[str, ...]
    min: Optional[float]
    max: Optional[float]
    words: Tuple[str, ...] = ()  #: which stand for values that are not there, or for 0: "auto", "all"
    is_file: bool = False  #: the path of a file that is read
    writes: bool = False  #: it has to do with files that are written on the way

    @classmethod
    def _of(cls, info: "dict[str, Any]") -> "Option":
        return cls(_keyword(info["name"]), info["kind"], info["default"], info["help"], tuple(info["choices"]),
                   info["min"], info["max"], tuple(info["words"]), info["is_file"], info["writes"])


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
    """All methods by name, the default first, with their options: what :func:`wordbridge.align` takes.

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
        raise TypeError(f"{name} must be a number, a text or a list of numbers, not {value!r}") from None


def option_texts(options: "dict[str, Any]", known: "set[str]") -> "dict[str, str]":
    """Options by the library's names. UsageError, with the nearest one, for a name that is none."""
    texts = {}
    for name, value in options.items():
        dashed = name.replace("_", "-")
        if dashed not in known:
            raise UsageError(f"there is no option '{name}'{nearest(_keyword(dashed), map(_keyword, known))}")
        if value is not None:
            texts[dashed] = _option_text(name, value)
    return texts


def learned(source: Any, target: Any, lexicon: Any, method: str, normalize: Optional[str], threads: int, seed: int,
            progress: ProgressLike, options: "dict[str, Any]") -> Mapping:
    """What :func:`align` does; options that are None are as usual."""
    en, es = as_vectors("source", source), as_vectors("target", target)
    texts = option_texts(options, {option["name"] for info in _core.methods() for option in info["options"]})
    run = start(threads, seed, progress)
    if lexicon is not None and not isinstance(lexicon, Lexicon):
        lexicon = read_lexicon(lexicon, en, es)
    most = 0 if 0 in (en._max_words, es._max_words) else max(en._max_words, es._max_words)
    return Mapping(_core.align(run, en._core, es._core, None if lexicon is None else lexicon._core,
                               text("method", method), texts,
                               "" if normalize is None else text("normalize", normalize), most))
