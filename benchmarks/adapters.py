#!/usr/bin/env python3
"""Adapters between embedding models, beside the plain ones: benchmarks/run adapters --data FOLDER.

FOLDER holds vectors of the same items by two models, A.npy and B.npy (named with --models), ids.txt with their ids, and
train.txt and test.txt with pairs of ids to learn from and to ask with. Both directions are learned by `wordbridge adapt`
with its defaults, from train.txt alone, and compared on test.txt, among all items, with Procrustes over centered vectors
(the best of three scales) and ridge regression with intercept (the best of three), computed here by NumPy. CSLS is faiss's
ranking of what `wordbridge export --inner-product` writes. Without --data only times are taken, on made-up vectors;
--large-rows N also learns from N made-up pairs and takes the memory.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

BUILD = pathlib.Path(os.environ["WORDBRIDGE_BINARY_DIR"])
sys.path.insert(0, str(BUILD / "python"))

import numpy as np  # noqa: E402

PROGRAM = BUILD / "wordbridge"
rows = []


def add(what, base, ours, unit, target, ratio):
    """A row as benchmarks/report.h prints it; the ratio says how much better than the base."""
    if not rows:
        print("\nadapters: between embedding models; plain adapters, and limits, are the base")
        print(f"{'what':<58} | {'base':>12} | {'ours':>12} | {'ratio':>7} | target")
    met = f"{target:.3g} {'met' if ratio >= target else 'missed'}"
    print(f"{what:<58} | {base:>8.4g} {unit:<3} | {ours:>8.4g} {unit:<3} | {ratio:>7.3g} | {met}", flush=True)
    rows.append({"benchmark": "adapters", "what": what, "base": base, "ours": ours, "ratio": ratio, "target": target,
                 "unit": unit})


def unit(x):
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-30)


def first(scores, k):
    """The k largest of each row, best first."""
    near = np.argpartition(-scores, k, 1)[:, :k]
    return np.take_along_axis(near, np.argsort(-np.take_along_axis(scores, near, 1), 1, kind="stable"), 1)


class Index:
    """The old model's items; queries are rows of them."""

    def __init__(self, items, queries):
        self.items, self.queries = unit(items), queries
        self.old = first(self.items[queries] @ self.items.T, 10)

    def judge(self, mapped):
        """Own item first, and old 10 neighbors kept, in percent."""
        found = first(unit(mapped) @ self.items.T, 10)
        kept = np.mean([len(set(a) & set(b)) for a, b in zip(found, self.old)]) * 10
        return 100 * np.mean(found[:, 0] == self.queries), kept


def procrustes(x, y):
    mx, my = x.mean(0), y.mean(0)
    u, s, v = np.linalg.svd((x - mx).T @ (y - my), full_matrices=False)
    fit = s.sum() / ((x - mx) ** 2).sum()
    spread = np.sqrt(((y - my) ** 2).sum() / ((x - mx) ** 2).sum())
    return [lambda rows, scale=scale: scale * (rows - mx) @ u @ v + my for scale in (1.0, fit, spread)]


def ridge(x, y):
    mx, my = x.mean(0), y.mean(0)
    gram, cross = (x - mx).T @ (x - mx), (x - mx).T @ (y - my)
    maps = [np.linalg.solve(gram + factor * np.trace(gram) / len(gram) * np.eye(len(gram)), cross)
            for factor in (0.001, 0.01, 0.1)]
    return [lambda rows, w=w: (rows - mx) @ w + my for w in maps]


def residual_network(x, y, hidden=256, passes=30, batch=256, rate=1e-3):
    """As published: a linear map and a small network beside it, trained together by squared error from the ridge map."""
    rng = np.random.default_rng(1)
    mx, my, spread = x.mean(0), y.mean(0), np.sqrt(((x - x.mean(0)) ** 2).sum(1).mean())
    inputs = ((x - mx) / spread).astype(np.float32)
    linear = np.linalg.lstsq(inputs, y - my, rcond=1e-3)[0].astype(np.float32)
    parts = [linear, my.astype(np.float32).copy(),
             rng.normal(0, 1, (x.shape[1], hidden)).astype(np.float32), np.zeros(hidden, np.float32),
             np.zeros((hidden, y.shape[1]), np.float32)]
    moments = [[np.zeros_like(part), np.zeros_like(part)] for part in parts]
    steps, step = passes * -(-len(x) // batch), 0
    for _ in range(passes):
        for rows in np.array_split(rng.permutation(len(x)), -(-len(x) // batch)):
            w, b, u, c, v = parts
            before = inputs[rows] @ u + c
            active = np.maximum(before, 0)
            error = (inputs[rows] @ w + b + active @ v - y[rows]) / len(rows)
            inner = (error @ v.T) * (before > 0)
            gradients = [inputs[rows].T @ error, error.sum(0), inputs[rows].T @ inner, inner.sum(0), active.T @ error]
            step += 1
            for part, gradient, (m, s) in zip(parts, gradients, moments):
                m += 0.1 * (gradient - m)
                s += 0.001 * (gradient * gradient - s)
                part -= rate * (1 - step / steps) * (m / (1 - 0.9**step)) / (np.sqrt(s / (1 - 0.999**step)) + 1e-8)
    w, b, u, c, v = parts
    return [lambda rows: (rows - mx) / spread @ w + b + np.maximum((rows - mx) / spread @ u + c, 0) @ v]


def run(*call, cwd):
    """(seconds of the clock, seconds of processors, peak bytes, what it printed)"""
    begin = time.perf_counter()
    process = subprocess.Popen([str(part) for part in call], cwd=cwd, stdout=subprocess.PIPE)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(map(str, call))} failed")
    return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, text


def quality(options, folder):
    data = pathlib.Path(options.data).resolve()
    models = options.models.split(",")
    number = {line.strip(): i for i, line in enumerate((data / "ids.txt").open())}
    train, test = (np.array([number[line.split()[0]] for line in (data / f"{part}.txt").open()]) for part in ("train", "test"))
    tables = [np.load(data / f"{model}.npy").astype(np.float32) for model in models]
    for a, b in ((0, 1), (1, 0)):
        name = f"{tables[a].shape[1]} to {tables[b].shape[1]}"
        x, y, index = tables[a], tables[b], Index(tables[b], test)
        plain = {kind: max(index.judge(learned(x[test])) for learned in learn(x[train], y[train]))
                 for kind, learn in (("Procrustes, centered", procrustes), ("ridge with intercept", ridge),
                                     ("residual network", residual_network))}
        for kind, (own, kept) in plain.items():
            print(f"  {name}: {kind}: own item first {own:.1f}, old 10 neighbors kept {kept:.1f}")
        files = [data / f"{models[a]}.npy", data / f"{models[b]}.npy"]
        ids = "--new-ids", data / "ids.txt", "--old-ids", data / "ids.txt"
        wall, cpu, _, text = run(PROGRAM, "adapt", *files, *ids, "--lexicon", data / "train.txt", "-o", "a.wbmap", "--threads",
                                 2, "--quiet", *options.adapt.split(), cwd=folder)
        print("  " + text.decode().replace("\n", "\n  "))
        run(PROGRAM, "apply", "a.wbmap", files[0], "--ids", data / "ids.txt", "--into", "target", "-o", "q.npy", "--quiet",
            cwd=folder)
        own, kept = index.judge(np.load(folder / "q.npy")[test])
        best_own, best_kept = (max(values) for values in zip(*plain.values()))
        add(f"{name}: own item first; points above the best plain", best_own, own, "%", 15, own - best_own)
        add(f"{name}: old 10 neighbors kept; points above", best_kept, kept, "%", 0, kept - best_kept)
        add(f"{name}: comparing and learning, seconds of processors; 40", 40, cpu, "s", 1, 40 / cpu)
        add(f"{name}: the same, seconds of the clock; 20", 20, wall, "s", 1, 20 / wall)
        csls(folder, name + ", index as it is", files, test)
        run(PROGRAM, "adapt", *files, *ids, "--lexicon", data / "train.txt", "-o", "a.wbmap", "--threads", 2, "--quiet",
            "--map", "both-sides", *options.adapt.split(), cwd=folder)
        csls(folder, name + ", both sides", files, test)


def csls(folder, name, files, test):
    try:
        import faiss
    except ImportError:
        print("  faiss is not installed: CSLS is not measured")
        return
    run(PROGRAM, "export", "a.wbmap", *files, "--inner-product", "-o", "i.faiss", "--queries", "q.npy",
        "--quiet", cwd=folder)
    index = faiss.read_index(str(folder / "i.faiss"))
    _, found = index.search(np.ascontiguousarray(np.load(folder / "q.npy")[test]), 1)
    own = 100 * np.mean(found[:, 0] == test)
    add(f"{name}: own first by CSLS in faiss; 78", 78, own, "%", 1, own / 78)


def made_up(count, dimensions, seed=1):
    """Vectors by two models: both see the same few hundred hidden numbers, and noise of their own."""
    rng = np.random.default_rng(seed)
    hidden = rng.standard_normal((count, 200), dtype=np.float32) * (1 + np.arange(200, dtype=np.float32)) ** -0.4
    for dimension in dimensions:
        table = hidden @ rng.standard_normal((200, dimension), dtype=np.float32) / 14
        yield table + 0.5 * rng.standard_normal(table.shape, dtype=np.float32)


def learning_time(options, folder):
    for name, table in zip(("new", "old"), made_up(10_000, (512, 512))):
        np.save(folder / f"{name}.npy", table)
    wall, cpu, _, _ = run(PROGRAM, "adapt", "new.npy", "old.npy", "-o", "a.wbmap", "--threads", 2, "--quiet",
                          *options.adapt.split(), cwd=folder)
    add("10000 pairs of 512: seconds of processors; 40", 40, cpu, "s", 1, 40 / cpu)
    add("the same: seconds of the clock; 20", 20, wall, "s", 1, 20 / wall)


def one_query():
    import wordbridge as wb

    x, y = made_up(2_000, (1024, 1024))
    adapter = wb.Adapter(map="ridge", passes=1).fit(x, y)
    row, calls = x[0].copy(), 2_000
    times = []
    for _ in range(calls):
        begin = time.perf_counter()
        adapter.transform(row)
        times.append(time.perf_counter() - begin)
    median = 1e6 * sorted(times)[calls // 2]
    add("one query of 1024 numbers from Python; 50 us", 50, median, "us", 1, 50 / median)


def large(options, folder):
    """Blocks of made-up rows on the disk, in float16; what is measured is the program."""
    dimension, block = options.large_dimension, 50_000
    for name in ("new", "old"):
        np.lib.format.open_memmap(folder / f"{name}.npy", "w+", np.float16, (options.large_rows, dimension)).flush()
    tables = [np.lib.format.open_memmap(folder / f"{name}.npy", "r+") for name in ("new", "old")]
    turns = np.random.default_rng(1).standard_normal((2, 200, dimension), dtype=np.float32) / 14
    for begin in range(0, options.large_rows, block):
        end = min(begin + block, options.large_rows)
        rng = np.random.default_rng(begin + 2)
        hidden = rng.standard_normal((end - begin, 200), dtype=np.float32)
        for table, turn in zip(tables, turns):
            table[begin:end] = hidden @ turn + 0.5 * rng.standard_normal((end - begin, dimension), dtype=np.float32)
    del tables
    wall, cpu, peak, text = run(PROGRAM, "adapt", "new.npy", "old.npy", "-o", "a.wbmap", "--threads", 2, "--quiet",
                                *options.adapt.split(), cwd=folder)
    print("  " + text.decode().replace("\n", "\n  "))
    table_bytes = options.large_rows * dimension * 4 / 2**30
    what = f"{options.large_rows} pairs of {dimension}"
    add(f"{what}: minutes of the clock; 10", 10, wall / 60, "min", 1, 600 / wall)
    print(f"  {cpu:.0f} seconds of processors")
    add(f"{what}: memory; twice a float32 table", 2 * table_bytes, peak / 2**30, "GB", 1, 2 * table_bytes / (peak / 2**30))


def main():
    parser = argparse.ArgumentParser(prog="adapters", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--append", help="file that the rows are added to, as JSON")
    parser.add_argument("--data", help="folder with real vectors of the same items by two models")
    parser.add_argument("--models", default="use512.f16,sif100.f16", help="their names (use512.f16,sif100.f16)")
    parser.add_argument("--adapt", default="", help="further options of `wordbridge adapt`")
    parser.add_argument("--large-rows", type=int, default=0, help="also learn from so many made-up pairs on the disk (0)")
    parser.add_argument("--large-dimension", type=int, default=1024, help="of these (1024)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.data:
            quality(options, pathlib.Path(folder))
        else:
            learning_time(options, pathlib.Path(folder))
            one_query()
        if options.large_rows:
            large(options, pathlib.Path(folder))
    if options.append:
        with open(options.append, "a") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)


if __name__ == "__main__":
    main()
