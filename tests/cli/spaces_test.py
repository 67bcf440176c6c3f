"""neighbors, invert and compose, and spaces that do not mix"""

import json
import random
import unittest

from program import TRAIN, WORDS, CommandLineTest, random_rotation, vec_text


class SpacesTest(CommandLineTest):
    """A third language, de, is a rotation of es: word dI translates sI."""

    def setUp(self):
        super().setUp()
        rotation = random_rotation(random.Random(7))
        rows = [[sum(w * x for w, x in zip(row, x_row)) for row in rotation] for x_row in self.target_rows]
        self.write("de.vec", vec_text([f"d{i}" for i in range(WORDS)], rows))
        self.write("es-de.txt", "".join(f"s{i} d{i}\n" for i in range(TRAIN)))
        self.write("en-de.test.txt", "".join(f"e{i} d{i}\n" for i in range(TRAIN, WORDS)))
        self.write("es-en.test.txt", "".join(f"s{i} e{i}\n" for i in range(TRAIN, WORDS)))

    def precision(self, *arguments):
        return json.loads(self.succeed("evaluate", "translation", *arguments, "--json").stdout)["precision"]["all"]["1"]

    def map(self, source, target, lexicon, name, *options):
        self.succeed("align", source, target, "--lexicon", lexicon, "-o", name, *options)

    def test_neighbors(self):
        self.align("m.wbmap", "--method", "procrustes")
        lines = self.succeed("neighbors", "en.vec", "e1", "e2", "-n", "3").stdout.splitlines()
        self.assertEqual(len(lines), 6)
        self.assertNotIn("e1", [line.split("\t")[2] for line in lines[:3]])
        across = self.succeed("neighbors", "en.vec", "e1", "--mapping", "m.wbmap", "--target", "es.vec", "-n", "1")
        self.assertEqual(across.stdout.split("\t")[:3], ["e1", "1", "s1"])
        back = self.succeed("neighbors", "es.vec", "s1", "--mapping", "m.wbmap", "--side", "target", "--target",
                            "en.vec", "-n", "1", "--json")
        self.assertEqual(json.loads(back.stdout)[0]["neighbors"][0]["word"], "e1")
        # A rotation changes no cosine within a language.
        mapped = self.succeed("neighbors", "en.vec", "e1", "e2", "-n", "3", "--mapping", "m.wbmap").stdout.splitlines()
        self.assertEqual([line.split("\t")[:3] for line in mapped], [line.split("\t")[:3] for line in lines])
        self.assertEqual(self.succeed("neighbors", "en.vec", "-n", "3", input="e1\ne2\n").stdout.splitlines(), lines)
        self.assertIn("'x' is not in the vocabulary", self.fail(1, "neighbors", "en.vec", "x"))

    def test_invert(self):
        self.align("m.wbmap", "--method", "procrustes")
        result = self.succeed("invert", "m.wbmap", "-o", "back.wbmap")
        self.assertNotIn("warning", result.stderr)
        self.assertEqual(self.precision("back.wbmap", "es.vec", "en.vec", "--lexicon", "es-en.test.txt"), 100)
        self.align("r.wbmap", "--method", "rcsls", "--learning-rate", "5", "--epochs", "5")
        result = self.succeed("invert", "r.wbmap", "-o", "back.wbmap")
        self.assertRegex(result.stderr, r"warning: a map that is not orthogonal .* change by 0\.\d+ on average")
        self.align("v.wbmap", "--method", "vecmap")
        self.assertNotIn("warning", self.succeed("invert", "v.wbmap", "-o", "back.wbmap").stderr)
        self.assertEqual(self.precision("back.wbmap", "es.vec", "en.vec", "--lexicon", "es-en.test.txt"), 100)
        self.assertIn("a .wbmap file", self.fail(2, "invert", "m.wbmap", "-o", "x.vec"))

    def test_compose(self):
        self.map("en.vec", "es.vec", "train.txt", "en-es.wbmap", "--method", "procrustes")
        self.map("es.vec", "de.vec", "es-de.txt", "es-de.wbmap", "--method", "procrustes")
        self.succeed("compose", "en-es.wbmap", "es-de.wbmap", "-o", "en-de.wbmap")
        self.assertEqual(self.precision("en-de.wbmap", "en.vec", "de.vec", "--lexicon", "en-de.test.txt"), 100)
        self.assertIn("the second begins with other vectors", self.fail(2, "compose", "es-de.wbmap", "en-es.wbmap", "-o",
                                                                        "x.wbmap"))
        self.map("es.vec", "de.vec", "es-de.txt", "other.wbmap", "--method", "procrustes", "--normalize", "none")
        self.assertIn("the same --normalize", self.fail(2, "compose", "en-es.wbmap", "other.wbmap", "-o", "x.wbmap"))

    def test_spaces_do_not_mix(self):
        self.map("en.vec", "es.vec", "train.txt", "a.wbmap", "--method", "procrustes")
        self.map("en.vec", "es.vec", "train.txt", "v.wbmap", "--method", "vecmap")
        self.succeed("apply", "a.wbmap", "en.vec", "-o", "en.wbvec")
        self.succeed("apply", "a.wbmap", "es.vec", "--side", "target", "-o", "es.wbvec")
        self.succeed("apply", "v.wbmap", "es.vec", "--side", "target", "-o", "moved.wbvec")
        test = ["--lexicon", "test.txt"]
        self.assertGreater(self.precision("en.wbvec", "es.wbvec", *test), 90)
        line = self.fail(2, "evaluate", "translation", "en.wbvec", "moved.wbvec", *test)
        self.assertRegex(line, r"en.wbvec is in common space \w{8}, moved.wbvec in \w{8}: .*map both sides by one mapping")
        for command in (["translate", "en.wbvec", "moved.wbvec", "e1"], ["induce", "en.wbvec", "moved.wbvec"],
                        ["neighbors", "en.wbvec", "e1", "--target", "moved.wbvec"]):
            self.assertIn("common space", self.fail(2, *command))
        # Two mappings to the same target lead to the same space, and converting keeps it.
        self.map("en.vec", "es.vec", "train.txt", "r.wbmap", "--method", "rcsls", "--learning-rate", "1", "--epochs", "1")
        self.succeed("apply", "r.wbmap", "en.vec", "-o", "en2.wbvec")
        self.precision("en2.wbvec", "es.wbvec", *test)
        self.succeed("convert", "moved.wbvec", "copy.wbvec")
        self.assertIn("common space", self.fail(2, "evaluate", "translation", "en.wbvec", "copy.wbvec", *test))
        # Formats without a place for it are taken as they are.
        self.succeed("convert", "moved.wbvec", "moved.vec")
        self.precision("en.wbvec", "moved.vec", *test)


if __name__ == "__main__":
    unittest.main()
