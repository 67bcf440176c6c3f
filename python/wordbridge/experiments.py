"""The tables and figures of the paper, measured again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Optional, Sequence

from . import _core, _display
from ._arguments import optional_path, path_of, paths_of
from ._running import ProgressLike, start
from .reports import Report

if TYPE_CHECKING:
    from .vectors import Path

__all__ = ["ExperimentReports", "reproduce"]


class ExperimentReports(Sequence[Report]):
    """The result of each experiment, and all of them as one HTML page."""

    def __init__(self, reports: "list[Report]", html: str) -> None:
        self._reports = reports
        self.html = html

    def __getitem__(self, index: Any) -> Any:
        return self._reports[index]

    def __len__(self) -> int:
        return len(self._reports)

    def __iter__(self) -> Iterator[Report]:
        return iter(self._reports)

    def __repr__(self) -> str:
        return "\n\n".join(map(str, self._reports))

    def _repr_html_(self) -> str:
        return _display.preformatted(repr(self))


def reproduce(experiments: Any, data: "Path", *, sample: bool = False, cache: "Path" = "wordbridge-cache",
              fresh: bool = False, report: Optional["Path"] = None, threads: int = 0, seed: int = 1,
              progress: ProgressLike = None) -> ExperimentReports:
    """Runs experiments: files (.json) or folders of them, on the files below the folder ``data``. Results are kept in
    ``cache``, so that a run goes on where one stopped; ``report`` names an HTML file to write."""
    run = start(threads, seed, progress)
    texts, html = _core.reproduce(run, paths_of("experiments", experiments), path_of("data", data), bool(sample),
                                  path_of("cache", cache), bool(fresh), optional_path("report", report))
    return ExperimentReports([Report._parse(pair) for pair in texts], html)
