"""Little memory: at every limit of the address space a command works, or ends with one line and exit code 1"""

import resource
import subprocess
import time
import unittest

from hostile import PATIENCE, SANITIZED, SECONDS, WORDBRIDGE, Deadline, HostileTest
from program import ROOT

SAMPLE = ROOT / "data/sample"
# Megabytes of address space: the program and its libraries take almost 80 before it can say anything; threads and tables of the
# sample need between 100 and 1000.
LADDER = [96, 104, 112, 128, 144, 160, 192, 224, 256, 288, 320, 384, 448, 512, 640, 768, 1024, 1536, 2048, 4096]


def limit(megabytes):
    def apply():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    return apply


@unittest.skipIf(SANITIZED, "sanitizers reserve terabytes of addresses")
class MemoryTest(HostileTest):
    def setUp(self):
        super().setUp()
        self.english, self.spanish = self.both = ["english.vec", "spanish.vec"]
        for language, name in zip(("en", "es"), self.both):
            self.succeed("convert", str(SAMPLE / f"{language}.vec.xz"), name, "--max-words", "3000")
        self.lexicon = str(SAMPLE / "en-es.train.txt")
        fit = ["align", *self.both, "--lexicon", self.lexicon, "--method", "procrustes"]
        self.succeed(*fit, "-o", "m.wbmap")
        self.succeed(*fit, "--rerank", "-o", "r.wbmap")
        self.succeed("invert", "m.wbmap", "-o", "back.wbmap")
        self.succeed("apply", "m.wbmap", self.english, "-o", "en.wbvec")
        self.succeed("convert", self.english, "en.npy")
        self.succeed("export", "m.wbmap", "-o", "matrix.txt")
        self.tried = 0

    def run_with(self, megabytes, arguments):
        """Exit code, standard error, and seconds."""
        started = time.monotonic()
        try:
            result = subprocess.run([WORDBRIDGE, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE, check=False,
                                    preexec_fn=limit(megabytes))
        except subprocess.TimeoutExpired:
            return "hang", "", PATIENCE
        return result.returncode, result.stderr.decode("utf-8", "replace"), time.monotonic() - started

    def climb(self, arguments, outputs=()):
        """Up the ladder, until a command has worked twice."""
        worked = 0
        for megabytes in LADDER:
            for name in outputs:
                (self.folder / name).unlink(missing_ok=True)
            before = self.names()
            code, stderr, _ = self.run_with(megabytes, ["--quiet", *arguments])
            self.tried += 1
            what = f"{' '.join(arguments)} in {megabytes} MB: {code}, {stderr}"
            if code == 0:
                worked += 1
            else:
                self.assertEqual(code, 1, what)
                lines = [line for line in stderr.splitlines() if not line.startswith("wordbridge: warning: ")]
                self.assertEqual(len(lines), 1, what)
                self.assertRegex(lines[0], r"\Awordbridge: ", what)
                self.assertNotRegex(lines[0], "internal error|bad_alloc|exception", what)
                self.assertEqual(self.names(), before, "a failure leaves nothing behind: " + what)
            if worked == 2 or self.deadline:
                return
        self.assertGreater(worked, 0, f"{arguments}: needs more than {LADDER[-1]} MB")

    def ladder(self, *cases):
        self.deadline = Deadline(SECONDS)
        for arguments, *outputs in cases:
            with self.subTest(arguments=arguments):
                self.climb(arguments, outputs)
        self.tell(f"{self.tried} runs with little memory{', not all in time' if self.deadline else ''}")

    def test_commands_that_write(self):
        align = ["align", *self.both, "--lexicon", self.lexicon, "-o", "out.wbmap"]
        self.ladder((["--version"],), (["align", "--help"],),
                    ([*align, "--method", "procrustes"], "out.wbmap"),
                    ([*align, "--method", "rcsls", "--epochs", "2", "--learning-rate", "1"], "out.wbmap"),
                    ([*align, "--method", "vecmap", "--self-learn"], "out.wbmap"),
                    ([*align, "--method", "procrustes", "--rerank"], "out.wbmap"),
                    (["invert", "m.wbmap", "-o", "out.wbmap"], "out.wbmap"),
                    (["compose", "m.wbmap", "back.wbmap", "-o", "out.wbmap"], "out.wbmap"),
                    (["import", "matrix.txt", "-o", "out.wbmap"], "out.wbmap"),
                    (["report", "r.wbmap", *self.both, "--lexicon", self.lexicon, "-o", "out.html"], "out.html"),
                    (["apply", "m.wbmap", self.english, "-o", "out.vec"], "out.vec"),
                    (["convert", self.english, "out.wbvec"], "out.wbvec"),
                    (["convert", "en.npy", "out.vec.gz"], "out.vec.gz"),
                    (["induce", "m.wbmap", *self.both, "-o", "out.tsv"], "out.tsv"),
                    (["export", "m.wbmap", "-o", "out.txt"], "out.txt"))

    def test_commands_that_print(self):
        evaluate = ["m.wbmap", *self.both]
        test = ["--lexicon", str(SAMPLE / "en-es.test.txt")]
        self.ladder((["translate", *evaluate, "file", "water"],),
                    (["translate", "r.wbmap", *self.both, "file", "water", "--explain"],),
                    (["neighbors", self.english, "--mapping", "m.wbmap", "--target", self.spanish, "file"],),
                    (["evaluate", "translation", *evaluate, *test],),
                    (["evaluate", "translation", "r.wbmap", *self.both, *test],),
                    (["evaluate", "all", *evaluate, *test],),
                    (["evaluate", "hubness", *evaluate],),
                    (["evaluate", "similarity", self.english, str(SAMPLE / "similarity.en.tsv")],),
                    (["evaluate", "analogy", self.english, str(SAMPLE / "analogies.en.txt")],),
                    (["inspect", self.english],), (["inspect", "m.wbmap"],), (["inspect", "en.wbvec"],),
                    (["completion", "bash"],))

    def test_hub(self):
        """A language that does not fit is told as one that failed; with more memory the same hub becomes whole."""
        self.write("list.toml", f'pivot = "es"\n[languages.es]\nvectors = "{self.spanish}"\n[languages.en]\n'
                   f'vectors = "{self.english}"\n[lexicons.en-es]\ntrain = "{self.lexicon}"\n')
        hub = ["--quiet", "hub", "list.toml", "--max-words", "1000", "-o"]
        self.succeed(*hub, "whole")
        for megabytes in LADDER[::3]:
            code, stderr, _ = self.run_with(megabytes, [*hub, "space"])
            what = f"a hub in {megabytes} MB: {code}, {stderr}"
            self.assertIn(code, (0, 1), what)
            self.assertEqual(bool(stderr), code == 1, what)
            for line in stderr.splitlines():
                self.assertRegex(line, r"\Awordbridge: ", what)
                self.assertNotRegex(line, "internal error|bad_alloc|exception", what)
        self.assertEqual(code, 0, what)
        for name in ("manifest.json", "report.html", "languages/en.wbmap"):
            self.assertEqual(self.read(f"space/{name}"), self.read(f"whole/{name}"), name)
        self.tell(f"{len(LADDER[::3])} hubs with little memory")


if __name__ == "__main__":
    unittest.main()
