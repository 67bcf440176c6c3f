#!/usr/bin/env python3
"""Times the public scripts beside wordbridge, on the same files in the same run.

benchmarks/run --peers FOLDER --source en.vec --target es.vec --train train.txt --test test.txt [--repeat N]

FOLDER holds clones of the projects to compare with, under their own names: fastText (its alignment/align.py and eval.py),
vecmap (its map_embeddings.py) and MUSE (its supervised.py, without a GPU); those that are not there are left out. They run
as they are, with their defaults but for what is said in the rows, by the Python that runs this (NumPy is needed). Whole
commands are timed, from text files to the result, and their peak memory is taken; the best of --repeat runs counts. gensim,
and MUSE, which wants PyTorch and SciPy, are measured where that Python has them.
"""

import argparse
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time


class Failure(Exception):
    pass


def run(call, folder):
    """(seconds, peak bytes, what it printed)"""
    with tempfile.TemporaryFile("w+") as out:
        begin = time.monotonic()
        process = subprocess.Popen([str(part) for part in call], cwd=folder, stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    if process.returncode != 0:
        raise Failure(f"{' '.join(map(str, call))} failed:\n{text[-2000:]}")
    return seconds, usage.ru_maxrss * 1024, text


def best(call, folder, repeat):
    return min((run(call, folder) for _ in range(repeat)), key=lambda result: result[0])


def unpacked(path, folder):
    """The scripts read plain text."""
    path = pathlib.Path(path).resolve()
    if path.suffix != ".gz":
        return path
    plain = folder / path.stem
    with gzip.open(path, "rb") as packed, open(plain, "wb") as text:
        shutil.copyfileobj(packed, text)
    return plain


class Comparison:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.source, self.target = (unpacked(path, folder) for path in (arguments.source, arguments.target))
        self.train, self.test = (pathlib.Path(path).resolve() for path in (arguments.train, arguments.test))
        self.program = pathlib.Path(arguments.program).resolve()
        self.peers = pathlib.Path(arguments.peers).resolve()

    def ours(self, *calls):
        """Several commands one after the other: their time, the largest memory, what the last one printed."""
        total, peak, text = 0.0, 0, ""
        for call in calls:
            seconds, memory, text = best([self.program, *call, "--quiet"], self.folder, self.arguments.repeat)
            total, peak = total + seconds, max(peak, memory)
        return total, peak, text

    def theirs(self, *call):
        return best([sys.executable, *call], self.folder, self.arguments.repeat)

    def row(self, what, base, theirs, ours, note=""):
        print(f"{what} | {base} | {theirs[0]:.1f} s, {theirs[1] / 2**30:.2f} GB | {ours[0]:.2f} s, "
              f"{ours[1] / 2**30:.2f} GB | {theirs[0] / ours[0]:.1f}x faster, {theirs[1] / ours[1]:.1f}x less memory{note}",
              flush=True)

    def vectors(self):
        return ["align", self.source, self.target, "--lexicon", self.train]

    def evaluate(self, mapping, criterion):
        return ["evaluate", "translation", mapping, self.source, self.target, "--lexicon", self.test, "--criterion",
                criterion]

    def precision(self, mapping, criterion, words="all"):
        return float(re.search(rf"^{words} +\d+ +([\d.]+)", self.ours(self.evaluate(mapping, criterion))[2], re.M)[1])

    def fasttext(self):
        scripts = self.peers / "fastText/alignment"
        if not scripts.is_dir():
            return
        rate, steps = 25, 10
        theirs = self.theirs(scripts / "align.py", "--src_emb", self.source, "--tgt_emb", self.target, "--dico_train",
                             self.train, "--dico_test", self.test, "--lr", rate, "--niter", steps)
        ours = self.ours([*self.vectors(), "--method", "rcsls", "--learning-rate", rate, "--epochs", steps, "-o",
                          "rcsls.wbmap"])
        accuracy = 100 * float(re.search(r"\[final\] NN = ([\d.]+)", theirs[2])[1])
        self.row(f"RCSLS, learning rate {rate}, {steps} steps", "fastText align.py", theirs, ours,
                 f"; P@1 by nearest neighbor {accuracy:.1f} and {self.precision('rcsls.wbmap', 'nn'):.1f}")
        for side, path in (("source", self.source), ("target", self.target)):
            self.ours(["apply", "rcsls.wbmap", path, "--side", side, "-o", f"{side}.vec"])
        theirs = self.theirs(scripts / "eval.py", "--src_emb", "source.vec", "--tgt_emb", "target.vec", "--dico_test",
                             self.test)
        ours = self.ours(["evaluate", "translation", "source.vec", "target.vec", "--lexicon", self.test, "--criterion",
                          "csls"])
        self.row("P@1 by CSLS of aligned files", "fastText eval.py", theirs, ours)

    def vecmap(self):
        scripts = self.peers / "vecmap"
        if not scripts.is_dir():
            return
        theirs = self.theirs(scripts / "map_embeddings.py", "--supervised", self.train, self.source, self.target,
                             "vm.source.vec", "vm.target.vec")
        ours = self.ours([*self.vectors(), "--method", "vecmap", "-o", "vecmap.wbmap"],
                         ["apply", "vecmap.wbmap", self.source, "-o", "vm2.source.vec"],
                         ["apply", "vecmap.wbmap", self.target, "--side", "target", "-o", "vm2.target.vec"])
        self.row("VecMap's supervised map, both sides written", "vecmap map_embeddings.py", theirs, ours)

    def muse(self):
        script = self.peers / "MUSE/supervised.py"
        if not script.is_file():
            return
        try:
            theirs = self.theirs(script, "--src_emb", self.source, "--tgt_emb", self.target, "--dico_train", self.train,
                                 "--dico_eval", self.test, "--n_refinement", 1, "--cuda", False, "--exp_path", self.folder)
        except Failure as failure:
            print(f"MUSE is left out: {str(failure).strip().splitlines()[-1]}")
            return
        ours = self.ours([*self.vectors(), "--method", "procrustes", "--refine", 1, "-o", "refined.wbmap"],
                         self.evaluate("refined.wbmap", "nn"), self.evaluate("refined.wbmap", "csls"),
                         ["apply", "refined.wbmap", self.source, "-o", "refined.source.vec"],
                         ["apply", "refined.wbmap", self.target, "--side", "target", "-o", "refined.target.vec"])
        accuracy = float(re.findall(r"csls_knn_10 - Precision at k = 1: ([\d.]+)", theirs[2])[-1])
        self.row("Procrustes, one round of refinement, evaluated, both sides written", "MUSE supervised.py", theirs, ours,
                 f"; P@1 of covered words by CSLS {accuracy:.1f} and "
                 f"{self.precision('refined.wbmap', 'csls', 'covered'):.1f}; MUSE also evaluates before that round")

    def gensim(self):
        script = ("import sys, gensim.models; "
                  "gensim.models.KeyedVectors.load_word2vec_format(sys.argv[1])")
        try:
            theirs = self.theirs("-c", script, self.source)
        except Failure:
            print("gensim is not there, or cannot read this: left out")
            return
        self.row("reading text vectors, whole command", "gensim load_word2vec_format", theirs,
                 self.ours(["inspect", self.source]))

    def auto(self):
        seconds, memory, _ = self.ours([*self.vectors(), "-o", "auto.wbmap"])
        print(f"the default of align, re-ranker included: {seconds:.1f} s, {memory / 2**30:.2f} GB; P@1 "
              f"{self.precision('auto.wbmap', 'csls'):.1f} by CSLS, {self.precision('auto.wbmap', 'rerank'):.1f} re-ranked")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--peers", "--source", "--target", "--train", "--test"):
        parser.add_argument(name, required=True)
    parser.add_argument("--program", default="build/release/wordbridge")
    parser.add_argument("--repeat", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wordbridge-peers-") as folder:
        comparison = Comparison(arguments, pathlib.Path(folder))
        print("what | base | base's time and memory | ours | ratio")
        comparison.gensim()
        comparison.vecmap()
        comparison.auto()
        comparison.muse()
        comparison.fasttext()


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(str(failure))
