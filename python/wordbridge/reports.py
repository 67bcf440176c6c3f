"""What measurements tell."""

from __future__ import annotations

import json
from typing import Any, ItemsView, Iterator, KeysView, Sequence, Tuple, ValuesView

from . import _core, _display
from ._arguments import path_of

__all__ = ["Report", "Table"]


class Report:
    """The result of a measurement: the values of ``wordbridge ... --json`` by name, the table that the program prints
    as text, and as HTML in notebooks.

    A report of one thing is a mapping: ``in``, ``list`` and ``dict`` go by the names; one of several is a sequence.

    >>> report = Report({"words": 3}, "3 words")
    >>> report["words"], str(report), report.to_dict()
    (3, '3 words', {'words': 3})
    >>> "words" in report, list(report), dict(report), len(report)
    (True, ['words'], {'words': 3}, 1)
    """

    def __init__(self, values: Any, text: str) -> None:
        self._values = values
        self._text = text

    @classmethod
    def _parse(cls, parts: Tuple[str, str]) -> "Report":
        return cls(json.loads(parts[0]), parts[1])

    def to_dict(self) -> Any:
        """All values, as JSON holds them."""
        return json.loads(json.dumps(self._values))

    def to_pandas(self) -> Any:
        """A frame: a row for each item of a list, else one for all."""
        import pandas

        return pandas.json_normalize(self._values)

    def __getitem__(self, key: Any) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def keys(self) -> "KeysView[Any]":
        """The names of the values."""
        return self._named().keys()

    def values(self) -> "ValuesView[Any]":
        """The values alone."""
        return self._named().values()

    def items(self) -> "ItemsView[Any, Any]":
        """Names and values."""
        return self._named().items()

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of that name, else ``default``."""
        return self._named().get(key, default)

    def _named(self) -> "dict[Any, Any]":
        if not isinstance(self._values, dict):
            raise TypeError(f"this report is a sequence of {len(self._values)}: report[0] is the first")
        return self._values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Report) and self._values == other._values

    def __hash__(self) -> int:
        return hash(self._text)

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return _display.preformatted(str(self))


class Table(Sequence[Any]):
    """Rows with named columns, such as the pairs of an induced lexicon.

    >>> from typing import NamedTuple
    >>> Pair = NamedTuple("Pair", [("source", str), ("score", float)])
    >>> table = Table([Pair("night", 0.5)], Pair)
    >>> len(table), table[0].source, table.column("score")
    (1, 'night', [0.5])
    """

    def __init__(self, rows: "list[Any]", row_type: Any) -> None:
        self._rows = rows
        self._type = row_type

    @property
    def columns(self) -> Tuple[str, ...]:
        """Their names."""
        return tuple(self._type._fields)

    def column(self, name: str) -> "list[Any]":
        """The values of one."""
        if name not in self.columns:
            raise KeyError(name)
        return [getattr(row, name) for row in self._rows]

    def to_dict(self) -> "dict[str, list[Any]]":
        """A list for each column."""
        return {name: self.column(name) for name in self.columns}

    def to_pandas(self) -> Any:
        """A frame."""
        import pandas

        return pandas.DataFrame(self._rows, columns=list(self.columns))

    def save(self, path: Any) -> None:
        """Writes a tab-separated file, which ``read_lexicon`` and the program read where the first two columns are
        words."""
        lines = ["# " + "\t".join(self.columns).replace("_", " ")]
        for row in self._rows:
            lines.append("\t".join(f"{value:.6f}" if isinstance(value, float) else _core.escape_field(str(value))
                                   for value in row))
        _core.write_text(path_of("path", path), "\n".join(lines) + "\n")

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: Any) -> Any:
        return Table(self._rows[index], self._type) if isinstance(index, slice) else self._rows[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows)

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self._rows[:3]))
        return f"[{shown}{', ...' if len(self) > 3 else ''}]  # {len(self)} rows"

    def _repr_html_(self) -> str:
        more = f"the first 20 of {len(self)} rows" if len(self) > 20 else f"{len(self)} rows"
        return _display.table(self.columns, self._rows[:20], more)
