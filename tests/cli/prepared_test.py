"""wordbridge prepare, and what opens its file in the place of a mapping and two files"""

import json
import pathlib
import unittest

from program import ROOT, CommandLineTest


class PreparedTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.align("m.wbmap", "--no-rerank")
        self.files = ["m.wbmap", "en.vec", "es.vec"]
        self.prepare("m.wbspace", *self.files)

    def prepare(self, output, *arguments):
        return self.succeed("prepare", *arguments, "-o", output)

    def expect_same(self, command, *arguments, files=None, space="m.wbspace", **options):
        expected = self.succeed(*command, *(files or self.files), *arguments, **options)
        result = self.succeed(*command, space, *arguments, **options)
        self.assertEqual(result.stdout, expected.stdout)
        self.assertNotEqual(result.stdout, "")

    def test_same_bytes(self):
        for options in ([], ["--criterion", "nn"], ["--criterion", "isf"], ["--criterion", "gc"], ["-k", "3"],
                        ["-k", "30"], ["-n", "140"], ["--json"]):
            self.expect_same(["translate"], "e100", "E3", *options)
        self.expect_same(["translate"], input="e1\ne2\n")
        self.expect_same(["induce"])
        self.expect_same(["induce"], "--mutual", "--criterion", "nn")
        self.expect_same(["evaluate", "translation"], "--lexicon", "test.txt")
        self.expect_same(["evaluate", "translation"], "--lexicon", "test.txt", "--json", "--criterion", "isf")
        self.expect_same(["evaluate", "hubness"])

    def test_with_a_re_ranker(self):
        sample = ROOT / "data/sample"
        vectors = [str(sample / f"{language}.vec.xz") for language in ("en", "es")]
        self.succeed("align", *vectors, "--lexicon", str(sample / "en-es.train.txt"), "--method", "procrustes",
                     "--rerank", "--max-words", "3000", "-o", "r.wbmap")
        files = ["r.wbmap", *vectors]
        self.prepare("r.wbspace", *files)
        for options in ([], ["--explain", "--json"], ["--criterion", "csls"], ["-n", "60"]):
            self.expect_same(["translate"], "night", "library", *options, files=files, space="r.wbspace")
        self.expect_same(["induce"], "--last-rank", "300", files=files, space="r.wbspace")

    def test_neighbors(self):
        def rows(*arguments):
            return self.succeed("neighbors", *arguments, "e7", "e100").stdout.replace("s", "e")

        self.assertEqual(rows("m.wbspace"), rows("en.vec", "--mapping", "m.wbmap"))
        self.assertEqual(rows("m.wbspace", "--across"), rows("en.vec", "--mapping", "m.wbmap", "--target", "es.vec"))
        other = self.succeed("neighbors", "m.wbspace", "s7", "--side", "target").stdout
        self.assertEqual(other, self.succeed("neighbors", "es.vec", "s7", "--mapping", "m.wbmap", "--side",
                                             "target").stdout)
        across = self.succeed("neighbors", "m.wbspace", "s7", "--side", "target", "--across", "-n", "1").stdout
        self.assertTrue(across.startswith("s7\t1\te7\t"))
        self.assertIn("--across", self.fail(2, "neighbors", "en.vec", "e7", "--across"))
        self.assertIn("--mapping", self.fail(2, "neighbors", "m.wbspace", "e7", "--mapping", "m.wbmap"))

    def test_other_measures(self):
        self.write("similar.tsv", "".join(f"e{i}\te{i + 1}\t{i % 7}\n" for i in range(20)))
        for side in ("source", "target"):
            words = self.read("similar.tsv").decode()
            self.write(f"{side}.tsv", words if side == "source" else words.replace("e", "s"))
            expected = self.succeed("evaluate", "similarity", "en.vec" if side == "source" else "es.vec",
                                    f"{side}.tsv", "--mapping", "m.wbmap", "--side", side, "--space", "aligned").stdout
            self.assertEqual(self.succeed("evaluate", "similarity", "m.wbspace", f"{side}.tsv", "--side",
                                          side).stdout, expected)
        result = self.succeed("evaluate", "all", "m.wbspace", "--lexicon", "test.txt", "--json").stdout
        expected = json.loads(self.succeed("evaluate", "all", *self.files, "--lexicon", "test.txt", "--json").stdout)
        self.assertEqual(json.loads(result)["hubness"], expected["hubness"])

    def test_inspect(self):
        text = self.succeed("inspect", "m.wbspace", "--check").stdout
        self.assertIn("all checksums match", text)
        self.assertIn("en.vec, 150 words", text)
        about = json.loads(self.succeed("inspect", "m.wbspace", "--json").stdout)
        self.assertEqual((about["dimension"], about["rows"], about["neighbors"]), (8, "float32", 10))
        self.assertEqual(about["bytes"], len(self.read("m.wbspace")))
        damaged = bytearray(self.read("m.wbspace"))
        damaged[-2000] ^= 1
        self.write("d.wbspace", bytes(damaged))
        self.assertIn("damaged", self.fail(1, "inspect", "d.wbspace", "--check"))
        self.assertIn("--check", self.fail(2, "inspect", "m.wbmap", "--check"))

    def test_any_number_of_threads_writes_the_same(self):
        for threads in ("1", "3"):
            self.prepare("again.wbspace", *self.files, "--threads", threads)
            self.assertEqual(self.read("again.wbspace"), self.read("m.wbspace"))

    def test_vectors_that_share_a_space(self):
        for side, language in (("source", "en"), ("target", "es")):
            self.succeed("apply", "m.wbmap", f"{language}.vec", "-o", f"{language}.aligned.vec", "--side",
                         side)
        aligned = ["en.aligned.vec", "es.aligned.vec"]
        self.prepare("aligned.wbspace", *aligned)
        self.expect_same(["translate"], "e100", files=aligned, space="aligned.wbspace")

    def test_another_name(self):
        pathlib.Path(self.path("m.wbspace")).rename(self.path("space"))
        self.expect_same(["translate"], "e100", space="space")

    def test_half(self):
        self.prepare("half.wbspace", *self.files, "--half")
        self.assertTrue(self.succeed("translate", "half.wbspace", "e100", "-n", "1").stdout.startswith("e100\t1\ts100"))
        self.assertLess(len(self.read("half.wbspace")), len(self.read("m.wbspace")))

    def test_wrong_uses(self):
        self.assertIn("--max-words", self.fail(2, "translate", "m.wbspace", "e1", "--max-words", "10"))
        self.assertIn("leave", self.fail(2, "induce", "m.wbspace", "es.vec"))
        self.assertIn("no prepared space", self.fail(2, "induce", "en.vec"))
        self.assertIn("no prepared space", self.fail(2, "translate", "en.vec"))
        self.assertIn("*.wbspace", self.fail(2, "prepare", *self.files, "-o", "m.vec"))
        self.assertIn("already", self.fail(2, "prepare", "m.wbspace", "-o", "n.wbspace"))
        self.assertIn("also an input", self.fail(2, "prepare", "m.wbspace", "-o", "m.wbspace"))
        self.assertIn("mapped already", self.fail(2, "evaluate", "translation", "m.wbspace", "--lexicon", "test.txt",
                                                  "--compare", "m.wbmap"))
        self.assertIn("cannot open", self.fail(1, "translate", "nosuch.wbspace", "e1"))

    def test_damage(self):
        content = self.read("m.wbspace")
        self.write("cut.wbspace", content[:-100])
        self.assertIn("ends early", self.fail(1, "translate", "cut.wbspace", "e1"))
        damaged = bytearray(content)
        damaged[content.index(b"e100")] ^= 1
        self.write("damaged.wbspace", bytes(damaged))
        self.assertIn("damaged", self.fail(1, "translate", "damaged.wbspace", "e1"))
        self.write("text.wbspace", "house casa\n")
        self.assertIn("does not begin like", self.fail(1, "translate", "text.wbspace", "e1"))


if __name__ == "__main__":
    unittest.main()
