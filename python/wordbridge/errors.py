"""What goes wrong: every exception of wordbridge is an :class:`Error`."""

from __future__ import annotations

import errno
import sys
import warnings
from typing import Dict, Type

__all__ = ["Error", "InputError", "IoError", "NoAccessError", "NoFileError", "UsageError", "WordbridgeWarning"]


class Error(Exception):
    """Base of all exceptions of wordbridge; its text is one line for people."""


class InputError(Error, ValueError):
    """Bad data: ``path:line: reason``, or ``path: reason`` where no line applies (``line`` is 0).

    >>> error = InputError("en.vec", 7, "a number is missing")
    >>> str(error), error.path, error.line
    ('en.vec:7: a number is missing', 'en.vec', 7)
    """

    def __init__(self, path: str, line: int, reason: str) -> None:
        super().__init__(path, line, reason)
        self.path = path
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.reason}" if self.line else f"{self.path}: {self.reason}"


class UsageError(Error, ValueError):
    """A wrong call: an unknown option, a value out of range, vectors of another dimension than the mapping's."""


class IoError(Error, OSError):
    """The system refused; ``errno`` and ``filename`` are those of an OSError.

    >>> str(IoError(2, "en.vec: cannot open: No such file or directory", "en.vec"))
    'en.vec: cannot open: No such file or directory'
    """

    def __str__(self) -> str:
        return str(self.strerror)


class NoFileError(IoError, FileNotFoundError):
    """There is no such file."""


class NoAccessError(IoError, PermissionError):
    """The file may not be read, or not be written."""


_OF_ERRNO: "Dict[int, Type[IoError]]" = {errno.ENOENT: NoFileError, errno.EACCES: NoAccessError,
                                         errno.EPERM: NoAccessError}


def io_error(number: int, reason: str, path: str) -> IoError:
    """The error that Python has for this number."""
    return _OF_ERRNO.get(number, IoError)(number, reason, path)


class WordbridgeWarning(UserWarning):
    """Something to be wary of, such as vectors that are not those a mapping was learned from."""


def warn(message: str) -> None:
    """A warning at the line of the program that called wordbridge."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "wordbridge":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, WordbridgeWarning, stacklevel=level)
