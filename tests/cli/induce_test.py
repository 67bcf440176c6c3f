"""wordbridge induce"""

import unittest

from program import WORDS, CommandLineTest, vec_text


class InduceTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.align("m.wbmap", "--method", "procrustes")
        self.files = ["m.wbmap", "en.vec", "es.vec"]

    def induce(self, *options):
        """The lines of the lexicon, each a list of columns."""
        self.succeed("induce", *self.files, "-o", "out.tsv", *options)
        lines = self.read("out.tsv").decode().splitlines()
        self.assertEqual(lines[0], "# source\ttarget\tscore\trank\tmargin")
        return [line.split("\t") for line in lines[1:]]

    def test_best_translations_of_all_words(self):
        lines = self.induce()
        self.assertEqual([line[:2] for line in lines], [[f"e{i}", f"s{i}"] for i in range(WORDS)])
        for line in lines:
            self.assertEqual(line[3], "1")
            self.assertGreater(float(line[4]), 0)

    def test_scores_and_margins_are_those_of_translate(self):
        lines = self.induce("--count", "3")
        self.assertEqual(len(lines), 3 * WORDS)
        translated = [line.split("\t") for line in
                      self.succeed("translate", *self.files, "e100", "-n4").stdout.splitlines()]
        own = [line for line in lines if line[0] == "e100"]
        self.assertEqual([[line[0], line[3], line[1], line[2]] for line in own], translated[:3])
        self.assertAlmostEqual(float(own[2][4]), float(translated[2][3]) - float(translated[3][3]), places=5)

    def test_is_a_lexicon(self):
        self.induce()
        self.succeed("align", "en.vec", "es.vec", "--lexicon", "out.tsv", "-o", "n.wbmap", "--method", "procrustes")
        result = self.succeed("evaluate", "translation", "n.wbmap", "en.vec", "es.vec", "--lexicon", "out.tsv")
        self.assertIn(f"{WORDS} of {WORDS} source words", result.stderr)

    def test_mutual_threshold_margin_and_ranks(self):
        all_pairs = self.induce("--count", "2")
        mutual = self.induce("--count", "2", "--mutual")
        self.assertLess(len(mutual), len(all_pairs))
        self.assertTrue(all(line in all_pairs for line in mutual))
        scores = sorted(float(line[2]) for line in all_pairs)
        score = (scores[WORDS - 1] + scores[WORDS]) / 2  # between two: those in the file are rounded
        self.assertEqual([line for line in all_pairs if float(line[2]) >= score],
                         self.induce("--count", "2", "--threshold", str(score)))
        self.assertEqual([line for line in all_pairs if float(line[4]) >= 0.3],
                         self.induce("--count", "2", "--margin", "0.3"))
        self.assertEqual([line[0] for line in self.induce("--first-rank", "11", "--last-rank", "30")],
                         [f"e{i}" for i in range(10, 30)])

    def test_every_criterion_and_aligned_vectors(self):
        for criterion in ("nn", "csls", "isf", "gc"):
            self.assertEqual(len(self.induce("--criterion", criterion)), WORDS)
        expected = [line[:2] for line in self.induce()]
        self.succeed("apply", "m.wbmap", "en.vec", "-o", "en.aligned.vec")
        self.succeed("apply", "m.wbmap", "es.vec", "--side", "target", "-o", "es.aligned.vec")
        self.files = ["en.aligned.vec", "es.aligned.vec"]
        self.assertEqual([line[:2] for line in self.induce()], expected)

    def test_standard_output_and_threads(self):
        one = self.succeed("induce", *self.files, "--count", "3", "--threads", "1").stdout
        two = self.succeed("induce", *self.files, "--count", "3", "--threads", "2").stdout
        self.assertEqual(one, two)
        self.assertEqual(len(one.splitlines()), 3 * WORDS + 1)

    def test_words_without_a_vector_have_no_translation(self):
        rows = [[0.0] * len(row) if i == 5 else row for i, row in enumerate(self.source_rows)]
        self.write("en.vec", vec_text(self.source_words, rows))
        self.assertEqual([line[0] for line in self.induce()], [f"e{i}" for i in range(WORDS) if i != 5])

    def test_wrong_use(self):
        self.assertIn("no words from rank 5", self.fail(2, "induce", *self.files, "--first-rank", "5", "--last-rank", "4"))
        self.assertIn("--margin", self.fail(2, "induce", *self.files, "--margin", "-1"))
        self.assertIn("--count", self.fail(2, "induce", *self.files, "--count", "0"))
        self.assertIn("is also an input", self.fail(2, "induce", *self.files, "-o", "es.vec"))
        self.assertIn("missing.vec", self.fail(1, "induce", "m.wbmap", "missing.vec", "es.vec", "-o", "out.tsv"))
        self.assertIn("--beta belongs", self.fail(2, "induce", *self.files, "--beta", "3", "-o", "out.tsv"))


if __name__ == "__main__":
    unittest.main()
