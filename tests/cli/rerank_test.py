"""Re-ranking: align --rerank, and what translate, induce and evaluate make of it"""

import hashlib
import json
import random
import unittest

from program import WORDS, CommandLineTest, vec_text


class RerankTest(CommandLineTest):
    """Noisy vectors, and words of which half are cognates: pana and panas translate each other."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        rng = random.Random(5)
        cls.words, taken = [], set()
        while len(cls.words) < WORDS:
            word = "".join(rng.choice("pbtdkgmnlr") + rng.choice("aeiou") for _ in range(rng.choice((3, 4))))
            other = word + "s" if rng.random() < 0.5 else "".join(rng.choice("vwxzjq") + rng.choice("aeiou")
                                                                for _ in range(3))
            if word not in taken and other not in taken:
                taken.update((word, other))
                cls.words.append((word, other))

    def setUp(self):
        super().setUp()
        rng = random.Random(3)
        noisy = [[value + rng.gauss(0, 0.9) for value in row] for row in self.target_rows]
        self.write("en.vec", vec_text([word for word, _ in self.words], self.source_rows))
        self.write("es.vec", vec_text([word for _, word in self.words], noisy))
        self.write("train.txt", "".join(f"{a} {b}\n" for a, b in self.words[:90]))
        self.write("test.txt", "".join(f"{a} {b}\n" for a, b in self.words[90:]))
        self.log = self.succeed("align", "en.vec", "es.vec", "--lexicon", "train.txt", "--method", "procrustes",
                                "--rerank", "-o", "m.wbmap").stderr
        self.files = ["m.wbmap", "en.vec", "es.vec"]

    def evaluate(self, *options):
        return json.loads(self.succeed("evaluate", "translation", *self.files, "--lexicon", "test.txt", "--json",
                                       *options).stdout)

    def test_is_the_default_of_mappings_that_carry_one(self):
        self.assertRegex(self.log, r"(?m)^re-ranker: weights of other languages, with [0-9]+ pairs that the map finds; "
                                   r"own weights: P@1 [0-9.]+ by CSLS, [0-9.]+ re-ranked on 90 words held out$")
        reranked, csls = self.evaluate(), self.evaluate("--criterion", "csls")
        self.assertEqual(reranked["criterion"], "rerank")
        self.assertGreater(reranked["precision"]["all"]["1"], csls["precision"]["all"]["1"])
        comparison = reranked["rerank"]["comparison"]
        self.assertEqual(comparison["words"], 60)
        self.assertEqual([group["group"] for group in reranked["rerank"]["groups"]],
                         ["equal", "not_equal", "similar", "unlike"])
        self.assertNotIn("rerank", csls)
        text = self.succeed("evaluate", "translation", *self.files, "--lexicon", "test.txt").stdout
        self.assertIn("against csls in the same mapping: P@1", text)

    def test_equal_ids_teach_it_nothing(self):
        """Random vectors under the same ids: nothing can be learned, and nobody may say so."""
        rng = random.Random(7)
        ids = [f"item{number}" for number in range(300)]
        for name in ("new.vec", "old.vec"):
            self.write(name, vec_text(ids, [[rng.gauss(0, 1) for _ in range(8)] for _ in ids]))
        self.write("known.txt", "".join(f"{name} {name}\n" for name in ids[:200]))
        self.write("others.txt", "".join(f"{name} {name}\n" for name in ids[200:]))
        align = ["align", "new.vec", "old.vec", "--lexicon", "known.txt", "--method", "procrustes", "--rerank"]
        evaluate = ["new.vec", "old.vec", "--lexicon", "others.txt"]
        log = self.succeed(*align, "-o", "ids.wbmap").stderr
        self.assertIn("spelling and frequency not used: 200 of 200 pairs are equal strings", log)
        result = json.loads(self.succeed("evaluate", "translation", "ids.wbmap", *evaluate, "--json").stdout)
        self.assertLess(result["precision"]["all"]["1"], 10)
        # Who asks for spelling by name gets it, and is told what it is worth.
        log = self.succeed(*align, "--rerank-features", "all", "-o", "all.wbmap").stderr
        self.assertIn("warning: the re-ranker's gain over CSLS is spelling alone", log)
        warned = self.succeed("evaluate", "translation", "all.wbmap", *evaluate, "--quiet").stderr
        self.assertIn("all that the re-ranker gains over CSLS is words whose translations are written alike", warned)
        self.succeed("report", "all.wbmap", *evaluate, "-o", "all.html")
        self.assertIn("gains over CSLS is words whose translations are written alike", self.read("all.html").decode())

    def test_ids_of_any_kind_teach_it_nothing(self):
        """Random vectors again: keys of two tables, numbers, hashes; with a lexicon, with a small one, with none."""
        rng = random.Random(8)
        digests = ["".join(rng.choice("0123456789abcdef") for _ in range(32)) for _ in range(300)]
        kinds = {"keys": ([f"s{i}" for i in range(300)], [f"t{i}" for i in range(300)]),
                 "numbers": ([str(i) for i in range(300)],) * 2, "digests": (digests, digests),
                 "names": (["".join(rng.choice("bdfgklmnprst") + rng.choice("aeiou") for _ in range(4))
                            for _ in range(300)],) * 2}
        for kind, (source, target) in kinds.items():
            rows = [[rng.gauss(0, 1) for _ in range(8)] for _ in source]
            self.write("a.vec", vec_text(source, rows))
            self.write("same.vec", vec_text(target, rows))
            self.write("b.vec", vec_text(target, [[rng.gauss(0, 1) for _ in range(8)] for _ in target]))
            pairs = [f"{x} {y}\n" for x, y in zip(source, target)]
            self.write("others.txt", "".join(pairs[200:]))
            for known in (200, 15):
                with self.subTest(kind=kind, known=known):
                    self.write("known.txt", "".join(pairs[:known]))
                    log = self.succeed("align", "a.vec", "b.vec", "--lexicon", "known.txt", "--method", "procrustes",
                                       "--rerank", "-o", "ids.wbmap").stderr
                    self.assertRegex(log, "spelling (and frequency not used|says nothing here): ")
                    result = self.succeed("evaluate", "translation", "ids.wbmap", "a.vec", "b.vec", "--lexicon",
                                          "others.txt", "--json").stdout
                    self.assertLess(json.loads(result)["precision"]["all"]["1"], 10)
            with self.subTest(kind=kind, known=0):
                log = self.succeed("align", "a.vec", "same.vec", "--method", "wasserstein", "--rerank", "-o",
                                   "ids.wbmap").stderr
                self.assertIn("re-ranker: none, because spelling says nothing here: ", log)

    def forged(self, change):
        """bad.wbmap: the mapping after a change of its re-ranker, with a checksum that fits."""
        data = self.read("m.wbmap")
        end = 16 + int.from_bytes(data[12:16], "little")
        header = json.loads(data[16:end])
        change(header["reranker"])
        text = json.dumps(header).encode()
        content = data[:12] + len(text).to_bytes(4, "little") + text + data[end:-32]
        self.write("bad.wbmap", content + hashlib.sha256(content).digest())
        return ["bad.wbmap", *self.files[1:]]

    def test_scores_that_are_not_finite_are_an_error(self):
        def huge(reranker):
            for place, feature in enumerate(reranker["features"]):
                feature[1] = 1e308 if place % 2 else -1e308

        files = self.forged(huge)
        for command in (["translate", *files, self.words[100][0]], ["translate", *files, self.words[100][0], "--explain"],
                        ["induce", *files, "-o", "out.tsv"], ["evaluate", "translation", *files, "--lexicon", "test.txt"],
                        ["report", *files, "--lexicon", "test.txt", "-o", "out.html"]):
            self.assertIn("the re-ranker of the mapping gives scores that are not finite", self.fail(1, *command))
        self.succeed("translate", *files, self.words[100][0], "--criterion", "csls")

    def test_lists_that_are_missing_are_damage(self):
        for name in ("features", "pairs"):
            for value in (None, {}, 7, "abc"):
                with self.subTest(name=name, value=value):
                    files = self.forged(lambda reranker: reranker.update({name: value}))
                    self.assertIn("damaged header of the mapping file: the re-ranker", self.fail(1, "translate", *files, "x"))
        files = self.forged(lambda reranker: reranker.update(features=[]))
        self.assertIn("the re-ranker: it has no features", self.fail(1, "translate", *files, "x"))

    def test_comparisons_and_evaluate_all(self):
        self.align("plain.wbmap", "--method", "procrustes", "--no-rerank")
        both = self.evaluate("--compare", "plain.wbmap")
        self.assertEqual(both["rerank"], self.evaluate()["rerank"])
        (other,) = both["comparisons"]
        self.assertEqual(other["criterion"], "csls")
        # The two maps are the same, so the re-ranker is all that differs.
        self.assertEqual(other["difference"], -both["rerank"]["comparison"]["difference"])
        call = ["evaluate", "all", *self.files, "--lexicon", "test.txt", "--json"]
        usual = json.loads(self.succeed(*call).stdout)
        self.assertEqual(list(usual), ["translation_nn", "translation_csls", "hubness"])
        reranked = json.loads(self.succeed(*call, "--criterion", "rerank").stdout)
        self.assertEqual(list(reranked), ["translation_nn", "translation_rerank", "hubness"])
        self.assertEqual(reranked["translation_rerank"], self.evaluate())
        self.assertEqual(reranked["hubness"], usual["hubness"])
        for files in (["plain.wbmap", *self.files[1:]], [*self.files, "--compare", "plain.wbmap"]):
            self.assertIn("carries no re-ranker", self.fail(2, "evaluate", "all", *files, "--lexicon", "test.txt",
                                                            "--criterion", "rerank"))

    def test_the_map_itself_is_the_same(self):
        self.align("plain.wbmap", "--method", "procrustes")
        self.align("without.wbmap", "--method", "procrustes", "--no-rerank")
        self.assertEqual(self.read("plain.wbmap"), self.read("without.wbmap"))
        self.succeed("export", "m.wbmap", "-o", "a.txt")
        self.succeed("export", "plain.wbmap", "-o", "b.txt")
        self.assertEqual(self.read("a.txt"), self.read("b.txt"))

    def test_same_bytes_for_any_number_of_threads(self):
        self.align("one.wbmap", "--method", "procrustes", "--rerank", "--threads", "1")
        self.align("three.wbmap", "--method", "procrustes", "--rerank", "--threads", "3")
        self.assertEqual(self.read("one.wbmap"), self.read("three.wbmap"))

    def test_translate_prints_probabilities(self):
        word = self.words[100][0]
        lines = [line.split("\t") for line in self.succeed("translate", *self.files, word, "-n", "4").stdout.splitlines()]
        scores = [float(line[3]) for line in lines]
        self.assertEqual(len(lines), 4)
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertLessEqual(sum(scores), 1.00001)
        explained = self.succeed("translate", *self.files, word, "-n", "4", "--explain").stdout.splitlines()
        self.assertEqual([line.split("\t")[:5] for line in explained], lines)
        self.assertRegex(explained[0].split("\t")[5], r"\A[a-z ]+ [+-][0-9.]+, ")
        objects = json.loads(self.succeed("translate", *self.files, word, "-n", "2", "--explain", "--json").stdout)
        reasons = objects[0]["translations"][0]["reasons"]
        self.assertEqual(set(reasons[0]), {"feature", "value", "contribution"})

    def test_induce_by_precision(self):
        lines = self.succeed("induce", *self.files, "--precision", "0.9").stdout.splitlines()[1:]
        everything = self.succeed("induce", *self.files).stdout.splitlines()[1:]
        self.assertEqual(len(everything), WORDS)
        self.assertEqual(lines, [line for line in everything if float(line.split("\t")[2]) >= 0.9])
        self.assertTrue(lines)
        self.succeed("induce", *self.files, "--mutual")
        # The other side ranks by CSLS, whose scores are no probabilities and seldom reach 0.9.
        mutual = self.succeed("induce", *self.files, "--precision", "0.9", "--mutual").stdout.splitlines()[1:]
        self.assertTrue(set(mutual) <= set(lines))
        self.assertGreater(len(mutual), len(lines) / 4)

    def test_inspect_tells_the_weights(self):
        header = json.loads(self.succeed("inspect", "m.wbmap", "--json").stdout)
        self.assertIn("csls", header["reranker"]["weights"])
        self.assertTrue(header["provenance"]["details"]["rerank"]["stored"])
        self.assertEqual(header["provenance"]["options"]["rerank_features"], "all")

    def test_families_of_features(self):
        self.align("n.wbmap", "--method", "procrustes", "--rerank", "--rerank-features", "spelling,frequency")
        weights = json.loads(self.succeed("inspect", "n.wbmap", "--json").stdout)["reranker"]["weights"]
        self.assertIn("edit", weights)
        self.assertNotIn("csls", weights)

    def test_lexicons_that_are_too_small_take_weights_of_other_languages(self):
        self.write("few.txt", "".join(f"{a} {b}\n" for a, b in self.words[:12]))
        log = self.succeed("align", "en.vec", "es.vec", "--lexicon", "few.txt", "--method", "procrustes", "--rerank",
                           "-o", "n.wbmap").stderr
        self.assertRegex(log, "re-ranker: weights of other languages, with [0-9]+ pairs that the map finds")
        header = json.loads(self.succeed("inspect", "n.wbmap", "--json").stdout)
        self.assertGreater(header["provenance"]["details"]["rerank"]["transferred"], 0)
        self.assertEqual(self.succeed("translate", "n.wbmap", "en.vec", "es.vec", self.words[0][0]).returncode, 0)

    def test_meaning_alone_is_not_transferred(self):
        self.write("few.txt", "".join(f"{a} {b}\n" for a, b in self.words[:12]))
        log = self.succeed("align", "en.vec", "es.vec", "--lexicon", "few.txt", "--method", "procrustes", "--rerank",
                           "--rerank-features", "semantic", "-o", "n.wbmap").stderr
        self.assertIn("re-ranker: none, because too few words are known to learn from, and no cognates are found", log)

    def test_wrong_use_is_one_line(self):
        align = ("align", "en.vec", "es.vec", "-o", "n.wbmap")
        lexicon = ("--lexicon", "train.txt")
        self.fail(2, *align, *lexicon, "--rerank", "--no-rerank")
        self.fail(2, *align, *lexicon, "--rerank", "--rerank-features", "colors")
        self.fail(2, *align, *lexicon, "--method", "vecmap", "--rerank-features", "all")
        self.fail(2, *align, *lexicon, "--method", "rcsls", "--init", "m.wbmap", "--rerank")
        self.align("plain.wbmap", "--method", "procrustes")
        plain = ("plain.wbmap", "en.vec", "es.vec")
        self.fail(2, "translate", *plain, "x", "--criterion", "rerank")
        self.fail(2, "translate", *plain, "x", "--explain")
        self.fail(2, "induce", *plain, "--precision", "0.9")
        self.fail(2, "induce", *self.files, "--precision", "1.5")
        self.fail(2, "induce", *self.files, "--precision", "0.5", "--threshold", "0.5")


if __name__ == "__main__":
    unittest.main()
