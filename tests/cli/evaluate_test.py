"""wordbridge evaluate"""

import json
import unittest

from program import TRAIN, WORDS, CommandLineTest, vec_text

TEST_WORDS = WORDS - TRAIN


class EvaluateTranslationTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.align("m.wbmap", "--no-rerank")
        self.call = ["evaluate", "translation", "m.wbmap", "en.vec", "es.vec", "--lexicon", "test.txt"]

    def test_table(self):
        result = self.succeed(*self.call)
        self.assertIn("P@1", result.stdout)
        self.assertIn("MRR@10", result.stdout)
        self.assertRegex(result.stdout, rf"covered +{TEST_WORDS} +100\.0")
        self.assertIn(f"test.txt: {TEST_WORDS} of {TEST_WORDS} source words", result.stderr)

    def test_json(self):
        for criterion in ("nn", "csls", "isf", "gc"):
            scores = json.loads(self.succeed(*self.call, "--json", "--criterion", criterion).stdout)
            self.assertEqual(scores["criterion"], criterion)
            self.assertEqual(scores["coverage"], 100)
            for denominator in ("all", "covered"):
                self.assertEqual(list(scores["precision"][denominator]), ["1", "5", "10"])
                self.assertGreaterEqual(scores["precision"][denominator]["1"], 95)

    def test_inverted_softmax(self):
        isf = [*self.call, "--json", "--criterion", "isf"]
        usual = self.succeed(*isf, "--details", "usual.tsv").stdout
        self.assertEqual(self.succeed(*isf, "--beta", "30", "--sample", "0").stdout, usual)
        result = self.succeed(*isf, "--fit-beta", "train.txt")
        self.assertRegex(result.stderr, rf"train\.txt: beta \d+\.\d fitted on {TRAIN} pairs")
        self.assertGreaterEqual(json.loads(result.stdout)["precision"]["all"]["1"], 95)
        self.succeed(*isf, "--sample", "20", "--details", "one.tsv", "--seed", "1")
        self.succeed(*isf, "--sample", "20", "--details", "again.tsv", "--seed", "1")
        self.succeed(*isf, "--sample", "20", "--details", "two.tsv", "--seed", "2")
        self.assertEqual(self.read("one.tsv"), self.read("again.tsv"))
        self.assertNotEqual(self.read("one.tsv"), self.read("two.tsv"))

    def test_options_of_other_criteria_are_refused(self):
        for option in (["--beta", "3"], ["--fit-beta", "train.txt"], ["--sample", "3"]):
            self.assertEqual(self.fail(2, *self.call, *option), f"{option[0]} belongs to --criterion isf, not to csls")
        isf = [*self.call, "--criterion", "isf"]
        for beta, reason in (("0", "must be above 0"), ("-1", "must be above 0"), ("1e7", "at most"), ("nan", "is not a number")):
            self.assertIn(reason, self.fail(2, *isf, "--beta", beta))
        self.assertIn("excludes", self.fail(2, *isf, "--beta", "3", "--fit-beta", "train.txt"))
        self.assertIn("missing.txt", self.fail(1, *isf, "--fit-beta", "missing.txt"))
        self.assertIn("not standard input", self.fail(2, *isf, "--fit-beta", "-"))
        self.write("none.txt", "nothing nada\n")
        self.assertIn("none.txt", self.fail(1, *isf, "--fit-beta", "none.txt"))

    def test_markdown(self):
        self.assertTrue(self.succeed(*self.call, "--markdown").stdout.startswith("| source words |"))

    def test_uncovered_words_count_in_one_denominator(self):
        self.write("more.txt", "".join(f"e{i} s{i}\n" for i in range(TRAIN, WORDS)) + "unknown s1\n" * 1)
        call = self.call[:-1] + ["more.txt", "--json"]
        scores = json.loads(self.succeed(*call).stdout)
        self.assertLess(scores["precision"]["all"]["1"], scores["precision"]["covered"]["1"])
        self.assertAlmostEqual(scores["coverage"], 100 * TEST_WORDS / (TEST_WORDS + 1), places=3)

    def test_details(self):
        self.succeed(*self.call, "--details", "words.tsv")
        lines = self.read("words.tsv").decode().splitlines()
        self.assertEqual(len(lines), TEST_WORDS + 1)
        self.assertTrue(lines[1].startswith(f"e{TRAIN}\tright\t1\ts{TRAIN}\ts{TRAIN} | "), lines[1])

    def test_other_formats(self):
        self.assertTrue(self.succeed(*self.call, "--csv").stdout.startswith("source words,number,P@1,"))
        self.assertIn("\\bottomrule", self.succeed(*self.call, "--latex").stdout)

    def test_frequency_bands(self):
        result = self.succeed(*self.call, "--bands", "100,130").stdout
        self.assertRegex(result, r"\n1-100 +10 +10 +")
        self.assertRegex(result, r"\n101-130 +30 +30 +")
        self.assertRegex(result, r"\n131 and above +20 +20 +")
        bands = json.loads(self.succeed(*self.call, "--bands", "100", "--json").stdout)["bands"]
        self.assertEqual([(band["first"], band["last"], band["words"]) for band in bands], [(1, 100, 10), (101, None, 50)])
        self.assertIn("rising whole numbers", self.fail(2, *self.call, "--bands", "100,50"))

    def test_comparison_of_two_mappings(self):
        self.write("shuffled.txt", "".join(f"e{i} s{(i * 7) % TRAIN}\n" for i in range(TRAIN)))
        self.succeed("align", "en.vec", "es.vec", "--lexicon", "shuffled.txt", "--method", "procrustes", "-o", "bad.wbmap")
        (worse,) = json.loads(self.succeed(*self.call, "--compare", "bad.wbmap", "--json").stdout)["comparisons"]
        self.assertLess(worse["high"], -50)
        self.assertLess(worse["p_value"], 0.001)
        self.assertGreater(worse["only_first"], worse["only_second"])
        text = self.succeed(*self.call, "--compare", "m.wbmap", "--samples", "100").stdout
        self.assertRegex(text, r"\nm\.wbmap +csls .* \+0\.0 +\+0\.0 to \+0\.0 +1\.0000 +0 +0\n")
        self.succeed("apply", "m.wbmap", "en.vec", "-o", "en.aligned.vec")
        self.assertIn("share a space already", self.fail(2, "evaluate", "translation", "en.vec", "es.vec", "--lexicon",
                                                         "test.txt", "--compare", "bad.wbmap"))

    def test_comparison_of_several_mappings(self):
        self.align("smith.wbmap", "--method", "smith")
        self.align("least.wbmap", "--method", "least-squares")
        call = [*self.call, "--compare", "smith.wbmap", "least.wbmap"]
        result = self.succeed(*call)
        table = result.stdout.split("\n\n")[1].splitlines()
        self.assertEqual([line.split()[:2] for line in table[:5:1] if ".wbmap" in line],
                         [["m.wbmap", "csls"], ["smith.wbmap", "isf"], ["least.wbmap", "csls"]])
        self.assertEqual(result.stderr.count("words x 8"), 2, "the vectors are read once")
        comparisons = json.loads(self.succeed(*call, "--json").stdout)["comparisons"]
        self.assertEqual([entry["mapping"] for entry in comparisons], ["smith.wbmap", "least.wbmap"])
        # Each says what it says alone, whatever it is compared with.
        alone = json.loads(self.succeed(*self.call[:2], "least.wbmap", *self.call[3:], "--json").stdout)
        self.assertEqual(comparisons[1]["precision"], alone["precision"]["all"])
        self.assertEqual(self.succeed(*self.call, "--compare", "smith.wbmap", "--compare", "least.wbmap").stdout,
                         result.stdout)
        # Also where vectors come through a pipe.
        piped = self.succeed("evaluate", "translation", "m.wbmap", "-", "es.vec", *self.call[5:], "--compare",
                             "smith.wbmap", "least.wbmap", input=self.read("en.vec"))
        self.assertEqual(piped.stdout, result.stdout)

    def test_no_identical(self):
        names = [f"same{i}" if i % 2 else self.source_words[i] for i in range(WORDS)]
        others = [f"same{i}" if i % 2 else self.target_words[i] for i in range(WORDS)]
        self.write("a.vec", vec_text(names, self.source_rows))
        self.write("b.vec", vec_text(others, self.target_rows))
        self.write("mixed.txt", "".join(f"{a} {b}\n" for a, b in zip(names, others)))
        call = ["evaluate", "translation", "m.wbmap", "a.vec", "b.vec", "--lexicon", "mixed.txt", "--json"]
        self.assertEqual(json.loads(self.succeed(*call).stdout)["words"]["all"], WORDS)
        self.assertEqual(json.loads(self.succeed(*call, "--no-identical").stdout)["words"]["all"], WORDS // 2)

    def test_vectors_that_are_aligned_already(self):
        self.succeed("apply", "m.wbmap", "en.vec", "-o", "en.aligned.vec")
        self.succeed("apply", "m.wbmap", "es.vec", "-o", "es.aligned.vec", "--side", "target")
        by_files = json.loads(self.succeed("evaluate", "translation", "en.aligned.vec", "es.aligned.vec", "--lexicon",
                                           "test.txt", "--json").stdout)
        self.assertEqual(by_files, json.loads(self.succeed(*self.call, "--json").stdout))
        self.write("short.vec", vec_text(self.target_words, [row[:5] for row in self.target_rows]))
        self.assertIn("dimensions are 8 and 5", self.fail(2, "evaluate", "translation", "en.vec", "short.vec",
                                                          "--lexicon", "test.txt"))

    def test_same_whatever_the_threads(self):
        one = self.succeed(*self.call, "--json", "--details", "one.tsv", "--threads", "1").stdout
        two = self.succeed(*self.call, "--json", "--details", "two.tsv", "--threads", "2").stdout
        self.assertEqual(one, two)
        self.assertEqual(self.read("one.tsv"), self.read("two.tsv"))

    def test_nothing_to_evaluate(self):
        self.write("none.txt", "nothing nada\n")
        message = self.fail(1, *self.call[:-1], "none.txt")
        self.assertTrue(message.startswith("none.txt: "), message)


if __name__ == "__main__":
    unittest.main()
