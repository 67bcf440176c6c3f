"""wordbridge induce"""

import unittest

from program import TRAIN, WORDS, CommandLineTest, vec_text


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
        self.assertEqual([[line[0], line[3], line[1], line[2]] for line in own],
                         [line[:4] for line in translated[:3]])
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


class ChosenPairsTest(CommandLineTest):
    """e7 and s7 share a spelling with a letter changed; e8 and s8 are the same; false friends: e1 looks like s2."""

    def setUp(self):
        super().setUp()
        english, spanish = list(self.source_words), list(self.target_words)
        english[7], spanish[7] = "nation", "nacion"
        english[8] = spanish[8] = "hotel"
        english[1], spanish[2] = "carpet", "carpeta"
        self.write("en.vec", vec_text(english, self.source_rows))
        self.write("es.vec", vec_text(spanish, self.target_rows))
        pairs = [f"{english[i]}\t{spanish[i]}\n" for i in range(TRAIN)]
        self.write("train.txt", "".join(pairs))
        self.align()

    def pairs(self, *options):
        lines = self.succeed("induce", "m.wbmap", "en.vec", "es.vec", *options).stdout.splitlines()[1:]
        return [tuple(line.split("\t")[:2]) for line in lines]

    def test_exclude(self):
        everything = self.pairs()
        self.assertEqual(len(everything), WORDS)
        self.write("known.txt", "e10 s10\ne11 other\n")
        self.assertEqual(self.pairs("--exclude", "known.txt"), [pair for pair in everything if pair != ("e10", "s10")])
        new = self.pairs("--exclude", "known.txt", "--only", "new")
        self.assertEqual(new, [pair for pair in everything if pair[0] not in ("e10", "e11")])
        self.assertIn("--exclude", self.fail(2, "induce", "m.wbmap", "en.vec", "es.vec", "--only", "new"))
        self.assertIn("is also an input", self.fail(2, "induce", "m.wbmap", "en.vec", "es.vec", "--exclude",
                                                    "known.txt", "-o", "known.txt"))

    def test_by_spelling(self):
        self.assertEqual(self.pairs("--only", "identical"), [("hotel", "hotel")])
        self.assertIn(("nation", "nacion"), self.pairs("--only", "cognates"))
        self.assertNotIn(("hotel", "hotel"), self.pairs("--only", "cognates"))

    def test_false_friends(self):
        result = self.succeed("induce", "m.wbmap", "en.vec", "es.vec", "--only", "false-friends")
        rows = [line.split("\t") for line in result.stdout.splitlines()[1:]]
        self.assertEqual([(row[0], row[1], row[3]) for row in rows], [("carpet", "carpeta", "s1")])
        self.assertLess(float(rows[0][2]), float(rows[0][4]))
        self.assertIn("1 pair that look alike", result.stderr)
        self.assertIn("takes neither", self.fail(2, "induce", "m.wbmap", "en.vec", "es.vec", "--only", "false-friends",
                                                 "--mutual"))


if __name__ == "__main__":
    unittest.main()
