#!/usr/bin/env python3
"""What the Python package costs: benchmarks/run python.

Reading is compared with gensim, aligning and evaluating with the program on the same files, memory with that of the
arrays given. The package and the program come from the build folder (WORDBRIDGE_BINARY_DIR).
"""

import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

BUILD = pathlib.Path(os.environ["WORDBRIDGE_BINARY_DIR"])
sys.path.insert(0, str(BUILD / "python"))

import numpy as np  # noqa: E402

import wordbridge as wb  # noqa: E402

PROGRAM = BUILD / "wordbridge"
rows = []


def add(what, base, ours, unit, target, ratio=None):
    """A row as benchmarks/report.h prints it; the ratio says how many times better than the base."""
    ratio = base / ours if ratio is None else ratio
    if not rows:
        print("\npython: the Python package, against gensim, the program and the memory of arrays")
        print(f"{'what':<52} | {'base':>16} | {'ours':>16} | {'ratio':>7} | target")
    met = f"{target:.3g} {'met' if ratio >= target else 'missed'}"
    print(f"{what:<52} | {base:>11.4g} {unit:<4} | {ours:>11.4g} {unit:<4} | {ratio:>7.3g} | {met}", flush=True)
    rows.append({"benchmark": "python", "what": what, "base": base, "ours": ours, "ratio": ratio, "target": target,
                 "unit": unit})


def best(rounds, *alternatives):
    """The smallest time of each, all in turn."""
    times = [float("inf")] * len(alternatives)
    for _ in range(rounds):
        for i, call in enumerate(alternatives):
            start = time.perf_counter()
            call()
            times[i] = min(times[i], time.perf_counter() - start)
    return times


def word_like(count, dimension, seed):
    """Rows with a few strong directions, as those of words have."""
    rng = np.random.default_rng(seed)
    spread = (1 + np.arange(dimension, dtype=np.float32)) ** -0.3
    return rng.standard_normal((count, dimension), dtype=np.float32) * spread


def two_languages(count, dimension):
    rng = np.random.default_rng(3)
    x = word_like(count, dimension, 1)
    turn = np.linalg.qr(rng.standard_normal((dimension, dimension)))[0].astype(np.float32)
    y = x @ turn + 0.5 * word_like(count, dimension, 2)
    return ([f"s{i}" for i in range(count)], x), ([f"t{i}" for i in range(count)], y)


def reading(folder, options):
    path = folder / "text.vec"
    words = [f"word{i}" for i in range(options.words)]
    wb.WordVectors(words, word_like(options.words, options.dimension, 1)).save(path)
    try:
        from gensim.models import KeyedVectors
    except ImportError:
        print("  gensim is not installed: reading is not compared")
        return
    gensim, ours = best(1, lambda: KeyedVectors.load_word2vec_format(str(path)),
                        lambda: min(best(3, lambda: wb.read_vectors(path))))
    ours = min(ours, *best(3, lambda: wb.read_vectors(path)))
    add(f"read {options.words} x {options.dimension} text; gensim", gensim, ours, "s", 20)


def aligning(folder, options):
    (source_words, x), (target_words, y) = two_languages(options.words, options.dimension)
    files = folder / "en.wbvec", folder / "es.wbvec"
    wb.WordVectors(source_words, x).save(files[0])
    wb.WordVectors(target_words, y).save(files[1])
    train, test = folder / "train.txt", folder / "test.txt"
    train.write_text("".join(f"s{i} t{i}\n" for i in range(0, 10_000, 2)))
    test.write_text("".join(f"s{i} t{i}\n" for i in range(1, 3_000, 2)))
    settings = ["--method", "rcsls", "--learning-rate", "10", "--epochs", "5"]
    by_program, by_python = folder / "program.wbmap", folder / "python.wbmap"

    def program():
        subprocess.run([PROGRAM, "align", *files, "--lexicon", train, *settings, "-o", by_program, "--quiet"], check=True)
        subprocess.run([PROGRAM, "evaluate", "translation", by_program, *files, "--lexicon", test, "--quiet", "--json"],
                       check=True, stdout=subprocess.DEVNULL)

    def python():
        en, es = (wb.read_vectors(file, max_words=200_000) for file in files)
        mapping = wb.align(en, es, wb.read_lexicon(train, en, es), method="rcsls", learning_rate=10, epochs=5)
        mapping.save(by_python)
        en, es = (wb.read_vectors(file, max_words=200_000) for file in files)
        wb.CommonSpace(wb.Mapping.load(by_python), en, es).evaluate(test).to_dict()

    base, ours = best(options.rounds, program, python)
    add("align and evaluate; the program", base, ours, "s", 1 / 1.03)
    if by_program.read_bytes() != by_python.read_bytes():
        sys.exit("the mappings of the program and of Python differ")


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def memory(options):
    array = word_like(options.large, options.dimension, 1)
    words = [f"word{i}" for i in range(options.large)]
    before = resident()
    vectors = wb.WordVectors(words, array)
    assert np.shares_memory(vectors.array, array)
    grown = max(resident() - before, 0.1)
    add(f"WordVectors of {options.large} x {options.dimension}; the array", array.nbytes / 2**20, grown, "MB", 10)


def translating(options):
    (source_words, x), (target_words, y) = two_languages(options.large, options.dimension)
    space = wb.CommonSpace(wb.WordVectors(source_words, x), wb.WordVectors(target_words, y))
    del x, y
    print("  CSLS statistics are being learned", flush=True)
    space.induce(criterion="csls", mutual=True)
    for word in ("s1", "s2"):
        space.translate(word, 5, criterion="csls")
    times = sorted(best(1, lambda: space.translate(f"s{1000 + 97 * i}", 5, criterion="csls"))[0] for i in range(50))
    add(f"translate one word of {options.large}, CSLS known; 20 ms", 20.0, 1e3 * times[25], "ms", 1)

    # Ctrl-C in the middle of long work.
    longest = 0.0
    for _ in range(3):
        sent = []
        timer = threading.Timer(0.5, lambda: (sent.append(time.perf_counter()), os.kill(os.getpid(), signal.SIGINT)))
        timer.start()
        try:
            wb.CommonSpace(space._parts[0], space._parts[1]).induce(criterion="csls", mutual=True)
        except KeyboardInterrupt:
            longest = max(longest, time.perf_counter() - sent[0])
        timer.join()
    add("Ctrl-C ends an induction; 0.2 s", 0.2, max(longest, 1e-4), "s", 1)


def importing():
    def run(module):
        code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
        environment = os.environ | {"PYTHONPATH": str(BUILD / "python")}
        return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True,
                                    env=environment).stdout)

    numpy, ours = (min(run(module) for _ in range(5)) for module in ("numpy", "wordbridge"))
    add("import wordbridge, beyond import numpy; 0.1 s", 0.1, max(ours - numpy, 1e-4), "s", 1)


def main():
    parser = argparse.ArgumentParser(prog="python", description=__doc__)
    parser.add_argument("--append", help="file that the rows are added to, as JSON")
    parser.add_argument("--words", type=int, default=50_000, help="of the files that are read and aligned (50000)")
    parser.add_argument("--large", type=int, default=200_000, help="words of the larger tables (200000)")
    parser.add_argument("--dimension", type=int, default=300, help="of all vectors (300)")
    parser.add_argument("--rounds", type=int, default=3, help="of program and Python in turn (3)")
    options = parser.parse_args()
    importing()
    with tempfile.TemporaryDirectory() as folder:
        reading(pathlib.Path(folder), options)
        aligning(pathlib.Path(folder), options)
    memory(options)
    translating(options)
    if options.append:
        with open(options.append, "a") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)


if __name__ == "__main__":
    main()
