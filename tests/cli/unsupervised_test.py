"""wordbridge align without a lexicon"""

import json
import random
import unittest

from program import SANITIZED, CommandLineTest, random_rotation, vec_text

DIMENSION = 12
WORDS = 240
QUICK = {
    "icp": ("--icp-words", "240", "--icp-dimensions", "10", "--icp-starts", "4", "--icp-iterations", "15"),
    "wasserstein": ("--wasserstein-start", "convex", "--wasserstein-start-words", "240", "--wasserstein-convex-steps", "25",
                    "--wasserstein-convex-regularization", "2", "--wasserstein-epochs", "1", "--wasserstein-words", "240",
                    "--wasserstein-batch", "200", "--wasserstein-steps", "40", "--wasserstein-learning-rate", "100"),
}
# Where the methods go the same ways, one of them is enough for the sanitizers.
ALIKE = {"icp": QUICK["icp"]} if SANITIZED else QUICK


class UnsupervisedTest(CommandLineTest):
    """A cloud of clusters, and the same cloud rotated and in another order: word eI translates word sI."""

    def setUp(self):
        super().setUp()
        rng = random.Random(3)
        centers = [[rng.gauss(0, 1.5) for _ in range(DIMENSION)] for _ in range(8)]
        source = []
        for _ in range(WORDS):
            center = centers[int(8 * rng.random() ** 2)]
            source.append([(center[j] + rng.gauss(0, 1)) / (1 + j) ** 0.5 for j in range(DIMENSION)])
        rotation = random_rotation(rng, DIMENSION)
        target = [[sum(w * x for w, x in zip(row, vector)) + rng.gauss(0, 0.01) for row in rotation] for vector in source]
        order = list(range(WORDS))
        rng.shuffle(order)
        self.write("en.vec", vec_text([f"e{i}" for i in range(WORDS)], source))
        self.write("es.vec", vec_text([f"s{i}" for i in order], [target[i] for i in order]))
        self.write("noise.vec", vec_text([f"n{i}" for i in range(WORDS)],
                                         [[rng.gauss(0, 1) for _ in range(DIMENSION)] for _ in range(WORDS)]))
        self.write("test.txt", "".join(f"e{i}\ts{i}\n" for i in range(WORDS)))

    def precision(self, mapping):
        result = self.succeed("evaluate", "translation", mapping, "en.vec", "es.vec", "--lexicon", "test.txt", "--json")
        return json.loads(result.stdout)["precision"]["all"]["1"]

    def provenance(self, mapping):
        return json.loads(self.succeed("inspect", mapping, "--json").stdout)["provenance"]

    def test_every_method_finds_the_translations(self):
        for method, options in QUICK.items():
            result = self.succeed("align", "en.vec", "es.vec", "--method", method, *options, "-o", "m.wbmap")
            self.assertGreaterEqual(self.precision("m.wbmap"), 95, method)
            self.assertIn("start 1: ", result.stderr)
            self.assertIn("refinement, round 5: ", result.stderr)
            self.assertEqual(self.provenance("m.wbmap")["method"], f"{method}+refine")

    def test_says_that_nothing_was_found_and_writes_nothing(self):
        for method, options in ALIKE.items():
            message = self.fail(1, "align", "en.vec", "noise.vec", "--method", method, *options, "-o", "n.wbmap",
                                "--min-evidence", "0.9")
            self.assertIn(f"{method} found no alignment", message)
            self.assertFalse((self.folder / "n.wbmap").exists())

    def test_validation_only_reports(self):
        for method, options in ALIKE.items():
            call = ("align", "en.vec", "es.vec", "--method", method, *options)
            self.succeed(*call, "-o", "a.wbmap")
            result = self.succeed(*call, "-o", "b.wbmap", "--validation", "test.txt")
            self.assertRegex(result.stderr, r"start 1: .*, P@1 [0-9.]+")
            self.succeed("export", "a.wbmap", "-o", "a.txt")
            self.succeed("export", "b.wbmap", "-o", "b.txt")
            self.assertEqual((self.folder / "a.txt").read_text(), (self.folder / "b.txt").read_text())

    def test_log_and_checkpoint(self):
        for method, options in ALIKE.items():
            call = ("align", "en.vec", "es.vec", "--method", method, *options, "--refine", "0", "--log", "run.jsonl",
                    "--checkpoint", f"state-{method}")
            self.succeed(*call, "-o", "a.wbmap")
            lines = (self.folder / "run.jsonl").read_text(encoding="utf-8").splitlines()
            self.assertIn("evidence", json.loads(lines[-1]))
            self.assertGreater(len(lines), 1)
            self.succeed(*call, "-o", "b.wbmap", "--resume")  # of a finished run at once
            self.assertEqual((self.folder / "run.jsonl").read_text(encoding="utf-8").splitlines(), lines[-1:])
            self.assertEqual((self.folder / "a.wbmap").read_bytes(), (self.folder / "b.wbmap").read_bytes())
            self.assertIn("cannot resume: seed was", self.fail(2, *call, "-o", "c.wbmap", "--resume", "--seed", "9"))

    def test_wrong_usage(self):
        call = ("align", "en.vec", "es.vec", "-o", "m.wbmap")
        self.assertIn("learns without a lexicon", self.fail(2, *call, "--method", "wasserstein", "--lexicon", "test.txt"))
        self.assertIn("--restarts belongs to methods without a lexicon, not to procrustes",
                      self.fail(2, *call, "--method", "procrustes", "--lexicon", "test.txt", "--restarts", "2"))
        self.assertIn("--log belongs to methods that train step by step, not to procrustes",
                      self.fail(2, *call, "--method", "procrustes", "--lexicon", "test.txt", "--log", "x"))
        self.assertIn("--wasserstein-batch belongs to --method wasserstein, not to auto",
                      self.fail(2, *call, "--lexicon", "test.txt", "--wasserstein-batch", "9"))
        self.assertIn("does not learn from a lexicon", self.fail(2, *call, "--method", "procrustes", "--lexicon", "test.txt",
                                                                 "--refine", "1", "--refine-with", "wasserstein"))
        self.assertIn("evidence", self.fail(2, *call, "--method", "wasserstein", "--min-evidence", "2"))


if __name__ == "__main__":
    unittest.main()
