"""Many languages in one space."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Optional

from . import _core
from ._arguments import path_of, text, whole
from ._running import ProgressLike, start
from .mapping import Mapping
from .space import CommonSpace
from .vectors import WordVectors, read_vectors

if TYPE_CHECKING:
    from .vectors import Path

__all__ = ["Hub", "make_hub"]


class Hub:
    """A folder that :func:`make_hub` or ``wordbridge hub`` wrote: languages around a pivot, each with its mapping."""

    __slots__ = ("_core", "_folder", "_manifest")

    def __init__(self, folder: "Path") -> None:
        """Opens the folder; :class:`InputError` or :class:`IoError` where it holds no hub."""
        self._folder = folder
        self._core = _core.read_hub(start(), path_of("folder", folder))
        self._manifest: Optional["dict[str, Any]"] = None

    @property
    def pivot(self) -> str:
        """The language that all others are aligned to."""
        return self._core.pivot

    @property
    def languages(self) -> "list[str]":
        """Those that are aligned, and the pivot, by name."""
        return self._core.languages()

    @property
    def manifest(self) -> "dict[str, Any]":
        """Everything that is known of it: versions, checksums, scores, and why languages failed."""
        if self._manifest is None:
            self._manifest = json.loads(self._core.manifest())
        copy: "dict[str, Any]" = json.loads(json.dumps(self._manifest))
        return copy

    @property
    def failed(self) -> "dict[str, str]":
        """Languages that could not be aligned, and why."""
        failed: "dict[str, str]" = self.manifest["failed"]
        return failed

    def precision(self, source: str, target: str) -> Optional[float]:
        """P@1 in percent, by CSLS; None where it was not measured."""
        return self._core.precision(text("source", source), text("target", target))

    def reranked_precision(self, source: str, target: str) -> Optional[float]:
        """The same where candidates are ranked anew; None where they are not."""
        return self._core.reranked_precision(text("source", source), text("target", target))

    def vectors(self, language: str, *, threads: int = 0, progress: ProgressLike = None) -> WordVectors:
        """The words of a language, as they were before its map."""
        path = self._core.vectors_path(text("language", language))
        most = int(self.manifest["max_words"])
        return read_vectors(path, max_words=most or None, threads=threads, progress=progress)

    def mapping(self, source: str, target: Optional[str] = None) -> Mapping:
        """From one language to another, through the pivot, with the re-ranker of the two; with one language, into the
        pivot's own space, where all languages can be compared."""
        other = None if target is None else text("target", target)
        return Mapping(_core.hub_mapping(start(), self._core, text("source", source), other))

    def space(self, source: str, target: str, *, threads: int = 0, progress: ProgressLike = None) -> CommonSpace:
        """The words of two languages in a space, to translate, evaluate and induce in."""
        mapping = self.mapping(source, target)
        return CommonSpace(mapping, self.vectors(source, threads=threads, progress=progress),
                           self.vectors(target, threads=threads, progress=progress))

    def __repr__(self) -> str:
        return f"<Hub {os.fsdecode(self._folder)}: {len(self.languages)} languages around {self.pivot}>"


def make_hub(languages: "Path", folder: "Path", *, joint: bool = False, memory: int = 0, matrix_words: int = 0,
             matrix: bool = True, rerank: bool = True, lenient: bool = False, threads: int = 0, seed: int = 1,
             progress: ProgressLike = None) -> Hub:
    """Aligns all languages of a list (.toml, see docs/many-languages.md) to its pivot, measures all pairs (with
    ``matrix`` false, those with the pivot only), and leaves everything in ``folder``. What is finished there already is
    not done again; a language that fails is a warning and stops no other one. ``memory`` is the number of bytes that
    languages at work may take together, 0 for what is free. With ``joint``, all maps are learned together, too, and
    those that do better on held-out words are recommended. Of every pair that is measured the hub learns to rank
    translations anew, which takes most of its time; ``rerank`` false leaves that out.
    """
    run = start(threads, seed, progress)
    _core.make_hub(run, path_of("languages", languages), path_of("folder", folder), bool(joint),
                   whole("memory", memory), whole("matrix_words", matrix_words), bool(matrix), bool(rerank), bool(lenient))
    return Hub(folder)
