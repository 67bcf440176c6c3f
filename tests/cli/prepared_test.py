"""wordbridge prepare, and what opens its file in the place of a mapping and two files"""

import json
import pathlib
import unittest

from program import CommandLineTest


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
