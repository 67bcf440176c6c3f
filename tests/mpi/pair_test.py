"""wordbridge-mpi align, evaluate and induce: one pair of languages, dealt out to several processes."""

import os
import pathlib
import random
import signal
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from ranks import OVER_TCP, RanksTest  # noqa: E402

WORDS = 20000  # three blocks of 8192 rows
DIMENSION = 6
TRAINING = ("--method", "rcsls", "--learning-rate", "1", "--neighbors", "5")


class PairTest(RanksTest):
    converted = {}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        rng = random.Random(7)
        cls.files = {"huge.en.vec": [f"{WORDS} {DIMENSION}"], "huge.es.vec": [f"{WORDS} {DIMENSION}"]}
        for i in range(WORDS):
            row = [rng.gauss(0.3, 1) if i % 4999 else 0 for _ in range(DIMENSION)]
            turned = [value + 0.3 * rng.gauss(0, 1) if i % 4999 else 0 for value in row[::-1]]
            cls.files["huge.en.vec"].append(f"e{i} " + " ".join(f"{value:.4f}" for value in row))
            cls.files["huge.es.vec"].append(f"s{i} " + " ".join(f"{value:.4f}" for value in turned))
        words = rng.sample(range(WORDS), 500)
        cls.files["pairs.txt"] = [f"e{i} s{i}" for i in words[:400]]
        cls.files["held.txt"] = [f"e{i} s{i}" for i in words[400:]]

    def setUp(self):
        super().setUp()
        for name, lines in self.files.items():
            self.write(name, "\n".join(lines) + "\n")
        for language in ("en", "es"):
            if language not in self.converted:
                self.succeed("convert", f"huge.{language}.vec", f"{language}.wbvec")
                self.converted[language] = self.read(f"{language}.wbvec")
            self.write(f"{language}.wbvec", self.converted[language])

    def align(self, count, output, *arguments, vectors="{}.wbvec", options=()):
        return self.run_ranks(count, "align", vectors.format("en"), vectors.format("es"), "--lexicon", "pairs.txt", "-o",
                              output, *arguments, options=options)

    def test_the_same_bytes_for_any_number_of_ranks(self):
        plain = ["en.wbvec", "es.wbvec", "--lexicon", "pairs.txt", *TRAINING, "--epochs", "4"]
        self.succeed("align", *plain, "-o", "one.wbmap")
        files = ["one.wbmap", "en.wbvec", "es.wbvec"]
        test = ["evaluate", "translation", *files, "--lexicon", "held.txt", "--json", "--details", "words.tsv"]
        induce = ["induce", *files, "--mutual", "--last-rank", "9000"]
        measured, induced = self.succeed(*test).stdout, self.succeed(*induce).stdout
        details = self.read("words.tsv")
        for count, threads, options in ((1, 2, ()), (2, 1, OVER_TCP), (3, 2, ()), (4, 1, ())):
            code, stdout, stderr = self.align(count, "many.wbmap", *TRAINING, "--epochs", "4", "--threads", str(threads),
                                              options=options)
            self.assertEqual(code, 0, stderr)
            self.assertEqual(stdout, "")
            self.assertEqual(stderr.count("many.wbmap written"), 1, "the first rank alone speaks")
            self.assertEqual(self.read("many.wbmap"), self.read("one.wbmap"), f"{count} ranks")
            if count in (2, 3):
                code, stdout, stderr = self.run_ranks(count, *test, "--threads", str(threads), options=options)
                self.assertEqual((code, stdout, self.read("words.tsv")), (0, measured, details), stderr)
            if count in (2, 4):
                code, stdout, stderr = self.run_ranks(count, *induce, "--threads", str(threads), options=options)
                self.assertEqual((code, stdout), (0, induced), stderr)

    def test_other_methods_normalizations_criteria_and_text(self):
        options = ["--method", "least-squares", "--normalize", "unit,center,unit", "--max-words", "9000"]
        self.succeed("align", "huge.en.vec", "huge.es.vec", "--lexicon", "pairs.txt", *options, "-o", "one.wbmap")
        code, _, stderr = self.align(3, "many.wbmap", *options, vectors="huge.{}.vec")
        self.assertEqual(code, 0, stderr)
        self.assertEqual(self.read("many.wbmap"), self.read("one.wbmap"))
        test = ["evaluate", "translation", "one.wbmap", "huge.en.vec", "huge.es.vec", "--lexicon", "held.txt",
                "--criterion", "nn", "--json"]
        code, stdout, stderr = self.run_ranks(2, *test)
        self.assertEqual((code, stdout), (0, self.succeed(*test).stdout), stderr)

    def test_a_rank_that_dies_ends_the_training_which_goes_on_with_another_number(self):
        training = [*TRAINING, "--epochs", "40", "--checkpoint", "state"]
        with self.start_ranks(2, "align", "en.wbvec", "es.wbvec", "--lexicon", "pairs.txt", *training, "-o",
                              "many.wbmap") as process:
            rank = self.ranks_of(process)[-1]
            deadline = time.monotonic() + 60
            while not (self.folder / "state/checkpoint.wbstate").exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            os.kill(rank, signal.SIGKILL)
            stderr = process.communicate(timeout=120)[1].decode()
        self.assertNotEqual(process.returncode, 0)
        self.assertRegex(stderr, r"process rank \d")
        self.assertFalse((self.folder / "many.wbmap").exists())
        code, _, stderr = self.align(3, "many.wbmap", *training, "--resume")
        self.assertEqual(code, 0, stderr)
        self.succeed("align", "en.wbvec", "es.wbvec", "--lexicon", "pairs.txt", *TRAINING, "--epochs", "40", "-o",
                     "one.wbmap")
        self.assertEqual(self.read("many.wbmap"), self.read("one.wbmap"))

    def test_what_several_cannot_share_is_refused_before_files_are_read(self):
        files = ["missing.vec", "nowhere.vec", "--lexicon", "none.txt", "-o", "out.wbmap"]
        for arguments, reason in (
                (["align", *files], "--method auto is for one process"),
                (["align", *files, "--method", "rcsls"], "name a --learning-rate"),
                (["evaluate", "translation", "m.wbmap", *files[:4], "--criterion", "isf"], "--criterion isf is for one"),
                (["induce", "m.wbmap", *files[:2], "--only", "false-friends"], "false-friends is for one process")):
            code, stdout, stderr = self.run_ranks(2, *arguments)
            self.assertEqual((code, stdout), (2, ""), stderr)
            self.assertEqual(stderr.count("wordbridge: "), 1, stderr)
            self.assertIn(reason, stderr)

    def test_damage_is_told_by_the_rank_that_holds_the_rows(self):
        with open(self.folder / "en.wbvec", "r+b") as file:
            file.seek(128 + 4 * DIMENSION * 8200)  # in the second block, which rank 1 holds
            file.write(b"\x7f\x7f")
        code, _, stderr = self.align(2, "many.wbmap", *TRAINING)
        self.assertEqual(code, 1, stderr)
        self.assertIn("en.wbvec: rows 8193 to 16384 are damaged", stderr)
        self.assertIn("rank 1 of 2 failed, which ends the job", stderr)
        self.assertFalse((self.folder / "many.wbmap").exists())


if __name__ == "__main__":
    unittest.main()
