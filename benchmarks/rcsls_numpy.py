#!/usr/bin/env python3
"""One evaluation of the RCSLS loss and its gradient as the scripts of the field do it, timed.

usage: rcsls_numpy.py FOLDER DIMENSION

NumPy, float64, the full matrix of scores of all pairs with all words on both sides, and argpartition for the nearest 10.
FOLDER holds the rows of `source` and `target` (float32), the `pairs` of their numbers (uint32) and `w` (float64), without
headers. Prints seconds, peak memory in bytes, and the loss. bench.rcsls_training runs it.
"""

import pathlib
import resource
import sys
import time

import numpy as np

NEIGHBORS = 10


def neighbor_part(queries, pool):
    """The sum of the scores of each query's nearest rows, and the sums of these rows themselves."""
    scores = queries @ pool.T
    nearest = np.argpartition(scores, -NEIGHBORS, axis=1)[:, -NEIGHBORS:]
    value = np.take_along_axis(scores, nearest, axis=1).sum() / NEIGHBORS
    sums = np.zeros_like(queries)
    for column in nearest.T:
        sums += pool[column]
    return value, sums / NEIGHBORS


def loss_and_gradient(w, x, y, source, target):
    mapped = x @ w.T
    forward, s = neighbor_part(mapped, target)
    backward, r = neighbor_part(y @ w, source)
    loss = -2 * np.sum(mapped * y) + forward + backward
    return loss / len(x), (-2 * y.T @ x + s.T @ x + y.T @ r) / len(x)


def main():
    folder, dimension = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    source, target = (np.fromfile(folder / name, np.float32).reshape(-1, dimension).astype(np.float64)
                      for name in ("source", "target"))
    pairs = np.fromfile(folder / "pairs", np.uint32).reshape(-1, 2)
    w = np.fromfile(folder / "w", np.float64).reshape(dimension, dimension)
    x, y = source[pairs[:, 0]], target[pairs[:, 1]]
    start = time.perf_counter()
    loss, _ = loss_and_gradient(w, x, y, source, target)
    seconds = time.perf_counter() - start
    print(f"{seconds:.6f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024} {loss:.9f}")


if __name__ == "__main__":
    main()
