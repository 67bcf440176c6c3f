"""Killed at any moment: outputs are the older ones or complete, and nothing is left behind for ever"""

import random
import shutil
import signal
import subprocess
import time
import unittest

from hostile import SANITIZED, SECONDS, SEED, Deadline, HostileTest
from program import vec_text

ROWS, DIMENSION = 20000, 30
NUMBERS = {"KILL": signal.SIGKILL, "INT": signal.SIGINT, "TERM": signal.SIGTERM}


class SignalTest(HostileTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(SEED)
        rows = [[rng.uniform(-1, 1) for _ in range(DIMENSION)] for _ in range(ROWS)]
        self.write("big.vec", vec_text([f"w{i}" for i in range(ROWS)], rows))
        self.write("other.vec", vec_text([f"v{i}" for i in range(ROWS)], rows[1:] + rows[:1]))
        self.write("pairs.txt", "".join(f"w{i} v{i * 7 % ROWS}\n" for i in range(0, ROWS, 5)))
        self.align = ["align", "big.vec", "other.vec", "--lexicon", "pairs.txt", "--method", "procrustes"]
        self.succeed(*self.align, "-o", "m.wbmap")
        self.rng = rng

    def kill_at_random(self, arguments, outputs, deadline):
        """Runs and kills until time is over; how often."""
        older = {name: self.read(name) for name in outputs}
        started = time.monotonic()
        self.succeed(*arguments)
        duration = time.monotonic() - started
        complete = {name: self.read(name) for name in outputs}
        tried = 0
        while not deadline:
            for name, content in older.items():
                self.write(name, content)
            names = self.names()
            which = self.rng.choice(list(NUMBERS))
            # Half of them near the end, where names change.
            delay = duration * (self.rng.uniform(0, 1.1) if self.rng.random() < 0.5 else self.rng.uniform(0.8, 1.1))
            with self.start(*arguments, stdout=subprocess.DEVNULL) as process:
                time.sleep(delay)
                process.send_signal(NUMBERS[which])
                _, stderr = process.communicate(timeout=60)
            tried += 1
            what = f"{arguments} after {delay:.4f} s by {which}: {process.returncode}, {stderr}"
            self.assertIn(process.returncode, (0, -NUMBERS[which]), what)
            after = {name: self.read(name) for name in outputs}
            if after not in (older, complete):
                self.assertEqual(self.end("convert", outputs[0], "back.vec")[0], 1, "a torn pair is noticed: " + what)
                (self.folder / "back.vec").unlink(missing_ok=True)
            if process.returncode == 0:
                self.assertEqual(after, complete, what)
            if which != "KILL":
                self.assertEqual(self.names(), names, what)
            elif self.hidden():  # in the moment in which a file without a name gets its place
                self.succeed("convert", "en.vec", "sweep.vec")
                (self.folder / "sweep.vec").unlink()
                self.assertEqual(self.names(), names, what)
        return tried

    def test_random_moments(self):
        files = ["m.wbmap", "big.vec", "other.vec"]
        self.succeed("invert", "m.wbmap", "-o", "back.wbmap")
        self.succeed("export", "m.wbmap", "-o", "matrix.txt")
        cases = [(["convert", "big.vec", "out.npy"], ["out.npy", "out.vocab"]),
                 (["convert", "big.vec", "out.vec.gz"], ["out.vec.gz"]),
                 (["apply", "m.wbmap", "big.vec", "-o", "out.wbvec"], ["out.wbvec"]),
                 (self.align + ["-o", "out.wbmap"], ["out.wbmap"]),
                 (["invert", "m.wbmap", "-o", "out.wbmap"], ["out.wbmap"]),
                 (["compose", "m.wbmap", "back.wbmap", "-o", "out.wbmap"], ["out.wbmap"]),
                 (["import", "matrix.txt", "-o", "out.wbmap"], ["out.wbmap"]),
                 (["export", "m.wbmap", "-o", "out.txt"], ["out.txt"]),
                 (["induce", *files, "-o", "out.txt"], ["out.txt"]),
                 (["translate", *files, "w1", "w2", "-o", "out.txt"], ["out.txt"]),
                 (["neighbors", "big.vec", "w1", "-o", "out.txt"], ["out.txt"]),
                 (["evaluate", "translation", *files, "--lexicon", "pairs.txt", "--details", "out.txt"], ["out.txt"]),
                 (["report", *files, "--lexicon", "pairs.txt", "-o", "out.html"], ["out.html"])]
        self.succeed("convert", "other.vec", "out.npy")
        for name in ("out.vec.gz", "out.wbvec"):
            self.succeed("convert", "en.vec", name)
        for name in ("out.txt", "out.html"):
            self.write(name, "older")
        self.write("out.wbmap", self.read("m.wbmap")[:-1])
        total = 0
        for arguments, outputs in cases:
            total += self.kill_at_random(arguments, outputs, Deadline(SECONDS / len(cases) / (2 if SANITIZED else 1)))
        self.tell(f"{total} runs ended by a signal")

    def test_hub(self):
        """Ended again and again, a hub goes on where it was, to the same bytes as if nothing had happened."""
        self.write("list.toml", 'pivot = "other"\n[languages.other]\nvectors = "other.vec"\n[languages.big]\n'
                   'vectors = "big.vec"\n[lexicons.big-other]\ntrain = "pairs.txt"\n')
        hub = ["hub", "list.toml", "--max-words", "2000", "--quiet", "-o"]
        results = ["manifest.json", "report.html", "languages/big.wbmap", "vectors/big.wbvec", "vectors/other.wbvec"]
        started = time.monotonic()
        self.succeed(*hub, "whole")
        duration = time.monotonic() - started
        deadline, total = Deadline(SECONDS / 6), 0
        while not deadline:
            for which in ("KILL", "TERM", "INT", "KILL"):
                with self.start(*hub, "space", stdout=subprocess.DEVNULL) as process:
                    time.sleep(self.rng.uniform(0, 1.1 * duration))
                    process.send_signal(NUMBERS[which])
                    _, stderr = process.communicate(timeout=60)
                self.assertIn(process.returncode, (0, -NUMBERS[which]), stderr)
                total += 1
            self.succeed(*hub, "space")
            for name in results:
                self.assertEqual(self.read(f"space/{name}"), self.read(f"whole/{name}"), name)
            shutil.rmtree(self.folder / "space")
        self.tell(f"{total} runs of a hub ended by a signal")


if __name__ == "__main__":
    unittest.main()
