"""Whole entries: all translations of a word."""

from __future__ import annotations

from typing import Any, Iterator, List, NamedTuple, Optional, Sequence

from . import _core, _display
from ._arguments import real

__all__ = ["Entry", "EntryBalance", "EntryForm"]


class EntryForm(NamedTuple):
    """A word of an entry."""

    word: str
    p_translation: float  #: that it is a translation at all
    p_first: float  #: that it is the one to be named first
    rank: int  #: among the candidates, from 1
    frequency_rank: int  #: in the target vocabulary, from 1; 0 where it is not there
    known: bool  #: a lexicon says so


class EntryBalance(NamedTuple):
    """From which probability a candidate is taken into an entry, and what that is expected to lead to, in percent."""

    threshold: float
    precision: float
    recall: float
    f1: float
    words: int  #: held out, on which this was measured; 0: on other languages
    reached: bool  #: what was asked for; otherwise this comes nearest


class Entry(Sequence[List[EntryForm]]):
    """What a dictionary says of a word: a list of lines, each the forms of one word (:class:`EntryForm`), the likeliest
    first. It is empty where none of the candidates is likely."""

    def __init__(self, lines: "list[list[EntryForm]]", query: str, word: str) -> None:
        self._lines = lines
        self.query = query  #: as asked
        self.word = word  #: as the vocabulary spells it; empty where it does not have it

    @property
    def words(self) -> "list[str]":
        """The leading word of each line."""
        return [line[0].word for line in self._lines]

    def __getitem__(self, index: Any) -> Any:
        return self._lines[index]

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> "Iterator[list[EntryForm]]":
        return iter(self._lines)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Entry) and (self._lines, self.query, self.word) == (other._lines, other.query,
                                                                                      other.word)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{self.query}: {'; '.join(', '.join(form.word for form in line) for line in self._lines) or '-'}"

    def to_pandas(self) -> Any:
        """A frame with a row for each form: line, and what :class:`EntryForm` holds."""
        import pandas

        rows = [(number, *form) for number, line in enumerate(self._lines, 1) for form in line]
        return pandas.DataFrame(rows, columns=["line", *EntryForm._fields])

    def _repr_html_(self) -> str:
        rows = [[", ".join(form.word for form in line), f"{line[0].p_translation:.2f}"] for line in self._lines]
        return _display.table([self.query, "p_translation"], rows)

    def __reduce__(self) -> Any:
        return Entry, (self._lines, self.query, self.word)


def settings_of(precision: Optional[float], recall: Optional[float], forms: bool, first: int,
                last: int) -> "_core.EntrySettings":
    """Which entries are wanted."""
    return _core.EntrySettings(None if precision is None else real("precision", precision),
                               None if recall is None else real("recall", recall), bool(forms), first, last)


def to_entry(row: Any) -> Entry:
    query, word, lines = row
    return Entry([[EntryForm(*form) for form in line] for line in lines], query, word)
