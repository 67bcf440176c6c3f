"""wordbridge align"""

import json
import signal
import subprocess
import time
import unittest

from program import DIMENSION, TRAIN, WORDBRIDGE, WORDS, CommandLineTest, vec_text


class AlignTest(CommandLineTest):
    def precision(self, mapping):
        result = self.succeed("evaluate", "translation", mapping, "en.vec", "es.vec", "--lexicon", "test.txt", "--json")
        return json.loads(result.stdout)["precision"]["all"]["1"]

    def test_every_method_finds_the_translations(self):
        for method in ("procrustes", "least-squares", "rcsls"):
            self.align("m.wbmap", "--method", method)
            self.assertGreaterEqual(self.precision("m.wbmap"), 95, method)

    def test_tells_how_it_went_on_standard_error(self):
        result = self.succeed("align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap")
        self.assertEqual(result.stdout, "")
        lines = result.stderr.splitlines()
        self.assertRegex(lines[0], rf"\Aen\.vec: {WORDS} words x {DIMENSION} \(.*s\)\Z")
        self.assertRegex(lines[1], rf"\Aes\.vec: {WORDS} words x {DIMENSION} ")
        self.assertRegex(lines[2], rf"\Atrain\.txt: {TRAIN} of {TRAIN} source words")
        self.assertRegex(lines[3], r"\Arcsls: 8 x 8, mean cosine of the pairs (1\.0|0\.9)")
        self.assertRegex(lines[4], r"\Am\.wbmap written")

    def test_rcsls_options(self):
        self.align("a.wbmap", "--method", "rcsls", "--learning-rate", "1", "--epochs", "3", "--constraint", "spectral",
                   "--loss", "logsumexp", "--pool", "train", "--log", "run.jsonl", "--checkpoint", "state")
        steps = [json.loads(line) for line in (self.folder / "run.jsonl").read_text(encoding="utf-8").splitlines()]
        self.assertGreaterEqual(len(steps), 2)
        self.assertIn("loss", steps[0])
        self.align("b.wbmap", "--method", "rcsls", "--learning-rate", "1", "--epochs", "3", "--constraint", "spectral",
                   "--loss", "logsumexp", "--pool", "train", "--checkpoint", "state", "--resume")
        self.align("c.wbmap", "--method", "rcsls", "--learning-rate", "1", "--init", "a.wbmap")
        result = self.succeed("inspect", "a.wbmap", "--json")
        self.assertEqual(json.loads(result.stdout)["provenance"]["method"], "rcsls")

    def test_rcsls_selection(self):
        grid = ("--select", "validation", "--validation-split", "0.2", "--select-learning-rates", "0.5,2",
                "--select-epochs", "2", "--select-blends", "1")
        result = self.succeed("align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap", *grid)
        lines = result.stderr.splitlines()
        start = lines.index("settings tried, by P@1 by CSLS of 18 validation words:")
        rows = [line.split() for line in lines[start + 3:start + 6]]
        self.assertEqual([row[0] for row in rows], ["none:", "0.5", "2"])
        self.assertEqual(sum("chosen" in row for row in rows), 1)
        selection = json.loads(self.succeed("inspect", "m.wbmap", "--json").stdout)["provenance"]["details"]["selection"]
        self.assertEqual([row["learning_rate"] for row in selection["rows"]], [0, 0.5, 2])
        self.assertIn("chosen", rows[selection["chosen"]])
        for wrong in ("1,,2", "", "1,x", "-1", "1,"):
            self.fail(2, "align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "n.wbmap",
                      f"--select-learning-rates={wrong}")
        self.assertIn("whole numbers", self.fail(2, "align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o",
                                                 "n.wbmap", "--select-epochs", "1.5"))

    def test_a_killed_training_resumes_to_the_same_bits(self):
        options = ("--learning-rate", "0.5", "--batch", "20", "--epochs", "300")
        self.align("whole.wbmap", *options)
        command = ("align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "resumed.wbmap", *options, "--checkpoint",
                   "state", "--log", "run.jsonl")
        process = subprocess.Popen([WORDBRIDGE, *command], cwd=self.folder, stderr=subprocess.DEVNULL)
        log = self.folder / "run.jsonl"
        while process.poll() is None and not (log.exists() and len(log.read_text(encoding="utf-8").splitlines()) >= 20):
            time.sleep(0.001)
        process.kill()
        self.assertEqual(process.wait(), -signal.SIGKILL, "ended before it could be killed")
        self.assertFalse((self.folder / "resumed.wbmap").exists())
        self.assertIn("resume it", self.fail(2, *command))
        self.succeed(*command, "--resume")
        self.assertEqual((self.folder / "resumed.wbmap").read_bytes(), (self.folder / "whole.wbmap").read_bytes())

    def test_quiet_says_nothing(self):
        result = self.succeed("align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap", "--quiet")
        self.assertEqual((result.stdout, result.stderr), ("", ""))
        result = self.succeed("-q", "align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap")
        self.assertEqual((result.stdout, result.stderr), ("", ""))

    def test_json_is_the_provenance(self):
        result = self.succeed("align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap", "--json",
                              "--seed", "7", "--normalize", "unit,center,unit", "--max-words", "140")
        description = json.loads(result.stdout)
        provenance = description["provenance"]
        self.assertEqual(description["common_dimension"], DIMENSION)
        self.assertEqual(description["source"]["normalization"], "unit,center,unit")
        self.assertEqual(provenance["method"], "rcsls")
        self.assertEqual(provenance["seed"], 7)
        self.assertEqual(provenance["max_words"], 140)
        self.assertEqual(provenance["source"]["words"], 140)
        self.assertEqual(provenance["source"]["name"], "en.vec")
        self.assertEqual(len(provenance["source"]["checksum"]), 64)
        self.assertTrue(provenance["lexicon"].startswith("train.txt: "))
        self.assertGreater(provenance["metrics"]["mean_cosine"], 0.9)

    def test_is_the_same_whatever_the_threads(self):
        self.align("one.wbmap", "--threads", "1", "--normalize", "unit,center")
        self.align("two.wbmap", "--threads", "2", "--normalize", "unit,center")
        self.assertEqual(self.read("one.wbmap"), self.read("two.wbmap"))
        self.align("again.wbmap", "--threads", "2", "--normalize", "unit,center")
        self.assertEqual(self.read("two.wbmap"), self.read("again.wbmap"))

    def test_lexicons_without_a_file(self):
        names = [f"name{i}" if i % 2 else str(1900 + i) for i in range(WORDS)]
        self.write("a.vec", vec_text(names, self.source_rows))
        self.write("b.vec", vec_text(names, self.target_rows))
        result = self.succeed("align", "a.vec", "b.vec", "--identical-words", "-o", "m.wbmap", "--json")
        self.assertTrue(json.loads(result.stdout)["provenance"]["lexicon"].startswith("identical words: "))
        self.assertIn(f"{WORDS} pairs", result.stderr)
        result = self.succeed("align", "a.vec", "b.vec", "--numerals", "-o", "m.wbmap", "--json")
        self.assertTrue(json.loads(result.stdout)["provenance"]["lexicon"].startswith("numerals: "))
        self.assertIn(f"{WORDS // 2} pairs", result.stderr)
        self.assertIn("no", self.fail(2, "align", "en.vec", "es.vec", "--identical-words", "-o", "m2.wbmap"))

    def test_letter_case(self):
        self.write("upper.txt", "".join(f"E{i} S{i}\n" for i in range(TRAIN)))
        self.assertIn("upper.txt", self.fail(1, "align", "en.vec", "es.vec", "--lexicon", "upper.txt", "-o", "m.wbmap"))
        self.succeed("align", "en.vec", "es.vec", "--lexicon", "upper.txt", "--case", "lower", "-o", "m.wbmap")
        self.assertGreaterEqual(self.precision("m.wbmap"), 95)

    def test_unequal_dimensions(self):
        self.write("short.vec", vec_text(self.target_words, [row[:5] for row in self.target_rows]))
        for method in ("procrustes", "least-squares", "rcsls"):
            result = self.succeed("align", "en.vec", "short.vec", "--lexicon", "train.txt", "-o", "m.wbmap", "--method",
                                  method)
            self.assertIn(f"{method}: 5 x 8", result.stderr)
            self.succeed("translate", "m.wbmap", "en.vec", "short.vec", "e1")

    def test_small_lexicons_are_warned_of(self):
        self.write("tiny.txt", "e1 s1\ne2 s2\ne3 s3\n")
        result = self.succeed("align", "en.vec", "es.vec", "--lexicon", "tiny.txt", "-o", "m.wbmap", "--quiet")
        self.assertEqual(result.stderr,
                         "wordbridge: warning: 3 distinct words of the lexicon cannot settle a map of 8 dimensions\n")

    def test_zero_vectors_are_left_out_and_counted(self):
        rows = [[0.0] * DIMENSION if i < 2 else row for i, row in enumerate(self.source_rows)]
        self.write("zeros.vec", vec_text(self.source_words, rows))
        result = self.succeed("align", "zeros.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap")
        self.assertIn("2 pairs with a zero vector left out", result.stderr)

    def test_needs_a_lexicon(self):
        self.assertIn("--method rcsls learns from a lexicon",
                      self.fail(2, "align", "en.vec", "es.vec", "-o", "m.wbmap"))

    def test_options_of_other_methods_are_refused(self):
        self.assertEqual(self.fail(2, "align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap", "--ridge", "1"),
                         "--ridge belongs to --method least-squares, not to rcsls")
        self.assertIn("ridge", self.fail(2, "align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap",
                                         "--method", "least-squares", "--ridge", "-1"))

    def test_normalization_is_checked_first(self):
        self.assertIn("'center'", self.fail(2, "align", "missing.vec", "es.vec", "--lexicon", "train.txt", "-o",
                                            "m.wbmap", "--normalize", "whiten"))


if __name__ == "__main__":
    unittest.main()
