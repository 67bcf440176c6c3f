#!/usr/bin/env python3
"""What a prepared space saves: benchmarks/run prepared_space [--words 200000] [--mapping m.wbmap --source en --target es].

One word from .wbspace against the same from a mapping and two .wbvec files, command to answer, warm page cache: best of
some runs; the memory of the process that is not the pages of a file; and what writing takes against inducing a lexicon
from the files, most of which are the CSLS statistics. Without --source the words and vectors are made up: clusters of
vectors, turned and disturbed for the target side, and cognates for the re-ranker.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PROGRAM = pathlib.Path(os.environ["WORDBRIDGE_BINARY_DIR"]) / "wordbridge"
rows = []


def add(what, base, ours, unit, target):
    """A row as benchmarks/report.h prints it; the ratio says how many times better than the base."""
    if not rows:
        print("\nprepared_space: one file that is mapped, against a mapping and two files of vectors")
        print(f"{'what':<62} | {'base':>12} | {'ours':>12} | {'ratio':>6} | target")
    met = f"{target:.3g} {'met' if base / ours >= target else 'missed'}"
    print(f"{what:<62} | {base:>9.4g} {unit:<2} | {ours:>9.4g} {unit:<2} | {base / ours:>6.3g} | {met}", flush=True)
    rows.append({"benchmark": "prepared_space", "what": what, "base": base, "ours": ours, "ratio": base / ours,
                 "target": target, "unit": unit})


def run(*arguments):
    """Seconds on the clock and of the processor."""
    begin = time.monotonic()
    process = subprocess.Popen([PROGRAM, *map(str, arguments), "--quiet"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}: exit code {process.returncode}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime


def best(times, *arguments):
    """The least of both over some runs, after one that warms the page cache."""
    run(*arguments)
    return map(min, zip(*(run(*arguments) for _ in range(times))))


def anonymous_memory(word, *arguments):
    """MB of a process that are not pages of a file, once it has answered."""
    with subprocess.Popen([PROGRAM, *map(str, arguments), "--quiet"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        process.stdin.write(word.encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                memory = int(line.split()[1]) / 1024
        process.stdin.close()
        process.stdout.read()
    return memory


def made_up(folder, words, dimension):
    """Two languages, a lexicon of the first words, and a mapping with a re-ranker."""
    import numpy

    random = numpy.random.default_rng(1)
    centers = random.standard_normal((words // 40 + 1, dimension)).astype("f4")
    source = centers[random.integers(len(centers), size=words)] + random.standard_normal((words, dimension), dtype="f4")
    rotation = numpy.linalg.qr(random.standard_normal((dimension, dimension)))[0].astype("f4")
    target = source @ rotation + 0.7 * random.standard_normal((words, dimension), dtype="f4")
    letters = numpy.array(list("aabcdeeefghiiklmnoooprrssttuuvz"))
    stems = ["".join(random.choice(letters, 7)) for _ in range(words)]
    names = {"source": [f"{stem}{i % 7}" for i, stem in enumerate(stems)],
             "target": [f"{stem if i % 2 else stem[::-1]}o{i % 5}" for i, stem in enumerate(stems)]}
    for side, table in (("source", source), ("target", target)):
        numpy.save(folder / f"{side}.npy", table)
        (folder / f"{side}.vocab").write_text("\n".join(names[side]) + "\n")
    lexicon = zip(names["source"][:3000], names["target"][:3000])
    (folder / "train.txt").write_text("".join(f"{s}\t{t}\n" for s, t in lexicon))
    for side in names:
        run("convert", folder / f"{side}.npy", folder / f"{side}.wbvec")
    vectors = [folder / "source.wbvec", folder / "target.wbvec"]
    run("align", *vectors, "--lexicon", folder / "train.txt", "--method", "procrustes", "--rerank", "--max-words", 0,
        "-o", folder / "m.wbmap")
    return folder / "m.wbmap", vectors, names["source"][77]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=50_000, help="of each made-up side (default: 50000)")
    parser.add_argument("--dimension", type=int, default=300, help="of made-up vectors (default: 300)")
    parser.add_argument("--mapping", help="a mapping for --source and --target, .wbvec files")
    parser.add_argument("--source")
    parser.add_argument("--target")
    parser.add_argument("--word", default="house", help="to be translated, of --source (default: house)")
    parser.add_argument("--times", type=int, default=7, help="runs of which the best counts (default: 7)")
    parser.add_argument("--append", help="file for rows, one JSON object a line")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wordbridge-bench-") as name:
        folder = pathlib.Path(name)
        if options.source:
            mapping, vectors, word = options.mapping, [options.source, options.target], options.word
        else:
            mapping, vectors, word = made_up(folder, options.words, options.dimension)
        space = folder / "x.wbspace"
        _, writing = run("prepare", mapping, *vectors, "-o", space)
        _, inducing = run("induce", mapping, *vectors, "--criterion", "csls", "-o", folder / "induced.tsv")
        _, induced = run("induce", space, "--criterion", "csls", "-o", folder / "induced.tsv")
        reranks = json.loads(subprocess.check_output([PROGRAM, "inspect", space, "--json"]))["criterion"] == "rerank"
        for criterion, most in (("csls", 0.15), ("rerank", 0.25))[:2 if reranks else 1]:
            files = [mapping, *vectors, word, "--criterion", criterion]
            prepared = [space, word, "--criterion", criterion]
            clock, processor = best(2, "translate", *files)
            own_clock, own_processor = best(options.times, "translate", *prepared)
            add(f"one word by {criterion}, on the clock", clock, own_clock, "s", 4)
            add(f"one word by {criterion}, of the processor", processor, own_processor, "s", 4)
            add(f"the same, against {1000 * most:.0f} ms", most, own_clock, "s", 1)
            memory = anonymous_memory(word, "translate", space, "--criterion", criterion, "-n", 1)
            add(f"memory by {criterion} that is no file's, against 60 MB", 60, memory, "MB", 1)
        add("a lexicon of all words, of the processor", inducing, induced, "s", 1)
        add("writing, against a lexicon from the files, of the processor", inducing, writing, "s", 1)
        add(f"size of the file, against both tables ({space.stat().st_size / 1e6:.0f} MB)",
            sum(pathlib.Path(path).stat().st_size for path in vectors) / 1e6, space.stat().st_size / 1e6, "MB", 0.5)
    if options.append:
        with open(options.append, "a", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)


if __name__ == "__main__":
    main()
