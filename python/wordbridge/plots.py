"""Pictures, for those who have matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._arguments import words_of
from .errors import UsageError

if TYPE_CHECKING:
    from .mapping import Mapping
    from .space import CommonSpace

__all__ = ["plot_space", "plot_training"]


def _axes(ax: Any, size: "tuple[float, float]") -> Any:
    if ax is not None:
        return ax
    from matplotlib.figure import Figure

    # Without pyplot: no window system is touched, and notebooks show the figure all the same.
    return Figure(figsize=size, layout="constrained").add_subplot()


def plot_training(mapping: "Mapping", ax: Any = None) -> Any:
    """The loss of each epoch; steps that were taken back are marked. Gives the axes (``.figure`` shows)."""
    steps = [step for step in mapping.training if step["loss"] is not None]
    if not steps:
        raise UsageError(f"{mapping.method} does not train step by step")
    ax = _axes(ax, (6, 3))
    ax.plot([step["epoch"] for step in steps], [step["loss"] for step in steps], marker=".")
    back = [step for step in steps if step["outcome"] != "accepted"]
    ax.plot([step["epoch"] for step in back], [step["loss"] for step in back], "rx", label="taken back")
    ax.set_xlabel("epoch")
    ax.set_ylabel("loss")
    if back:
        ax.legend()
    return ax


def principal_axes(rows: Any, count: int = 2) -> Any:
    """The coordinates of the rows along their ``count`` principal axes.

    >>> import numpy as np
    >>> np.abs(principal_axes(np.array([[0.0, 1.0], [0.0, -1.0]]), 1)).round(6).tolist()
    [[1.0], [1.0]]
    """
    centered = np.asarray(rows, dtype=np.float64)
    centered = centered - centered.mean(axis=0)
    _, _, directions = np.linalg.svd(centered, full_matrices=False)
    return centered @ directions[:count].T


def _row(space: "CommonSpace", word: str, side: str) -> int:
    row = space._core.find(word, side)
    assert row is not None, word
    return row


def plot_space(space: "CommonSpace", words: Any, count: int = 1, ax: Any = None) -> Any:
    """Words of the source language and their ``count`` best translations. Gives the axes (``.figure`` shows)."""
    names = words_of("words", [words] if isinstance(words, str) else words)
    answers = [answer for answer in space.translate(names, count) if answer.origin == "vocabulary"]
    if not answers:
        raise UsageError("none of the words is in the source vocabulary")
    source, target = space.array("source"), space.array("target")
    asked = [_row(space, answer.word, "source") for answer in answers]
    found = [_row(space, word, "target") for answer in answers for word in answer.words]
    points = principal_axes(np.concatenate([source[asked], target[found]]))
    ax = _axes(ax, (7, 5))
    labels = [answer.word for answer in answers] + [word for answer in answers for word in answer.words]
    for part, color, name in ((slice(0, len(asked)), "tab:blue", "source"),
                              (slice(len(asked), None), "tab:orange", "target")):
        ax.scatter(points[part, 0], points[part, 1], color=color, label=name, s=20)
        for (x, y), label in zip(points[part], labels[part]):
            ax.annotate(label, (x, y), color=color, xytext=(3, 3), textcoords="offset points")
    ax.legend()
    ax.set_xticks([])
    ax.set_yticks([])
    return ax
