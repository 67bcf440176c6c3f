"""wordbridge evaluate analogy, similarity, hubness, all"""

import json
import unittest

from program import ROOT, CommandLineTest, vec_text

SAMPLE = ROOT / "data/sample"

# Features person, royal, female, plural: an analogy changes one of them.
WORDS = {
    "man": [1, 0, 0, 0], "woman": [1, 0, 1, 0], "king": [1, 1, 0, 0], "queen": [1, 1, 1, 0],
    "men": [1, 0, 0, 1], "women": [1, 0, 1, 1], "kings": [1, 1, 0, 1], "queens": [1, 1, 1, 1],
}
QUESTIONS = """: family
man woman king queen
man woman prince princess
: gram8-plural
Man men King kings
man men woman queens
"""


class MeasuresTest(CommandLineTest):
    """Small known vectors, and the mapping of the other language onto itself."""

    def setUp(self):
        super().setUp()
        self.write("words.vec", vec_text(list(WORDS), list(WORDS.values())))
        self.write("more.vec", vec_text([word + "2" for word in WORDS], list(WORDS.values())))
        self.write("same.txt", "".join(f"{word} {word}2\n" for word in WORDS))
        self.succeed("align", "words.vec", "more.vec", "--lexicon", "same.txt", "--method", "procrustes", "-o",
                     "same.wbmap")


class ReportTest(MeasuresTest):
    def test_one_page(self):
        self.write("test.txt", "man man2\nking king2\nqueen nobody\n")
        call = ["report", "same.wbmap", "words.vec", "more.vec", "--lexicon", "test.txt", "-o", "r.html"]
        result = self.succeed(*call)
        self.assertEqual(result.stdout, "")
        self.assertTrue(result.stderr.endswith("r.html written: open it in a browser\n"), result.stderr)
        page = self.read("r.html").decode()
        self.assertIn("<b>66.7%</b>of 3 test words are translated right by CSLS", page)
        for part in ("Word translation", "Confident, right and wrong", "Hubs", "How it was learned"):
            self.assertIn(f">{part}</h2>", page)
        self.assertNotIn("Are the probabilities true?", page)
        self.assertIn("33% of the test's source words", page)
        self.succeed(*call, "--threads", "3", "--quiet")
        self.assertEqual(self.read("r.html").decode(), page)

    def test_without_a_lexicon(self):
        self.succeed("report", "same.wbmap", "words.vec", "more.vec", "-o", "r.html")
        self.assertIn("Give a test lexicon", self.read("r.html").decode())

    def test_errors(self):
        self.assertIn("--output", self.fail(2, "report", "same.wbmap", "words.vec", "more.vec"))
        self.assertIn("none.vec", self.fail(1, "report", "same.wbmap", "words.vec", "none.vec", "-o", "r.html"))
        self.assertIn("words.vec", self.fail(2, "report", "same.wbmap", "words.vec", "more.vec", "-o", "words.vec"))
        self.assertIn("no/r.html", self.fail(1, "report", "same.wbmap", "words.vec", "more.vec", "-o", "no/r.html"))


class EvaluateAnalogyTest(MeasuresTest):
    def setUp(self):
        super().setUp()
        self.write("questions.txt", QUESTIONS)

    def test_original_vectors(self):
        for method in ("3cosadd", "3cosmul"):
            result = self.succeed("evaluate", "analogy", "words.vec", "questions.txt", "--method", method)
            self.assertRegex(result.stdout, r"family +2 +1 +100\.0 +50\.0\n")
            self.assertRegex(result.stdout, r"gram8-plural +2 +2 +50\.0 +50\.0\n")
            self.assertRegex(result.stdout, r"total +4 +3 +66\.7 +50\.0\n")
            self.assertIn("1 with words found in another case", result.stdout)
            self.assertIn("questions.txt: 4 questions in 2 sections", result.stderr)

    def test_side_by_side(self):
        call = ["evaluate", "analogy", "words.vec", "questions.txt", "--mapping", "same.wbmap"]
        spaces = json.loads(self.succeed(*call, "--json").stdout)["spaces"]
        self.assertEqual(list(spaces), ["original", "aligned"])
        self.assertEqual(spaces["original"], spaces["aligned"])
        self.assertEqual(spaces["aligned"]["total"]["right"], 2)
        self.assertEqual(list(json.loads(self.succeed(*call, "--json", "--space", "aligned").stdout)["spaces"]),
                         ["aligned"])
        self.assertEqual(list(json.loads(self.succeed(*call, "--json", "--space", "original").stdout)["spaces"]),
                         ["original"])

    def test_target_side(self):
        self.write("questions2.txt", ": x\nman2 woman2 king2 queen2\n")
        result = self.succeed("evaluate", "analogy", "more.vec", "questions2.txt", "--mapping", "same.wbmap", "--side",
                              "target")
        self.assertRegex(result.stdout, r"total +1 +1 +100\.0 +100\.0 +100\.0 +100\.0\n")

    def test_several_files_and_formats(self):
        self.write("more.tsv", "# Somebody (2020)\na1\ta2\tb1\tb2\n# gram1-x\nman\tmen\tqueen\tqueens\n")
        call = ["evaluate", "analogy", "words.vec", "questions.txt", "more.tsv"]
        self.assertRegex(self.succeed(*call).stdout, r"total +5 +4 +75\.0 +60\.0\n")
        self.assertTrue(self.succeed(*call, "--markdown").stdout.startswith("| section |"))
        self.assertIn("\ntotal,5,4,75.0,60.0\n", self.succeed(*call, "--csv").stdout)
        self.assertIn("total & 5 & 4 & 75.0 & 60.0", self.succeed(*call, "--latex").stdout)

    def test_vocabulary_limit(self):
        call = ["evaluate", "analogy", "words.vec", "questions.txt", "--vocabulary-limit", "4", "--json"]
        self.assertEqual(json.loads(self.succeed(*call).stdout)["spaces"]["original"]["total"]["covered"], 1)

    def test_details(self):
        self.succeed("evaluate", "analogy", "words.vec", "questions.txt", "--details", "answers.tsv")
        lines = self.read("answers.tsv").decode().splitlines()
        self.assertEqual(lines[1], "family\tman\twoman\tking\tqueen\tright\tqueen")
        self.assertEqual(lines[2], "family\tman\twoman\tprince\tprincess\tuncovered\t")
        self.assertEqual(lines[4], "gram8-plural\tman\tmen\twoman\tqueens\twrong\twomen")
        self.assertIn("questions.txt",
                      self.fail(2, "evaluate", "analogy", "words.vec", "questions.txt", "--details", "questions.txt"))

    def test_wrong_input(self):
        self.write("bad.txt", ": x\na b c\n")
        self.assertIn("bad.txt:2: four words are wanted", self.fail(1, "evaluate", "analogy", "words.vec", "bad.txt"))
        self.assertIn("needs a mapping", self.fail(2, "evaluate", "analogy", "words.vec", "questions.txt", "--space",
                                                   "aligned"))
        self.assertIn("questions is required", self.fail(2, "evaluate", "analogy", "words.vec"))
        self.assertIn("en.vec", self.fail(2, "evaluate", "analogy", "en.vec", "questions.txt", "--mapping",
                                          "same.wbmap"))


class EvaluateSimilarityTest(MeasuresTest):
    def setUp(self):
        super().setUp()
        self.write("set.csv", "Word 1,Word 2,Human (mean)\nman,men,7\nMan,women,6\nman,queens,1\nman,prince,5\n")

    def test_original_and_aligned(self):
        result = self.succeed("evaluate", "similarity", "words.vec", "set.csv", "--mapping", "same.wbmap")
        # Cosines 0.707, 0.577, 0.5 against 7, 6, 1.
        self.assertRegex(result.stdout, r"set\.csv +4 +3 +1\.000 +1\.000 +0\.872 +0\.872\n")
        self.assertIn("3 of 4 pairs that were found, 1 of them in another case", result.stdout)

    def test_json(self):
        sets = json.loads(self.succeed("evaluate", "similarity", "words.vec", "set.csv", "set.csv", "--json").stdout)
        self.assertEqual(len(sets), 2)
        self.assertEqual((sets[0]["set"], sets[0]["pairs"], sets[0]["found"]), ("set.csv", 4, 3))
        self.assertAlmostEqual(sets[0]["spaces"]["original"]["pearson"], 0.871527, places=6)

    def test_two_languages(self):
        self.write("pairs.tsv", "man\tman2\t4\nman\tking2\t3\nman\tqueens2\t1\nyoung man\tmen2\t2\n")
        call = ["evaluate", "similarity", "words.vec", "pairs.tsv", "--target", "more.vec", "--json"]
        for options in (["--mapping", "same.wbmap"], []):
            (pairs,) = json.loads(self.succeed(*call, *options).stdout)
            self.assertEqual(pairs["found"], 3)
            self.assertEqual(list(pairs["spaces"]), ["aligned" if options else "original"])
            (scores,) = pairs["spaces"].values()
            self.assertAlmostEqual(scores["spearman"], 1)
        self.assertIn("source side", self.fail(2, *call, "--mapping", "same.wbmap", "--side", "target"))
        self.assertIn("do not share a space", self.fail(2, *call[:4], "--target", "en.vec"))

    def test_phrases(self):
        self.write("phrases.tsv", "man woman\tking queen\t3\nman\tking\t2\n")
        call = ["evaluate", "similarity", "words.vec", "phrases.tsv", "--json"]
        self.assertEqual(json.loads(self.succeed(*call).stdout)[0]["found"], 1)
        scores = json.loads(self.succeed(*call, "--average-phrases").stdout)[0]
        self.assertEqual((scores["found"], scores["averaged"]), (2, 1))

    def test_semeval_layout(self):
        self.write("en.test.data.txt", "man\tmen\nman\tking\n")
        self.write("en.test.gold.txt", "3.5\n1.5\n")
        (scores,) = json.loads(self.succeed("evaluate", "similarity", "words.vec", "en.test.data.txt", "--json").stdout)
        self.assertEqual(scores["found"], 2)
        self.write("en.test.gold.txt", "3.5\n")
        self.assertIn("1 score for the 2 pairs", self.fail(1, "evaluate", "similarity", "words.vec",
                                                            "en.test.data.txt"))


class SampleTest(CommandLineTest):
    """The hand-made sets of the sample, against values of a straightforward script over NumPy 1.24.2 and SciPy 1.10.1:

    spearmanr(cosines, scores)[0], pearsonr(cosines, scores)[0], and argmax over all words of X @ (b - a + c) and of
    s[b] * s[c] / (s[a] + 0.001), s = (1 + X @ x) / 2, without a, b and c; rows of X of length 1.
    """

    def test_similarity(self):
        (scores,) = json.loads(self.succeed("evaluate", "similarity", str(SAMPLE / "en.vec.xz"),
                                            str(SAMPLE / "similarity.en.tsv"), "--json").stdout)
        self.assertEqual(scores["found"], 90)
        self.assertAlmostEqual(scores["spaces"]["original"]["spearman"], 0.37865730646527906, places=5)
        self.assertAlmostEqual(scores["spaces"]["original"]["pearson"], 0.6225956924744571, places=5)

    def test_analogies(self):
        for method, right in (("3cosadd", 16), ("3cosmul", 14)):
            spaces = json.loads(self.succeed("evaluate", "analogy", str(SAMPLE / "en.vec.xz"),
                                             str(SAMPLE / "analogies.en.txt"), "--method", method,
                                             "--json").stdout)["spaces"]
            self.assertEqual((spaces["original"]["total"]["covered"], spaces["original"]["total"]["right"]), (85, right))


class EvaluateHubnessTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.align("m.wbmap", "--method", "procrustes")
        self.call = ["evaluate", "hubness", "m.wbmap", "en.vec", "es.vec"]

    def test_tables(self):
        result = self.succeed(*self.call, "--hubs", "3")
        self.assertRegex(result.stdout, r"\nnn +150 +150 +-?[0-9.]+ +[0-9]+ +[0-9.]+%\n")
        self.assertRegex(result.stdout, r"\ncsls +150 +150 +")
        for criterion in ("nn", "csls"):
            hubs = result.stdout.split(f"hubs by {criterion}")[1].split("\n\n")[0].splitlines()[2:]
            self.assertEqual(len(hubs), 3)
            self.assertRegex(hubs[0], r"^s[0-9]+ +[0-9]+ +e[0-9]+ e[0-9]+ ")

    def test_json(self):
        nearest, csls = json.loads(self.succeed(*self.call, "--json", "-k", "5").stdout)
        self.assertEqual((nearest["criterion"], csls["criterion"]), ("nn", "csls"))
        for result in (nearest, csls):
            self.assertEqual(result["k"], 5)
            self.assertEqual(sum(entry["targets"] for entry in result["histogram"]), 150)
        self.assertLess(csls["largest"], nearest["largest"])
        (only,) = json.loads(self.succeed(*self.call, "--json", "--criterion", "nn", "--queries", "20").stdout)
        self.assertEqual(only["source_words"], 20)

    def test_same_whatever_the_threads(self):
        self.assertEqual(self.succeed(*self.call, "--threads", "1").stdout, self.succeed(*self.call, "--threads", "3").stdout)


class EvaluateAllTest(MeasuresTest):
    def test_what_there_are_sets_for(self):
        self.write("questions.txt", QUESTIONS)
        self.write("set.tsv", "man\tmen\t3\nman\tqueens\t1\n")
        self.write("pairs.tsv", "man\tman2\t3\nman\tqueens2\t1\n")
        call = ["evaluate", "all", "same.wbmap", "words.vec", "more.vec"]
        sets = ["--lexicon", "same.txt", "--questions", "questions.txt", "--similarities", "set.tsv",
                "--cross-similarities", "pairs.tsv"]
        results = json.loads(self.succeed(*call, *sets, "--json").stdout)
        self.assertEqual(list(results), ["translation_nn", "translation_csls", "hubness", "analogy", "similarity",
                                         "cross_similarity"])
        self.assertEqual(results["translation_nn"]["precision"]["all"]["1"], 100)
        self.assertEqual(list(results["analogy"]["spaces"]), ["original", "aligned"])
        self.assertEqual(list(results["cross_similarity"][0]["spaces"]), ["aligned"])
        self.assertEqual(list(json.loads(self.succeed(*call, "--json").stdout)), ["hubness"])
        text = self.succeed(*call, *sets).stdout
        for title in ("translation, by nn\n", "\ntranslation, by csls\n", "\nhubness\n", "\nanalogies\n",
                      "\nsimilarity\n", "\nsimilarity between languages\n"):
            self.assertIn(title, text)
        limited = json.loads(self.succeed(*call, "--max-words", "4", "--json").stdout)
        self.assertEqual(limited["hubness"][0]["source_words"], 4)

    def single(self, *arguments):
        return json.loads(self.succeed("evaluate", *arguments, "--json").stdout)

    def test_the_options_of_the_others(self):
        self.write("questions.txt", QUESTIONS)
        self.write("set.tsv", "man\tmen\t3\nman king\tqueens\t1\nMan\tqueen\t2\n")
        self.write("pairs.tsv", "man\tman2\t3\nman king\tqueens2\t1\nMan\tking2\t2\n")
        self.succeed("align", "words.vec", "more.vec", "--lexicon", "same.txt", "--method", "least-squares", "-o",
                     "other.wbmap")
        files = ["same.wbmap", "words.vec", "more.vec"]
        shared = ["--case", "title", "--max-words", "7"]
        translation = ["--lexicon", "same.txt", "--bands", "3", "--no-identical", "--compare", "other.wbmap", "--samples",
                       "50"]
        isf = ["--criterion", "isf", "--beta", "12", "-k", "2"]
        hubs = ["--hubs", "2", "--queries", "5"]
        analogy = ["--method", "3cosmul", "--vocabulary-limit", "6"]
        everything = self.succeed(
            "evaluate", "all", *files, *translation, *isf, *hubs, *analogy, *shared, "--questions", "questions.txt",
            "--similarities", "set.tsv", "--cross-similarities", "pairs.tsv", "--average-phrases", "--details", "words",
            "--json")
        self.assertEqual(everything.stderr.count("7 words x 4"), 2, "the vectors are read once")
        results = json.loads(everything.stdout)
        self.assertEqual(results, {
            "translation_nn": self.single("translation", *files, *translation, *shared, "--criterion", "nn"),
            "translation_isf": self.single("translation", *files, *translation, *shared, *isf),
            "hubness": self.single("hubness", *files, *hubs, "--criterion", "isf", "-k", "2", "--max-words", "7"),
            "analogy": self.single("analogy", "words.vec", "questions.txt", "--mapping", "same.wbmap", *analogy, *shared),
            "similarity": self.single("similarity", "words.vec", "set.tsv", "--mapping", "same.wbmap",
                                      "--average-phrases", *shared),
            "cross_similarity": self.single("similarity", "words.vec", "pairs.tsv", "--target", "more.vec", "--mapping",
                                            "same.wbmap", "--average-phrases", *shared),
        })
        self.assertEqual(sorted(path.name for path in (self.folder / "words").iterdir()),
                         ["analogy.tsv", "translation_isf.tsv", "translation_nn.tsv"])
        self.succeed("evaluate", "translation", *files, *translation, *shared, *isf, "--details", "isf.tsv")
        self.assertEqual(self.read("words/translation_isf.tsv"), self.read("isf.tsv"))

    def test_a_lexicon_the_other_way_round(self):
        lines = self.read("same.txt").decode().splitlines()
        self.write("swapped.txt", "".join(" ".join(reversed(line.split())) + "\n" for line in lines))
        call = ["evaluate", "all", "same.wbmap", "words.vec", "more.vec", "--json", "--lexicon"]
        self.assertEqual(self.succeed(*call, "swapped.txt", "--swap-lexicon").stdout,
                         self.succeed(*call, "same.txt").stdout)

    def test_vectors_that_share_a_space(self):
        results = json.loads(self.succeed("evaluate", "all", "words.vec", "more.vec", "--lexicon", "same.txt",
                                          "--criterion", "nn", "--json").stdout)
        self.assertEqual(list(results), ["translation_nn", "hubness"])
        self.assertEqual(results["translation_nn"]["precision"]["all"]["1"], 100)

    def test_wrong_usage(self):
        call = ["evaluate", "all", "same.wbmap", "words.vec", "more.vec"]
        self.assertIn("--lexicon FILE is needed", self.fail(2, *call, "--compare", "same.wbmap"))
        self.assertIn("belongs to --criterion isf", self.fail(2, *call, "--lexicon", "same.txt", "--beta", "3"))
        self.assertIn("standard input", self.fail(2, *call, "--lexicon", "-", "--questions", "-"))
        self.assertIn("nothing.txt", self.fail(1, *call, "--lexicon", "nothing.txt"))
        self.assertIn("goes with --lexicon", self.fail(2, *call, "--swap-lexicon"))


if __name__ == "__main__":
    unittest.main()
