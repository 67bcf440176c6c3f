"""wordbridge adapt, and apply --into"""

import json
import math
import random
import unittest

from program import CommandLineTest, random_rows, random_rotation, read_vec, vec_text

ITEMS = 160


def mapped(rows, matrix, shift):
    return [[sum(w * x for w, x in zip(line, row)) + b for line, b in zip(matrix, shift)] for row in rows]


class AdaptTest(CommandLineTest):
    """Item i of new.vec and old.vec is the same: a rotation, three times as long and moved away from the origin."""

    def setUp(self):
        super().setUp()
        rng = random.Random(5)
        self.ids = [f"i{i}" for i in range(ITEMS)]
        self.new = random_rows(rng, ITEMS)
        rotation = [[3 * value for value in row] for row in random_rotation(rng)]
        self.old = mapped(self.new, rotation, [5, 0, 0, 1, 0, 0, 0, -2])
        self.write("new.vec", vec_text(self.ids, self.new))
        self.write("old.vec", vec_text(self.ids, self.old))

    def adapt(self, *options, output="a.wbmap"):
        return self.succeed("adapt", "new.vec", "old.vec", "-o", output, "--passes", "3", *options)

    def assert_close(self, path, rows, places=2):
        _, found = read_vec(self.path(path))
        for row, wanted in zip(found, rows):
            for a, b in zip(row, wanted):
                self.assertAlmostEqual(a, b, places=places)

    def test_options_out_of_range_are_told_before_files_are_read(self):
        for option, value in (("--temperature", "-1"), ("--dropout", "1"), ("--smoothing", "nan"), ("--decay", "-1")):
            error = self.fail(2, "adapt", "missing.npy", "missing.npy", "-o", "a.wbmap", option, value)
            self.assertIn(option, error)
            self.assertNotIn("missing.npy", error)

    def test_leads_to_the_old_coordinates(self):
        result = self.adapt()
        self.assertRegex(result.stdout, r"\*\s+procrustes .* 100.0 ")
        self.assertIn("contrastive", result.stdout)
        self.succeed("apply", "a.wbmap", "new.vec", "--into", "target", "--no-unit", "-o", "out.vec")
        self.assert_close("out.vec", self.old)
        self.succeed("apply", "a.wbmap", "new.vec", "--no-unit", "-o", "same.vec")
        self.assertEqual(self.read("same.vec"), self.read("out.vec"))

    def test_goes_back_with_a_warning(self):
        self.adapt()
        result = self.succeed("apply", "a.wbmap", "old.vec", "--side", "target", "--into", "source", "--no-unit", "-o",
                              "back.vec")
        self.assertIn("an adapter is learned for one direction", result.stderr)
        self.assert_close("back.vec", self.new)

    def test_a_map_of_both_sides_goes_there_too(self):
        self.align("both.wbmap", "--method", "vecmap")
        result = self.succeed("apply", "both.wbmap", "en.vec", "--into", "target", "-o", "out.vec")
        self.assertNotIn("keeps", result.stderr)
        _, rows = read_vec(self.path("out.vec"))
        cosine = 0
        for row, target in zip(rows, self.target_rows):
            cosine += sum(a * b for a, b in zip(row, target)) / math.sqrt(sum(b * b for b in target)) / len(rows)
        self.assertGreater(cosine, 0.9)
        self.succeed("apply", "both.wbmap", "es.vec", "--side", "target", "--into", "source", "-o", "back.vec")

    def test_says_what_is_lost(self):
        self.align("few.wbmap", "--method", "smith", "--dimensions", "4")
        result = self.succeed("apply", "few.wbmap", "en.vec", "--into", "target", "-o", "out.vec")
        self.assertRegex(result.stderr, r"keeps \d+\.\d% of the squared length .* 4 of 8 dimensions")

    def test_pairs_by_row_by_ids_and_by_lexicon(self):
        order = list(range(ITEMS))
        random.Random(1).shuffle(order)
        self.write("shuffled.vec", vec_text([self.ids[i] for i in order], [self.old[i] for i in order]))
        self.write("others.vec", vec_text([f"o{i}" for i in range(ITEMS)], self.old))
        self.write("pairs.tsv", "".join(f"i{i}\to{i}\n" for i in range(100)))
        cases = {"shuffled.vec": [], "others.vec": ["--by-row"]}
        for old, options in cases.items():
            result = self.succeed("adapt", "new.vec", old, "-o", "b.wbmap", "--map", "ridge", *options)
            self.assertIn("100.0", result.stdout)
            self.assertIn(f"{ITEMS} pairs", result.stderr)
        result = self.succeed("adapt", "new.vec", "others.vec", "--lexicon", "pairs.tsv", "-o", "b.wbmap", "--map", "ridge")
        self.assertIn("100 pairs of pairs.tsv", result.stderr)
        self.assertIn(f"among {ITEMS} items", result.stdout)

    def test_json_has_the_table(self):
        report = json.loads(self.adapt("--json", "--criterion", "own").stdout)
        self.assertEqual(report["chosen"], "procrustes")
        self.assertEqual([row["map"] for row in report["maps"]], ["procrustes", "low-rank", "ridge", "contrastive"])
        self.assertEqual(report["maps"][0]["own_first"], 100)
        self.assertEqual(report["pairs"], ITEMS)

    def test_is_the_same_for_any_number_of_threads(self):
        for threads in "1", "3":
            self.adapt("--map", "contrastive", "--threads", threads, output=f"{threads}.wbmap")
        self.assertEqual(self.read("1.wbmap"), self.read("3.wbmap"))

    def test_refuses_what_cannot_be(self):
        self.write("short.vec", vec_text(self.ids[:-1], self.old[:-1]))
        self.assertIn("they cannot be paired by row", self.fail(2, "adapt", "new.vec", "short.vec", "--by-row", "-o", "b.wbmap"))
        self.assertIn("no ids in common", self.fail(2, "adapt", "new.vec", "es.vec", "-o", "b.wbmap"))
        self.assertIn("needs 20 at least", self.fail(2, "adapt", "new.vec", "old.vec", "--max-words", "10", "-o", "b.wbmap"))
        self.assertIn("temperature", self.fail(2, "adapt", "new.vec", "old.vec", "--temperature", "0", "-o", "b.wbmap"))
        self.assertIn("already", self.fail(2, "apply", "a.wbmap", "new.vec", "--into", "source", "-o", "b.vec"))
        self.assertNotIn("b.wbmap", self.names())


if __name__ == "__main__":
    unittest.main()
