"""wordbridge align"""

import json
import signal
import subprocess
import time
import unittest

from program import DIMENSION, TRAIN, WORDBRIDGE, WORDS, CommandLineTest, vec_text


METHODS = ("auto", "rcsls", "procrustes", "least-squares", "vecmap", "smith", "artetxe", "mikolov", "dinu")


class AlignTest(CommandLineTest):
    def precision(self, mapping):
        result = self.succeed("evaluate", "translation", mapping, "en.vec", "es.vec", "--lexicon", "test.txt", "--json")
        return json.loads(result.stdout)["precision"]["all"]["1"]

    def test_every_method_finds_the_translations(self):
        for method in METHODS:
            self.align("m.wbmap", "--method", method)
            self.assertGreaterEqual(self.precision("m.wbmap"), 95, method)

    def test_tells_how_it_went_on_standard_error(self):
        result = self.succeed("align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap")
        self.assertEqual(result.stdout, "")
        lines = result.stderr.splitlines()
        self.assertRegex(lines[0], rf"\Aen\.vec: {WORDS} words x {DIMENSION} \(.*s\)\Z")
        self.assertRegex(lines[1], rf"\Aes\.vec: {WORDS} words x {DIMENSION} ")
        self.assertRegex(lines[2], rf"\Atrain\.txt: {TRAIN} of {TRAIN} source words")
        self.assertRegex(lines[3], r"\Amap: RCSLS on VecMap's map, self-learned; the lexicon is too small to hold words out")
        self.assertRegex(lines[-3], r"\Aauto: 8 x 8")
        self.assertRegex(lines[-2], r"\Am\.wbmap written")
        self.assertEqual(lines[-1], "next: wordbridge translate m.wbmap en.vec es.vec WORD...")

    def test_chooses_on_held_out_words(self):
        self.write("large.txt", "".join(f"e{i} s{i}\n" for i in range(140)))
        result = self.succeed("align", "en.vec", "es.vec", "--lexicon", "large.txt", "-o", "m.wbmap", "--json")
        self.assertRegex(result.stderr, r"\nmap: RCSLS on VecMap's map, self-learned; VecMap's map is no better beyond "
                                        r"chance, by CSLS on 70 held-out words; P@1 of \d+ to 100% is to be expected on words as rare as these, more on frequent ones\n")
        provenance = json.loads(result.stdout)["provenance"]
        self.assertEqual((provenance["method"], provenance["options"]["map"]), ("auto", "rcsls+self-learn"))
        choice = provenance["details"]["choice"]
        self.assertEqual((choice["words"], choice["chosen"]), (70, 0))
        self.assertEqual([row["map"] for row in choice["rows"]],
                         ["RCSLS on VecMap's map, self-learned", "VecMap's map"])
        result = self.succeed("align", "en.vec", "es.vec", "--lexicon", "large.txt", "-o", "m.wbmap", "--choose", "all")
        self.assertRegex(result.stderr, r"; none of \d others is better beyond chance, by CSLS on 70 held-out words;")
        self.assertIn("name a --method", self.fail(2, "align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o",
                                                   "n.wbmap", "--self-learn"))

    def test_learns_from_what_it_finds(self):
        self.write("small.txt", "".join(f"e{i}\ts{i}\t0.5\n" for i in range(12)))
        call = ("align", "en.vec", "es.vec", "--lexicon", "small.txt", "-o")
        for method in ("vecmap", "procrustes", "rcsls", "least-squares"):
            result = self.succeed(*call, "m.wbmap", "--method", method, "--self-learn", "--json")
            self.assertGreaterEqual(self.precision("m.wbmap"), 95, method)
            self.assertIn("self-learning, round 3: ", result.stderr)
            provenance = json.loads(result.stdout)["provenance"]
            self.assertEqual(provenance["method"], method + "+self-learn")
            self.assertEqual(provenance["options"]["self_learn_rounds"], "3")
            self.assertEqual(len(provenance["details"]["self_learning"]["rounds"]), 3)
        self.assertIn("--self-learn is needed", self.fail(2, *call, "n.wbmap", "--method", "vecmap",
                                                          "--self-learn-rounds", "2"))
        self.assertIn("methods with a lexicon", self.fail(2, "align", "en.vec", "es.vec", "-o", "n.wbmap", "--method",
                                                          "icp", "--self-learn"))
        self.write("bad.txt", "e1\ts1\t0.5\ne2\ts2\t-1\n")
        self.assertIn("bad.txt:2: '-1' is no weight", self.fail(1, "align", "en.vec", "es.vec", "--lexicon", "bad.txt",
                                                                "-o", "n.wbmap"))

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
        result = self.succeed("align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap", "--method", "rcsls", *grid,
                              "--verbose")
        lines = result.stderr.splitlines()
        start = lines.index("settings tried, by P@1 by CSLS of 18 validation words:")
        rows = [line.split() for line in lines[start + 3:start + 6]]
        self.assertEqual([row[0] for row in rows], ["none:", "0.5", "2"])
        self.assertEqual(sum("chosen" in row for row in rows), 1)
        selection = json.loads(self.succeed("inspect", "m.wbmap", "--json").stdout)["provenance"]["details"]["selection"]
        self.assertEqual([row["learning_rate"] for row in selection["rows"]], [0, 0.5, 2])
        self.assertIn("chosen", rows[selection["chosen"]])
        self.assertEqual(selection["words"], 18)
        brief = self.succeed("align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "n.wbmap",
                             "--method", "rcsls", *grid).stderr
        self.assertEqual(self.read("n.wbmap"), self.read("m.wbmap"))
        self.assertNotIn("settings tried", brief)
        self.assertRegex(brief, r"\nP@1 of 18 words held out: [\d.]+ at the start, [\d.]+ \([\d.]+ to [\d.]+\) with ")
        self.assertTrue(brief.endswith("next: wordbridge translate n.wbmap en.vec es.vec WORD...\n"), brief)
        (self.folder / "n.wbmap").unlink()
        for wrong in ("1,,2", "", "1,x", "-1", "1,"):
            self.fail(2, "align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "n.wbmap",
                      f"--select-learning-rates={wrong}")
        self.assertIn("whole numbers", self.fail(2, "align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o",
                                                 "n.wbmap", "--select-epochs", "1.5"))

    def test_a_killed_training_resumes_to_the_same_bits(self):
        options = ("--method", "rcsls", "--learning-rate", "0.5", "--batch", "20", "--epochs", "100")
        self.align("whole.wbmap", *options)
        command = ("align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "resumed.wbmap", *options, "--checkpoint",
                   "state", "--log", "run.jsonl")
        process = subprocess.Popen([WORDBRIDGE, *command], cwd=self.folder, stderr=subprocess.DEVNULL)
        log = self.folder / "run.jsonl"
        while process.poll() is None and not (log.exists() and len(log.read_text(encoding="utf-8").splitlines()) >= 3):
            time.sleep(0.001)
        process.kill()
        self.assertEqual(process.wait(), -signal.SIGKILL, "ended before it could be killed")
        self.assertFalse((self.folder / "resumed.wbmap").exists())
        self.assertIn("resume it", self.fail(2, *command))
        self.succeed(*command, "--resume")
        self.assertEqual((self.folder / "resumed.wbmap").read_bytes(), (self.folder / "whole.wbmap").read_bytes())

    def test_presets(self):
        for method, map_name, normalization, criterion in (
                ("vecmap", None, "unit,center,unit", "csls"), ("smith", None, "unit", "isf"),
                ("artetxe", "procrustes", "unit,center", "nn"), ("mikolov", "least-squares", "none", "nn"),
                ("dinu", "least-squares", "unit", "gc")):
            self.align("m.wbmap", "--method", method)
            description = json.loads(self.succeed("inspect", "m.wbmap", "--json").stdout)
            self.assertEqual(description["provenance"]["method"], method)
            self.assertEqual(description["provenance"]["options"].get("map"), map_name)
            self.assertEqual(description["source"]["normalization"], normalization)
            call = ["evaluate", "translation", "m.wbmap", "en.vec", "es.vec", "--lexicon", "test.txt", "--json"]
            self.assertEqual(json.loads(self.succeed(*call).stdout)["criterion"], criterion)
            self.assertEqual(json.loads(self.succeed(*call, "--criterion", "csls").stdout)["criterion"], "csls")
        self.align("m.wbmap", "--method", "artetxe", "--normalize", "unit")
        self.assertEqual(json.loads(self.succeed("inspect", "m.wbmap", "--json").stdout)["source"]["normalization"],
                         "unit")

    def test_both_sides_mapped(self):
        for method in ("vecmap", "smith"):
            self.align("m.wbmap", "--method", method, "--dimensions", "6")
            call = ["--lexicon", "test.txt", "--json", "--criterion", "csls"]
            by_mapping = json.loads(self.succeed("evaluate", "translation", "m.wbmap", "en.vec", "es.vec", *call).stdout)
            self.assertGreaterEqual(by_mapping["precision"]["all"]["1"], 90)
            self.succeed("apply", "m.wbmap", "en.vec", "-o", "en.aligned.vec")
            self.succeed("apply", "m.wbmap", "es.vec", "--side", "target", "-o", "es.aligned.vec")
            self.assertTrue(self.read("es.aligned.vec").startswith(b"%d 6\n" % WORDS))
            aligned = ["en.aligned.vec", "es.aligned.vec"]
            self.assertEqual(json.loads(self.succeed("evaluate", "translation", *aligned, *call).stdout), by_mapping)
            self.assertTrue(self.succeed("translate", "m.wbmap", "en.vec", "es.vec", "e100").stdout
                            .startswith("e100\t1\ts100\t"))
            for side in ("source", "target"):
                self.assertIn("6 x 8", self.succeed("export", "m.wbmap", "--side", side, "-o", f"{side}.txt").stderr)
            self.succeed("import", "source.txt", "--target-matrix", "target.txt", "--source", "en.vec", "--target",
                         "es.vec", "--normalize", "unit,center,unit" if method == "vecmap" else "unit", "-o", "i.wbmap")
            imported = self.succeed("evaluate", "translation", "i.wbmap", "en.vec", "es.vec", *call)
            self.assertEqual(json.loads(imported.stdout), by_mapping)
            self.assertIn("target map      6 x 8", self.succeed("inspect", "m.wbmap").stdout)

    def test_starts_from_any_mapping(self):
        self.align("start.wbmap", "--method", "vecmap", "--max-words", "140")
        result = self.succeed("align", "en.vec", "es.vec", "--lexicon", "train.txt", "--max-words", "140", "--init",
                              "start.wbmap", "--method", "rcsls", "--learning-rate", "1", "-o", "m.wbmap")
        self.assertNotIn("warning", result.stderr)
        start, end = (json.loads(self.succeed("inspect", name, "--json").stdout) for name in ("start.wbmap", "m.wbmap"))
        self.assertEqual(end["source"]["normalization"], "unit,center,unit")
        self.assertEqual(end["target"]["singular_values"], start["target"]["singular_values"])
        self.assertGreaterEqual(self.precision("m.wbmap"), 80)  # ten of the sixty words are beyond --max-words
        init = ["align", "en.vec", "es.vec", "--lexicon", "train.txt", "--init", "start.wbmap", "--learning-rate", "1",
                "--method", "rcsls", "-o", "n.wbmap"]
        self.assertIn("is also an input", self.fail(2, *init[:-1], "start.wbmap"))
        self.assertIn("learned after 'unit,center,unit'", self.fail(2, *init, "--normalize", "unit"))
        self.assertIn("not the source vectors that the mapping was fitted on", self.succeed(*init, "-q").stderr)
        self.write("short.vec", vec_text(self.target_words, [row[:5] for row in self.target_rows]))
        init[2] = "short.vec"
        self.assertIn("dimension 8, but short.vec has dimension 5", self.fail(2, *init))

    def test_refinement(self):
        self.write("few.txt", "".join(f"e{i} s{i}\n" for i in range(5)))
        few = ["align", "en.vec", "es.vec", "--lexicon", "few.txt", "--method", "artetxe", "-o", "m.wbmap"]
        self.succeed(*few)
        before = self.precision("m.wbmap")
        result = self.succeed(*few, "--refine", "4")
        self.assertRegex(result.stderr, r"refinement, round 4: \d+ pairs, \d+ of them as before, mean similarity 0\.9")
        self.assertGreater(self.precision("m.wbmap"), before)
        provenance = json.loads(self.succeed("inspect", "m.wbmap", "--json").stdout)["provenance"]
        self.assertEqual(provenance["method"], "artetxe+refine")
        self.assertEqual(provenance["options"]["map"], "procrustes+refine")
        self.assertEqual(provenance["options"]["refine_direction"], "intersection")
        rounds = provenance["details"]["refinement"]
        self.assertEqual(len(rounds), 4)
        self.assertLess(rounds[0]["pairs"], rounds[3]["pairs"])

    def test_refinement_options(self):
        call = ["align", "en.vec", "es.vec", "--lexicon", "train.txt", "--method", "procrustes", "-o", "m.wbmap"]
        result = self.succeed(*call, "--refine", "1", "--refine-rank", "100", "--refine-max", "30", "--refine-direction",
                              "union", "--refine-with", "least-squares", "--ridge", "0.1", "--refine-threshold", "0.01")
        self.assertIn("round 1: 30 pairs", result.stderr)
        self.assertIn("--refine N is needed", self.fail(2, *call, "--refine-max", "30"))
        self.assertIn("40 pairs at least and 30 at most",
                      self.fail(2, *call, "--refine", "1", "--refine-min", "40", "--refine-max", "30"))
        self.assertIn("--checkpoint is for one training", self.fail(2, *call, "--refine", "1", "--refine-with", "rcsls",
                                                                    "--checkpoint", "state"))
        self.assertIn("--ridge belongs", self.fail(2, *call, "--refine", "1", "--ridge", "1"))
        self.assertIn("found no pairs", self.fail(1, *call, "--refine", "1", "--refine-threshold", "9"))

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
        self.assertEqual(provenance["method"], "auto")
        self.assertEqual(provenance["seed"], 7)
        self.assertEqual(provenance["max_words"], 140)
        self.assertEqual(provenance["source"]["words"], 140)
        self.assertEqual(provenance["source"]["name"], "en.vec")
        self.assertEqual(len(provenance["source"]["checksum"]), 64)
        self.assertTrue(provenance["lexicon"].startswith("train.txt: "))
        self.assertIn("map", provenance["options"])

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
        for method in METHODS:
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
        self.assertIn("--method auto learns from a lexicon",
                      self.fail(2, "align", "en.vec", "es.vec", "-o", "m.wbmap"))

    def test_options_of_other_methods_are_refused(self):
        self.assertEqual(self.fail(2, "align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap", "--ridge", "1"),
                         "--ridge belongs to --method least-squares, mikolov, dinu, not to auto")
        self.assertIn("ridge", self.fail(2, "align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap",
                                         "--method", "least-squares", "--ridge", "-1"))

    def test_normalization_is_checked_first(self):
        self.assertIn("'center'", self.fail(2, "align", "missing.vec", "es.vec", "--lexicon", "train.txt", "-o",
                                            "m.wbmap", "--normalize", "whiten"))


if __name__ == "__main__":
    unittest.main()
