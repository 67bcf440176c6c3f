"""How long work is watched: the argument ``progress`` of everything that takes time."""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional, Union

from . import _core
from ._arguments import whole

#: What ``progress`` may be: nothing, a bar (True), or a function that is called as
#: ``progress(stage, done, total, note)`` and, at the end of a stage, as ``progress(stage, None, None, "")``.
ProgressLike = Union[None, bool, Callable[[str, Optional[int], Optional[int], str], Any]]


class LineProgress:
    """A line on standard error that is written over, for those who have no tqdm."""

    def __init__(self, stream: Any = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._width = 0

    def __call__(self, stage: str, done: Optional[int], total: Optional[int], note: str) -> None:
        if done is None:
            line = ""
        elif total:
            line = f"{stage}: {100 * done // total}% {note}".rstrip()
        else:
            line = f"{stage}: {done} {note}".rstrip()
        self._stream.write("\r" + line.ljust(self._width) + ("\r" if done is None else ""))
        self._stream.flush()
        self._width = len(line)


class TqdmProgress:
    """A bar of tqdm for each stage."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._bar: Any = None
        self._stage = ""

    def __call__(self, stage: str, done: Optional[int], total: Optional[int], note: str) -> None:
        if self._bar is not None and (done is None or stage != self._stage):
            self._bar.close()
            self._bar = None
        if done is None:
            return
        if self._bar is None:
            self._bar = self._tqdm(desc=stage, total=total or None, leave=False)
            self._stage = stage
        self._bar.set_postfix_str(note, refresh=False)
        self._bar.update(done - self._bar.n)


def _bar() -> Callable[[str, Optional[int], Optional[int], str], Any]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return LineProgress()
    return TqdmProgress(tqdm)


def start(threads: Any = 0, seed: Any = 1, progress: ProgressLike = None) -> _core.Run:
    """The surroundings of a piece of work."""
    if progress is None or progress is False:
        watcher: Any = None
    elif progress is True:
        watcher = _bar()
    elif callable(progress):
        watcher = progress
    else:
        raise TypeError(f"progress must be True, False or a function, not {progress!r}")
    return _core.Run(whole("threads", threads), whole("seed", seed), watcher)
