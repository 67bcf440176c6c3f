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

    def test_the_index_may_be_written_anew(self):
        result = self.succeed("adapt", "new.vec", "old.vec", "-o", "both.wbmap", "--map", "both-sides", "--passes", "10")
        self.assertIn("--side target", result.stderr)
        self.succeed("apply", "both.wbmap", "new.vec", "-o", "q.vec")
        self.succeed("apply", "both.wbmap", "old.vec", "--side", "target", "-o", "items.vec")
        _, queries = read_vec(self.path("q.vec"))
        _, items = read_vec(self.path("items.vec"))
        own = sum(max(range(ITEMS), key=lambda j: sum(a * b for a, b in zip(query, items[j]))) == i
                  for i, query in enumerate(queries))
        self.assertGreater(own, 0.9 * ITEMS)
        self.succeed("export", "both.wbmap", "new.vec", "old.vec", "--inner-product", "-o", "items.npy")

    def test_of_large_tables_only_a_sample_is_read(self):
        order = list(range(ITEMS))
        random.Random(1).shuffle(order)
        self.write("shuffled.vec", vec_text([self.ids[i] for i in order], [self.old[i] for i in order]))
        for old, options in (("shuffled.vec", ()), ("old.vec", ("--by-row",))):
            result = self.succeed("adapt", "new.vec", old, "-o", "b.wbmap", "--map", "ridge", "--sample", "60", *options)
            self.assertIn("60 pairs and 60 items are enough to learn from", result.stderr)
            self.assertIn("all 60 pairs are learned from at last", " ".join(result.stdout.split()))
            self.succeed("apply", "b.wbmap", "new.vec", "--into", "target", "--no-unit", "-o", "out.vec")
            self.assert_close("out.vec", self.old, places=1)
        self.write("few.tsv", "".join(f"i{i}\ti{i}\n" for i in range(0, 90, 3)))
        result = self.succeed("adapt", "new.vec", "shuffled.vec", "-o", "b.wbmap", "--map", "ridge", "--sample", "70",
                              "--lexicon", "few.tsv")
        self.assertIn("30 pairs and 70 items are enough", result.stderr)
        self.assertIn("among 70 items", result.stdout)

    def test_refuses_what_cannot_be(self):
        self.write("short.vec", vec_text(self.ids[:-1], self.old[:-1]))
        self.assertIn("they cannot be paired by row", self.fail(2, "adapt", "new.vec", "short.vec", "--by-row", "-o", "b.wbmap"))
        self.assertIn("no ids in common", self.fail(2, "adapt", "new.vec", "es.vec", "-o", "b.wbmap"))
        self.assertIn("needs 20 at least", self.fail(2, "adapt", "new.vec", "old.vec", "--max-words", "10", "-o", "b.wbmap"))
        self.assertIn("temperature", self.fail(2, "adapt", "new.vec", "old.vec", "--temperature", "0", "-o", "b.wbmap"))
        self.assertIn("already", self.fail(2, "apply", "a.wbmap", "new.vec", "--into", "source", "-o", "b.vec"))
        self.assertNotIn("b.wbmap", self.names())


class EvaluateRetrievalTest(CommandLineTest):
    """Item i of new.npy-like files new.vec and old.vec is the same; the last 60 are kept aside."""

    def setUp(self):
        super().setUp()
        rng = random.Random(5)
        self.ids = [f"i{i}" for i in range(ITEMS)]
        new = random_rows(rng, ITEMS)
        rotation = random_rotation(rng)
        self.write("new.vec", vec_text(self.ids, new))
        old = mapped(new, rotation, [0.3] * 8)
        self.write("old.vec", vec_text(self.ids, [[v + rng.gauss(0, 0.6) for v in row] for row in old]))
        self.write("learn.tsv", "".join(f"i{i}\ti{i}\n" for i in range(100)))
        self.write("kept.tsv", "".join(f"i{i}\ti{i}\n" for i in range(100, ITEMS)))
        self.succeed("adapt", "new.vec", "old.vec", "--lexicon", "learn.tsv", "--map", "ridge", "--learning-curve", "-o", "a.wbmap")

    def evaluate(self, *options):
        return self.succeed("evaluate", "retrieval", "a.wbmap", "new.vec", "old.vec", *options)

    def test_compares_with_doing_nothing_and_embedding_again(self):
        report = json.loads(self.evaluate("--lexicon", "kept.tsv", "--at", "1,5", "--json").stdout)
        self.assertEqual([(row["system"], row["criterion"]) for row in report["results"]],
                         [("adapter", "nn"), ("adapter", "csls"), ("no adapter", "nn"), ("embedded again", "nn")])
        adapter, csls, nothing, again = (row["measures"] for row in report["results"])
        self.assertEqual(list(adapter), ["own@1", "own@5", "mrr@5", "kept@5"])
        self.assertEqual(again["own@1"]["percent"], 100)
        self.assertGreater(adapter["own@1"]["percent"], nothing["own@1"]["percent"] + 20)
        self.assertLess(adapter["own@1"]["low"], adapter["own@1"]["percent"])
        self.assertEqual((report["queries"], report["items"]), (60, ITEMS))
        self.assertEqual(len(report["lose_most"]), 10)
        self.assertIn("embedding everything again", report["verdict"])
        self.assertFalse(report["learned_from_these"])

    def test_warns_where_the_items_were_learned_from(self):
        self.succeed("adapt", "new.vec", "old.vec", "--map", "ridge", "-o", "all.wbmap")
        result = self.succeed("evaluate", "retrieval", "all.wbmap", "new.vec", "old.vec")
        self.assertIn("learned from these very vectors", result.stderr)
        self.assertNotIn("learned from these", self.evaluate("--lexicon", "kept.tsv").stderr)

    def test_judgements_give_ndcg_as_worked_out_by_hand(self):
        # Queries and items in one space of two dimensions; d1 and d2 are relevant for q, d2 twice as much.
        self.write("q.vec", vec_text(["q", "other"], [[1, 0], [0, 1]]))
        self.write("d.vec", vec_text(["d1", "d2", "d3"], [[1, 0.1], [1, 0.9], [1, 0.5]]))
        self.write("qrels", "q 0 d1 1\nq 0 d2 2\nq 0 d3 0\nq 0 gone 1\nnobody 0 d1 1\n")
        result = self.succeed("evaluate", "retrieval", "q.vec", "d.vec", "--relevant", "qrels", "--at", "3", "--json")
        self.assertIn("1 judgement of unknown queries and 1 of unknown items", result.stderr)
        measures = json.loads(result.stdout)["results"][0]["measures"]
        wanted = (1 + 2 / math.log2(4)) / (2 + 1 / math.log2(3))  # d1, d3, d2
        self.assertAlmostEqual(measures["ndcg@3"]["percent"], 100 * wanted, places=4)
        self.assertEqual(measures["recall@3"]["percent"], 100)
        self.assertEqual(measures["relevant_mrr@3"]["percent"], 100)

    def test_old_queries_and_embedded_items_of_their_own(self):
        self.write("qrels", "".join(f"i{i}\ti{i}\t1\n" for i in range(100, ITEMS)))
        report = json.loads(self.evaluate("--relevant", "qrels", "--old-queries", "old.vec", "--reembedded", "new.vec", "--at",
                                          "1,10", "--json").stdout)
        by_system = {row["system"]: row["measures"] for row in report["results"] if row["criterion"] == "nn"}
        self.assertEqual(by_system["old model"]["ndcg@10"]["percent"], 100)
        self.assertEqual(by_system["old model"]["kept@10"]["percent"], 100)
        self.assertEqual(by_system["embedded again"]["recall@1"]["percent"], 100)
        self.assertLess(by_system["adapter"]["recall@1"]["percent"], 100)

    def test_a_page_and_a_line_for_each_query(self):
        self.evaluate("--lexicon", "kept.tsv", "--html", "look.html", "--details", "queries.tsv")
        page = self.read("look.html").decode()
        for part in ("Keep the index, or embed everything again?", "How many pairs does it take?", "Which queries lose most?"):
            self.assertIn(part, page)
        self.assertIn("<svg", page, "the learning curve")
        lines = self.read("queries.tsv").decode().splitlines()
        self.assertEqual(len(lines), 61)
        self.assertEqual(lines[0].split("\t")[:5], ["query", "own", "own_rank", "first", "own@1"])

    def test_refuses_what_cannot_be(self):
        command = "evaluate", "retrieval", "a.wbmap", "new.vec", "old.vec"
        for at in "0", "1,", "x", "1,99999", "-1":
            self.assertIn("--at", self.fail(2, *command, "--lexicon", "kept.tsv", f"--at={at}"))
        self.write("qrels", "nobody i1 1\n")
        self.assertIn("no judgement names", self.fail(1, *command, "--relevant", "qrels"))
        self.write("qrels", "i1 i1 1\ni2 i2 many\n")
        self.assertIn("qrels:2: no grade", self.fail(1, *command, "--relevant", "qrels"))
        self.write("other.vec", vec_text(["x", "y"], [[1, 2, 3], [4, 5, 6]]))
        self.assertIn("3", self.fail(2, "evaluate", "retrieval", "other.vec", "old.vec"))
        self.assertIn("dimension", self.fail(2, "evaluate", "retrieval", "a.wbmap", "other.vec", "old.vec"))
        self.assertIn("old.vec", self.fail(2, *command, "--lexicon", "kept.tsv", "--details", "old.vec"))


if __name__ == "__main__":
    unittest.main()
