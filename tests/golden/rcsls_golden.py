#!/usr/bin/env python3
"""Makes rcsls_golden.json: RCSLS trainings that the C++ must reproduce.

usage: rcsls_golden.py [OUTPUT]            (needs NumPy; the tests need only the recorded output)

The formulas of the paper and the steps of the two schedules, transcribed in float64 with full score matrices and full
sorts. Nothing here shares code with the library; only the batches are drawn by the library's rule, which is transcribed
too (a 64-bit Mersenne Twister and a partial Fisher-Yates shuffle).
"""

import json
import os
import sys

import numpy as np

NEIGHBORS = 10
MASK = (1 << 64) - 1


class MersenneTwister64:
    """std::mt19937_64."""

    def __init__(self, seed):
        self.words = [seed & MASK]
        for i in range(1, 312):
            last = self.words[-1]
            self.words.append((6364136223846793005 * (last ^ (last >> 62)) + i) & MASK)
        self.position = 312

    def bits(self):
        if self.position == 312:
            words = self.words
            for i in range(312):
                x = (words[i] & 0xFFFFFFFF80000000) | (words[(i + 1) % 312] & 0x7FFFFFFF)
                words[i] = words[(i + 156) % 312] ^ (x >> 1) ^ (0xB5026F5AA96619E9 if x & 1 else 0)
            self.position = 0
        x = self.words[self.position]
        self.position += 1
        x ^= (x >> 29) & 0x5555555555555555
        x ^= (x << 17) & 0x71D67FFFEDA60000
        x ^= (x << 37) & 0xFFF7EEE000000000
        return x ^ (x >> 43)

    def index(self, n):
        value = self.bits()
        while value < (1 << 64) % n:
            value = self.bits()
        return value % n


def draw_batch(seed, epoch, pairs, size):
    random = MersenneTwister64((seed + 0x9E3779B97F4A7C15 * (2 * epoch + 1)) & MASK)
    items = list(range(pairs))
    for i in range(size):
        j = i + random.index(pairs - i)
        items[i], items[j] = items[j], items[i]
    return items[:size]


def procrustes(x, y):
    u, _, vt = np.linalg.svd(y.T @ x, full_matrices=False)
    return u @ vt


def project(w, constraint):
    if constraint == "none":
        return w
    u, s, vt = np.linalg.svd(w, full_matrices=False)
    s = np.minimum(s, 1) if constraint == "spectral" else np.ones_like(s)
    return (u * s) @ vt


def neighbor_term(scores, pool, case):
    """Mean or logSumExp over the rows' largest scores; and the pool's rows summed by its derivatives."""
    order = np.argsort(-scores, axis=1, kind="stable")[:, :NEIGHBORS]
    near = np.take_along_axis(scores, order, axis=1)
    if case["loss"] == "mean":
        value = near.mean(axis=1)
        weights = np.full(near.shape, 1 / near.shape[1])
    else:
        t = case["temperature"]
        value = t * np.log(np.exp(near / t).sum(axis=1))
        weights = np.exp(near / t) / np.exp(near / t).sum(axis=1, keepdims=True)
    return value, np.einsum("nk,nkd->nd", weights, pool[order])


def rcsls(w, x, y, source_pool, target_pool, case):
    """The loss and its gradient; x and y are the rows of the pairs, repeated words repeated."""
    mapped = x @ w.T
    forward, s = neighbor_term(mapped @ target_pool.T, target_pool, case)
    backward, r = neighbor_term(y @ (source_pool @ w.T).T, source_pool, case)
    loss = -2 * np.sum(mapped * y, axis=1) + forward + backward
    return loss.mean(), (-2 * y.T @ x + s.T @ x + y.T @ r) / len(x)


def train(source, target, pairs, case):
    """The losses, which steps were taken back, and the final W."""
    i, j = np.array(pairs).T
    x, y = source[i], target[j]
    if case["pool"] == "train":
        source_pool, target_pool = source[np.unique(i)], target[np.unique(j)]
    else:
        source_pool, target_pool = source[: case["max_negatives"]], target[: case["max_negatives"]]

    def evaluate(w, epoch):
        rows = draw_batch(case["seed"], epoch, len(x), case["batch"]) if case["batch"] else slice(None)
        return rcsls(w, x[rows], y[rows], source_pool, target_pool, case)

    w, rate, epochs, l2 = procrustes(x, y), case["learning_rate"], case["epochs"], case["l2"]
    losses, rolled_back = [], []
    if case["batch"]:
        for epoch in range(0 if case["schedule"] == "reference" else 1, epochs + 1):
            loss, gradient = evaluate(w, epoch)
            w = project((1 - rate * l2) * w - rate * gradient, case["constraint"])
            losses.append(loss)
            rolled_back.append(False)
    elif case["schedule"] == "reference":
        remembered = 0.0
        for t in range(epochs + 1):
            if rate < 1e-4:
                break
            loss, gradient = evaluate(w, t)
            stepped = (1 - rate * l2) * w - rate * gradient
            w = project(stepped, case["constraint"])
            losses.append(loss)
            rolled_back.append(bool(t > 0 and loss > remembered))
            if rolled_back[-1]:
                rate /= 2
                w = stepped
            else:
                remembered = loss
    else:
        loss, gradient = evaluate(w, 0)
        best = loss + l2 / 2 * np.sum(w * w)
        losses.append(loss)
        rolled_back.append(False)
        for _ in range(epochs):
            if rate < 1e-4:
                break
            tried = project((1 - rate * l2) * w - rate * gradient, case["constraint"])
            loss, tried_gradient = evaluate(tried, 0)
            value = loss + l2 / 2 * np.sum(tried * tried)
            losses.append(loss)
            rolled_back.append(bool(value > best))
            if rolled_back[-1]:
                rate /= 2
            else:
                w, gradient, best = tried, tried_gradient, value
    return losses, rolled_back, w


def make_tables(random, rows_source, rows_target, d_source, d_target):
    """Two noisy views of common points with a decaying spectrum and a mean, as float32 unit rows."""
    common = max(rows_source, rows_target)
    points = random.normal(size=(common, 8)) * (0.8 ** np.arange(8)) + 0.3
    tables = []
    for rows, d in ((rows_source, d_source), (rows_target, d_target)):
        table = points[:rows] @ random.normal(size=(8, d)) + 0.5 * random.normal(size=(rows, d))
        tables.append((table / np.linalg.norm(table, axis=1, keepdims=True)).astype(np.float32))
    return tables


def make_pairs(random, count, words, rows):
    pairs = []
    while len(pairs) < count:
        i = int(random.integers(words))
        j = i if random.random() < 0.6 else int(random.integers(rows))
        if (i, j) not in pairs:
            pairs.append((i, j))
    return pairs


def main():
    random = np.random.default_rng(20180913)
    problems = {}
    for name, d_source, d_target in (("square", 12, 12), ("oblong", 10, 14)):
        source, target = make_tables(random, 120, 110, d_source, d_target)
        problems[name] = (source, target, make_pairs(random, 70, 40, 60))
    cases = []

    def add(problem="square", **changes):
        case = {"problem": problem, "schedule": "monotone", "constraint": "none", "batch": 0, "loss": "mean",
                "temperature": 1.0, "pool": "extended", "max_negatives": 200000, "learning_rate": 4.0, "epochs": 12,
                "l2": 0.0, "seed": 5}
        assert not changes.keys() - case.keys()
        case.update(changes)
        source, target, pairs = problems[problem]
        losses, rolled_back, w = train(source.astype(np.float64), target.astype(np.float64), pairs, case)
        cases.append({**case, "losses": losses, "rolled_back": rolled_back, "w": w.tolist()})

    for schedule in ("monotone", "reference"):
        for constraint in ("none", "spectral"):
            for batch in (0, 20):
                add(schedule=schedule, constraint=constraint, batch=batch)
    add(constraint="orthogonal")
    add(constraint="orthogonal", schedule="reference")
    add(pool="train")
    add(max_negatives=50)
    add(loss="logsumexp", temperature=0.2)
    add(l2=0.02)
    add(l2=0.02, schedule="reference")
    add("oblong")
    add("oblong", constraint="spectral", schedule="reference", loss="logsumexp")
    add("oblong", constraint="orthogonal", batch=20)

    data = {"neighbors": NEIGHBORS,
            "problems": {name: {"source": source.astype(np.float64).tolist(), "target": target.astype(np.float64).tolist(),
                                "pairs": pairs} for name, (source, target, pairs) in problems.items()},
            "cases": cases}
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "rcsls_golden.json")
    with open(path, "w", encoding="ascii") as file:
        json.dump(data, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
